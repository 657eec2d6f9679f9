// The obstacles grown by the clearance: where the middle of nobody should be. Their outlines may be
// walked along; their inside may not be crossed. Exact.
#pragma once
#include "exact.h"
#include "obstacles.h"

struct inflated {
  struct obstacles walls; // closed outlines only
  int32_t *after;         // [walls.count] the wall that begins where this one ends
};

void inflated_create(struct inflated *g, const struct outlines *lines, bool outside_solid);
void inflated_destroy(struct inflated *g);

// Does the segment p-q pass through the inside? p and q must not lie there themselves
// (obstacles_solid of the walls).
bool inflated_blocks(const struct inflated *g, struct point p, struct point q);

// The same as obstacles_crossed, for segments of hundreds of metres: segment_blocked.h.
bool segment_crosses(const struct obstacles *o, struct point p, struct point q);

// The corner where wall i ends. Only round a convex one does a shortest way bend.
bool inflated_convex(const struct inflated *g, int64_t i);
// Does the line through that corner and p pass it by, on the one side or the other?
bool inflated_tangent(const struct inflated *g, int64_t i, struct point p);
