// Compiled for every width: what agents keep from the walls of a passage, against the rule in plain
// numbers.
#include "shoulders.h"

#include "lane_width.h"
#include "oracle.h"
#include "scalar_perception.h"
#include <criterion/criterion.h>
#include <stdlib.h>

TestSuite(shoulders, .init = skip_if_too_wide);

#define RADIUS 0.2f
#define WIDE   0.46 // m, of the shoulders

static void kept_lanes(const struct plain_perception *p, float shoulders, float *kept)
{
  struct perception s;
  struct headway_options h;
  headway_options_create(&h, 1);
  headway_options_set(
      &h, 0,
      &(struct headway_profile){.time_gap = 1, .length = 0.4, .sight = 5, .shoulders = shoulders});
  perception_of_plain(&s, p);
  turn_shoulders(&s, &h, splat_ivec(0));
  lanes_store(kept, s.radius);
  headway_options_destroy(&h);
}

static float kept_alone(const struct plain_perception *p, float shoulders)
{
  struct plain_perception all[LANES];
  float kept[LANES];
  for (int l = 0; l < LANES; l++)
    all[l] = *p;
  kept_lanes(all, shoulders, kept);
  return kept[0];
}

// The walls of a passage at an angle, with the agent `left` from the one on its left.
static struct plain_perception in_passage(double width, double left, double angle)
{
  const double c = cos(angle), n = sin(angle), right = width - left;
  const double near = fmin(left, right), far = fmax(left, right), sign = left < right ? 1 : -1;
  const double d[2] = {sign * near, -sign * far}; // sorted by distance
  struct plain_perception p = {.radius = RADIUS, .wall_count = 2};
  for (int k = 0; k < 2; k++) {
    const double half = d[k] > 0 ? 2 : -2; // solid on the left of a -> b
    p.walls[k] = (struct plain_wall){(float)(-half * c - d[k] * n), (float)(-half * n + d[k] * c),
                                     (float)(half * c - d[k] * n), (float)(half * n + d[k] * c)};
  }
  return p;
}

Test(shoulders, turn_in_a_narrow_passage_at_any_angle)
{
  uint64_t r = 1;
  int narrow = 0;
  for (int i = 0; i < 2000; i++) {
    const double width = oracle_between(&r, 0.3, 1.4);
    const struct plain_perception p =
        in_passage(width, width * oracle_between(&r, 0.05, 0.95), oracle_between(&r, 0, 6.28));
    const double want = fmin(fmax(width - WIDE, (double)SHOULDERS_LEAST), (double)RADIUS);
    cr_assert_float_eq(kept_alone(&p, (float)WIDE), want, 1e-5, "%g m", width);
    narrow += want < (double)RADIUS;
  }
  cr_assert_gt(narrow, 400);
}

Test(shoulders, stay_where_there_is_no_passage)
{
  const struct plain_perception passage = in_passage(0.5, 0.25, 1);
  cr_assert_eq(kept_alone(&passage, 0), RADIUS); // it has none
  struct plain_perception one = passage;
  one.wall_count = 1;
  cr_assert_eq(kept_alone(&one, (float)WIDE), RADIUS);
  struct plain_perception corner = passage; // both walls on one side
  corner.walls[1] = (struct plain_wall){corner.walls[0].bx, corner.walls[0].by,
                                        2 * corner.walls[0].bx, 2 * corner.walls[0].by};
  cr_assert_eq(kept_alone(&corner, (float)WIDE), RADIUS);
  struct plain_perception back = passage; // the other wall is the back of this one
  back.walls[1] =
      (struct plain_wall){back.walls[0].bx, back.walls[0].by, back.walls[0].ax, back.walls[0].ay};
  cr_assert_eq(kept_alone(&back, (float)WIDE), RADIUS);
  const struct plain_perception wide = in_passage(2, 0.9, 1); // nearest wall beyond the reach
  cr_assert_eq(kept_alone(&wide, (float)WIDE), RADIUS);
}

