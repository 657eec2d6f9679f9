// People who live on a device are seen, moved, dropped and taken in as the host's own, in any order
// of threads.
#include "device_crowd_gpu.h"

#include "../core/hard_crowds.h"
#include "standard_crowds.h"
#include <criterion/criterion.h>
#include <math.h>

#define ORDERS 3

static const float dt = 0.1f;

struct fixture { // one crowd, on the host and on the device
  struct world world;
  struct agents a;
  struct device_state device_state;
};

static struct outlines square_of(int32_t half, int64_t *start, struct point *points,
                                 uint8_t *closed)
{
  start[0] = 0;
  start[1] = 4;
  closed[0] = 1;
  points[0] = (struct point){-half, -half};
  points[1] = (struct point){half, -half};
  points[2] = (struct point){half, half};
  points[3] = (struct point){-half, half};
  return (struct outlines){1, start, points, closed};
}

static const struct measure *cross_lines(void)
{
  static struct point up[3] = {{-(8 << 16), -(5 << 16)}, {0, 4 << 16}, {8 << 16, -(5 << 16)}};
  static struct point across[2] = {{-(9 << 16), 77}, {9 << 16, 77}};
  static struct measure_line lines[2] = {{NULL, 3, up}, {NULL, 2, across}};
  static const struct measure measure = {.line_count = 2, .lines = lines};
  return &measure;
}

static void fixture_create(struct fixture *h, int order, int64_t count)
{
  int64_t start[2];
  struct point points[4];
  uint8_t closed[1];
  *h = (struct fixture){.world.frame.exponent = 16,
                        .device_state.device.order = (enum thread_order)order};
  h->world.bounds = standard_crowds_square_bounds(&h->world.frame, count, 1);
  const struct outlines one = square_of(3 << 16, start, points, closed);
  obstacles_create(&h->world.obstacles, &one, false);
  agents_create(&h->a, count);
  standard_crowds_square(&h->a, &h->world.frame, &(struct square_crowd){7, count, 1, 0, count});
  standard_crowds_mix(&h->a, 7);
  upload_world(&h->device_state, &h->world, NULL, cross_lines());
  upload_agents(&h->device_state, &h->a);
}

static void device_state_free(struct device_state *g)
{
  for (int b = 0; b < BUFFERS; b++)
    device_free(g->buffers[b].memory);
  for (int b = 0; b < g->arena.capacity; b++)
    device_free(g->arena.list[b].memory);
  memory_destroy(g->arena.list);
}

static void fixture_destroy(struct fixture *h)
{
  obstacles_destroy(&h->world.obstacles);
  agents_destroy(&h->a);
  device_state_free(&h->device_state);
}

static uint64_t device_checksum(struct fixture *h)
{
  struct agents copy = {0};
  download_agents(&h->device_state, &copy);
  const uint64_t sum = agents_checksum(&copy);
  agents_destroy(&copy);
  return sum;
}

static struct next_velocity_input input(const struct fixture *h, const struct avoidance *avoidance)
{
  return (struct next_velocity_input){.world = &h->world, .avoidance = avoidance, .dt = dt};
}

// ------------------------------------------------------------------------------------ the few

static bool is_outside(const struct agents *a, int64_t i, struct box b)
{
  return !box_holds(b, (struct point){a->x[i], a->y[i]});
}

static struct box some_box(uint64_t *r)
{
  const int32_t w = 10 << 16, x = oracle_whole(r, -w, w), y = oracle_whole(r, -w, w);
  return (struct box){{x - w, y - w}, {x + w / 2, y + w / 2}};
}

// Those selected, on the host: few.
static void fetch_selected(struct fixture *h, struct agents *selected, int64_t count)
{
  char *records = memory_create((size_t)count, record_bytes(SCOPE_STATE));
  selected->count = 0;
  download_selected(&h->device_state, records);
  for (int64_t k = 0; k < count; k++)
    agents_unpack(selected, agents_append(selected), SCOPE_STATE,
                  records + (size_t)k * record_bytes(SCOPE_STATE));
  memory_destroy(records);
}

static void assert_selected(const struct agents *a, const struct agents *selected, struct box box)
{
  int64_t count = 0, sum = 0;
  for (int64_t i = 0; i < a->count; i++)
    if (is_outside(a, i, box)) {
      count++;
      sum += a->id[i] * a->id[i];
    }
  cr_assert_eq(selected->count, count);
  for (int64_t k = 0; k < selected->count; k++)
    sum -= selected->id[k] * selected->id[k];
  cr_assert_eq(sum, 0, "others are selected");
}

