#include "arrival.h"

void arrival_area_create(struct arrival_area *a, const struct outlines *outlines)
{
  *a = (struct arrival_area){.box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}}};
  obstacles_create(&a->outlines, outlines, false);
  for (int64_t i = 0; i < a->outlines.count; i++) {
    const struct point p = a->outlines.walls[i].a;
    a->box = box_union(a->box, (struct box){p, {p.x + 1, p.y + 1}});
  }
}

void arrival_area_destroy(struct arrival_area *a)
{
  obstacles_destroy(&a->outlines);
  *a = (struct arrival_area){0};
}
