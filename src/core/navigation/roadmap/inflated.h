// The obstacles inflated by the clearance, which the centres of agents should not enter. Agents may
// walk along the outlines but not cross the inside. Exact.
#pragma once
#include "exact.h"
#include "obstacles.h"

struct inflated {
  struct obstacles walls; // closed outlines only
  int32_t *after;         // [walls.count] the wall that starts where this one ends
};

void inflated_create(struct inflated *g, const struct outlines *lines, bool outside_solid);
void inflated_destroy(struct inflated *g);

// Does the segment p-q pass through the inside? p and q themselves must not be inside
// (obstacles_solid of the walls).
bool inflated_blocks(const struct inflated *g, struct point p, struct point q);

// The same as obstacles_crossed, for segments of hundreds of metres: sight_line_kernel.h.
bool segment_crosses(const struct obstacles *o, struct point p, struct point q);

// Is the corner where wall i ends convex? Shortest paths only bend at convex corners.
bool inflated_convex(const struct inflated *g, int64_t i);
// Is the line through that corner and p a tangent of the corner?
bool inflated_tangent(const struct inflated *g, int64_t i, struct point p);
