#include "region.h"

#include "demand_input.h"
#include "shape.h"

bool region_create(struct region *r, const struct demand_input *in, const struct area *areas,
                   int count, struct diagnostics *p)
{
  struct outlines outlines;
  const bool good = demand_outlines(in, areas, count, &outlines, p);
  if (good) {
    r->box = outlines_box(&outlines);
    obstacles_create(&r->inside, &outlines, false);
  }
  outlines_destroy(&outlines);
  return good;
}

void region_destroy(struct region *r)
{
  obstacles_destroy(&r->inside);
}

struct point region_point(const struct region *r, uint32_t word_x, uint32_t word_y)
{
  const int64_t width = (int64_t)r->box.hi.x - r->box.lo.x;
  const int64_t height = (int64_t)r->box.hi.y - r->box.lo.y;
  return (struct point){
      (int32_t)(r->box.lo.x + (int64_t)((uint64_t)word_x * (uint64_t)width >> 32)),
      (int32_t)(r->box.lo.y + (int64_t)((uint64_t)word_y * (uint64_t)height >> 32))};
}

struct point region_free_point(const struct region *r, const struct obstacles *walls,
                               struct draw draw)
{
  struct point q = r->box.lo;
  for (int try = 0; try < FREE_POINT_TRIES; try++) {
    const struct random4 random = random_words(draw.seed, draw.id, draw.number + try, draw.purpose);
    q = region_point(r, random.word[0], random.word[1]);
    if (obstacles_solid(&r->inside, q) && !obstacles_solid(walls, q))
      break;
  }
  return q;
}

struct box outlines_box(const struct outlines *o)
{
  struct box box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int64_t i = 0; i < o->start[o->count]; i++) {
    const struct point q = o->points[i];
    box.lo.x = q.x < box.lo.x ? q.x : box.lo.x;
    box.lo.y = q.y < box.lo.y ? q.y : box.lo.y;
    box.hi.x = q.x > box.hi.x ? q.x : box.hi.x;
    box.hi.y = q.y > box.hi.y ? q.y : box.hi.y;
  }
  return box;
}
