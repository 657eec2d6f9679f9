// The waypoint of an agent on the roadmap: the visible one with the lowest |p - waypoint| + cost to
// go. An agent that spreads aims at a point of its own beside it, where it sees that.
#pragma once
#include "roadmap.h"
#include "sight_line_kernel.h"
#include "waypoints_search.h"

#define WAYPOINT_SEARCH_EVERY 256 // steps between searches
#define WAYPOINT_CHECK_EVERY  8   // steps between visibility checks
#define EDGES_TRIED           8   // edges of the destination; if all are hidden, nodes lead there
#define ROADMAP_DETOUR        0.042f // of the legs of a way

struct roadmap_agent { // one that follows the roadmap
  const struct roadmap *r;
  int32_t destination;
  struct point p;
  int32_t reach;  // quanta: waypoints within reach count as passed; at least the clearance
  uint64_t phase; // step + id: tells in which steps it searches
  bool spreads;   // passes corners beside them
  bool queues;    // looks beyond them as soon as it is near
  float side;     // from -1, the right edge of its way, to 1, the left one
  float share;    // of the displacement to that side, 0 to 1
};

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

// ------------------------------------------------------------------------------ beside the way

// NULL: nobody has a displacement there.
INLINE const struct passage *passage_of(const struct roadmap_agent *l, int32_t waypoint)
{
  const struct passage *all = l->r->trees[l->destination].passages;
  return waypoint >= 0 && all && all[waypoint].side != 0.0f ? &all[waypoint] : NULL;
}

// Is the agent at the line across its way through the corner, or past it? On that line it reaches
// its own point. Who is past it stays so on its way to the corner: nobody turns back and forth.
INLINE bool passage_passed(const struct roadmap_agent *l, int32_t waypoint, const struct passage *g)
{
  const struct point at = l->r->nodes[waypoint];
  const float x = (float)((int64_t)l->p.x - at.x), y = (float)((int64_t)l->p.y - at.y);
  const float across = g->x * y - g->y * x, past = g->side > 0.0f ? across : -across;
  const float reach = (float)l->reach;
  return past >= 0.0f || past * past <= reach * reach * (g->x * g->x + g->y * g->y);
}

// Closer to the corner than the gap is wide.
INLINE bool passage_near(const struct roadmap_agent *l, int32_t waypoint, const struct passage *g)
{
  const struct point at = l->r->nodes[waypoint];
  const float x = (float)((int64_t)l->p.x - at.x), y = (float)((int64_t)l->p.y - at.y);
  return x * x + y * y <= 4.0f * (g->x * g->x + g->y * g->y);
}

INLINE float limited(float value, float least, float most)
{
  return value < least ? least : value > most ? most : value;
}

// An edge of the destination is a gap, too: on a short one each agent has a place of its own, on a
// long one only those do that come past one of its ends. at: the closest point.
INLINE struct point edge_own_point(const struct roadmap_agent *l, int32_t edge, struct point at,
                                   float share)
{
  const struct segment *e = &l->r->destinations[l->destination].edges.segments[edge];
  const float x = (float)((int64_t)e->b.x - e->a.x), y = (float)((int64_t)e->b.y - e->a.y);
  const float ax = (float)((int64_t)at.x - e->a.x), ay = (float)((int64_t)at.y - e->a.y);
  const float length = sqrtf(x * x + y * y), margin = l->r->passage_margin;
  const float between = length - 2.0f * margin;
  const float room = between < l->r->passage_most ? between : l->r->passage_most;
  if (!(room > 0.0f))
    return at;
  // The inside is left of the edge: an entering agent has the start of the edge on its left.
  const float along = sqrtf(ax * ax + ay * ay), left = 0.5f * (1.0f - l->side) * room;
  const float own = limited(along, margin + left, length - margin - (room - left));
  const float scale = share * (own - along) / length;
  const struct point to = {at.x + (int32_t)(scale * x), at.y + (int32_t)(scale * y)};
  return to;
}

