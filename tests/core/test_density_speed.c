// Compiled for every width: which agents a window holds and what share of the speed that leaves,
// against a reference in double precision and the scalar backend; mirrored and turned crowds.
#include "backend.h"
#include "density_window.h"

#include "hard_crowds.h"
#include "lane_width.h"
#include <math.h>
#include <omp.h>

TestSuite(density_speed, .init = skip_if_too_wide);

#define PROFILES 3
static const double windows[PROFILES][2] = {{0, 0}, {2.5, 2}, {1.5, 3}}; // ahead, width, m
static const double rows[] = {0, 1, 1, 0.75, 4, 0.25};                   // of the third
#define LEAST 0.05

struct hall {
  struct agents a;
  struct neighbours neighbours;
  struct world world;
  struct density_speed density_speed;
  struct outlines lines;
  int64_t start[4];
  struct point points[16];
  uint8_t closed[3];
};

static void raise_walls(struct hall *h)
{
  static const struct point corners[] = {
      {-150000, 40000}, {-60000, 30000},  {-70000, 120000},  {20000, -90000},   {50000, -20000},
      {60000, 50000},   {90000, -180000}, {150000, -170000}, {120000, -100000}, {100000, -110000}};
  const int counts[] = {3, 3, 4};
  h->lines = (struct outlines){3, h->start, h->points, h->closed};
  for (int l = 0, k = 0; l < 3; l++) {
    for (int i = 0; i < counts[l]; i++, k++)
      h->points[k] = corners[k];
    h->closed[l] = l != 1;
    h->start[l + 1] = k;
  }
  obstacles_create(&h->world.obstacles, &h->lines, false);
}

static void preferred_velocity(struct agents *a, uint64_t seed)
{
  for (int64_t i = 0; i < a->count + a->ghost_count; i++) {
    a->profile[i] = oracle_whole(&seed, 0, PROFILES - 1);
    a->prefer_x[i] = (float)oracle_between(&seed, -1.5, 1.5);
    a->prefer_y[i] = (float)oracle_between(&seed, -1.5, 1.5);
    if (i % 13 == 0)
      a->prefer_x[i] = a->prefer_y[i] = 0;
    if (i % 17 == 0)
      a->prefer_x[i] = 0;
  }
}

static void hall_create(struct hall *h, uint64_t seed, int kind, int count, bool walls)
{
  *h = (struct hall){.world.frame.exponent = 16};
  crowd_make(&h->a, seed, kind, count, 0);
  if (walls)
    raise_walls(h);
  if (seed % 2)
    neighbours_sort(&h->neighbours, &h->a, NULL);
  h->a.count -= count / 4;
  h->a.ghost_count = count / 4;
  density_speed_create(&h->density_speed, PROFILES);
  density_speed_set(&h->density_speed, 1,
                    &(struct density_speed_window){windows[1][0], windows[1][1], LEAST}, NULL, 0);
  density_speed_set(&h->density_speed, 2,
                    &(struct density_speed_window){windows[2][0], windows[2][1], LEAST}, rows, 3);
  neighbours_build(&h->neighbours, &h->world.frame, &h->a);
  preferred_velocity(&h->a, seed + 1);
}

static void hall_destroy(struct hall *h)
{
  density_speed_destroy(&h->density_speed);
  neighbours_destroy(&h->neighbours);
  obstacles_destroy(&h->world.obstacles);
  agents_destroy(&h->a);
}

static void slow_down(struct hall *h)
{
  const struct avoidance avoidance = {.neighbours = 10, .neighbour_distance = 5};
  const struct next_velocity_input in = {.world = &h->world,
                                         .avoidance = &avoidance,
                                         .neighbours = &h->neighbours,
                                         .dt = 0.1f,
                                         .seed = 1,
                                         .walking = {&h->density_speed, NULL}};
  const float quantum = frame_quantum(&h->world.frame);
  const struct job job = {
      .in = &in, .a = &h->a, .quantum = quantum, .density_range = h->density_speed.range / quantum};
  for (int64_t leaf = 0; h->a.count > 0 && leaf < h->neighbours.own.level[0].count; leaf++) {
    struct nearby near;
    const float range = leaf % 2 ? job.density_range : 1; // too near: the trees are asked
    nearby_collect(&near, &h->neighbours, leaf / BOX_TREE_WIDTH, range * range);
    density_window_leaf(&job, &near, leaf);
  }
}

// ---------------------------------------------------------------------------- the judge

struct range {
  int low, high;
};

static double side(struct point a, struct point b, double x, double y) // distance to the left
{
  const double ex = (double)b.x - a.x, ey = (double)b.y - a.y;
  return (ex * (y - a.y) - ey * (x - a.x)) / sqrt(ex * ex + ey * ey);
}

