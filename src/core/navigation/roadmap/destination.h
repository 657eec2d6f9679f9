// A destination of the roadmap: who is inside has arrived, who sees its outline heads for it.
#pragma once
#include "obstacles_inside_kernel.h"
#include "waypoints.h"

struct destination {
  struct obstacles area;  // its inside is the destination
  struct box box;         // round it
  struct waypoints edges; // the pieces of its outline that somebody may cross; inside on their left
};

// Pieces of the outline inside `blocked` are left out, those that end at it a little sooner.
void destination_create(struct destination *t, const struct outlines *area,
                        const struct obstacles *blocked, struct box bounds);
void destination_destroy(struct destination *t);

INLINE bool destination_holds(const struct destination *t, struct point p) // exact
{
  return box_holds(t->box, p) && obstacles_inside(&t->area, p);
}
