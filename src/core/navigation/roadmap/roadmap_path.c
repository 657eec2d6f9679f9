// Whole paths along the roadmap, for planning; walking agents use roadmap_kernel.h.
#include "roadmap_kernel.h"

#define NODES_TRIED 64 // for a point within the clearance of a wall

int64_t roadmap_path_length(const struct roadmap *r, int32_t destination, struct point p)
{
  struct waypoint_query l = {
      r, destination, p, roadmap_clear_of_inflated(r, p), false, WAYPOINTS_UNREACHED, ROADMAP_NONE};
  if (destination_holds(&r->destinations[destination], p))
    return 0;
  edges_search(&l, INT32_MAX);
  nodes_search(&l);
  return l.length;
}

// Does the closest visible node lead to the destination? In free space one node decides for all
// visible ones; within the clearance of a wall the visible ones may differ.
bool roadmap_reachable(const struct roadmap *r, int32_t destination, struct point p)
{
  const bool inflated = roadmap_clear_of_inflated(r, p);
  const struct cost_to_go *rest = &r->trees[destination].cost_to_go;
  struct waypoint_candidate batch[WAYPOINTS_BATCH], after = {-1, -1};
  struct waypoint_query l = {r, destination, p, inflated, false, WAYPOINTS_UNREACHED, ROADMAP_NONE};
  if (destination_holds(&r->destinations[destination], p))
    return true;
  for (int tried = 0, count = 1; tried < NODES_TRIED && count > 0; tried += count) {
    count = waypoints_next(&r->waypoints, NULL, p, after, WAYPOINTS_UNREACHED, -1, batch);
    for (int i = 0; i < count; i++)
      if (roadmap_visible(r, inflated, p, r->nodes[batch[i].place])) {
        if (rest->of[batch[i].place] != WAYPOINTS_UNREACHED)
          return true;
        tried += inflated ? NODES_TRIED : 0;
      }
    after = count ? batch[count - 1] : after;
  }
  edges_search(&l, INT32_MAX);
  return l.waypoint != ROADMAP_NONE;
}
