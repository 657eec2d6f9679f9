// Agents in device memory are packed, moved, selected, removed, appended and counted as by the CPU
// code, in any order of threads.
#include "device_crowd_fixture.h"

#include "../core/hard_crowds.h"
#include <math.h>

#define ORDERS 3

// ----------------------------------------------------------------------------------- selection

static bool is_outside(const struct agents *a, int64_t i, struct box b)
{
  return !box_holds(b, (struct point){a->x[i], a->y[i]});
}

static struct box random_box(uint64_t *r)
{
  const int32_t w = 10 << 16, x = oracle_whole(r, -w, w), y = oracle_whole(r, -w, w);
  return (struct box){{x - w, y - w}, {x + w / 2, y + w / 2}};
}

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
  cr_assert_eq(sum, 0, "the sum of squared ids differs");
}

static void remove_from_host(struct agents *a, const struct agents *selected, const uint8_t *gone)
{
  uint8_t *removed = memory_create((size_t)a->count, 1);
  for (int64_t k = 0; k < selected->count; k++)
    for (int64_t i = 0; i < a->count && gone[k]; i++)
      if (a->id[i] == selected->id[k])
        removed[i] = 1;
  agents_remove(a, removed);
  memory_destroy(removed);
}

static void append_to_both(struct fixture *h, int64_t count, int64_t first_id)
{
  const size_t size = record_bytes(SCOPE_STATE);
  const int64_t from = h->a.count;
  char *records = memory_create((size_t)count, size);
  const int64_t end = first_id + count;
  standard_crowds_square(&h->a, &h->world.frame, &(struct square_crowd){9, end, 1, first_id, end});
  for (int64_t k = 0; k < count; k++)
    agents_pack(&h->a, from + k, SCOPE_STATE, records + (size_t)k * size);
  cr_assert_eq(append_agents(&h->device_state, records, count), h->a.count);
  memory_destroy(records);
}

static void remove_and_append(struct fixture *h, uint64_t *r, int64_t first_id)
{
  struct agents selected = {0};
  const struct device_crowd_rule rule = {.criterion = DEVICE_CROWD_OUTSIDE, .box = random_box(r)};
  const int64_t count = select_agents(&h->device_state, &rule);
  fetch_selected(h, &selected, count);
  assert_selected(&h->a, &selected, rule.box);
  const int share = oracle_whole(r, 0, 4);
  uint8_t *gone = memory_create((size_t)count, 1);
  for (int64_t k = 0; k < count; k++)
    gone[k] = oracle_whole(r, 1, 4) <= share;
  remove_from_host(&h->a, &selected, gone);
  cr_assert_eq(remove_selected(&h->device_state, share == 4 ? NULL : gone), h->a.count);
  append_to_both(h, oracle_whole(r, 0, 60), first_id);
  cr_assert_eq(device_checksum(h), agents_checksum(&h->a));
  memory_destroy(gone);
  agents_destroy(&selected);
}

Test(device_crowd, removes_and_appends_as_the_host)
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

// Changed agents replace the originals; the BLOCKED rule then finds them.
Test(device_crowd, writes_back_selected)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct agents selected = {0};
    fixture_create(&h, order, 200);
    const struct device_crowd_rule all = {.criterion = DEVICE_CROWD_OUTSIDE}; // of an empty box
    fetch_selected(&h, &selected, select_agents(&h.device_state, &all));
    cr_assert_eq(selected.count, 200);
    char *records = memory_create(200, record_bytes(SCOPE_STATE));
    for (int64_t k = 0; k < 200; k++) {
      selected.held[k] = selected.id[k] % 3 ? 4 : 5;
      agents_pack(&selected, k, SCOPE_STATE, records + (size_t)k * record_bytes(SCOPE_STATE));
    }
    upload_selected(&h.device_state, records);
    cr_assert_eq(device_checksum(&h), agents_checksum(&selected));
    const struct device_crowd_rule blocked = {.criterion = DEVICE_CROWD_BLOCKED, .steps = 5};
    cr_assert_eq(select_agents(&h.device_state, &blocked), 67);
    memory_destroy(records);
    agents_destroy(&selected);
    fixture_destroy(&h);
  }
}

// -------------------------------------------------------------------------------------- ghosts

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
    const struct box halo_boxes[3] = {random_box(&r), random_box(&r), {{0, 0}, {0, 0}}};
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

