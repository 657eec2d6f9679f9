// Compiled for every width: LANES cases at a time, held against brute force and against the same
// text with one lane.
#include "infeasible.h"

#include "lane_width.h"
#include "oracle.h"
#include "reference.h"
#include <math.h>
#include <string.h>

TestSuite(half_plane, .init = skip_if_too_wide);

#define PLANES    20
#define TOLERANCE 1e-4 // m/s: the sine of an angle that counts as none, on a chord of 6 m/s

struct problem {
  struct scalar_half_plane h[PLANES];
  int hard, count;
  float speed, opt_velocity[2];
  // What came out.
  float v[2];
  bool failed;
};

static float random_b(uint64_t *r, float speed)
{
  switch (oracle_whole(r, 0, 4)) {
  case 0:
    return speed; // touches the disc from outside
  case 1:
    return -speed;
  case 2:
    return 0.5f * (float)oracle_whole(r, -4, 4);
  default:
    return (float)oracle_between(r, -3, 1.5);
  }
}

// Directions of any angle, of a coarse grid (parallel, opposite), or close to the one before.
static struct scalar_half_plane random_plane(uint64_t *r, const struct scalar_half_plane *before,
                                             float speed)
{
  const int kind = oracle_whole(r, 0, 9);
  if (before && kind == 0)
    return *before;
  if (before && kind == 1)
    return (struct scalar_half_plane){-before->nx, -before->ny, -before->b};
  if (before && kind == 2)
    return (struct scalar_half_plane){before->nx, before->ny, random_b(r, speed)};
  double angle = oracle_between(r, 0, 6.283185307179586);
  if (kind == 3)
    angle = 0.7853981633974483 * oracle_whole(r, 0, 7);
  if (before && kind == 4)
    angle = atan2(before->ny, before->nx) + oracle_between(r, -1e-4, 1e-4);
  struct scalar_half_plane h = {(float)cos(angle), (float)sin(angle), random_b(r, speed)};
  if (kind == 3 && fabsf(h.nx) < 1e-6f)
    h.nx = 0;
  if (kind == 3 && fabsf(h.ny) < 1e-6f)
    h.ny = 0;
  return h;
}

static void random_problem(uint64_t *r, struct problem *p, double greatest_b)
{
  p->count = oracle_whole(r, 0, PLANES);
  p->hard = oracle_whole(r, 0, p->count < 3 ? p->count : 3);
  p->speed = oracle_whole(r, 0, 20) == 0 ? 0 : (float)oracle_between(r, 0.01, 3);
  for (int e = 0; e < 2; e++)
    p->opt_velocity[e] = (float)oracle_between(r, -3, 3);
  if (oracle_whole(r, 0, 20) == 0)
    p->opt_velocity[0] = p->opt_velocity[1] = 0;
  for (int i = 0; i < p->count; i++) {
    p->h[i] = random_plane(r, i ? &p->h[oracle_whole(r, 0, i - 1)] : NULL, p->speed);
    if (p->h[i].b > greatest_b)
      p->h[i].b = (float)oracle_between(r, -2, greatest_b);
  }
}

static struct half_plane gathered(const struct problem *p, int i)
{
  float nx[LANES], ny[LANES], b[LANES];
  for (int l = 0; l < LANES; l++) {
    const bool valid = i < p[l].count; // shorter lists end in half-planes that ask nothing
    nx[l] = valid ? p[l].h[i].nx : 0;
    ny[l] = valid ? p[l].h[i].ny : 0;
    b[l] = valid ? p[l].h[i].b : -1;
  }
  return (struct half_plane){{lanes_load(nx), lanes_load(ny)}, lanes_load(b)};
}

static mask lanes_before(int count)
{
  return mask_from_bits(count < LANES ? (1u << count) - 1 : ALL_LANES_BITS);
}

static int longest(const struct problem *p)
{
  int count = 0;
  for (int l = 0; l < LANES; l++)
    count = p[l].count > count ? p[l].count : count;
  return count;
}

static void put_out(struct problem *p, vec2 v, mask active)
{
  float x[LANES], y[LANES];
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  for (int l = 0; l < LANES; l++)
    if (mask_bits(active) >> l & 1) {
      p[l].v[0] = x[l];
      p[l].v[1] = y[l];
    }
}