// Where the agent would pass the waypoint with some parts of its displacement.
HOST_DEVICE struct point roadmap_own_point(const struct roadmap_agent *l, int32_t waypoint,
                                           int32_t parts)
{
  const struct point at = roadmap_waypoint_position(l->r, l->destination, l->p, waypoint);
  const float share = l->share * (float)parts * (1.0f / ROADMAP_PARTS);
  if (!(share > 0.0f))
    return at;
  if (waypoint <= ROADMAP_EDGE)
    return edge_own_point(l, ROADMAP_EDGE - waypoint, at, share);
  const struct passage *g = passage_of(l, waypoint);
  if (!g || passage_passed(l, waypoint, g))
    return at;
  const float aside = share * (1.0f - l->side * g->side);
  const struct point to = {at.x + (int32_t)(aside * g->x), at.y + (int32_t)(aside * g->y)};
  return to;
}

// The place that the way from the waypoint at `from` leads to; `from` itself where it ends.
INLINE struct point roadmap_place_after(const struct roadmap_agent *l, int32_t waypoint,
                                        struct point from)
{
  const int32_t after = waypoint >= 0 ? l->r->trees[l->destination].next[waypoint] : ROADMAP_NONE;
  return roadmap_waypoint_position(l->r, l->destination, from, after);
}

// The most parts of its displacement with which the way is hardly longer than by the waypoint. The
// leg to it counts, and the one after it if that is the last: every leg belongs to one waypoint. In
// a queue the displacement is smaller: the agent may leave it later.
HOST_DEVICE int32_t roadmap_worthwhile_parts(const struct roadmap_agent *agent, int32_t waypoint)
{
  struct roadmap_agent l = *agent;
  const struct point at = roadmap_waypoint_position(l.r, l.destination, l.p, waypoint);
  const int32_t after = waypoint >= 0 ? l.r->trees[l.destination].next[waypoint] : ROADMAP_NONE;
  const struct point next = roadmap_waypoint_position(l.r, l.destination, at, after);
  const int64_t to = length_between(l.p, at), from = length_between(at, next);
  const float legs = (float)(to + (after <= ROADMAP_EDGE ? from : 0));
  const float most = (float)(to + from) + ROADMAP_DETOUR * legs;
  int32_t parts = 0;
  l.share = 1.0f;
  for (int32_t step = (ROADMAP_PARTS + 1) / 2; step > 0;
       step /= 2) { // the way grows with the parts
    const struct point own = roadmap_own_point(&l, waypoint, parts + step);
    const int64_t way =
        length_between(l.p, own) + (same_point(next, at) ? 0 : length_between(own, next));
    if ((float)way <= most)
      parts += step;
  }
  return parts;
}

// How many parts of its displacement the agent takes. It starts with the parts that it had or, if
// it had none, with the worthwhile ones, and halves them until it sees its point. It chooses the
// parts for a corner once: if it chose again at each look, the allowed detours would add up. The
// next waypoint must be visible from a newly chosen point, or the agent would turn back. A point on
// an edge of the destination moves with the agent, so its parts are chosen at each look. clear: the
// agent is outside all clearances.
HOST_DEVICE int32_t roadmap_visible_parts(const struct roadmap_agent *l, int32_t waypoint,
                                          int32_t had, bool clear)
{
  if (!l->spreads || waypoint == ROADMAP_NONE || waypoint == ROADMAP_INSIDE)
    return 0;
  const struct point at = roadmap_waypoint_position(l->r, l->destination, l->p, waypoint);
  if (same_point(roadmap_own_point(l, waypoint, ROADMAP_PARTS), at))
    return 0;
  const bool chosen = waypoint >= 0 && had > 0;
  for (int32_t parts = chosen ? had : roadmap_worthwhile_parts(l, waypoint); parts > 0;
       parts /= 2) {
    const struct point own = roadmap_own_point(l, waypoint, parts);
    if (same_point(own, at))
      return 0;
    if (roadmap_visible(l->r, clear, l->p, own) &&
        (waypoint < 0 || (chosen && parts == had) ||
         roadmap_visible(l->r, clear, own, roadmap_place_after(l, waypoint, own))))
      return parts;
  }
  return 0;
}

// The point to walk to for an aim: a clearance beyond an edge of the destination, so that the
// agent enters it.
HOST_DEVICE struct point roadmap_steer_point(const struct roadmap_agent *l, int32_t aim)
{
  const struct roadmap *r = l->r;
  const int32_t waypoint = roadmap_aim_waypoint(aim);
  struct point to = roadmap_own_point(l, waypoint, roadmap_aim_parts(aim));
  if (waypoint > ROADMAP_EDGE)
    return to;
  const struct segment *e =
      &r->destinations[l->destination].edges.segments[ROADMAP_EDGE - waypoint];
  const double x = (double)e->b.x - e->a.x, y = (double)e->b.y - e->a.y;
  const double scale = (r->clearance + 64) / sqrt(x * x + y * y), most = scale < 0.5 ? scale : 0.5;
  // The inside is on the left. Away from an end of the edge, where another edge may continue.
  const double along = same_point(to, e->a) ? most : same_point(to, e->b) ? -most : 0;
  to.x = (int32_t)floor(to.x + along * x - y * scale + 0.5);
  to.y = (int32_t)floor(to.y + along * y + x * scale + 0.5);
  return to;
}