// -------------------------------------------------------------------------------------- inflow

Test(device_crowd, discs_are_probed_as_on_the_host)
{
  const struct avoidance avoidance = {.neighbours = 1, .neighbour_distance = 1};
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct neighbours neighbours = {0};
    uint64_t r = 11;
    int64_t found[200], occupied = 0;
    struct disc discs[200];
    fixture_create(&h, order, 400);
    neighbours_build(&neighbours, &h.world.frame, &h.a);
    const struct next_velocity_input in = input(&h, &avoidance);
    const float quanta_per_speed = dt * 65536, reach = (float)(0.6 + 0.3 + 1.6 * 0.1) * 65536;
    for (int k = 0; k < 200; k++)
      discs[k] = (struct disc){
          {oracle_whole(&r, -(14 << 16), 14 << 16), oracle_whole(&r, -(14 << 16), 14 << 16)},
          0.05f * 65536 * (float)(k % 12),
          reach};
    build_index(&h.device_state, &in, 1 << 16, false);
    probe_discs(&h.device_state, discs, 200, quanta_per_speed, found);
    for (int k = 0; k < 200; k++) {
      occupied += found[k];
      cr_assert_eq(found[k], neighbours_probe(&neighbours, &h.a, &discs[k], quanta_per_speed));
    }
    cr_assert(occupied > 10 && occupied < 190);
    neighbours_destroy(&neighbours);
    fixture_destroy(&h);
  }
}

// ---------------------------------------------------------------------------------------- move

// The same next velocities on both sides: some are NaN, some too fast, some lead into the wall.
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

// Keeps the violation with the least id of each kind.
static void note_violation(struct violation *first, bool violates, int kind, const struct agents *a,
                           int64_t i)
{
  if (violates && a->id[i] < first[kind].id)
    first[kind] = (struct violation){0, kind, a->id[i], {a->x[i], a->y[i]}, -1};
}

static void violations_before_move(const struct fixture *h, struct violation *first)
{
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    first[kind].id = INT64_MAX;
  for (int64_t i = 0; i < h->a.count; i++) {
    const bool finite = velocity_finite(&h->a, i);
    note_violation(first, !finite, AUDIT_NOT_FINITE, &h->a, i);
    note_violation(first, !agent_inside(&h->a, i, h->world.bounds), AUDIT_ESCAPE, &h->a, i);
    note_violation(first, finite && !velocity_within_limit(&h->a, i), AUDIT_TOO_FAST, &h->a, i);
  }
}

static void assert_first_violations(const struct fixture *h, struct violation *expected,
                                    const struct device_crowd_moved *moved, int64_t step)
{
  for (int64_t i = 0; i < h->a.count; i++)
    note_violation(expected,
                   move_is_tested(&h->a, i, step) &&
                       move_crosses_wall(&h->a, i, &h->world.obstacles),
                   AUDIT_WALL, &h->a, i);
  for (int kind = 0; kind < AUDIT_KINDS; kind++) {
    const struct violation *a = &expected[kind], *b = &moved->first[kind];
    cr_assert((moved->violations[kind] > 0) == (a->id < INT64_MAX));
    cr_assert(moved->violations[kind] == 0 ||
                  (a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y),
              "step %d, kind %d", (int)step, kind);
  }
}

static void assert_same_violation(const struct violation *a, const struct violation *b)
{
  cr_assert_eq(a->step, b->step);
  cr_assert(a->step == INT64_MAX ||
            (a->kind == b->kind && a->id == b->id && a->at.x == b->at.x && a->at.y == b->at.y));
}

static void audit_all_moves(struct audit *audit, const struct fixture *h, int64_t step)
{
  struct tested_moves tested;
  for (int64_t first = 0; first < h->a.count; first += AGENTS_PART) {
    audit_find_moves(&tested, &h->a, first, agents_part_end(&h->a, first), &h->world.obstacles,
                     step);
    audit_moves(audit, &h->a, first, &tested, &h->world.obstacles, step);
  }
}

