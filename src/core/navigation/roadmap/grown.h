// The obstacles grown by the clearance: where the middle of nobody should be. Their outlines may be
// walked along; their inside may not be crossed. Exact.
#pragma once
#include "exact.h"
#include "obstacles.h"

struct grown {
  struct obstacles walls; // closed outlines only
  int32_t *after;         // [walls.count] the wall that begins where this one ends
};

void grown_create(struct grown *g, const struct outlines *lines, bool outside_solid);
void grown_destroy(struct grown *g);

// Does the segment p-q pass through the inside? p and q must not lie there themselves
// (obstacles_solid of the walls).
bool grown_hides(const struct grown *g, struct point p, struct point q);

// The same as obstacles_cut, for segments of hundreds of metres: segment_hidden.h.
bool segment_cut(const struct obstacles *o, struct point p, struct point q);

// The corner where wall i ends. Only round a convex one does a shortest way bend.
bool grown_convex(const struct grown *g, int64_t i);
// Does the line through that corner and p pass it by, on the one side or the other?
bool grown_tangent(const struct grown *g, int64_t i, struct point p);
