// The velocity closest to the preferred one outside of all velocity obstacles (Guy et al. 2009,
// sections 3.2 and 3.5; Snape, van den Berg, Guy, Manocha 2011, section IV).
//
// The union of the obstacles is not convex, but it has few edges. The best velocity outside is the
// admissible velocity closest to the preferred one, or it lies on an edge (lemma 1): at the
// projection of the preferred velocity or at the end of what another obstacle covers. The boundary
// of the admissible set adds no candidates: off the edges the set is convex, and its best point is
// the closest one.
//
// The number of edges to search differs widely between agents. Therefore one agent per lane finds
// its edges that may hold a closer velocity than its best one so far, and drops those that a single
// obstacle covers. The others wait until LANES of them can be searched together, one edge per lane,
// regardless of the agent. What they find bounds the edges that follow.
#pragma once
#include "velocity_edges.h"

// A search begins when so many edges wait. GPU threads, each of one lane, stay together if each has
// looked at all its edges before one searches.
#ifndef EDGES_WAITING
#define EDGES_WAITING LANES
#endif
#define EDGES_TOGETHER (LANES == 1 ? 1 : 3) // an obstacle has at most three
#define EDGES_ROOM     (EDGES_WAITING + EDGES_TOGETHER * LANES)
#if EDGES_WAITING < LANES
#error "a batch takes LANES of the edges that wait"
#endif

// Edges of any lanes that wait to be searched.
struct edge_list {
  float n_x[EDGES_ROOM], n_y[EDGES_ROOM], b[EDGES_ROOM];
  float low[EDGES_ROOM], high[EDGES_ROOM]; // t, m/s
  int32_t edge[EDGES_ROOM];                // its number * LANES + its agent's lane
  int count;
};

// The best velocity so far by (distance, edge), so that neither the order nor the number of edges
// per batch matters.
struct velocity_search {
  const struct velocity_obstacle *o;
  int count;
  const struct admissible *admissible;
  vec2 preferred_velocity;
  real noise;                            // m/s
#if LANES > 1                            // a GPU's thread has little memory of its own
  real limit[VELOCITY_OBSTACLES_MAX][3]; // velocity_limit
#endif
  vec2 best;  // m/s
  real best2; // squared distance of it to the preferred velocity
  ivec edge;  // it lies on this one, as in edge_list; negative: none
  struct edge_list waiting;
};

// best: a velocity that no obstacle forbids; best2: its squared distance, or VELOCITY_FAR.
INLINE void velocity_search_begin(struct velocity_search *s, vec2 best, real best2)
{
#if LANES > 1
  for (int i = 0; i < s->count; i++)
    for (int e = 0; e < s->o[i].edge_count; e++)
      s->limit[i][e] = s->o[i].edge[e].b + s->noise;
#endif
  s->waiting = (struct edge_list){.count = 0};
  s->best = best;
  s->best2 = best2;
  s->edge = splat_ivec(-1);
}

// Edge e of obstacle i forbids n.v above it, m/s.
INLINE real velocity_limit(const struct velocity_search *s, int i, int e)
{
#if LANES > 1
  return s->limit[i][e];
#else
  return s->o[i].edge[e].b + s->noise;
#endif
}

// An edge offers no velocity if one obstacle holds both ends of its part, and thus all of it. The
// first obstacles, those of walls and of the nearest agents, are tried: three of them cover every
// second edge. More cost more than they save. Where few lanes have edges to try, any cost more.
#ifndef VELOCITY_COVERS // 0 in the reference that tests compare with
#define VELOCITY_COVERS 3
#endif
#define VELOCITY_COVERS_LANES (LANES / 8) // on average over the edges of an obstacle
// The ends must be inside by four times the noise, 2^-17 of the speed. Rounding moves them and the
// ends of an interval by less than two. So the search would find all of the part forbidden.
#define VELOCITY_COVERS_DEPTH 4

// The subset of `lanes` whose line, from an edge of obstacle `own`, no such obstacle covers.
INLINE mask edge_lines_uncovered(const struct velocity_search *s, const struct edge_lines *lines,
                                 int own, mask lanes)
{
  const vec2 low = edge_lines_point(lines, lines->low), high = edge_lines_point(lines, lines->high);
  real deepest = splat(-VELOCITY_FAR);
  for (int i = 0; i < s->count && i < VELOCITY_COVERS; i++) {
    if (i == own) // its edge is not inside
      continue;
    const struct velocity_obstacle *o = &s->o[i];
    real least = splat(VELOCITY_FAR);
    UNROLL
    for (int e = 0; e < o->edge_count; e++) {
      const struct half_plane h = o->edge[e];
      least = min_real(least, min_real(dot(h.n, low), dot(h.n, high)) - h.b);
    }
    deepest = max_real(deepest, least);
  }
  return lanes & less_equal(deepest, splat(VELOCITY_COVERS_DEPTH) * s->noise);
}