// The walls around one jamb of a door, and the far one `width` away; the agent stands before the
// wall beside the door, `along` from the near jamb.
static struct plain_perception beside_door(double width, double along, double before)
{
  const float jamb = (float)along, far = (float)(along + width), y = (float)-before;
  return (struct plain_perception){
      .radius = RADIUS,
      .wall_count = 3,
      .walls = {{jamb, y, jamb - 2, y}, {jamb, y - 0.2f, jamb, y}, {far, y, far, y - 0.2f}}};
}

Test(shoulders, turn_beside_a_door_but_not_at_a_corner)
{
  for (double along = 0; along < 0.15; along += 0.01) {
    struct plain_perception p = beside_door(0.5, along, 0.24);
    const double want = fmin(fmax(along + 0.5 - WIDE, (double)SHOULDERS_LEAST), (double)RADIUS);
    cr_assert_float_eq(kept_alone(&p, (float)WIDE), want, 1e-5, "%g m beside the jamb", along);
    p.wall_count = 2; // the corner of a building
    cr_assert_eq(kept_alone(&p, (float)WIDE), RADIUS);
  }
}

static void nearest_point(const struct plain_wall *w, double *at)
{
  const double x = (double)w->bx - (double)w->ax, y = (double)w->by - (double)w->ay;
  const double t = -((double)w->ax * x + (double)w->ay * y) / (x * x + y * y);
  const double on = fmin(fmax(t, 0), 1);
  at[0] = (double)w->ax + on * x, at[1] = (double)w->ay + on * y;
}

static double kept_plainly(const struct plain_perception *p)
{
  double at[PLAIN_WALLS][2], width = 1e6;
  for (int k = 0; k < p->wall_count; k++)
    nearest_point(&p->walls[k], at[k]);
  if (p->wall_count < 2 || hypot(at[0][0], at[0][1]) >= (double)SHOULDERS_REACH)
    return (double)RADIUS;
  for (int k = 1; k < p->wall_count; k++) {
    const double x = at[k][0] - at[0][0], y = at[k][1] - at[0][1];
    const struct plain_wall *w = &p->walls[k];
    const double u = (double)w->bx - (double)w->ax, v = (double)w->by - (double)w->ay;
    const double ax = at[0][0] - (double)w->ax, ay = at[0][1] - (double)w->ay;
    const bool faces = (v * ax - u * ay) / hypot(u, v) > (double)SHOULDERS_FACES;
    if (faces && x * at[0][0] + y * at[0][1] < (double)SHOULDERS_PLANE)
      width = fmin(width, hypot(x, y));
  }
  return fmin(fmax(width - WIDE, (double)SHOULDERS_LEAST), (double)RADIUS);
}

static double distance_of(const struct plain_wall *w)
{
  double at[2];
  nearest_point(w, at);
  return hypot(at[0], at[1]);
}

static int by_distance(const void *a, const void *b)
{
  const double d = distance_of(a) - distance_of(b);
  return (d > 0) - (d < 0);
}

Test(shoulders, agree_with_the_rule_among_random_walls)
{
  uint64_t r = 7;
  int turned = 0;
  for (int i = 0; i < 3000; i++) {
    struct plain_perception p[LANES];
    float kept[LANES];
    for (int l = 0; l < LANES; l++) {
      p[l] = (struct plain_perception){.radius = RADIUS,
                                       .wall_count = (int)oracle_whole(&r, 0, PLAIN_WALLS)};
      for (int k = 0; k < p[l].wall_count; k++)
        p[l].walls[k] = plain_random_wall(&r, 0.05, 0.7);
      qsort(p[l].walls, (size_t)p[l].wall_count, sizeof p[l].walls[0], by_distance);
    }
    kept_lanes(p, (float)WIDE, kept);
    for (int l = 0; l < LANES; l++) {
      cr_assert_float_eq(kept[l], kept_plainly(&p[l]), 1e-4, "%g, not %g, of %d walls",
                         (double)kept[l], kept_plainly(&p[l]), p[l].wall_count);
      turned += kept[l] < RADIUS;
    }
  }
  cr_assert_gt(turned, 300 * LANES);
}
