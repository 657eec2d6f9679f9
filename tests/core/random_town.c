#include "random_town.h"

#include "base.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <string.h>

void ring_add(struct outlines *o, const struct point *points, int64_t count)
{
  o->start = memory_grow(o->start, (size_t)o->count + 1, (size_t)o->count + 2, sizeof *o->start);
  o->closed = memory_grow(o->closed, (size_t)o->count, (size_t)o->count + 1, 1);
  const int64_t first = o->start[o->count];
  o->points = memory_grow(o->points, (size_t)first, (size_t)(first + count), sizeof *o->points);
  memcpy(o->points + first, points, (size_t)count * sizeof *points);
  o->closed[o->count] = 1;
  o->start[++o->count] = first + count;
}

void outlines_begin(struct outlines *o)
{
  *o = (struct outlines){0, memory_create(1, sizeof *o->start), NULL, NULL};
}

void outlines_end(struct outlines *o)
{
  memory_destroy(o->start);
  memory_destroy(o->points);
  memory_destroy(o->closed);
}

void square_add(struct outlines *o, int32_t x, int32_t y, int32_t half)
{
  ring_add(
      o,
      (struct point[]){
          {x - half, y - half}, {x + half, y - half}, {x + half, y + half}, {x - half, y + half}},
      4);
}

struct point turned(struct point p, int quarters)
{
  for (; quarters > 0; quarters--)
    p = (struct point){-p.y, p.x};
  return p;
}

// A triangle, a rectangle, or an L with its reflex corner, in a block of its own.
static void block_add(struct town *t, uint64_t *r, struct point at)
{
  const int kind = oracle_whole(r, 0, 3), quarters = oracle_whole(r, 0, 4);
  const int32_t a = oracle_whole(r, 2 * METRE, 9 * METRE),
                b = oracle_whole(r, 2 * METRE, 9 * METRE);
  struct point p[6] = {{-a, -b}, {a, -b}, {a, b}, {-a, b}};
  int count = 4;
  if (kind == 0) {
    p[2] = (struct point){-a / 3, b};
    count = 3;
  } else if (kind == 1) {
    const struct point l[6] = {{-a, -b}, {a, -b}, {a, 0}, {0, 0}, {0, b}, {-a, b}};
    memcpy(p, l, sizeof l);
    count = 6;
  }
  struct point inner[6];
  for (int i = 0; i < count; i++) {
    const struct point q = {p[i].x - (p[i].x + a / 4) / 8, p[i].y - (p[i].y + b / 2) / 8};
    const struct point to = turned(p[i], quarters), in = turned(q, quarters);
    p[i] = (struct point){to.x + at.x, to.y + at.y};
    inner[i] = (struct point){in.x + at.x, in.y + at.y};
  }
  ring_add(&t->lines, p, count);
  ring_add(&t->inner, inner, count);
}

void town_finish(struct town *t, const struct outlines *areas, int count)
{
  obstacles_create(&t->walls, t->inner.count ? &t->inner : &t->lines, false);
  roadmap_create(&t->roadmap, &t->walls, &t->lines, false, town_bounds, METRE / 4);
  for (int i = 0; i < count; i++)
    cr_assert(roadmap_add_destination(&t->roadmap, &areas[i], town_bounds));
  roadmap_build_edges(&t->roadmap);
  roadmap_build_trees(&t->roadmap);
}

void town_create(struct town *t, uint64_t seed, struct point target)
{
  struct outlines area;
  outlines_begin(&t->lines);
  outlines_begin(&t->inner);
  for (int k = 0; k < TOWN_SIDE * TOWN_SIDE; k++)
    block_add(
        t, &seed,
        (struct point){
            (k % TOWN_SIDE * TOWN_BLOCK - TOWN_SIDE * TOWN_BLOCK / 2 + TOWN_BLOCK / 2) * METRE,
            (k / TOWN_SIDE * TOWN_BLOCK - TOWN_SIDE * TOWN_BLOCK / 2 + TOWN_BLOCK / 2) * METRE});
  outlines_begin(&area);
  square_add(&area, target.x, target.y, METRE / 2);
  town_finish(t, &area, 1);
  outlines_end(&area);
}

void town_destroy(struct town *t)
{
  roadmap_destroy(&t->roadmap);
  obstacles_destroy(&t->walls);
  outlines_end(&t->lines);
  outlines_end(&t->inner);
}

struct point town_free_point(const struct town *t, uint64_t *r)
{
  for (;;) {
    const struct point p = {oracle_whole(r, town_bounds.lo.x, town_bounds.hi.x),
                            oracle_whole(r, town_bounds.lo.y, town_bounds.hi.y)};
    if (!obstacles_solid(&t->roadmap.inflated.walls, p))
      return p;
  }
}

struct roadmap_agent town_follower(const struct town *t, struct point p, uint64_t phase)
{
  return (struct roadmap_agent){
      .r = &t->roadmap, .p = p, .reach = t->roadmap.clearance, .phase = phase};
}