// 1: a line hides (x, y) from p, 0: none does, -1: it is too close to say.
static int hidden(const struct hall *h, struct point p, double x, double y)
{
  int found = 0;
  for (int64_t l = 0; l < h->lines.count; l++)
    for (int64_t i = h->start[l]; i < h->start[l + 1]; i++) {
      const bool last = i + 1 == h->start[l + 1];
      if (last && !h->closed[l])
        continue;
      const struct point a = h->points[i], b = h->points[last ? h->start[l] : i + 1];
      const double from = side(a, b, p.x, p.y), to = side(a, b, x, y);
      const struct point q = {(int32_t)lrint(x), (int32_t)lrint(y)};
      const double left = side(p, q, a.x, a.y), right = side(p, q, b.x, b.y);
      const double margin = fmin(fmin(fabs(from), fabs(to)), fmin(fabs(left), fabs(right)));
      const bool crosses = from * to < 0 && left * right < 0;
      if (crosses && margin > 8)
        return 1;
      if (margin <= 8)
        found = -1;
    }
  return found;
}

static struct range people_ahead(const struct hall *h, int64_t i)
{
  const struct agents *a = &h->a;
  const double wx = (double)a->prefer_x[i], wy = (double)a->prefer_y[i], size = hypot(wx, wy);
  const double *window = windows[a->profile[i]];
  struct range n = {0, 0};
  for (int64_t j = 0; j < a->count + a->ghost_count; j++) {
    const double x = ((double)a->x[j] - a->x[i]) / 65536, y = ((double)a->y[j] - a->y[i]) / 65536;
    const double along = (x * wx + y * wy) / size, aside = fabs(wx * y - wy * x) / size;
    const double out = fmax(fmax(-along, along - window[0]), aside - window[1] / 2);
    const int behind = hidden(h, (struct point){a->x[i], a->y[i]}, a->x[j], a->y[j]);
    if (j == i || out > 1e-5 || (x == 0 && y == 0))
      continue;
    n.high += behind != 1;
    n.low += behind == 0 && out < -1e-5;
  }
  return n;
}

static struct range samples_free(const struct hall *h, int64_t i)
{
  const struct agents *a = &h->a;
  const double wx = (double)a->prefer_x[i], wy = (double)a->prefer_y[i], size = hypot(wx, wy);
  const double *window = windows[a->profile[i]];
  struct range n = {0, 0};
  for (int s = 0; s < DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS; s++) {
    const double along = window[0] * (s % DENSITY_WINDOW_ROWS + 0.5) / DENSITY_WINDOW_ROWS;
    const double aside =
        window[1] * ((s / DENSITY_WINDOW_ROWS + 0.5) / DENSITY_WINDOW_COLUMNS - 0.5);
    const double x = a->x[i] + 65536 * (along * wx - aside * wy) / size;
    const double y = a->y[i] + 65536 * (along * wy + aside * wx) / size;
    const int behind = hidden(h, (struct point){a->x[i], a->y[i]}, x, y);
    n.high += behind != 1;
    n.low += behind == 0;
  }
  n.low = n.low < DENSITY_WINDOW_VISIBLE_MIN ? DENSITY_WINDOW_VISIBLE_MIN : n.low;
  n.high = n.high < DENSITY_WINDOW_VISIBLE_MIN ? DENSITY_WINDOW_VISIBLE_MIN : n.high;
  return n;
}

static double share_of(int profile, int people, int free_samples)
{
  const double area = windows[profile][0] * windows[profile][1] * free_samples /
                      (DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS);
  const double density = fmin(people / area, 8);
  double share = 1;
  if (profile == 1 && density > 0)
    share = 1 - exp(-1.913 * (1 / density - 1 / 5.4));
  if (profile == 2)
    share = density < 1 ? 1 - 0.25 * density : density < 4 ? 0.75 - (density - 1) / 6 : 0.25;
  return fmax(share, LEAST);
}

static void assert_slowed(const struct hall *h, const float *x, const float *y)
{
  for (int64_t i = 0; i < h->a.count; i++) {
    const double before = hypot((double)h->a.prefer_x[i], (double)h->a.prefer_y[i]);
    const double after = hypot((double)x[i], (double)y[i]);
    const struct point p = {h->a.x[i], h->a.y[i]};
    if (before == 0 || h->a.profile[i] == 0) {
      cr_assert(x[i] == h->a.prefer_x[i] && y[i] == h->a.prefer_y[i]);
      continue;
    }
    if (obstacles_solid(&h->world.obstacles, p) || obstacles_near(&h->world.obstacles, p, 100))
      continue; // nobody stands there
    const struct range n = people_ahead(h, i), f = samples_free(h, i);
    const double low = share_of(h->a.profile[i], n.high, f.low);
    const double high = share_of(h->a.profile[i], n.low, f.high);
    cr_assert(after >= (low - 2e-3) * before && after <= (high + 2e-3) * before,
              "agent %d: %g of %g, %d to %d people, %d to %d samples", (int)i, after, before, n.low,
              n.high, f.low, f.high);
    cr_assert_float_eq((double)x[i] * (double)h->a.prefer_y[i],
                       (double)y[i] * (double)h->a.prefer_x[i], 1e-6);
  }
}