// LANES edges of the list, each with the data of its agent.
struct edge_batch {
  ivec edge, lane;
  real best2;
  struct edge_lines lines;
};

INLINE struct edge_batch edge_batch_of(const struct velocity_search *s, int first)
{
  const struct edge_list *list = &s->waiting;
  const ivec edge = lanes_load_ivec(list->edge + first), lane = edge & splat_ivec(LANES - 1);
  const struct half_plane h = {
      vec2_of(lanes_load(list->n_x + first), lanes_load(list->n_y + first)),
      lanes_load(list->b + first)};
  const vec2 preferred_velocity = permute_vec2(s->preferred_velocity, lane);
  const real violation = half_plane_violation(h, preferred_velocity),
             along = h.n.y * preferred_velocity.x - h.n.x * preferred_velocity.y;
  const real low = lanes_load(list->low + first), high = lanes_load(list->high + first);
  return (struct edge_batch){edge,
                             lane,
                             permute(s->best2, lane),
                             {h, violation * violation, along, low, high,
                              min_real(max_real(along, low), high), not(mask_none())}};
}

// The open interval ]low, high[ of each line inside the obstacle, reduced by the rounding error;
// low >= high where it is empty. Returns the lanes whose v the obstacle holds.
//
// An edge holds slope t > violation: t above violation / slope where the slope is positive, below
// it where it is negative. A parallel line counts as positive slope: outside of the edge low
// becomes infinite. (+ 0 turns a slope of -0, which would give -infinity, into 0.)
INLINE mask edge_batch_interval(const struct edge_batch *b, const struct velocity_search *s, int i,
                                const int edges, vec2 v, real *low, real *high)
{
  const struct velocity_obstacle *o = &s->o[i];
  const struct half_plane line = b->lines.h;
  const real zero = splat(0);
  mask inside = not(mask_none());
  *low = splat(-VELOCITY_FAR);
  *high = splat(VELOCITY_FAR);
  UNROLL
  for (int e = 0; e < edges; e++) {
    const vec2 n = permute_vec2(o->edge[e].n, b->lane);
    const real limit = permute(velocity_limit(s, i, e), b->lane);
    const real slope = n.x * line.n.y - n.y * line.n.x + zero;
    const real at = (limit - line.b * dot(n, line.n)) / slope;
    const mask falls = less(slope, zero);
    inside = inside & less(limit, dot(n, v));
    *low = max_where(not(falls), *low, at);
    *high = min_where(falls, *high, at);
  }
  return inside;
}

// How far a search has moved from the starts of the lines in both directions.
struct edge_walk {
  real right, left;
};

// Leaves the interval ]from, to[.
INLINE void edge_walk_leave(struct edge_walk *w, real from, real to)
{
  const mask above = less(from, w->right), below = less(w->left, to);
  w->right = max_where(above, w->right, to);
  w->left = min_where(below, w->left, from);
}

// The point of each line, as t, closest to the preferred velocity and in none of the intervals. w:
// after one look at each of them; their order does not matter. Lanes of *lanes without one are
// cleared.
INLINE real edge_lines_nearest(const struct edge_lines *lines, struct edge_walk w, const real *from,
                               const real *to, int n, mask *lanes)
{
  struct edge_walk before = {lines->start, lines->start};
  for (;;) { // each interval is left at most once in each direction
    const mask moved = less(before.right, w.right) | less(w.left, before.left);
    const mask within = less_equal(w.right, lines->high) | less_equal(lines->low, w.left);
    if (!any(moved & within & *lanes))
      break;
    before = w;
    struct edge_walk odd = w; // on its own, because each look waits for the one before
    for (int i = 0; i < n; i += 2) {
      edge_walk_leave(&w, from[i], to[i]);
      if (i + 1 < n)
        edge_walk_leave(&odd, from[i + 1], to[i + 1]);
    }
    w = (struct edge_walk){max_real(w.right, odd.right), min_real(w.left, odd.left)};
  }
  const mask right_good = less_equal(w.right, lines->high);
  const mask left_good = less_equal(lines->low, w.left);
  const mask nearer = less(lines->along - w.left, w.right - lines->along);
  *lanes = *lanes & (right_good | left_good);
  return select_real(left_good & (nearer | not(right_good)), w.left, w.right);
}

