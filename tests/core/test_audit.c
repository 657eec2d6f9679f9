// The audit finds each kind of violation, and nothing else.
#include "audit.h"

#include <criterion/criterion.h>
#include <math.h>
#include <omp.h>

static const struct frame frame = {0, 0, 16};
static const struct box bounds = {{-10 * 65536, -10 * 65536}, {10 * 65536, 10 * 65536}};

static void crowd_create(struct agents *a)
{
  agents_create(a, 40);
  for (int i = 0; i < 40; i++) {
    agents_append(a);
    a->id[i] = 100 - i;
    a->x[i] = 65536 * (i % 8);
    a->y[i] = 65536 * (i / 8);
    a->max_speed[i] = 1.5f;
    a->next_vx[i] = 1.5f;
  }
}

static void expect_only(const struct audit *audit, enum audit_kind kind, int64_t count, int64_t id)
{
  for (int k = 0; k < AUDIT_KINDS; k++)
    cr_expect_eq(audit->count[k], k == (int)kind ? count : 0, "%s", audit_names[k]);
  cr_expect(audit->first.kind == kind && audit->first.id == id, "%lld", (long long)audit->first.id);
}

static void check_velocities(struct audit *audit, struct agents *a, int64_t step)
{
  audit_begin(audit);
  audit_set_fastest(audit, audit_velocities(audit, a, 0, a->count, bounds, step));
}

Test(audit, accepts_a_valid_step)
{
  struct audit audit;
  struct agents a;
  crowd_create(&a);
  audit_create(&audit);
  check_velocities(&audit, &a, 7);
  for (int k = 0; k < AUDIT_KINDS; k++)
    cr_expect_eq(audit.count[k], 0);
  cr_expect_eq(audit.first.step, INT64_MAX);
  cr_expect(audit.fastest >= 1.4999f && audit.fastest < 1.51f);
  agents_destroy(&a);
}

Test(audit, finds_velocities_that_are_not_finite)
{
  struct audit audit;
  struct agents a;
  crowd_create(&a);
  audit_create(&audit);
  a.next_vy[3] = NAN;
  a.next_vx[20] = INFINITY;
  check_velocities(&audit, &a, 7);
  expect_only(&audit, AUDIT_NOT_FINITE, 2, 80);
  cr_expect_eq(audit.fatal.id, 80);
  cr_expect(a.next_vy[3] == 0 && a.next_vx[20] == 0, "velocities are set to 0");
  agents_destroy(&a);
}

Test(audit, finds_positions_outside_the_world)
{
  struct audit audit;
  struct agents a;
  crowd_create(&a);
  audit_create(&audit);
  a.x[9] = bounds.hi.x; // outside: the box is half-open
  check_velocities(&audit, &a, 7);
  expect_only(&audit, AUDIT_ESCAPE, 1, 91);
  agents_destroy(&a);
}

Test(audit, finds_speeds_above_the_limit)
{
  struct audit audit;
  struct agents a;
  crowd_create(&a);
  audit_create(&audit);
  a.next_vx[11] = 1.6f;
  a.vx[12] = a.next_vx[12] = 1.6f; // was as fast in the last step
  check_velocities(&audit, &a, 7);
  expect_only(&audit, AUDIT_TOO_FAST, 1, 89);
  cr_expect_eq(audit.fatal.step, INT64_MAX);
  agents_destroy(&a);
}

// Each agent is tested once in AUDIT_WALL_STRIDE steps.
Test(audit, finds_moves_through_walls)
{
  struct point corners[] = {{8 * 65536, -65536},
                            {8 * 65536 + 600, -65536},
                            {8 * 65536 + 600, 9 * 65536},
                            {8 * 65536, 9 * 65536}};
  int64_t start[] = {0, 4};
  uint8_t closed[] = {1};
  const struct outlines wall = {1, start, corners, closed};
  struct obstacles o;
  struct audit audit;
  struct agents a;
  struct tested_moves tested;
  int64_t found = 0;
  crowd_create(&a);
  audit_create(&audit);
  obstacles_create(&o, &wall, false);
  agents_move(&a, &frame, bounds, 0.1f);
  a.x[15] += 65536 + 600; // 7 m to over 8 m: a jump through the wall
  for (int64_t step = 0; step < AUDIT_WALL_STRIDE; step++) {
    check_velocities(&audit, &a, step);
    audit_find_moves(&tested, &a, 0, a.count, &o, step);
    audit_moves(&audit, &a, 0, &tested, &o, step);
    found += audit.count[AUDIT_WALL];
  }
  cr_expect_eq(found, 1);
  cr_expect_eq(audit.first.kind, AUDIT_WALL);
  cr_expect_eq(audit.first.id, 85);
  obstacles_destroy(&o);
  agents_destroy(&a);
}

