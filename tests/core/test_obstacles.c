#include "obstacles.h"

#include "base.h"
#include "extent.h"
#include "obstacles_crossing_kernel.h"
#include "obstacles_nearest_kernel.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define POINTS 400
#define LINES  24

struct scene { // outlines, and the same for the oracle
  int64_t start[LINES + 1];
  struct point points[POINTS];
  uint8_t closed[LINES];
  struct outlines lines;
  int32_t x[POINTS], y[POINTS];
  bool hole[LINES];
};

static void begin(struct scene *p)
{
  *p = (struct scene){0};
  p->lines = (struct outlines){0, p->start, p->points, p->closed};
}

static void corner(struct scene *p, int32_t x, int32_t y)
{
  const int64_t at = p->start[p->lines.count + 1]++;
  p->points[at] = (struct point){x, y};
  p->x[at] = x;
  p->y[at] = y;
}

static void line_begin(struct scene *p) // the next corners belong to a new line
{
  p->start[p->lines.count + 1] = p->start[p->lines.count];
}

static void line_end(struct scene *p, bool closed, bool hole)
{
  p->closed[p->lines.count] = closed;
  p->hole[p->lines.count] = hole;
  p->lines.count++;
}

// A star-shaped, hence simple polygon; counter-clockwise, or clockwise if it is a hole.
static void star(struct scene *p, uint64_t *r, double x, double y, double least, double most,
                 bool hole)
{
  const int count = oracle_whole(r, 3, 14);
  line_begin(p);
  for (int i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * (hole ? count - i : i) / count;
    const double size = oracle_between(r, least, most);
    corner(p, (int32_t)(x + size * cos(angle)), (int32_t)(y + size * sin(angle)));
  }
  line_end(p, true, hole);
}

// Blocks on a grid of `cell` quanta; some have a hole.
static void town(struct scene *p, uint64_t *r, double cell)
{
  begin(p);
  for (int i = 0; i < 9; i++) {
    const double x = (i % 3 - 1) * cell, y = (i / 3 - 1) * cell;
    star(p, r, x, y, 0.25 * cell, 0.45 * cell, false);
    if (oracle_whole(r, 0, 1))
      star(p, r, x, y, 0.03 * cell, 0.1 * cell, true);
  }
}

static bool oracle_solid(const struct scene *p, bool outside, struct point at)
{
  int winding = outside;
  for (int64_t l = 0; l < p->lines.count; l++) {
    const int64_t first = p->start[l];
    const int in =
        oracle_inside((int)(p->start[l + 1] - first), p->x + first, p->y + first, at.x, at.y);
    if (in == 0) // on a wall
      return false;
    winding += in < 0 ? 0 : p->hole[l] ? -1 : 1;
  }
  return winding > 0;
}

static int32_t counted_x[800], counted_y[800];

// What every prefix of the points counts.
static void expect_counts(const struct obstacles *o, const int *solid)
{
  for (int count = 0; count <= 800; count += count < 130 ? 1 : 67)
    cr_assert_eq(obstacles_count_solid(o, counted_x, counted_y, count), solid[count]);
}

Test(obstacles, solid_where_the_winding_number_is_positive)
{
  uint64_t r = 1;
  for (int round = 0; round < TRIAL_ROUNDS(60); round++) {
    const double cell = round % 3 == 0   ? 12
                        : round % 3 == 1 ? 100000
                                         : 3e8; // from tiny to the limit of positions
    const int32_t reach = (int32_t)(1.7 * cell);
    struct scene p;
    struct obstacles o;
    int solid[801] = {0};
    town(&p, &r, cell);
    obstacles_create(&o, &p.lines, false);
    for (int i = 0; i < 800; i++) {
      struct point at = {oracle_whole(&r, -reach, reach), oracle_whole(&r, -reach, reach)};
      if (i % 4 == 0) // level with a corner: the hard case for rays
        at.y = p.points[oracle_whole(&r, 0, (int32_t)p.start[p.lines.count] - 1)].y;
      cr_assert_eq(obstacles_solid(&o, at), oracle_solid(&p, false, at), "(%d %d)", at.x, at.y);
      solid[i + 1] = solid[i] + obstacles_solid(&o, at);
      counted_x[i] = at.x;
      counted_y[i] = at.y;
    }
    cr_assert(solid[800] > 50);
    expect_counts(&o, solid);
    obstacles_destroy(&o);
  }
}