INLINE void velocity_search_improve(struct velocity_search *s, const struct edge_batch *b, real t,
                                    mask found)
{
  float x[LANES], y[LANES], d2[LANES];
  int32_t edge[LANES];
  const real distance2 = edge_lines_distance2(&b->lines, t);
  const vec2 v = edge_lines_point(&b->lines, t);
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  lanes_store(d2, distance2);
  lanes_store_ivec(edge, b->edge);
  found = found & less_equal(distance2, b->best2);
  // One lane after the other, since several may be of one agent. The best stay in vectors: one that
  // was written by lanes could be read only when all of these stores are done.
  vec2 best = s->best;
  real best2 = s->best2;
  ivec best_edge = s->edge;
  for (uint32_t bits = mask_bits(found); bits; bits &= bits - 1) {
    const int k = lowest_bit(bits);
    const ivec candidate = splat_ivec(edge[k]);
    const real candidate2 = splat(d2[k]);
    const mask here = ivec_equal(lane_indices(), candidate & splat_ivec(LANES - 1));
    const mask tied = equal(candidate2, best2) & ivec_less(candidate, best_edge);
    const mask to = here & (less(candidate2, best2) | tied);
    best = select_vec2(to, vec2_of(splat(x[k]), splat(y[k])), best);
    best2 = select_real(to, candidate2, best2);
    best_edge = select_ivec(to, candidate, best_edge);
  }
  s->best = best, s->best2 = best2, s->edge = best_edge;
}

// The point, as t, of each line that is closest to the preferred velocity and outside of all
// obstacles: its start, or the end of an interval. Lanes of *lanes without one are cleared.
INLINE real velocity_search_lines(const struct velocity_search *s, const struct edge_batch *b,
                                  mask *lanes)
{
  real from[VELOCITY_OBSTACLES_MAX], to[VELOCITY_OBSTACLES_MAX];
  const real start = b->lines.start;
  const vec2 v = edge_lines_point(&b->lines, start);
  mask free = *lanes;
  struct edge_walk w = {start, start};
  for (int i = 0; i < s->count; i++) {
    const int edges = s->o[i].edge_count;
    if (LANES > 1 && edges == 3)
      free = free & not(edge_batch_interval(b, s, i, 3, v, &from[i], &to[i]));
    else
      free = free & not(edge_batch_interval(b, s, i, edges, v, &from[i], &to[i]));
    edge_walk_leave(&w, from[i], to[i]);
  }
  mask found = *lanes & not(free);
  const real t = edge_lines_nearest(&b->lines, w, from, to, s->count, &found);
  *lanes = found | free;
  return select_real(free, start, t);
}

// Searches the last n <= LANES edges of the list.
HOST_DEVICE void velocity_search_batch(struct velocity_search *s, int n)
{
  s->waiting.count -= n;
  const struct edge_batch b = edge_batch_of(s, s->waiting.count);
  mask open = lanes_below(n) & less_equal(edge_lines_distance2(&b.lines, b.lines.start), b.best2);
  if (!any(open))
    return;
  const real t = velocity_search_lines(s, &b, &open);
  velocity_search_improve(s, &b, t, open);
}

// Adds the lines of `lanes`; number: of the edge within its agent.
INLINE void velocity_search_add(struct velocity_search *s, const struct edge_lines *lines,
                                int number, mask lanes)
{
  struct edge_list *list = &s->waiting;
  const int at = list->count;
  compress(list->n_x + at, lanes, lines->h.n.x);
  compress(list->n_y + at, lanes, lines->h.n.y);
  compress(list->b + at, lanes, lines->h.b);
  compress(list->low + at, lanes, lines->low);
  compress(list->high + at, lanes, lines->high);
  compress_ivec(list->edge + at, lanes, lane_indices() + splat_ivec(number * LANES));
  list->count = at + bit_count(mask_bits(lanes));
}

// The lanes of `active` in which the line of edge e of obstacle i comes closer than best2.
INLINE mask velocity_search_within(const struct velocity_search *s, int i, int e, real best2,
                                   mask active)
{
  const real violation = half_plane_violation(s->o[i].edge[e], s->preferred_velocity);
  return active & less(violation * violation, best2);
}

// The lanes of `near` in which edge e of obstacle i, which has `edges`, may hold a velocity closer
// than best2. Sets *lines.
INLINE mask velocity_search_near(const struct velocity_search *s, int i, const int edges, int e,
                                 real best2, mask near, struct edge_lines *lines)
{
  *lines = edge_lines_of(&s->o[i], edges, e, s->admissible, s->preferred_velocity, s->noise);
  return near & lines->valid & less(edge_lines_distance2(lines, lines->start), best2);
}