static void load_goal(const struct problem *p, vec2 *opt_velocity, real *speed)
{
  float wx[LANES], wy[LANES], s[LANES];
  for (int l = 0; l < LANES; l++) {
    wx[l] = p[l].opt_velocity[0];
    wy[l] = p[l].opt_velocity[1];
    s[l] = p[l].speed;
  }
  *opt_velocity = vec2_of(lanes_load(wx), lanes_load(wy));
  *speed = lanes_load(s);
}

// As a backend does: the hard half-planes of all lanes first, then the others.
struct lanes_problem {
  struct half_plane h[2 * PLANES], added_h[LP_ADDED_MAX + 1];
  struct lp_constraints constraints;
  struct admissible set;
  vec2 opt_velocity;
  struct lp_relaxed relaxed;
};

static void load(struct lanes_problem *to, const struct problem *p)
{
  struct problem hard[LANES], soft[LANES];
  real speed;
  for (int l = 0; l < LANES; l++) {
    hard[l] = soft[l] = p[l];
    hard[l].count = p[l].hard;
    soft[l].count = p[l].count - p[l].hard;
    memmove(soft[l].h, p[l].h + p[l].hard, (size_t)soft[l].count * sizeof *soft[l].h);
  }
  const int hard_count = longest(hard), count = hard_count + longest(soft);
  for (int i = 0; i < count; i++)
    to->h[i] = i < hard_count ? gathered(hard, i) : gathered(soft, i - hard_count);
  load_goal(p, &to->opt_velocity, &speed);
  to->constraints = (struct lp_constraints){to->h, hard_count, count};
  to->set = (struct admissible){.speed = speed};
  to->relaxed = (struct lp_relaxed){to->opt_velocity, splat(0), {to->added_h, 0}};
}

// p[LANES]. Returns the lanes that failed.
static mask solve_2(struct lanes_problem *lanes, struct problem *p, int active_count)
{
  const mask active = lanes_before(active_count);
  mask failed;
  lanes->relaxed.v = linear_program_2(lanes->h, lanes->constraints.count, &lanes->set,
                                      lanes->opt_velocity, active, &lanes->relaxed.added, &failed);
  put_out(p, lanes->relaxed.v, active);
  for (int l = 0; l < active_count; l++)
    p[l].failed = mask_bits(failed) >> l & 1;
  return failed & active;
}

static void solve_3(const struct lanes_problem *lanes, struct problem *p, mask failed)
{
  put_out(p,
          linear_program_3(&lanes->constraints, &lanes->set, lanes->relaxed, lanes->opt_velocity,
                           failed),
          failed);
}

static void solve(struct problem *p, int active_count)
{
  struct lanes_problem lanes;
  load(&lanes, p);
  solve_3(&lanes, p, solve_2(&lanes, p, active_count));
}

static void to_oracle(const struct problem *p, struct oracle_plane *h, double v[2],
                      double opt_velocity[2])
{
  for (int i = 0; i < p->count; i++)
    h[i] = (struct oracle_plane){p->h[i].nx, p->h[i].ny, p->h[i].b};
  for (int e = 0; e < 2; e++) {
    v[e] = p->v[e];
    opt_velocity[e] = p->opt_velocity[e];
  }
}

