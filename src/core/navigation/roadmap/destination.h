// A destination of the roadmap. Agents that see its outline head for it.
#pragma once
#include "obstacles_inside_kernel.h"
#include "waypoints.h"

struct destination {
  struct obstacles area;  // its inside is the destination
  struct box box;         // around it
  struct waypoints edges; // segments of the outline that agents can cross; inside on the left
};

// Parts of the outline inside `blocked` are left out; segments that end there are a little shorter.
void destination_create(struct destination *t, const struct outlines *area,
                        const struct obstacles *blocked, struct box bounds);
void destination_destroy(struct destination *t);

INLINE bool destination_holds(const struct destination *t, struct point p) // exact
{
  return box_holds(t->box, p) && obstacles_inside(&t->area, p);
}