// `count` edges of an obstacle, which has `edges`.
struct edge_range {
  int obstacle, edges, first, count;
};

// Searches those edges of a range that may hold a better velocity. number: of the first edge. They
// are examined side by side: a branch on whether any lane needs one would often be mispredicted.
INLINE void velocity_search_range(struct velocity_search *s, const struct edge_range r, int number,
                                  mask active)
{
  struct edge_lines lines[EDGES_TOGETHER];
  mask near[EDGES_TOGETHER], some = mask_none();
  int near_count = 0;
  UNROLL
  for (int k = 0; k < r.count; k++) {
    near[k] = velocity_search_within(s, r.obstacle, r.first + k, s->best2, active);
    some = some | near[k];
  }
  if (!any(some))
    return;
  UNROLL
  for (int k = 0; k < r.count; k++) {
    near[k] =
        velocity_search_near(s, r.obstacle, r.edges, r.first + k, s->best2, near[k], &lines[k]);
    near_count += bit_count(mask_bits(near[k]));
  }
  if (near_count == 0)
    return;
  if (near_count >= r.count * VELOCITY_COVERS_LANES) {
    UNROLL
    for (int k = 0; k < r.count; k++)
      near[k] = edge_lines_uncovered(s, &lines[k], r.obstacle, near[k]);
  }
  UNROLL
  for (int k = 0; k < r.count; k++)
    velocity_search_add(s, &lines[k], number + k, near[k]);
  UNROLL
  for (int k = 0; k < r.count; k++) // each edge has added at most LANES; a batch takes LANES
    if (s->waiting.count >= EDGES_WAITING)
      velocity_search_batch(s, LANES);
}

INLINE void velocity_search_obstacle(struct velocity_search *s, int i, int number, mask active)
{
  const int edges = s->o[i].edge_count;
  if (EDGES_TOGETHER == 1) {
    for (int e = 0; e < edges; e++)
      velocity_search_range(s, (struct edge_range){i, edges, e, 1}, number + e, active);
  } else if (edges == 3) {
    velocity_search_range(s, (struct edge_range){i, 3, 0, 3}, number, active);
  } else if (edges == 2) {
    velocity_search_range(s, (struct edge_range){i, 2, 0, 2}, number, active);
  } else {
    velocity_search_range(s, (struct edge_range){i, 1, 0, 1}, number, active);
  }
}

// Searches all edges that may hold a better velocity.
HOST_DEVICE void velocity_search_edges(struct velocity_search *s, mask active)
{
  int number = 0;
  for (int i = 0; i < s->count; number += s->o[i++].edge_count)
    velocity_search_obstacle(s, i, number, active);
  while (s->waiting.count > 0)
    velocity_search_batch(s, s->waiting.count < LANES ? s->waiting.count : LANES);
}

// The admissible velocity closest to the preferred one that no obstacle forbids. *infeasible: lanes
// without one; their velocity is undefined.
HOST_DEVICE vec2 velocity_best(const struct velocity_obstacle *o, int count,
                               const struct admissible *a, vec2 preferred_velocity, mask active,
                               mask *infeasible)
{
  struct velocity_search s;
  s.o = o, s.count = count, s.admissible = a, s.preferred_velocity = preferred_velocity;
  s.noise = splat(LP_NOISE) * a->speed;
  const vec2 nearest = admissible_closest(a, preferred_velocity);
  const mask forbidden = velocity_forbidden(o, count, nearest, s.noise, active);
  *infeasible = forbidden;
  if (!any(forbidden))
    return nearest;
  // The current velocity is usually still permitted; as a first bound it prunes most edges.
  const vec2 now = admissible_closest(a, a->centre), off = minus(now, preferred_velocity);
  const mask lost = velocity_forbidden(o, count, now, s.noise, forbidden);
  const real far = splat(VELOCITY_FAR), now2 = select_real(lost, far, dot(off, off));
  velocity_search_begin(&s, now, now2);
  velocity_search_edges(&s, forbidden);
  *infeasible = forbidden & less_equal(far, s.best2);
  return select_vec2(forbidden, s.best, nearest);
}

// The obstacles of LANES agents: o[0..hard) of walls, o[hard..count) of agents, closest first.
struct velocity_problem {
  const struct velocity_obstacle *o;
  int hard, count;
  const struct admissible *admissible;
  vec2 preferred_velocity;
};