// What is permitted with a little less asked, and with a little more, bracket the answer.
static void judge_2(const struct problem *p)
{
  struct oracle_plane h[PLANES];
  double v[2], opt_velocity[2], loose[2], tight[2];
  to_oracle(p, h, v, opt_velocity);
  cr_assert(hypot(v[0], v[1]) <= p->speed + TOLERANCE, "%g m/s above %g", hypot(v[0], v[1]),
            (double)p->speed);
  const double less_speed = p->speed > TOLERANCE ? p->speed - TOLERANCE : 0;
  const bool possible =
      p->speed > TOLERANCE &&
      oracle_nearest_permitted(h, p->count, -TOLERANCE, less_speed, opt_velocity, tight);
  if (p->failed) {
    cr_assert_not(possible, "gave up %d half-planes that can be met", p->count);
    return;
  }
  cr_assert(oracle_max_violation(h, p->count, v) <= TOLERANCE, "lacks %g",
            oracle_max_violation(h, p->count, v));
  cr_assert(
      oracle_nearest_permitted(h, p->count, TOLERANCE, p->speed + TOLERANCE, opt_velocity, loose));
  const double far = hypot(v[0] - opt_velocity[0], v[1] - opt_velocity[1]);
  cr_assert(far >= hypot(loose[0] - opt_velocity[0], loose[1] - opt_velocity[1]) - TOLERANCE);
  if (possible)
    cr_assert(far <= hypot(tight[0] - opt_velocity[0], tight[1] - opt_velocity[1]) + TOLERANCE,
              "%g from the preferred velocity, possible %g", far,
              hypot(tight[0] - opt_velocity[0], tight[1] - opt_velocity[1]));
}

static void judge_3(const struct problem *p)
{
  struct oracle_plane h[PLANES];
  double v[2], opt_velocity[2], other[2];
  to_oracle(p, h, v, opt_velocity);
  cr_assert(hypot(v[0], v[1]) <= p->speed + TOLERANCE);
  if (p->speed <= TOLERANCE ||
      !oracle_nearest_permitted(h, p->hard, -TOLERANCE, p->speed - TOLERANCE, opt_velocity, other))
    return; // the walls alone leave nothing
  cr_assert(oracle_max_violation(h, p->hard, v) <= TOLERANCE, "a wall was given up: lacks %g",
            oracle_max_violation(h, p->hard, v));
  const double violation = oracle_max_violation(h + p->hard, p->count - p->hard, v);
  for (int i = p->hard; i < p->count; i++)
    h[i].b -= violation - 3 * TOLERANCE;
  cr_assert_not(
      violation > 4 * TOLERANCE &&
          oracle_nearest_permitted(h, p->count, -TOLERANCE / 2, p->speed, opt_velocity, other),
      "lacks %g, less is possible", violation);
}

#define CASES 20000

Test(half_plane, the_nearest_permitted_velocity_is_found)
{
  uint64_t r = 1;
  for (int c = 0; c < CASES; c += LANES) {
    struct problem p[LANES];
    for (int l = 0; l < LANES; l++)
      random_problem(&r, &p[l], l % 2 ? -0.05 : 1.5); // odd: zero is permitted
    struct lanes_problem lanes;
    load(&lanes, p);
    solve_2(&lanes, p, LANES);
    for (int l = 0; l < LANES; l++)
      judge_2(&p[l]);
  }
}

Test(half_plane, the_greatest_violation_is_least_and_walls_hold)
{
  uint64_t r = 2;
  int failures = 0;
  for (int c = 0; c < CASES; c += LANES) {
    struct problem p[LANES];
    for (int l = 0; l < LANES; l++)
      random_problem(&r, &p[l], 1.5);
    solve(p, LANES);
    for (int l = 0; l < LANES; l++)
      if (p[l].failed) {
        judge_3(&p[l]);
        failures++;
      }
  }
  cr_assert(failures > CASES / 4);
}

static void assert_same_as_one_lane(const struct problem *p)
{
  struct problem one = *p;
  one.failed =
      scalar_linear_programs(one.h, one.hard, one.count, one.speed, one.opt_velocity, one.v);
  cr_assert_eq(one.failed, p->failed);
  cr_assert_eq(memcmp(one.v, p->v, sizeof one.v), 0, "(%a %a) and (%a %a)", (double)one.v[0],
               (double)one.v[1], (double)p->v[0], (double)p->v[1]);
}

Test(half_plane, a_lane_does_not_know_who_stands_beside_it)
{
  uint64_t r = 3;
  for (int c = 0; c < CASES; c += LANES) {
    struct problem p[LANES];
    for (int l = 0; l < LANES; l++)
      random_problem(&r, &p[l], l % 3 ? 0 : 1.5);
    solve(p, LANES);
    for (int l = 0; l < LANES; l++)
      assert_same_as_one_lane(&p[l]);
  }
}