// Slanted bars side by side and on top of each other. Each is far longer than a row of the index is
// high, so that points lie between, on and right of walls that pass their row.
Test(obstacles, solid_between_long_bars)
{
  uint64_t r = 9;
  for (int round = 0; round < TRIAL_ROUNDS(40); round++) {
    struct scene p;
    struct obstacles o;
    begin(&p);
    for (int i = 0; i < LINES; i++) {
      const int32_t x = oracle_whole(&r, -600, 600), slant = oracle_whole(&r, -90, 90);
      const int32_t wide = oracle_whole(&r, 1, 40), tall = oracle_whole(&r, 900, 2000);
      line_begin(&p);
      corner(&p, x, -tall);
      corner(&p, x + wide, -tall);
      corner(&p, x + wide + slant, tall);
      corner(&p, x + slant, tall);
      line_end(&p, true, false);
    }
    obstacles_create(&o, &p.lines, false);
    int solid = 0;
    for (int i = 0; i < 4000; i++) {
      const int corner_of_bar = oracle_whole(&r, 0, 4 * LINES - 1);
      const struct point end = p.points[corner_of_bar];
      struct point at = {oracle_whole(&r, -750, 750), oracle_whole(&r, -2100, 2100)};
      if (i % 4 == 0) // level with an end, or above it
        at.y = end.y;
      else if (i % 4 == 1)
        at.x = end.x;
      else if (i % 4 == 2) { // on a wall, or up to two quanta beside it
        const struct point next = p.points[corner_of_bar / 4 * 4 + (corner_of_bar + 1) % 4];
        const double share = oracle_between(&r, 0, 1);
        at.x = end.x + (int32_t)(share * (next.x - end.x)) + oracle_whole(&r, -2, 2);
        at.y = end.y + (int32_t)(share * (next.y - end.y));
      }
      cr_assert_eq(obstacles_solid(&o, at), oracle_solid(&p, false, at), "(%d %d)", at.x, at.y);
      solid += obstacles_solid(&o, at);
    }
    cr_assert(solid > 400 && solid < 3600);
    obstacles_destroy(&o);
  }
}

Test(obstacles, outside_of_a_walkable_area_is_solid)
{
  uint64_t r = 2;
  for (int round = 0; round < TRIAL_ROUNDS(20); round++) {
    struct scene p;
    struct obstacles o;
    begin(&p);
    star(&p, &r, 0, 0, 5000, 9000, true); // walkable area
    star(&p, &r, 0, 0, 500, 2000, false); // a building on it
    obstacles_create(&o, &p.lines, true);
    cr_assert(obstacles_solid(&o, (struct point){-POSITION_LIMIT, 7}));
    cr_assert(obstacles_solid(&o, (struct point){7, POSITION_LIMIT}));
    cr_assert(obstacles_solid(&o, (struct point){0, 0}));
    int solid[801] = {0};
    for (int i = 0; i < 800; i++) {
      const int32_t far = i % 5 ? 10000 : POSITION_LIMIT; // beyond the walls, too
      const struct point at = {oracle_whole(&r, -far, far), oracle_whole(&r, -far, far)};
      cr_assert_eq(obstacles_solid(&o, at), oracle_solid(&p, true, at));
      solid[i + 1] = solid[i] + obstacles_solid(&o, at);
      counted_x[i] = at.x;
      counted_y[i] = at.y;
    }
    expect_counts(&o, solid);
    obstacles_destroy(&o);
  }
}