// Takes those with gone[k] of few from the host's agents.
static void drop_from_host(struct agents *a, const struct agents *selected, const uint8_t *gone)
{
  uint8_t *leaves = memory_create((size_t)a->count, 1);
  for (int64_t k = 0; k < selected->count; k++)
    for (int64_t i = 0; i < a->count && gone[k]; i++)
      if (a->id[i] == selected->id[k])
        leaves[i] = 1;
  agents_remove(a, leaves);
  memory_destroy(leaves);
}

static void append_to_both(struct fixture *h, int64_t count, int64_t first_id)
{
  const size_t each = record_bytes(SCOPE_STATE), from = (size_t)h->a.count;
  char *records = memory_create((size_t)count, each);
  const int64_t end = first_id + count;
  standard_crowds_square(&h->a, &h->world.frame, &(struct square_crowd){9, end, 1, first_id, end});
  for (int64_t k = 0; k < count; k++)
    agents_pack(&h->a, (int64_t)from + k, SCOPE_STATE, records + (size_t)k * each);
  cr_assert_eq(append_agents(&h->device_state, records, count), h->a.count);
  memory_destroy(records);
}

static void remove_and_append(struct fixture *h, uint64_t *r, int64_t first_id)
{
  struct agents selected = {0};
  const struct device_crowd_rule rule = {.criterion = DEVICE_CROWD_OUTSIDE, .box = some_box(r)};
  const int64_t count = select_agents(&h->device_state, &rule);
  fetch_selected(h, &selected, count);
  assert_selected(&h->a, &selected, rule.box);
  const int share = oracle_whole(r, 0, 4);
  uint8_t *gone = memory_create((size_t)count, 1);
  for (int64_t k = 0; k < count; k++)
    gone[k] = oracle_whole(r, 1, 4) <= share;
  drop_from_host(&h->a, &selected, gone);
  cr_assert_eq(remove_selected(&h->device_state, share == 4 ? NULL : gone), h->a.count);
  append_to_both(h, oracle_whole(r, 0, 60), first_id);
  cr_assert_eq(device_checksum(h), agents_checksum(&h->a));
  memory_destroy(gone);
  agents_destroy(&selected);
}

Test(device_crowd, who_comes_and_goes_is_the_hosts)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    uint64_t r = (uint64_t)order;
    fixture_create(&h, order, 300);
    cr_assert_eq(device_checksum(&h), agents_checksum(&h.a));
    for (int k = 0; k < 40; k++)
      remove_and_append(&h, &r, 1000 + 100 * k);
    fixture_destroy(&h);
  }
}

// Changed ones go back to their places, and who was held up for so long is found.
Test(device_crowd, changes_come_back)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct agents selected = {0};
    fixture_create(&h, order, 200);
    const struct device_crowd_rule nowhere = {.criterion = DEVICE_CROWD_OUTSIDE};
    fetch_selected(&h, &selected, select_agents(&h.device_state, &nowhere));
    cr_assert_eq(selected.count, 200);
    char *records = memory_create(200, record_bytes(SCOPE_STATE));
    for (int64_t k = 0; k < 200; k++) {
      selected.held[k] = selected.id[k] % 3 ? 4 : 5;
      agents_pack(&selected, k, SCOPE_STATE, records + (size_t)k * record_bytes(SCOPE_STATE));
    }
    upload_selected(&h.device_state, records);
    cr_assert_eq(device_checksum(&h), agents_checksum(&selected));
    const struct device_crowd_rule held = {.criterion = DEVICE_CROWD_BLOCKED, .steps = 5};
    cr_assert_eq(select_agents(&h.device_state, &held), 67);
    memory_destroy(records);
    agents_destroy(&selected);
    fixture_destroy(&h);
  }
}

// ------------------------------------------------------------------------------------ ghosts

static bool has_record(const char *records, int64_t count, const struct agents *a, int64_t i)
{
  char wanted[200];
  const size_t each = record_bytes(SCOPE_GHOST);
  agents_pack(a, i, SCOPE_GHOST, wanted);
  for (int64_t k = 0; k < count; k++)
    if (memcmp(records + (size_t)k * each, wanted, each) == 0)
      return true;
  return false;
}

