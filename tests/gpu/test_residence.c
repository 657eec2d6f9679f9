// People who live on a device are seen, moved, dropped and taken in as the host's own, in any order
// of threads.
#include "residence_gpu.h"

#include "../core/crowds.h"
#include "crowd.h"
#include <criterion/criterion.h>
#include <math.h>

#define ORDERS 3

static const float dt = 0.1f;

struct scene_here { // one crowd, on the host and on the device
  struct world world;
  struct agents a;
  struct gpu gpu;
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

static void here_create(struct scene_here *h, int order, int64_t count)
{
  int64_t start[2];
  struct point points[4];
  uint8_t closed[1];
  *h =
      (struct scene_here){.world.frame.exponent = 16, .gpu.device.order = (enum thread_order)order};
  h->world.bounds = crowd_square_bounds(&h->world.frame, count, 1);
  const struct outlines one = square_of(3 << 16, start, points, closed);
  obstacles_create(&h->world.obstacles, &one, false);
  agents_create(&h->a, count);
  crowd_square(&h->a, &h->world.frame, 7, count, 1, 0, count);
  crowd_mix(&h->a, 7);
  learn(&h->gpu, &h->world, NULL, cross_lines());
  take(&h->gpu, &h->a);
}

static void device_forget(struct gpu *g)
{
  for (int b = 0; b < BUFFERS; b++)
    device_release(g->buffers[b].memory);
  for (int b = 0; b < g->arena.capacity; b++)
    device_release(g->arena.list[b].memory);
  memory_destroy(g->arena.list);
}

static void here_destroy(struct scene_here *h)
{
  obstacles_destroy(&h->world.obstacles);
  agents_destroy(&h->a);
  device_forget(&h->gpu);
}

static uint64_t checksum_there(struct scene_here *h)
{
  struct agents copy = {0};
  give(&h->gpu, &copy);
  const uint64_t sum = agents_checksum(&copy);
  agents_destroy(&copy);
  return sum;
}

static struct choose_input input(const struct scene_here *h, const struct avoidance *avoidance)
{
  return (struct choose_input){.world = &h->world, .avoidance = avoidance, .dt = dt};
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
static void fetch_few(struct scene_here *h, struct agents *few, int64_t count)
{
  char *records = memory_create((size_t)count, record_bytes(KEPT));
  few->count = 0;
  selected(&h->gpu, records);
  for (int64_t k = 0; k < count; k++)
    agents_unpack(few, agents_append(few), KEPT, records + (size_t)k * record_bytes(KEPT));
  memory_destroy(records);
}

static void assert_selected(const struct agents *a, const struct agents *few, struct box box)
{
  int64_t count = 0, sum = 0;
  for (int64_t i = 0; i < a->count; i++)
    if (is_outside(a, i, box)) {
      count++;
      sum += a->id[i] * a->id[i];
    }
  cr_assert_eq(few->count, count);
  for (int64_t k = 0; k < few->count; k++)
    sum -= few->id[k] * few->id[k];
  cr_assert_eq(sum, 0, "others are selected");
}

// Takes those with gone[k] of few from the host's agents.
static void drop_here(struct agents *a, const struct agents *few, const uint8_t *gone)
{
  uint8_t *leaves = memory_create((size_t)a->count, 1);
  for (int64_t k = 0; k < few->count; k++)
    for (int64_t i = 0; i < a->count && gone[k]; i++)
      if (a->id[i] == few->id[k])
        leaves[i] = 1;
  agents_remove(a, leaves);
  memory_destroy(leaves);
}

static void append_there_and_here(struct scene_here *h, int64_t count, int64_t first_id)
{
  const size_t each = record_bytes(KEPT), from = (size_t)h->a.count;
  char *records = memory_create((size_t)count, each);
  crowd_square(&h->a, &h->world.frame, 9, first_id + count, 1, first_id, first_id + count);
  for (int64_t k = 0; k < count; k++)
    agents_pack(&h->a, (int64_t)from + k, KEPT, records + (size_t)k * each);
  cr_assert_eq(append(&h->gpu, records, count), h->a.count);
  memory_destroy(records);
}

static void some_leave_and_come(struct scene_here *h, uint64_t *r, int64_t first_id)
{
  struct agents few = {0};
  const struct residence_rule rule = {.who = RESIDENCE_OUTSIDE, .box = some_box(r)};
  const int64_t count = select_there(&h->gpu, &rule);
  fetch_few(h, &few, count);
  assert_selected(&h->a, &few, rule.box);
  const int share = oracle_whole(r, 0, 4);
  uint8_t *gone = memory_create((size_t)count, 1);
  for (int64_t k = 0; k < count; k++)
    gone[k] = oracle_whole(r, 1, 4) <= share;
  drop_here(&h->a, &few, gone);
  cr_assert_eq(drop(&h->gpu, share == 4 ? NULL : gone), h->a.count);
  append_there_and_here(h, oracle_whole(r, 0, 60), first_id);
  cr_assert_eq(checksum_there(h), agents_checksum(&h->a));
  memory_destroy(gone);
  agents_destroy(&few);
}

Test(residence, who_comes_and_goes_is_the_hosts)
{
  for (int order = 0; order < ORDERS; order++) {
    struct scene_here h;
    uint64_t r = (uint64_t)order;
    here_create(&h, order, 300);
    cr_assert_eq(checksum_there(&h), agents_checksum(&h.a));
    for (int k = 0; k < 40; k++)
      some_leave_and_come(&h, &r, 1000 + 100 * k);
    here_destroy(&h);
  }
}

// Changed ones go back to their places, and who was held up for so long is found.
Test(residence, changes_come_back)
{
  for (int order = 0; order < ORDERS; order++) {
    struct scene_here h;
    struct agents few = {0};
    here_create(&h, order, 200);
    const struct residence_rule nowhere = {.who = RESIDENCE_OUTSIDE};
    fetch_few(&h, &few, select_there(&h.gpu, &nowhere));
    cr_assert_eq(few.count, 200);
    char *records = memory_create(200, record_bytes(KEPT));
    for (int64_t k = 0; k < 200; k++) {
      few.held[k] = few.id[k] % 3 ? 4 : 5;
      agents_pack(&few, k, KEPT, records + (size_t)k * record_bytes(KEPT));
    }
    put_back(&h.gpu, records);
    cr_assert_eq(checksum_there(&h), agents_checksum(&few));
    const struct residence_rule held = {.who = RESIDENCE_HELD, .steps = 5};
    cr_assert_eq(select_there(&h.gpu, &held), 67);
    memory_destroy(records);
    agents_destroy(&few);
    here_destroy(&h);
  }
}

// ------------------------------------------------------------------------------------ ghosts

static bool has_record(const char *records, int64_t count, const struct agents *a, int64_t i)
{
  char wanted[200];
  const size_t each = record_bytes(SEEN);
  agents_pack(a, i, SEEN, wanted);
  for (int64_t k = 0; k < count; k++)
    if (memcmp(records + (size_t)k * each, wanted, each) == 0)
      return true;
  return false;
}

Test(residence, others_see_what_the_host_shows)
{
  for (int order = 0; order < ORDERS; order++) {
    struct scene_here h;
    uint64_t r = 3;
    here_create(&h, order, 400);
    const struct box wide[3] = {some_box(&r), some_box(&r), {{0, 0}, {0, 0}}};
    const struct residence_view view = {3, wide, {{-(4 << 16), -(4 << 16)}, {4 << 16, 4 << 16}}};
    int64_t counts[3];
    char *records[3];
    show(&h.gpu, &view, counts);
    for (int k = 0; k < 3; k++)
      records[k] = memory_create((size_t)counts[k], record_bytes(SEEN));
    shown(&h.gpu, records, counts, 3);
    for (int k = 0; k < 3; k++) {
      int64_t right = 0;
      for (int64_t i = 0; i < h.a.count; i++)
        if (is_outside(&h.a, i, view.inner) && !is_outside(&h.a, i, wide[k])) {
          cr_assert(has_record(records[k], counts[k], &h.a, i));
          right++;
        }
      cr_assert_eq(counts[k], right);
      cr_assert(k == 2 ? right == 0 : right > 0);
      memory_destroy(records[k]);
    }
    here_destroy(&h);
  }
}

// ------------------------------------------------------------------------------------ newcomers

Test(residence, places_are_touched_as_on_the_host)
{
  const struct avoidance avoidance = {.neighbours = 1, .neighbour_distance = 1};
  for (int order = 0; order < ORDERS; order++) {
    struct scene_here h;
    struct neighbours crowd = {0};
    uint64_t r = 11;
    int64_t found[200], some = 0;
    struct disc places[200];
    here_create(&h, order, 400);
    neighbours_build(&crowd, &h.world.frame, &h.a);
    const struct choose_input in = input(&h, &avoidance);
    const float per_speed = dt * 65536, reach = (float)(0.6 + 0.3 + 1.6 * 0.1) * 65536;
    for (int k = 0; k < 200; k++)
      places[k] = (struct disc){
          {oracle_whole(&r, -(14 << 16), 14 << 16), oracle_whole(&r, -(14 << 16), 14 << 16)},
          0.05f * 65536 * (float)(k % 12),
          reach};
    order_people(&h.gpu, &in, 1 << 16, false);
    touched(&h.gpu, places, 200, per_speed, found);
    for (int k = 0; k < 200; k++) {
      some += found[k];
      cr_assert_eq(found[k], neighbours_touch(&crowd, &h.a, &places[k], per_speed));
    }
    cr_assert(some > 10 && some < 190);
    neighbours_destroy(&crowd);
    here_destroy(&h);
  }
}

// ------------------------------------------------------------------------------------ the move

// The next velocities, on both sides: some no numbers, some too fast, some through the wall.
static void set_out(struct scene_here *h, uint64_t *r)
{
  for (int64_t i = 0; i < h->a.count; i++) {
    h->a.next_vx[i] = (float)oracle_between(r, -1, 1);
    h->a.next_vy[i] = (float)oracle_between(r, -1, 1);
    if (i % 41 == 5)
      h->a.next_vx[i] = NAN;
    if (i % 37 == 5)
      h->a.next_vy[i] = 3;
    h->gpu.home.next_vx[i] = h->a.next_vx[i];
    h->gpu.home.next_vy[i] = h->a.next_vy[i];
  }
}

// Of all offenders of a kind: the one with the least id, and where it stands.
static void note_offender(struct offender *first, bool wrong, int kind, const struct agents *a,
                          int64_t i)
{
  if (wrong && a->id[i] < first[kind].id)
    first[kind] = (struct offender){0, kind, a->id[i], {a->x[i], a->y[i]}, -1};
}

static void offenders_before(const struct scene_here *h, struct offender *first)
{
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    first[kind].id = INT64_MAX;
  for (int64_t i = 0; i < h->a.count; i++) {
    const bool finite = choice_finite(&h->a, i);
    note_offender(first, !finite, AUDIT_NOT_FINITE, &h->a, i);
    note_offender(first, !agent_inside(&h->a, i, h->world.bounds), AUDIT_ESCAPE, &h->a, i);
    note_offender(first, finite && !choice_slow(&h->a, i), AUDIT_TOO_FAST, &h->a, i);
  }
}

static void assert_first_of_each(const struct scene_here *h, struct offender *right,
                                 const struct residence_moved *moved, int64_t step)
{
  for (int64_t i = 0; i < h->a.count; i++)
    note_offender(right, move_crosses(&h->a, i, &h->world.obstacles, step), AUDIT_WALL, &h->a, i);
  for (int kind = 0; kind < AUDIT_KINDS; kind++) {
    const struct offender *a = &right[kind], *b = &moved->first[kind];
    cr_assert((moved->wrong[kind] > 0) == (a->id < INT64_MAX));
    cr_assert(moved->wrong[kind] == 0 ||
                  (a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y),
              "step %d, kind %d", (int)step, kind);
  }
}

static void assert_same_offender(const struct offender *a, const struct offender *b)
{
  cr_assert_eq(a->step, b->step);
  cr_assert(a->step == INT64_MAX ||
            (a->kind == b->kind && a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y));
}

static void move_both(struct scene_here *h, int64_t step, int64_t *here, int64_t *there)
{
  struct neighbours crowd = {0};
  struct audit mine, told;
  struct residence_moved moved;
  struct offender right[AUDIT_KINDS];
  audit_create(&mine);
  audit_create(&told);
  offenders_before(h, right);
  neighbours_build(&crowd, &h->world.frame, &h->a);
  audit_choices(&mine, &h->a, h->world.bounds, step);
  const int64_t kept = agents_move(&h->a, &h->world.frame, h->world.bounds, dt);
  audit_moves(&mine, &h->a, &h->world.obstacles, step);
  measure_lines(cross_lines(), &crowd.own, &h->a, 1 << 16, here);
  const struct residence_move in = {dt, step, there};
  move(&h->gpu, &in, &moved);
  audit_told(&told, moved.wrong, moved.first);
  assert_first_of_each(h, right, &moved, step);
  cr_assert_eq(moved.kept, kept);
  cr_assert_arr_eq(mine.count, told.count, sizeof mine.count);
  assert_same_offender(&mine.first, &told.first);
  assert_same_offender(&mine.fatal, &told.fatal);
  neighbours_destroy(&crowd);
}

Test(residence, moves_and_audits_as_the_host)
{
  for (int order = 0; order < ORDERS; order++) {
    struct scene_here h;
    uint64_t r = 17;
    int64_t here[4] = {0}, there[4] = {0}, wrong_walls = 0;
    here_create(&h, order, 500);
    h.a.x[3] = h.world.bounds.hi.x + 9; // has escaped, and will be kept inside
    take(&h.gpu, &h.a);
    for (int64_t step = 0; step < 40; step++) {
      set_out(&h, &r);
      move_both(&h, step, here, there);
      cr_assert_eq(checksum_there(&h), agents_checksum(&h.a));
      for (int64_t i = 0; i < h.a.count; i++)
        wrong_walls +=
            obstacles_cut(&h.world.obstacles, (struct point){h.a.from_x[i], h.a.from_y[i]},
                          (struct point){h.a.x[i], h.a.y[i]});
    }
    cr_assert_arr_eq(here, there, sizeof here);
    cr_assert(here[0] > 0 && here[1] > 0 && here[2] > 0 && here[3] > 0 && wrong_walls > 0);
    here_destroy(&h);
  }
}

Test(residence, targets_are_counted)
{
  struct scene_here h;
  int64_t counts[5], right[5] = {0};
  here_create(&h, PERMUTED, 300);
  for (int64_t i = 0; i < h.a.count; i++) {
    h.a.target[i] = (int32_t)(i % 6) - 1;
    if (i % 6)
      right[i % 6 - 1]++;
  }
  take(&h.gpu, &h.a);
  targets(&h.gpu, counts, 5);
  cr_assert_arr_eq(counts, right, sizeof right);
  here_destroy(&h);
}

// ------------------------------------------------------------------------------------ nobody

Test(residence, nobody_is_no_exception)
{
  const struct avoidance avoidance = {
      .method = METHOD_orca, .neighbours = 4, .neighbour_distance = 2};
  for (int order = 0; order < ORDERS; order++) {
    struct scene_here h;
    struct choose_counts counts = {0};
    struct residence_moved moved;
    struct residence_sums all;
    int64_t crossed[4] = {0}, touches = 1;
    const struct disc place = {{0, 0}, 1 << 14, 1 << 17};
    const struct residence_rule nowhere = {.who = RESIDENCE_OUTSIDE};
    here_create(&h, order, 1);
    h.a.count = 0;
    take(&h.gpu, &h.a);
    const struct choose_input in = input(&h, &avoidance);
    order_people(&h.gpu, &in, 1 << 16, true);
    meet(&h.gpu, NULL, NULL, 0, (struct box){{5, 5}, {5, 5}});
    touched(&h.gpu, &place, 1, 6553.6f, &touches);
    choose_there(&h.gpu, &in, &counts);
    move(&h.gpu, &(struct residence_move){dt, 0, crossed}, &moved);
    sums(&h.gpu, &all);
    cr_assert(touches == 0 && counts.full_neighbourhoods == 0 && moved.kept == 0 && all.speed == 0);
    cr_assert_eq(select_there(&h.gpu, &nowhere), 0);
    append_there_and_here(&h, 3, 0);
    cr_assert_eq(checksum_there(&h), agents_checksum(&h.a));
    here_destroy(&h);
  }
}
