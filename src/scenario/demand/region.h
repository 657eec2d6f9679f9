// A region of the plane from which random points are drawn.
#pragma once
#include "obstacles.h"
#include "random.h"

struct area;
struct demand_input;
struct diagnostics;

struct region {
  struct obstacles inside; // solid: inside the region
  struct box box;          // of its vertices, upper end included
};

// The union of areas[count]. False and an error if they are invalid; r is then unchanged.
bool region_create(struct region *r, const struct demand_input *in, const struct area *areas,
                   int count, struct diagnostics *p);
void region_destroy(struct region *r);

// The point of the box given by two random words. It may lie outside the region or in a wall.
struct point region_point(const struct region *r, uint32_t word_x, uint32_t word_y);

// What identifies a random draw: see random.h.
struct draw {
  uint64_t seed;
  int64_t id, number;
  enum random_purpose purpose;
};
#define FREE_POINT_TRIES 64
// A random point of the region outside the walls; after FREE_POINT_TRIES failures the last one
// tried. Uses the draws [number, number + FREE_POINT_TRIES).
struct point region_free_point(const struct region *r, const struct obstacles *walls,
                               struct draw draw);

struct box outlines_box(const struct outlines *o); // of all vertices, upper end included
