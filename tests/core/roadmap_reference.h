// Shortest ways the plain way: every corner is a node, every pair that sees each other an edge.
#pragma once
#include "roadmap.h"

struct reference_paths {
  const struct roadmap *roadmap; // its grown obstacles and destinations
  struct box bounds;
  int64_t count;    // corners
  struct point *at; // [count]
  uint8_t *visible; // [count * count]
};

void reference_paths_create(struct reference_paths *w, const struct roadmap *r, struct box bounds);
void reference_paths_destroy(struct reference_paths *w);
// The length from every corner to the destination in length[count]; memory_destroy it.
double *reference_paths_to(const struct reference_paths *w, int32_t destination);
// And from anywhere, quanta; HUGE_VAL: no way.
double reference_path(const struct reference_paths *w, const double *to, int32_t destination,
                      struct point p);