// The overlap of the least id is recorded, and later steps do not replace it.
Test(audit, records_the_first_overlap)
{
  struct audit audit;
  struct agents a;
  struct neighbours neighbours = {0};
  crowd_create(&a);
  audit_create(&audit);
  for (int i = 0; i < 40; i++)
    a.radius[i] = 0.25f;
  a.x[9] = a.x[22] + 20000; // id 91 overlaps id 78
  a.y[9] = a.y[22];
  neighbours_build(&neighbours, &frame, &a);
  audit_overlap(&audit, &a, &neighbours, frame_quantum(&frame), 6);
  cr_expect(audit.overlap.step == 6 && audit.overlap.id == 78 && audit.overlap.other == 91);
  for (int64_t i = 0; i < a.count; i++)
    if (a.id[i] == 78)
      cr_expect(audit.overlap.at.x == a.x[i] && audit.overlap.at.y == a.y[i]);
  a.x[0] = a.x[1], a.y[0] = a.y[1];
  neighbours_build(&neighbours, &frame, &a);
  audit_overlap(&audit, &a, &neighbours, frame_quantum(&frame), 7);
  cr_expect(audit.overlap.step == 6 && audit.overlap.id == 78);
  neighbours_destroy(&neighbours);
  agents_destroy(&a);
}

#define MANY 12000 // more than PARALLEL_MIN_ITEMS

// A lattice of agents that do not touch, but for every `spacing`-th, which overlaps the next one.
// The ids are in no order.
static void lattice_create(struct agents *a, int64_t spacing)
{
  agents_create(a, MANY);
  for (int64_t i = 0; i < MANY; i++) {
    agents_append(a);
    a->id[i] = i * 7919 % MANY;
    a->x[i] = (int32_t)(65536 * (i % 120) - (i % spacing == 0 ? 50000 : 0));
    a->y[i] = (int32_t)(65536 * (i / 120));
    a->radius[i] = 0.25f;
  }
}

static struct violation least_overlap(const struct neighbours *n, const struct agents *a)
{
  struct violation least = {.id = INT64_MAX};
  for (int64_t i = 0; i < a->count; i++) {
    const struct overlaps o = neighbours_overlaps(n, a, i, frame_quantum(&frame));
    if (o.count > 0 && a->id[i] < least.id)
      least = (struct violation){1, AUDIT_OVERLAP, a->id[i], {a->x[i], a->y[i]}, o.with};
  }
  return least;
}

Test(audit, any_number_of_threads_finds_the_same_first_overlap)
{
  static const int64_t spacings[] = {3, 50, 4001};
  for (int k = 0; k < 3; k++) {
    struct agents a;
    struct neighbours neighbours = {0};
    lattice_create(&a, spacings[k]);
    neighbours_build(&neighbours, &frame, &a);
    const struct violation expected = least_overlap(&neighbours, &a);
    cr_assert_lt(expected.id, MANY);
    for (int threads = 1; threads <= 8; threads++) {
      struct audit audit;
      audit_create(&audit);
      omp_set_num_threads(threads);
      audit_overlap(&audit, &a, &neighbours, frame_quantum(&frame), 1);
      cr_expect(audit.overlap.step == 1 && audit.overlap.id == expected.id &&
                audit.overlap.other == expected.other && audit.overlap.at.x == expected.at.x);
    }
    neighbours_destroy(&neighbours);
    agents_destroy(&a);
  }
}

Test(audit, orders_violations_by_step_kind_and_id)
{
  const struct violation order[] = {
      {1, 2, 9, {0, 0}, -1}, {2, 0, 5, {0, 0}, -1}, {2, 1, 3, {0, 0}, -1}, {2, 1, 4, {0, 0}, -1}};
  for (int i = 0; i < 4; i++)
    for (int k = 0; k < 4; k++)
      cr_expect_eq(violation_before(&order[i], &order[k]), i < k);
}