Test(device_crowd, others_see_what_the_host_shows)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    uint64_t r = 3;
    fixture_create(&h, order, 400);
    const struct box halo_boxes[3] = {some_box(&r), some_box(&r), {{0, 0}, {0, 0}}};
    const struct device_crowd_view view = {
        3, halo_boxes, {{-(4 << 16), -(4 << 16)}, {4 << 16, 4 << 16}}};
    int64_t counts[3];
    char *records[3];
    pack_mirrors(&h.device_state, &view, counts);
    for (int k = 0; k < 3; k++)
      records[k] = memory_create((size_t)counts[k], record_bytes(SCOPE_GHOST));
    copy_mirrors(&h.device_state, records, counts, 3);
    for (int k = 0; k < 3; k++) {
      int64_t right = 0;
      for (int64_t i = 0; i < h.a.count; i++)
        if (is_outside(&h.a, i, view.interior) && !is_outside(&h.a, i, halo_boxes[k])) {
          cr_assert(has_record(records[k], counts[k], &h.a, i));
          right++;
        }
      cr_assert_eq(counts[k], right);
      cr_assert(k == 2 ? right == 0 : right > 0);
      memory_destroy(records[k]);
    }
    fixture_destroy(&h);
  }
}

// ------------------------------------------------------------------------------------ newcomers

Test(device_crowd, places_are_touched_as_on_the_host)
{
  const struct avoidance avoidance = {.neighbours = 1, .neighbour_distance = 1};
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct neighbours neighbours = {0};
    uint64_t r = 11;
    int64_t found[200], some = 0;
    struct disc places[200];
    fixture_create(&h, order, 400);
    neighbours_build(&neighbours, &h.world.frame, &h.a);
    const struct next_velocity_input in = input(&h, &avoidance);
    const float quanta_per_speed = dt * 65536, reach = (float)(0.6 + 0.3 + 1.6 * 0.1) * 65536;
    for (int k = 0; k < 200; k++)
      places[k] = (struct disc){
          {oracle_whole(&r, -(14 << 16), 14 << 16), oracle_whole(&r, -(14 << 16), 14 << 16)},
          0.05f * 65536 * (float)(k % 12),
          reach};
    build_index(&h.device_state, &in, 1 << 16, false);
    probe_discs(&h.device_state, places, 200, quanta_per_speed, found);
    for (int k = 0; k < 200; k++) {
      some += found[k];
      cr_assert_eq(found[k], neighbours_probe(&neighbours, &h.a, &places[k], quanta_per_speed));
    }
    cr_assert(some > 10 && some < 190);
    neighbours_destroy(&neighbours);
    fixture_destroy(&h);
  }
}

// ------------------------------------------------------------------------------------ the move

// The next velocities, on both sides: some no numbers, some too fast, some through the wall.
static void set_next_velocities(struct fixture *h, uint64_t *r)
{
  for (int64_t i = 0; i < h->a.count; i++) {
    h->a.next_vx[i] = (float)oracle_between(r, -1, 1);
    h->a.next_vy[i] = (float)oracle_between(r, -1, 1);
    if (i % 41 == 5)
      h->a.next_vx[i] = NAN;
    if (i % 37 == 5)
      h->a.next_vy[i] = 3;
    h->device_state.resident.next_vx[i] = h->a.next_vx[i];
    h->device_state.resident.next_vy[i] = h->a.next_vy[i];
  }
}

// Of all offenders of a kind: the one with the least id, and where it stands.
static void note_offender(struct violation *first, bool violations, int kind,
                          const struct agents *a, int64_t i)
{
  if (violations && a->id[i] < first[kind].id)
    first[kind] = (struct violation){0, kind, a->id[i], {a->x[i], a->y[i]}, -1};
}

static void offenders_before(const struct fixture *h, struct violation *first)
{
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    first[kind].id = INT64_MAX;
  for (int64_t i = 0; i < h->a.count; i++) {
    const bool finite = velocity_finite(&h->a, i);
    note_offender(first, !finite, AUDIT_NOT_FINITE, &h->a, i);
    note_offender(first, !agent_inside(&h->a, i, h->world.bounds), AUDIT_ESCAPE, &h->a, i);
    note_offender(first, finite && !velocity_within_limit(&h->a, i), AUDIT_TOO_FAST, &h->a, i);
  }
}

static void assert_first_of_each(const struct fixture *h, struct violation *right,
                                 const struct device_crowd_moved *moved, int64_t step)
{
  for (int64_t i = 0; i < h->a.count; i++)
    note_offender(right, move_crosses_wall(&h->a, i, &h->world.obstacles, step), AUDIT_WALL, &h->a,
                  i);
  for (int kind = 0; kind < AUDIT_KINDS; kind++) {
    const struct violation *a = &right[kind], *b = &moved->first[kind];
    cr_assert((moved->violations[kind] > 0) == (a->id < INT64_MAX));
    cr_assert(moved->violations[kind] == 0 ||
                  (a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y),
              "step %d, kind %d", (int)step, kind);
  }
}

static void assert_same_offender(const struct violation *a, const struct violation *b)
{
  cr_assert_eq(a->step, b->step);
  cr_assert(a->step == INT64_MAX ||
            (a->kind == b->kind && a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y));
}

