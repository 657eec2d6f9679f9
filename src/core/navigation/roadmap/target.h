// A destination of the roadmap: who is inside has arrived, who sees its outline heads for it.
#pragma once
#include "sites.h"
#include "solid.h"

struct target {
  struct obstacles area; // its inside is the destination
  struct box box;        // round it
  struct sites edges;    // the pieces of its outline that somebody may cross; inside on their left
};

// Pieces of the outline inside `blocked` are left out, those that end at it a little sooner.
void target_create(struct target *t, const struct outlines *area, const struct obstacles *blocked,
                   struct box bounds);
void target_destroy(struct target *t);

INLINE bool target_holds(const struct target *t, struct point p) // exact
{
  return box_holds(t->box, p) && solid_at(&t->area, p);
}
