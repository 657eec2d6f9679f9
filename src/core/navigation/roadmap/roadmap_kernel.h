// The waypoint of an agent on the roadmap: the visible one with the lowest |p - waypoint| + cost to
// go.
#pragma once
#include "roadmap.h"
#include "sight_line_kernel.h"
#include "waypoints_search.h"

#define WAYPOINT_SEARCH_EVERY 256 // steps between searches
#define WAYPOINT_CHECK_EVERY  8   // steps between visibility checks
#define EDGES_TRIED           8   // edges of the destination; if all are hidden, nodes lead there

struct waypoint_query {
  const struct roadmap *r;
  int32_t destination;
  struct point p;
  bool inflated;  // inflated obstacles limit the view, else the walls
  bool bending;   // only nodes where the shortest path bends
  int64_t length; // of the best so far, quanta
  int32_t waypoint;
};

// No wall, inflated or not, is between p and q.
INLINE bool roadmap_visible(const struct roadmap *r, bool inflated, struct point p, struct point q)
{
  return !segment_blocked(inflated ? &r->inflated.walls : r->walls, inflated ? &r->inflated : NULL,
                          p, q);
}

// Is p outside of all clearances? Then the inflated obstacles limit its view.
INLINE bool roadmap_clear_of_inflated(const struct roadmap *r, struct point p)
{
  return !r->street_graph && !obstacles_inside(&r->inflated.walls, p);
}

// The position of a waypoint; p for ROADMAP_NONE and ROADMAP_INSIDE.
HOST_DEVICE struct point roadmap_waypoint_position(const struct roadmap *r, int32_t destination,
                                                   struct point p, int32_t waypoint)
{
  if (waypoint >= 0)
    return r->nodes[waypoint];
  if (waypoint > ROADMAP_EDGE)
    return p;
  return waypoints_nearest_point(&r->destinations[destination].edges, ROADMAP_EDGE - waypoint, p);
}

HOST_DEVICE void edges_search(struct waypoint_query *l, int most)
{
  const struct waypoints *edges = &l->r->destinations[l->destination].edges;
  struct waypoint_candidate batch[WAYPOINTS_BATCH], after = {-1, -1};
  for (int count; (count = waypoints_next(edges, NULL, l->p, after, l->length, -1, batch)) > 0;) {
    for (int i = 0; i < count && most > 0; i++, most--)
      if (roadmap_visible(l->r, l->inflated, l->p,
                          waypoints_nearest_point(edges, batch[i].place, l->p))) {
        l->length = batch[i].length;
        l->waypoint = ROADMAP_EDGE - batch[i].place;
        return;
      }
    if (most <= 0)
      return;
    after = batch[count - 1];
  }
}

HOST_DEVICE void nodes_search(struct waypoint_query *l)
{
  const struct cost_to_go *rest = &l->r->trees[l->destination].cost_to_go;
  struct waypoint_candidate batch[WAYPOINTS_BATCH], after = {-1, -1};
  const int32_t bend = l->bending ? l->r->clearance : -1;
  for (int count;
       (count = waypoints_next(&l->r->waypoints, rest, l->p, after, l->length, bend, batch)) > 0;) {
    for (int i = 0; i < count; i++)
      if (roadmap_visible(l->r, l->inflated, l->p, l->r->nodes[batch[i].place])) {
        l->length = batch[i].length;
        l->waypoint = batch[i].place;
        return;
      }
    after = batch[count - 1];
  }
}

HOST_DEVICE bool waypoint_visible(const struct waypoint_query *l, int32_t waypoint)
{
  return waypoint != ROADMAP_NONE && waypoint != ROADMAP_INSIDE &&
         roadmap_visible(l->r, l->inflated, l->p,
                         roadmap_waypoint_position(l->r, l->destination, l->p, waypoint));
}

// The point to walk to for a waypoint: a clearance beyond an edge of the destination, so that the
// agent enters it.
HOST_DEVICE struct point roadmap_steer_point(const struct roadmap *r, int32_t destination,
                                             struct point p, int32_t waypoint)
{
  struct point to = roadmap_waypoint_position(r, destination, p, waypoint);
  if (waypoint > ROADMAP_EDGE)
    return to;
  const struct segment *e = &r->destinations[destination].edges.segments[ROADMAP_EDGE - waypoint];
  const double x = (double)e->b.x - e->a.x, y = (double)e->b.y - e->a.y;
  const double scale = (r->clearance + 64) / sqrt(x * x + y * y), most = scale < 0.5 ? scale : 0.5;
  // The inside is on the left. Away from an end of the edge, where another edge may continue.
  const double along = same_point(to, e->a) ? most : same_point(to, e->b) ? -most : 0;
  to.x = (int32_t)floor(to.x + along * x - y * scale + 0.5);
  to.y = (int32_t)floor(to.y + along * y + x * scale + 0.5);
  return to;
}