Test(obstacles, points_on_walls_are_not_solid)
{
  uint64_t r = 3;
  for (int round = 0; round < TRIAL_ROUNDS(200); round++) {
    struct scene p;
    struct obstacles o;
    begin(&p);
    line_begin(&p); // each side has 101 integer points
    const int32_t dx = oracle_whole(&r, -50, 50), dy = oracle_whole(&r, 1, 50);
    const struct point corners[] = {
        {0, 0}, {100 * dy, -100 * dx}, {100 * (dy + dx), 100 * (dy - dx)}, {100 * dx, 100 * dy}};
    for (int i = 0; i < 4; i++)
      corner(&p, corners[i].x, corners[i].y);
    line_end(&p, true, false);
    obstacles_create(&o, &p.lines, false);
    for (int k = 0; k <= 100; k++)
      for (int i = 0; i < 4; i++) {
        const struct point a = corners[i], b = corners[(i + 1) % 4];
        const struct point at = {a.x + (b.x - a.x) / 100 * k, a.y + (b.y - a.y) / 100 * k};
        cr_assert_not(obstacles_solid(&o, at));
        cr_assert(obstacles_near(&o, at, 1));
        cr_assert(obstacles_crossed(&o, at, at));
      }
    cr_assert(obstacles_solid(&o, (struct point){50 * (dx + dy), 50 * (dy - dx)}));
    obstacles_destroy(&o);
  }
}

Test(obstacles, open_ground_has_no_walls)
{
  struct scene p;
  struct obstacles o;
  begin(&p);
  obstacles_create(&o, &p.lines, false);
  cr_assert_not(obstacles_solid(&o, (struct point){0, 0}));
  cr_assert_eq(obstacles_count_solid(&o, counted_x, counted_y, 100), 0);
  cr_assert_not(obstacles_crossed(&o, (struct point){0, 0}, (struct point){1000, 1000}));
  cr_assert_not(obstacles_near(&o, (struct point){0, 0}, INT32_MAX));
  obstacles_destroy(&o);
}

static bool oracle_crossed(const struct scene *p, struct point from, struct point to)
{
  const int32_t a[2] = {from.x, from.y}, b[2] = {to.x, to.y};
  for (int64_t l = 0; l < p->lines.count; l++)
    for (int64_t i = p->start[l]; i < p->start[l + 1]; i++) {
      const int64_t next = i + 1 < p->start[l + 1] ? i + 1 : p->start[l];
      const int32_t c[2] = {p->x[i], p->y[i]}, d[2] = {p->x[next], p->y[next]};
      if ((p->closed[l] || next == i + 1) && oracle_segments_meet(a, b, c, d))
        return true;
    }
  return false;
}

static double oracle_wall_distance(const struct scene *p, struct point at)
{
  double least = INFINITY;
  const double a[2] = {at.x, at.y};
  for (int64_t l = 0; l < p->lines.count; l++)
    for (int64_t i = p->start[l]; i < p->start[l + 1]; i++) {
      const int64_t next = i + 1 < p->start[l + 1] ? i + 1 : p->start[l];
      const double c[2] = {p->x[i], p->y[i]}, d[2] = {p->x[next], p->y[next]};
      if (p->closed[l] || next == i + 1)
        least = fmin(least, oracle_segments_distance(a, a, c, d));
    }
  return least;
}

static void town_with_fences(struct scene *p, uint64_t *r, double cell)
{
  town(p, r, cell);
  for (int f = 0; f < 2; f++) {
    line_begin(p);
    for (int i = 0; i < 4; i++)
      corner(p, (int32_t)oracle_between(r, -1.6 * cell, 1.6 * cell),
             (int32_t)oracle_between(r, -1.6 * cell, 1.6 * cell));
    line_end(p, false, false);
  }
}

