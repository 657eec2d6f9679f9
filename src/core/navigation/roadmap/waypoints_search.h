// The waypoints of an index in the order of |p - waypoint| + cost to go.
#pragma once
#include "box_tree_descent.h"
#include "waypoints.h"

#include <stddef.h>

struct waypoint_candidate {
  int64_t length; // |p - waypoint| + cost to go, quanta
  int32_t place;
};
#define WAYPOINTS_BATCH 64 // with fewer, more searches start again; more cost no less

struct waypoints_search {
  const struct waypoints *waypoints;
  const struct cost_to_go *cost_to_go;
  struct point p;
  struct waypoint_candidate after, *out;
  int64_t below;
  int32_t bend; // quanta; -1: ignore the wedges
  int count;
};

INLINE bool waypoint_candidate_before(struct waypoint_candidate a, struct waypoint_candidate b)
{
  return a.length < b.length || (a.length == b.length && a.place < b.place);
}

// With a tolerance of a thousandth of a turn: rounded lengths may tell equal paths apart.
INLINE bool roughly_left(struct point a, struct point b)
{
  const double spare =
      1e-3 * (fabs((double)a.x) + fabs((double)a.y)) * (fabs((double)b.x) + fabs((double)b.y));
  return (double)a.x * b.y - (double)a.y * b.x >= -spare;
}

INLINE bool bends_at(const struct waypoints_search *q, int32_t place)
{
  const struct point at = q->waypoints->segments[place].a, x = {q->p.x - at.x, q->p.y - at.y};
  const struct tangent_wedge *w = &q->cost_to_go->tangent_wedges[place];
  return (roughly_left(w->a, x) && roughly_left(x, w->b)) || length_rounded(x.x, x.y) <= q->bend;
}

INLINE void waypoint_candidate_insert(struct waypoints_search *q, struct waypoint_candidate c)
{
  if (!waypoint_candidate_before(q->after, c) || c.length >= q->below)
    return;
  if (q->count == WAYPOINTS_BATCH && !waypoint_candidate_before(c, q->out[WAYPOINTS_BATCH - 1]))
    return;
  if (q->bend >= 0 && !bends_at(q, c.place))
    return;
  int at = q->count < WAYPOINTS_BATCH ? q->count++ : WAYPOINTS_BATCH - 1;
  for (; at > 0 && waypoint_candidate_before(c, q->out[at - 1]); at--)
    q->out[at] = q->out[at - 1];
  q->out[at] = c;
}

HOST_DEVICE void leaf_search(struct waypoints_search *q, int64_t leaf)
{
  const struct waypoints *s = q->waypoints;
  const int64_t last = (leaf + 1) * BOX_TREE_WIDTH, end = last < s->count ? last : s->count;
  for (int64_t k = leaf * BOX_TREE_WIDTH; k < end; k++) {
    const int32_t place = s->order[k];
    const int64_t rest = q->cost_to_go ? q->cost_to_go->of[place] : 0;
    if (rest == WAYPOINTS_UNREACHED)
      continue;
    const struct waypoint_candidate c = {
        length_between(q->p, waypoints_nearest_point(s, place, q->p)) + rest, place};
    waypoint_candidate_insert(q, c);
  }
}

// May the node hold a candidate? A projected point is rounded to quanta: 2 quanta allow for that.
INLINE bool node_wanted(const struct waypoints_search *q, int level, int64_t node)
{
  const struct box_tree_level *l = &q->waypoints->tree.level[level];
  const int64_t rest = q->cost_to_go ? q->cost_to_go->least[level][node] : 0;
  if (rest == WAYPOINTS_UNREACHED)
    return false;
  const struct box box = {{l->lo_x[node], l->lo_y[node]}, {l->hi_x[node], l->hi_y[node]}};
  const int64_t least = length_to_box(q->p, box) + rest - 2;
  return least < q->below &&
         (q->count < WAYPOINTS_BATCH || least <= q->out[WAYPOINTS_BATCH - 1].length);
}

// Writes up to WAYPOINTS_BATCH waypoints in ascending (length, place), all after `after` and
// shorter than `below`; returns their number. Skips waypoints without a path and, with bend >= 0,
// those whose wedge excludes p, unless p is within `bend`.
HOST_DEVICE int waypoints_next(const struct waypoints *s, const struct cost_to_go *r,
                               struct point p, struct waypoint_candidate after, int64_t below,
                               int32_t bend, struct waypoint_candidate *out)
{
  struct waypoints_search q = {s, r && r->of ? r : NULL, p, after, out, below, bend, 0};
  struct box_tree_descent d;
  box_tree_descent_begin(&d, &s->tree);
  while (!box_tree_descent_done(&d)) {
    const bool wanted = node_wanted(&q, d.level, d.node);
    if (wanted && d.level > 0) {
      box_tree_descent_enter(&d);
      continue;
    }
    if (wanted)
      leaf_search(&q, d.node);
    box_tree_descent_skip(&d);
  }
  return q.count;
}