INLINE int64_t waypoint_path_length(const struct waypoint_query *l, int32_t waypoint)
{
  const int64_t rest = waypoint >= 0 ? l->r->trees[l->destination].cost_to_go.of[waypoint] : 0;
  return length_between(l->p, roadmap_waypoint_position(l->r, l->destination, l->p, waypoint)) +
         rest;
}

INLINE void waypoint_search(struct waypoint_query *l)
{
  edges_search(l, EDGES_TRIED);
  nodes_search(l);
}

// An agent that sees no waypoint heads for the nearest one with a path to the destination and
// searches again, so that no agent stops for want of a waypoint.
HOST_DEVICE void waypoint_take_nearest(struct waypoint_query *l)
{
  struct waypoint_candidate batch[WAYPOINTS_BATCH];
  const struct waypoint_candidate none = {-1, -1};
  if (waypoints_next(&l->r->waypoints, &l->r->trees[l->destination].cost_to_go, l->p, none,
                     WAYPOINTS_UNREACHED, -1, batch) > 0)
    l->waypoint = batch[0].place;
  else if (waypoints_next(&l->r->destinations[l->destination].edges, NULL, l->p, none,
                          WAYPOINTS_UNREACHED, -1, batch) > 0)
    l->waypoint = ROADMAP_EDGE - batch[0].place;
}

HOST_DEVICE int32_t waypoint_find(struct waypoint_query *l, int32_t waypoint)
{
  if (destination_holds(&l->r->destinations[l->destination], l->p))
    return ROADMAP_INSIDE;
  l->bending = l->inflated;
  if (waypoint_visible(l, waypoint)) { // anything better must be shorter
    l->waypoint = waypoint;
    l->length = waypoint_path_length(l, waypoint);
  }
  waypoint_search(l);
  if (l->waypoint == ROADMAP_NONE) {
    l->inflated = l->bending = false;
    waypoint_search(l);
  }
  if (l->waypoint == ROADMAP_NONE)
    waypoint_take_nearest(l);
  return l->waypoint;
}

INLINE bool visible_past(const struct roadmap *r, struct point p, struct point next)
{
  return roadmap_visible(r, false, p, next) ||
         (roadmap_clear_of_inflated(r, p) && roadmap_visible(r, true, p, next));
}

// A node within reach counts as passed if the next waypoint is visible: an agent that is too wide
// for the node, or pushed off it, continues.
HOST_DEVICE int32_t waypoint_advance(const struct roadmap *r, int32_t destination, struct point p,
                                     int32_t waypoint, int32_t reach)
{
  while (waypoint >= 0 && length_between(p, r->nodes[waypoint]) <= reach) {
    const int32_t next = r->trees[destination].next[waypoint];
    if (next == ROADMAP_NONE || next == ROADMAP_INSIDE ||
        !visible_past(r, p, roadmap_waypoint_position(r, destination, p, next)))
      break;
    waypoint = next;
  }
  return waypoint;
}

// The waypoint of an agent at p in this step, given that of the last step. It searches every 256
// steps (phase: step + id, which spreads the searches) and when the waypoint is hidden, and
// advances past nodes within reach (quanta; at least the clearance).
HOST_DEVICE int32_t roadmap_next_waypoint(const struct roadmap *r, int32_t destination,
                                          struct point p, int32_t waypoint, int32_t reach,
                                          uint64_t phase)
{
  const bool search_due = waypoint == ROADMAP_NONE || phase % WAYPOINT_SEARCH_EVERY == 0;
  if (search_due || phase % WAYPOINT_CHECK_EVERY == 0) {
    struct waypoint_query l = {
        r,     destination,         p,           roadmap_clear_of_inflated(r, p),
        false, WAYPOINTS_UNREACHED, ROADMAP_NONE};
    if (search_due || !waypoint_visible(&l, waypoint))
      waypoint = waypoint_find(&l, waypoint);
  }
  return waypoint_advance(r, destination, p, waypoint, reach > r->clearance ? reach : r->clearance);
}
