// Whole ways along the roadmap, for whoever plans: those who walk use roadmap_look.h.
#include "roadmap_look.h"

#define NODES_TRIED 64 // by one who stands within the clearance of a wall

int64_t roadmap_way(const struct roadmap *r, int32_t target, struct point p)
{
  struct looker l = {r, target, p, roadmap_free(r, p), false, SITES_UNREACHED, ROADMAP_NONE};
  if (target_holds(&r->targets[target], p))
    return 0;
  edges_look(&l, INT32_MAX);
  nodes_look(&l);
  return l.length;
}

// Does the nearest node in sight lead there? In free ground one node speaks for all that are in
// sight; within the clearance of a wall one may see a few that others do not.
bool roadmap_reaches(const struct roadmap *r, int32_t target, struct point p)
{
  const bool grown = roadmap_free(r, p);
  const struct remaining *rest = &r->trees[target].remaining;
  struct candidate_site batch[SITES_BATCH], after = {-1, -1};
  struct looker l = {r, target, p, grown, false, SITES_UNREACHED, ROADMAP_NONE};
  if (target_holds(&r->targets[target], p))
    return true;
  for (int tried = 0, count = 1; tried < NODES_TRIED && count > 0; tried += count) {
    count = sites_next(&r->sites, NULL, p, after, SITES_UNREACHED, -1, batch);
    for (int i = 0; i < count; i++)
      if (roadmap_sees(r, grown, p, r->nodes[batch[i].place])) {
        if (rest->of[batch[i].place] != SITES_UNREACHED)
          return true;
        tried += grown ? NODES_TRIED : 0;
      }
    after = count ? batch[count - 1] : after;
  }
  edges_look(&l, INT32_MAX);
  return l.aim != ROADMAP_NONE;
}