static void move_both(struct fixture *h, int64_t step, int64_t *host, int64_t *device_counts)
{
  struct neighbours neighbours = {0};
  struct audit on_host, on_device;
  struct device_crowd_moved moved;
  struct violation expected[AUDIT_KINDS];
  audit_create(&on_host);
  audit_create(&on_device);
  violations_before_move(h, expected);
  neighbours_build(&neighbours, &h->world.frame, &h->a);
  audit_begin(&on_host);
  audit_velocities(&on_host, &h->a, 0, h->a.count, h->world.bounds, step);
  const int64_t kept = agents_move(&h->a, &h->world.frame, h->world.bounds, dt);
  audit_all_moves(&on_host, h, step);
  measure_lines(measures(), &neighbours.own, &h->a, 1 << 16, host);
  const struct device_crowd_move in = {dt, step, device_counts};
  move(&h->device_state, &in, &moved);
  audit_merge(&on_device, moved.violations, moved.first);
  assert_first_violations(h, expected, &moved, step);
  cr_assert_eq(moved.kept, kept);
  cr_assert_arr_eq(on_host.count, on_device.count, sizeof on_host.count);
  assert_same_violation(&on_host.first, &on_device.first);
  assert_same_violation(&on_host.fatal, &on_device.fatal);
  neighbours_destroy(&neighbours);
}

Test(device_crowd, moves_and_audits_as_the_host)
{
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    uint64_t r = 17;
    int64_t host[4] = {0}, device_counts[4] = {0}, wall_crossings = 0;
    fixture_create(&h, order, 500);
    h.a.x[3] = h.world.bounds.hi.x + 9; // outside; the move clamps it
    upload_agents(&h.device_state, &h.a);
    for (int64_t step = 0; step < 40; step++) {
      set_next_velocities(&h, &r);
      move_both(&h, step, host, device_counts);
      cr_assert_eq(device_checksum(&h), agents_checksum(&h.a));
      for (int64_t i = 0; i < h.a.count; i++)
        wall_crossings +=
            obstacles_crossed(&h.world.obstacles, (struct point){h.a.from_x[i], h.a.from_y[i]},
                              (struct point){h.a.x[i], h.a.y[i]});
    }
    cr_assert_arr_eq(host, device_counts, sizeof host);
    cr_assert(host[0] > 0 && host[1] > 0 && host[2] > 0 && host[3] > 0 && wall_crossings > 0);
    fixture_destroy(&h);
  }
}

Test(device_crowd, counts_agents_per_stop)
{
  struct fixture h;
  int64_t counts[5], expected[5] = {0};
  fixture_create(&h, PERMUTED, 300);
  for (int64_t i = 0; i < h.a.count; i++) {
    agent_set_target(&h.a, i, (int32_t)(i % 6) - 1);
    if (i % 6)
      expected[i % 6 - 1]++;
  }
  upload_agents(&h.device_state, &h.a);
  count_stops(&h.device_state, counts, 5);
  cr_assert_arr_eq(counts, expected, sizeof expected);
  fixture_destroy(&h);
}

// ----------------------------------------------------------------------------------- no agents

Test(device_crowd, an_empty_crowd_is_no_special_case)
{
  const struct avoidance avoidance = {
      .method = METHOD_orca, .neighbours = 4, .neighbour_distance = 2};
  for (int order = 0; order < ORDERS; order++) {
    struct fixture h;
    struct next_velocity_counts counts = {0};
    struct device_crowd_moved moved;
    struct crowd_sums total;
    int64_t crossed[4] = {0}, occupied = 1;
    const struct disc disc = {{0, 0}, 1 << 14, 1 << 17};
    const struct device_crowd_rule all = {.criterion = DEVICE_CROWD_OUTSIDE}; // of an empty box
    fixture_create(&h, order, 1);
    h.a.count = 0;
    upload_agents(&h.device_state, &h.a);
    const struct next_velocity_input in = input(&h, &avoidance);
    build_index(&h.device_state, &in, 1 << 16, true);
    unpack_ghosts(&h.device_state, NULL, NULL, 0, (struct box){{5, 5}, {5, 5}});
    probe_discs(&h.device_state, &disc, 1, 6553.6f, &occupied);
    next_velocities(&h.device_state, &in, &counts);
    move(&h.device_state, &(struct device_crowd_move){dt, 0, crossed}, &moved);
    sums(&h.device_state, &total);
    cr_assert(occupied == 0 && counts.full_neighbourhoods == 0 && moved.kept == 0 &&
              total.speed == 0);
    cr_assert_eq(select_agents(&h.device_state, &all), 0);
    append_to_both(&h, 3, 0);
    cr_assert_eq(device_checksum(&h), agents_checksum(&h.a));
    fixture_destroy(&h);
  }
}
