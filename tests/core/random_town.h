// Random worlds for tests of the roadmap: blocks of houses with streets between them, or yards.
#pragma once
#include "roadmap_kernel.h"

#define METRE      65536
#define TOWN_SIDE  6  // blocks a side
#define TOWN_BLOCK 20 // m

static const struct box town_bounds = {
    {-TOWN_SIDE * TOWN_BLOCK / 2 * METRE, -TOWN_SIDE *TOWN_BLOCK / 2 * METRE},
    {TOWN_SIDE * TOWN_BLOCK / 2 * METRE, TOWN_SIDE *TOWN_BLOCK / 2 * METRE}};

// Streets cross at multiples of 20 m: no block comes near.
static const struct point town_crossing = {20 * METRE, -20 * METRE};

struct town {
  struct outlines lines; // grown
  struct outlines inner; // the walls as they are: within the grown ones
  struct obstacles walls;
  struct roadmap roadmap;
};

void outlines_begin(struct outlines *o);
void outlines_end(struct outlines *o);
void ring_add(struct outlines *o, const struct point *points, int64_t count);
void square_add(struct outlines *o, int32_t x, int32_t y, int32_t half);
struct point turned(struct point p, int quarters);

// Builds the roadmap to areas[count] from t->lines and t->inner.
void town_finish(struct town *t, const struct outlines *areas, int count);
// Triangles, rectangles and L shapes; the destination is a square of 1 m around the target.
void town_create(struct town *t, uint64_t seed, struct point target);
void town_destroy(struct town *t);
// Outside of all grown obstacles.
struct point town_free_point(const struct town *t, uint64_t *r);
struct roadmap_agent town_follower(const struct town *t, struct point p, uint64_t phase);