Test(half_plane, idle_lanes_do_no_harm_whatever_stands_in_them)
{
  uint64_t r = 4;
  const float rubbish[] = {NAN, INFINITY, -INFINITY, 3e38f, 0, -0.0f, 1e-45f};
  for (int c = 0; c < 2000; c++) {
    struct problem p[LANES];
    const int active = oracle_whole(&r, 1, LANES);
    for (int l = 0; l < LANES; l++) {
      random_problem(&r, &p[l], 0.5);
      for (int i = 0; l >= active && i < p[l].count; i++)
        p[l].h[i] = (struct scalar_half_plane){rubbish[oracle_whole(&r, 0, 6)],
                                               rubbish[oracle_whole(&r, 0, 6)],
                                               rubbish[oracle_whole(&r, 0, 6)]};
      p[l].failed = false;
      p[l].v[0] = p[l].v[1] = 0;
    }
    solve(p, active);
    for (int l = 0; l < active; l++)
      assert_same_as_one_lane(&p[l]);
  }
}

// Half-planes of overlaps demand much more than the speed: b is the overlap over the time step.
static double random_demands(uint64_t *r, struct problem *p)
{
  *p = (struct problem){.count = oracle_whole(r, 2, 8), .speed = (float)oracle_between(r, .01, 2)};
  const double most = (double)p->speed * oracle_between(r, 1, 500);
  for (int i = 0; i < p->count; i++) {
    const double angle = oracle_between(r, 0, 6.283185307179586);
    p->h[i] =
        (struct scalar_half_plane){(float)cos(angle), (float)sin(angle),
                                   (float)(most + oracle_between(r, -1, 1) * (double)p->speed)};
  }
  p->hard = oracle_whole(r, 0, 1);
  if (p->hard) // a wall that leaves half of the velocities
    p->h[0].b = 0;
  return most;
}

static void judge_demands(const struct problem *p, double most)
{
  struct oracle_plane h[PLANES];
  double v[2], opt_velocity[2], other[2];
  to_oracle(p, h, v, opt_velocity);
  cr_assert(hypot(v[0], v[1]) <= (double)p->speed + TOLERANCE);
  cr_assert(oracle_max_violation(h, p->hard, v) <= TOLERANCE);
  const double violation = oracle_max_violation(h + p->hard, p->count - p->hard, v);
  const double tolerance = TOLERANCE + 1e-6 * most;
  for (int i = p->hard; i < p->count; i++)
    h[i].b -= violation - 3 * tolerance;
  cr_assert_not(violation > 4 * tolerance &&
                    oracle_nearest_permitted(h, p->count, -tolerance / 2, (double)p->speed,
                                             opt_velocity, other),
                "lacks %g, less is possible", violation);
}

Test(half_plane, the_greatest_violation_is_least_where_much_is_demanded)
{
  uint64_t r = 7;
  for (int c = 0; c < CASES; c += LANES) {
    struct problem p[LANES];
    double most[LANES];
    for (int l = 0; l < LANES; l++)
      most[l] = random_demands(&r, &p[l]);
    solve(p, LANES);
    for (int l = 0; l < LANES; l++) {
      judge_demands(&p[l], most[l]);
      assert_same_as_one_lane(&p[l]);
    }
  }
}

// ------------------------------------------------------------------------------------- queue

static void keep_done(struct infeasible_queue *queue, struct problem *all)
{
  const mask done = infeasible_queue_step(queue);
  float x[LANES], y[LANES];
  int32_t agent[LANES];
  lanes_store(x, queue->relaxed.v.x);
  lanes_store(y, queue->relaxed.v.y);
  lanes_store_ivec(agent, queue->agent);
  for (int l = 0; l < LANES; l++)
    if (mask_bits(done) >> l & 1) {
      all[agent[l]].v[0] = x[l];
      all[agent[l]].v[1] = y[l];
    }
  infeasible_queue_remove(queue, done);
}

