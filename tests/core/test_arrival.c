// Who has arrived: in the area or, where a body does not fit into it, touching it.
#include "preferred_velocity_kernel.h"

#include "arrive_in_box.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <string.h>

#define METRE 65536
#define M(m)  ((int32_t)((m)*METRE))
#define R     M(0.2)

struct scene {
  int64_t start[9];
  struct point points[36];
  uint8_t closed[8];
  struct outlines lines;
  struct world world;
};

static int quarters; // turns of every scene

static struct point at(double x, double y)
{
  const struct point p = {M(x), M(y)};
  const struct point turned[] = {p, {-p.y, p.x}, {-p.x, -p.y}, {p.y, -p.x}};
  return turned[quarters];
}

static void add_wall(struct scene *s, double x0, double y0, double x1, double y1)
{
  struct outlines *l = &s->lines;
  *l = (struct outlines){l->count, s->start, s->points, s->closed};
  s->points[s->start[l->count]] = at(x0, y0);
  s->points[s->start[l->count] + 1] = at(x1, y1);
  s->start[l->count + 1] = s->start[l->count] + 2;
  l->count++;
}

static void build(struct scene *s, double x0, double y0, double x1, double y1)
{
  struct world *w = &s->world;
  const struct point a = at(x0, y0), b = at(x1, y1);
  w->frame.exponent = 16;
  w->bounds = (struct box){{M(-30), M(-30)}, {M(30), M(30)}};
  obstacles_create(&w->obstacles, &s->lines, false);
  arrive_in_box(w, (struct box){{a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y},
                                {a.x < b.x ? b.x : a.x, a.y < b.y ? b.y : a.y}});
}

static bool arrived(const struct scene *s, double x, double y, double radius)
{
  return arrival_reached(&s->world, 0, at(x, y), M(radius));
}

Test(arrival, in_a_large_area_the_centre_counts)
{
  for (quarters = 0; quarters < 4; quarters++) {
    struct scene s = {0};
    build(&s, 10, -5, 14, 5);
    for (double y = -4.9; y < 5; y += 0.35)
      cr_expect(!arrived(&s, 9.99, y, 0.2) && arrived(&s, 10.01, y, 0.2), "%g", y);
    cr_expect(!arrived(&s, 9.95, -5.05, 0.2), "at a corner");
    cr_expect(!arrived(&s, 9.95, 0, 0.45) && !arrived(&s, 20, 0, 0.2));
    world_destroy(&s.world);
  }
}

Test(arrival, in_front_of_a_strip_along_a_wall_touching_it_counts)
{
  for (quarters = 0; quarters < 4; quarters++) {
    struct scene s = {0};
    add_wall(&s, 10, -20, 10, 20);
    build(&s, 9.85, -1, 10, 1);
    cr_expect(!arrived(&s, 9.64, 0, 0.2) && arrived(&s, 9.66, 0, 0.2));
    cr_expect(!arrived(&s, 9.44, 0, 0.4) && arrived(&s, 9.46, 0, 0.4));
    cr_expect(arrived(&s, 9.8, 1.19, 0.2) && !arrived(&s, 9.8, 1.25, 0.2), "beside it");
    cr_expect(!arrived(&s, 10.1, 0, 0.2), "behind the wall");
    cr_expect(!arrived(&s, 9.84, 0, 0.05) && arrived(&s, 9.86, 0, 0.05), "a child fits");
    world_destroy(&s.world);
  }
}

Test(arrival, what_lies_behind_the_wall_makes_no_room)
{
  struct scene s = {0};
  add_wall(&s, 10, -20, 10, 20);
  build(&s, 9.85, -1, 14, 1); // most of it on the other side
  cr_expect(!arrived(&s, 9.64, 0, 0.2) && arrived(&s, 9.66, 0, 0.2));
  world_destroy(&s.world);
}

Test(arrival, what_is_smaller_than_a_person_is_touched)
{
  struct scene s = {0};
  build(&s, 5, 5, 5.01, 5.01);
  cr_expect(arrived(&s, 4.9, 4.9, 0.2) && !arrived(&s, 4.8, 4.8, 0.2));
  world_destroy(&s.world);
}

// A door of 0.6 m to an area behind it: narrow people enter, wide ones touch it.
Test(arrival, a_door_too_narrow_is_touched)
{
  for (quarters = 0; quarters < 4; quarters++) {
    struct scene s = {0};
    add_wall(&s, 10, -20, 10, -0.3);
    add_wall(&s, 10, 0.3, 10, 20);
    build(&s, 10, -2, 14, 2);
    cr_expect(!arrived(&s, 9.9, 0, 0.2) && arrived(&s, 10.1, 0, 0.2));
    cr_expect(arrived(&s, 9.7, 0, 0.4));
    cr_expect(!arrived(&s, 9.8, -1, 0.4), "through the wall");
    world_destroy(&s.world);
  }
}

// Whatever the walls: who is inside has arrived, who is farther away than its radius has not, and
// whoever has arrived outside sees the area.
Test(arrival, nobody_arrives_from_afar_or_through_a_wall)
{
  uint64_t r = 5;
  int64_t touched = 0;
  for (int round = 0; round < 200; round++) {
    struct scene s = {0};
    quarters = 0;
    for (int k = 0; k < 6; k++)
      add_wall(&s, oracle_between(&r, -3, 3), oracle_between(&r, -3, 3), oracle_between(&r, -3, 3),
               oracle_between(&r, -3, 3));
    const double x = oracle_between(&r, -1, 0), y = oracle_between(&r, -1, 0);
    build(&s, x, y, x + oracle_between(&r, 0.05, 1.5), y + oracle_between(&r, 0.05, 1.5));
    const struct box b = s.world.arrival_areas[0].box;
    for (int k = 0; k < 500; k++) {
      const struct point p = {oracle_whole(&r, M(-2), M(3)), oracle_whole(&r, M(-2), M(3))};
      const struct box inner = {{b.lo.x + 1, b.lo.y + 1}, {b.hi.x - 1, b.hi.y - 1}};
      const struct point q = position_clamped(p, b);
      const bool reached = arrival_reached(&s.world, 0, p, R);
      cr_assert(!box_holds(inner, p) || reached);
      if (!reached || box_holds(b, p))
        continue;
      cr_assert(length_between(p, q) <= R && !obstacles_crossed(&s.world.obstacles, p, q));
      touched++;
    }
    world_destroy(&s.world);
  }
  cr_assert_gt(touched, 500);
}