// ------------------------------------------------------------------------------------ each step

// Where does an agent that spreads look beyond the waypoint?
enum beside_waypoint { BESIDE_NOWHERE, BESIDE_PASSED, BESIDE_NEAR };

INLINE bool passes_beside(const struct roadmap_agent *l, int32_t waypoint,
                          enum beside_waypoint where)
{
  const struct passage *g = where == BESIDE_NOWHERE ? NULL : passage_of(l, waypoint);
  return g &&
         (passage_passed(l, waypoint, g) || (where == BESIDE_NEAR && passage_near(l, waypoint, g)));
}

// A node within reach counts as passed if the next waypoint is visible: an agent that is too wide
// for the node, or pushed off it, continues. So does one that passes beside it, or is in its gap
// and need not walk as far as its own point.
HOST_DEVICE int32_t waypoint_advance(const struct roadmap_agent *l, int32_t waypoint,
                                     enum beside_waypoint where)
{
  const struct roadmap *r = l->r;
  while (waypoint >= 0) {
    const bool near = length_between(l->p, r->nodes[waypoint]) <= l->reach;
    if (!near && !passes_beside(l, waypoint, where))
      break;
    const int32_t next = r->trees[l->destination].next[waypoint];
    if (next == ROADMAP_NONE || next == ROADMAP_INSIDE)
      break;
    const struct point to = roadmap_waypoint_position(r, l->destination, l->p, next);
    if (near ? !visible_past(r, l->p, to)
             : !roadmap_visible(r, roadmap_clear_of_inflated(r, l->p), l->p, to))
      break;
    waypoint = next;
  }
  return waypoint;
}

INLINE bool roadmap_search_due(const struct roadmap_agent *l, int32_t aim)
{
  return aim == ROADMAP_NONE || l->phase % WAYPOINT_SEARCH_EVERY == 0;
}

// Does the agent look in this step whether it sees what it aims at?
INLINE bool roadmap_check_due(const struct roadmap_agent *l, int32_t aim)
{
  return aim == ROADMAP_NONE || l->phase % WAYPOINT_CHECK_EVERY == 0;
}

INLINE enum beside_waypoint looks_beside(const struct roadmap_agent *l, int32_t parts, bool check)
{
  if (!l->spreads || (parts == 0 && !check))
    return BESIDE_NOWHERE;
  return check && l->queues ? BESIDE_NEAR : BESIDE_PASSED;
}

// What the agent aims at in this step, given what it did in the last. It searches every 256 steps
// and when neither its own point nor the waypoint is visible, and advances past waypoints.
HOST_DEVICE int32_t roadmap_next_aim(const struct roadmap_agent *l, int32_t aim)
{
  const bool check = roadmap_check_due(l, aim);
  const bool clear = check && roadmap_clear_of_inflated(l->r, l->p);
  bool search = roadmap_search_due(l, aim);
  const int32_t before = roadmap_aim_waypoint(aim);
  int32_t waypoint = before, parts = roadmap_aim_parts(aim);
  if (check) {
    struct waypoint_query q = {l->r,  l->destination,      l->p,        clear,
                               false, WAYPOINTS_UNREACHED, ROADMAP_NONE};
    if (!search) {
      parts = roadmap_visible_parts(l, waypoint, parts, clear);
      search = parts == 0 && !waypoint_visible(&q, waypoint);
    }
    if (search)
      waypoint = waypoint_find(&q, waypoint);
  }
  waypoint = waypoint_advance(l, waypoint, looks_beside(l, parts, check));
  if (l->spreads && (search || waypoint != before))
    parts = roadmap_visible_parts(l, waypoint, waypoint == before ? parts : 0,
                                  check ? clear : roadmap_clear_of_inflated(l->r, l->p));
  return roadmap_aim(waypoint, parts);
}