Test(obstacles, crossed_if_any_wall_is_touched)
{
  uint64_t r = 4;
  for (int round = 0; round < TRIAL_ROUNDS(40); round++) {
    const double cell = round % 3 == 0 ? 12 : round % 3 == 1 ? 100000 : 3e8;
    const int32_t reach = (int32_t)(1.7 * cell);
    struct scene p;
    struct obstacles o;
    int crossed = 0, tried = 0;
    town_with_fences(&p, &r, cell);
    obstacles_create(&o, &p.lines, false);
    for (int i = 0; i < 600; i++, tried++) {
      const struct point from = {oracle_whole(&r, -reach, reach), oracle_whole(&r, -reach, reach)};
      struct point to = {from.x + oracle_whole(&r, -reach, reach) / 4,
                         from.y + oracle_whole(&r, -reach, reach) / 4};
      if (i % 5 == 0)
        to = p.points[oracle_whole(&r, 0, (int32_t)p.start[p.lines.count] - 1)]; // a corner
      if (i % 7 == 0)
        to.x = from.x;
      cr_assert_eq(obstacles_crossed(&o, from, to), oracle_crossed(&p, from, to));
      cr_assert_eq(obstacles_crossed(&o, to, from), obstacles_crossed(&o, from, to));
      crossed += obstacles_crossed(&o, from, to);
    }
    cr_assert(crossed > tried / 10 && crossed < tried);
    obstacles_destroy(&o);
  }
}

// Steps of a few cells of the raster, which finds most of them clear of walls.
Test(obstacles, crossed_by_short_steps)
{
  uint64_t r = 7;
  for (int round = 0; round < TRIAL_ROUNDS(40); round++) {
    const double cell = round % 3 == 0 ? 300 : round % 3 == 1 ? 100000 : 3e8;
    const int32_t reach = (int32_t)(1.7 * cell);
    struct scene p;
    struct obstacles o;
    int crossed = 0, clear = 0;
    town_with_fences(&p, &r, cell);
    obstacles_create(&o, &p.lines, false);
    const int32_t side = (int32_t)1 << o.raster->shift;
    for (int i = 0; i < 4000; i++) {
      const int32_t step = i % 2 ? side : 4 * side;
      struct point from = {oracle_whole(&r, -reach, reach), oracle_whole(&r, -reach, reach)};
      if (i % 3 == 0) { // near a corner
        from = p.points[oracle_whole(&r, 0, (int32_t)p.start[p.lines.count] - 1)];
        from.x += oracle_whole(&r, -2 * side, 2 * side);
        from.y += oracle_whole(&r, -2 * side, 2 * side);
      }
      const struct point to = {from.x + oracle_whole(&r, -step, step),
                               from.y + oracle_whole(&r, -step, step)};
      const bool touches = oracle_crossed(&p, from, to);
      const bool has_none = ground_has_no_wall(o.raster, segment_box(from, to));
      cr_assert_eq(obstacles_crossed(&o, from, to), touches);
      cr_assert(!(has_none && touches));
      crossed += touches;
      clear += has_none;
    }
    cr_assert(crossed > 100 && clear > 400, "%d crossed, %d clear", crossed, clear);
    obstacles_destroy(&o);
  }
}

Test(obstacles, near_if_any_wall_is_closer)
{
  uint64_t r = 5;
  for (int round = 0; round < TRIAL_ROUNDS(40); round++) {
    const double cell = round % 3 == 0 ? 12 : round % 3 == 1 ? 100000 : 3e8;
    const int32_t reach = (int32_t)(1.7 * cell);
    struct scene p;
    struct obstacles o;
    town_with_fences(&p, &r, cell);
    obstacles_create(&o, &p.lines, false);
    for (int i = 0; i < 400; i++) {
      const struct point at = {oracle_whole(&r, -reach, reach), oracle_whole(&r, -reach, reach)};
      const int32_t limit = oracle_whole(&r, 0, reach / 4);
      const double least = oracle_wall_distance(&p, at);
      if (fabs(least - limit) > 1e-9 * (least + limit))
        cr_assert_eq(obstacles_near(&o, at, limit), least < limit);
      else if (limit < 10000 && least == floor(least)) // exactly at the limit
        cr_assert_not(obstacles_near(&o, at, limit));
      cr_assert_not(obstacles_near(&o, at, 0));
    }
    obstacles_destroy(&o);
  }
}