static void move_both(struct fixture *h, int64_t step, int64_t *host, int64_t *device_counts)
{
  struct neighbours neighbours = {0};
  struct audit mine, reported;
  struct device_crowd_moved moved;
  struct violation right[AUDIT_KINDS];
  audit_create(&mine);
  audit_create(&reported);
  offenders_before(h, right);
  neighbours_build(&neighbours, &h->world.frame, &h->a);
  audit_velocities(&mine, &h->a, h->world.bounds, step);
  const int64_t kept = agents_move(&h->a, &h->world.frame, h->world.bounds, dt);
  audit_moves(&mine, &h->a, &h->world.obstacles, step);
  measure_lines(cross_lines(), &neighbours.own, &h->a, 1 << 16, host);
  const struct device_crowd_move in = {dt, step, device_counts};
  move(&h->device_state, &in, &moved);
  audit_merge(&reported, moved.violations, moved.first);
  assert_first_of_each(h, right, &moved, step);
  cr_assert_eq(moved.kept, kept);
  cr_assert_arr_eq(mine.count, reported.count, sizeof mine.count);
  assert_same_offender(&mine.first, &reported.first);
  assert_same_offender(&mine.fatal, &reported.fatal);
  neighbours_destroy(&neighbours);
}

Test(device_crowd, moves_and_audits_as_the_host)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    uint64_t r = 17;
    int64_t host[4] = {0}, device_counts[4] = {0}, wrong_walls = 0;
    fixture_create(&h, order, 500);
    h.a.x[3] = h.world.bounds.hi.x + 9; // has escaped, and will be kept inside
    upload_agents(&h.device_state, &h.a);
    for (int64_t step = 0; step < 40; step++) {
      set_next_velocities(&h, &r);
      move_both(&h, step, host, device_counts);
      cr_assert_eq(device_checksum(&h), agents_checksum(&h.a));
      for (int64_t i = 0; i < h.a.count; i++)
        wrong_walls +=
            obstacles_crossed(&h.world.obstacles, (struct point){h.a.from_x[i], h.a.from_y[i]},
                              (struct point){h.a.x[i], h.a.y[i]});
    }
    cr_assert_arr_eq(host, device_counts, sizeof host);
    cr_assert(host[0] > 0 && host[1] > 0 && host[2] > 0 && host[3] > 0 && wrong_walls > 0);
    fixture_destroy(&h);
  }
}

Test(device_crowd, targets_are_counted)
{
  struct fixture h;
  int64_t counts[5], right[5] = {0};
  fixture_create(&h, PERMUTED, 300);
  for (int64_t i = 0; i < h.a.count; i++) {
    h.a.target[i] = (int32_t)(i % 6) - 1;
    if (i % 6)
      right[i % 6 - 1]++;
  }
  upload_agents(&h.device_state, &h.a);
  count_stops(&h.device_state, counts, 5);
  cr_assert_arr_eq(counts, right, sizeof right);
  fixture_destroy(&h);
}

// ------------------------------------------------------------------------------------ nobody

Test(device_crowd, nobody_is_no_exception)
{
  const struct avoidance avoidance = {
      .method = METHOD_orca, .neighbours = 4, .neighbour_distance = 2};
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct next_velocity_counts counts = {0};
    struct device_crowd_moved moved;
    struct device_crowd_sums all;
    int64_t crossed[4] = {0}, touches = 1;
    const struct disc place = {{0, 0}, 1 << 14, 1 << 17};
    const struct device_crowd_rule nowhere = {.criterion = DEVICE_CROWD_OUTSIDE};
    fixture_create(&h, order, 1);
    h.a.count = 0;
    upload_agents(&h.device_state, &h.a);
    const struct next_velocity_input in = input(&h, &avoidance);
    build_index(&h.device_state, &in, 1 << 16, true);
    unpack_ghosts(&h.device_state, NULL, NULL, 0, (struct box){{5, 5}, {5, 5}});
    probe_discs(&h.device_state, &place, 1, 6553.6f, &touches);
    next_velocities(&h.device_state, &in, &counts);
    move(&h.device_state, &(struct device_crowd_move){dt, 0, crossed}, &moved);
    sums(&h.device_state, &all);
    cr_assert(touches == 0 && counts.full_neighbourhoods == 0 && moved.kept == 0 && all.speed == 0);
    cr_assert_eq(select_agents(&h.device_state, &nowhere), 0);
    append_to_both(&h, 3, 0);
    cr_assert_eq(device_checksum(&h), agents_checksum(&h.a));
    fixture_destroy(&h);
  }
}