static void judge(int kind, int count, bool walls, uint64_t seed)
{
  struct hall before, after, scalar;
  hall_create(&before, seed, kind, count, walls);
  hall_create(&after, seed, kind, count, walls);
  hall_create(&scalar, seed, kind, count, walls);
  slow_down(&after);
  assert_slowed(&before, after.a.prefer_x, after.a.prefer_y);
  const struct avoidance avoidance = {.neighbours = 10, .neighbour_distance = 5};
  const struct next_velocity_input in = {.world = &scalar.world,
                                         .avoidance = &avoidance,
                                         .neighbours = &scalar.neighbours,
                                         .dt = 0.1f,
                                         .seed = 1,
                                         .walking = {&scalar.density_speed, NULL}};
  struct next_velocity_counts counts = {0};
  backend_find("scalar")->next_velocities(&in, &scalar.a, &counts);
  const size_t bytes = (size_t)after.a.count * sizeof(float);
  cr_assert_arr_eq(after.a.prefer_x, scalar.a.prefer_x, bytes);
  cr_assert_arr_eq(after.a.prefer_y, scalar.a.prefer_y, bytes);
  hall_destroy(&before);
  hall_destroy(&after);
  hall_destroy(&scalar);
}

Test(density_speed, lanes_count_those_whom_one_sees_ahead)
{
  static const int counts[] = {1, 16, 47, 160, 700}; // 700 in 36 m^2: no list holds them
  omp_set_num_threads(1);
  for (int kind = 0; kind < CROWD_KINDS; kind++)
    for (int c = 0; c < 5; c++)
      judge(kind, counts[c], false, (uint64_t)(10 * kind + c));
}

Test(density_speed, walls_hide_people_and_area)
{
  omp_set_num_threads(1);
  for (int c = 0; c < 8; c++)
    judge(SPREAD, c < 6 ? 100 : 800, true, (uint64_t)c);
}

// ---------------------------------------------------------------------------- symmetry

static void transform(struct hall *h, int xx, int xy, int yx, int yy, bool wishes_only)
{
  struct agents *a = &h->a;
  for (int64_t i = 0; i < a->count + a->ghost_count; i++) {
    const int32_t x = a->x[i], y = a->y[i];
    const float px = a->prefer_x[i], py = a->prefer_y[i];
    if (!wishes_only) {
      a->x[i] = xx * x + xy * y;
      a->y[i] = yx * x + yy * y;
    }
    a->prefer_x[i] = (float)xx * px + (float)xy * py;
    a->prefer_y[i] = (float)yx * px + (float)yy * py;
  }
}

static void transform_walls(struct hall *h, int xx, int xy, int yx, int yy)
{
  for (int64_t i = 0; i < h->start[h->lines.count]; i++) {
    const struct point p = h->points[i];
    h->points[i] = (struct point){xx * p.x + xy * p.y, yx * p.x + yy * p.y};
  }
  obstacles_destroy(&h->world.obstacles);
  obstacles_create(&h->world.obstacles, &h->lines, false);
}

static void assert_moves_along(bool walls, int xx, int xy, int yx, int yy)
{
  struct hall plain, moved;
  hall_create(&plain, 2, SPREAD, 200, walls);
  hall_create(&moved, 2, SPREAD, 200, walls);
  transform(&moved, xx, xy, yx, yy, false);
  if (walls)
    transform_walls(&moved, xx, xy, yx, yy);
  neighbours_build(&moved.neighbours, &moved.world.frame, &moved.a);
  slow_down(&plain);
  slow_down(&moved);
  transform(&plain, xx, xy, yx, yy, true);
  for (int64_t i = 0; i < plain.a.count; i++)
    for (int64_t j = 0; j < plain.a.count; j++)
      if (plain.a.id[i] == moved.a.id[j])
        cr_assert(plain.a.prefer_x[i] == moved.a.prefer_x[j] &&
                  plain.a.prefer_y[i] == moved.a.prefer_y[j]);
  hall_destroy(&plain);
  hall_destroy(&moved);
}

Test(density_speed, a_mirrored_crowd_has_mirrored_wishes)
{
  omp_set_num_threads(1);
  assert_moves_along(false, -1, 0, 0, 1);
  assert_moves_along(false, 0, 1, 1, 0);
}

Test(density_speed, a_turned_crowd_has_turned_wishes)
{
  omp_set_num_threads(1);
  assert_moves_along(true, 0, -1, 1, 0);
  assert_moves_along(true, -1, 0, 0, -1);
}

// ---------------------------------------------------------------------------- the table

Test(density_speed, weidmann_needs_no_libm)
{
  for (double density = 0.01; density < 9; density += 0.01)
    cr_assert_float_eq(density_speed_weidmann(density), 1 - exp(-1.913 * (1 / density - 1 / 5.4)),
                       1e-11);
  cr_assert_eq(density_speed_weidmann(0), 1);
  cr_assert_float_eq(1.34 * density_speed_weidmann(1), 1.06, 0.005); // as printed by Weidmann
}