// The nearest point lies on the wall that is named, and no wall is nearer.
Test(obstacles, nearest_wall_is_that_of_all)
{
  uint64_t r = 6;
  for (int round = 0; round < TRIAL_ROUNDS(40); round++) {
    const double cell = round % 2 ? 1000 : 3e8;
    const int32_t limit = (int32_t)(1.7 * cell);
    struct scene p;
    struct obstacles o;
    int found = 0;
    town_with_fences(&p, &r, cell);
    obstacles_create(&o, &p.lines, false);
    for (int i = 0; i < 400; i++) {
      const struct point at = {oracle_whole(&r, -limit, limit), oracle_whole(&r, -limit, limit)};
      const int32_t reach = oracle_whole(&r, 0, limit / 4);
      const double least = oracle_wall_distance(&p, at);
      struct point nearest;
      const int64_t wall = obstacles_nearest_wall(&o, at, reach, &nearest);
      if (fabs(least - reach) < 2) // points are whole quanta
        continue;
      cr_assert_eq(wall >= 0, least < reach);
      if (wall < 0)
        continue;
      const double a[2] = {o.walls[wall].a.x, o.walls[wall].a.y};
      const double b[2] = {o.walls[wall].b.x, o.walls[wall].b.y};
      const double q[2] = {nearest.x, nearest.y};
      cr_assert_lt(oracle_segments_distance(q, q, a, b), 2);
      cr_assert_float_eq(hypot(q[0] - at.x, q[1] - at.y), least, 2);
      found++;
    }
    cr_assert_gt(found, 20);
    obstacles_destroy(&o);
  }
}

Test(obstacles, walls_have_adjacent_directions_and_convex_corners)
{
  struct scene p;
  struct obstacles o;
  begin(&p);
  line_begin(&p); // an L: five convex corners and a reflex one; walls in the order of the outline
  const int32_t l[6][2] = {{0, 0}, {40, 0}, {40, 20}, {20, 20}, {20, 40}, {0, 40}};
  for (int i = 0; i < 6; i++)
    corner(&p, l[i][0], l[i][1]);
  line_end(&p, true, false);
  line_begin(&p); // a fence: walls in both directions, its ends convex
  corner(&p, 100, 0);
  corner(&p, 130, 40);
  line_end(&p, false, false);
  obstacles_create(&o, &p.lines, false);
  cr_assert_eq(o.count, 8);
  for (int i = 0; i < 6; i++) {
    const struct wall *w = &o.walls[i], *next = &o.walls[(i + 1) % 6];
    cr_assert(w->a.x == l[i][0] && w->a.y == l[i][1]);
    cr_assert(w->b.x == next->a.x && w->b.y == next->a.y);
    cr_assert(w->after_x == next->ux && w->after_y == next->uy && next->before_x == w->ux &&
              next->before_y == w->uy);
    cr_assert_eq(w->convex_a, i != 3);
    cr_assert_eq(w->convex_b, i != 2);
  }
  const struct wall *forth = &o.walls[6], *back = &o.walls[7];
  cr_assert(forth->ux == 0.6f && forth->uy == 0.8f && back->ux == -0.6f && back->uy == -0.8f);
  cr_assert(forth->convex_a && forth->convex_b && back->convex_a && back->convex_b);
  cr_assert(forth->after_x == back->ux && forth->before_x == back->ux);
  cr_assert_not(obstacles_solid(&o, (struct point){115, 20}));
  obstacles_destroy(&o);
}