static void add_failed(struct infeasible_queue *queue, struct problem *all, int first, int active)
{
  struct lanes_problem lanes;
  struct problem *p = all + first;
  load(&lanes, p);
  mask failed = solve_2(&lanes, p, active);
  linear_program_3_begin(&lanes.relaxed, &lanes.constraints, &lanes.set, lanes.opt_velocity,
                         failed);
  const struct infeasible_block block = {lanes.constraints, &lanes.set, lanes.relaxed,
                                         splat_ivec(first) + lane_indices(), mask_none()};
  while (any(failed)) {
    failed = infeasible_queue_add(queue, &block, failed);
    if (queue->count == LANES)
      keep_done(queue, all);
  }
}

Test(half_plane, an_infeasible_agent_does_not_know_who_queues_beside_it)
{
  enum { BLOCKS = 500 };
  static struct problem all[BLOCKS * LANES];
  static struct infeasible_queue queue;
  uint64_t r = 8;
  infeasible_queue_begin(&queue);
  for (int i = 0; i < BLOCKS * LANES; i++) {
    if (i % 3)
      random_problem(&r, &all[i], i % 5 ? 1.5 : 0);
    else
      random_demands(&r, &all[i]);
    all[i].failed = false;
  }
  int failures = 0;
  for (int block = 0; block < BLOCKS; block++)
    add_failed(&queue, all, block * LANES, oracle_whole(&r, 1, LANES));
  while (queue.count > 0)
    keep_done(&queue, all);
  for (int i = 0; i < BLOCKS * LANES; i++)
    if (all[i].failed) {
      assert_same_as_one_lane(&all[i]);
      failures++;
    }
  cr_assert(failures > BLOCKS * LANES / 8);
}

// The best velocity is one and the same in whatever order the half-planes are listed, but for
// rounding.
Test(half_plane, the_order_of_the_list_does_not_matter)
{
  uint64_t r = 6;
  for (int c = 0; c < CASES; c++) {
    struct problem p = {.count = oracle_whole(&r, 1, PLANES), .speed = 1.5f}, turned;
    for (int i = 0; i < p.count; i++) {
      const double angle = oracle_between(&r, 0, 6.283185307179586);
      p.h[i] = (struct scalar_half_plane){(float)cos(angle), (float)sin(angle),
                                          (float)oracle_between(&r, -1, -0.05)};
    }
    p.opt_velocity[0] = (float)oracle_between(&r, -1.5, 1.5);
    turned = p;
    for (int i = 0; i < p.count; i++)
      turned.h[i] = p.h[(i * 7 + 3) % p.count];
    if (p.count % 7 == 0)
      continue; // not a permutation
    cr_assert_not(scalar_linear_programs(p.h, 0, p.count, p.speed, p.opt_velocity, p.v));
    cr_assert_not(
        scalar_linear_programs(turned.h, 0, p.count, p.speed, turned.opt_velocity, turned.v));
    cr_assert(hypotf(p.v[0] - turned.v[0], p.v[1] - turned.v[1]) < 1e-3f, "case %d: %g", c,
              (double)hypotf(p.v[0] - turned.v[0], p.v[1] - turned.v[1]));
  }
}

// Lists that say the same thing twice, or twice in opposite words, are as good as those that
// say it once.
Test(half_plane, a_half_plane_said_twice_counts_once)
{
  uint64_t r = 5;
  for (int c = 0; c < CASES; c++) {
    struct problem once = {.count = 2, .speed = 1.3f}, twice = {.count = 4, .speed = 1.3f};
    for (int i = 0; i < 2; i++) {
      const double angle = oracle_between(&r, 0, 6.283185307179586);
      once.h[i] = (struct scalar_half_plane){(float)cos(angle), (float)sin(angle),
                                             (float)oracle_between(&r, -1, 0)};
      twice.h[i] = twice.h[i + 2] = once.h[i];
      once.opt_velocity[i] = twice.opt_velocity[i] = (float)oracle_between(&r, -1.5, 1.5);
    }
    cr_assert_not(
        scalar_linear_programs(once.h, 0, once.count, once.speed, once.opt_velocity, once.v));
    cr_assert_not(
        scalar_linear_programs(twice.h, 0, twice.count, twice.speed, twice.opt_velocity, twice.v),
        "case %d gave up", c);
    cr_assert(hypotf(once.v[0] - twice.v[0], once.v[1] - twice.v[1]) < 1e-6f);
  }
}
