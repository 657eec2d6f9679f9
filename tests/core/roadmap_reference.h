// Shortest ways the plain way: every corner is a node, every pair that sees each other an edge.
#pragma once
#include "roadmap.h"

struct reference_ways {
  const struct roadmap *roadmap; // its grown obstacles and destinations
  struct box bounds;
  int64_t count;    // corners
  struct point *at; // [count]
  uint8_t *seen;    // [count * count]
};

void reference_ways_create(struct reference_ways *w, const struct roadmap *r, struct box bounds);
void reference_ways_destroy(struct reference_ways *w);
// The length from every corner to the destination in length[count]; memory_destroy it.
double *reference_ways_to(const struct reference_ways *w, int32_t target);
// And from anywhere, quanta; HUGE_VAL: no way.
double reference_way(const struct reference_ways *w, const double *to, int32_t target,
                     struct point p);
