// The velocity closest to the preferred one outside of all velocity obstacles (Guy et al. 2009,
// sections 3.2 and 3.5; Snape, van den Berg, Guy, Manocha 2011, section IV).
//
// The union of the obstacles is not convex, but it has few edges. The best velocity outside is the
// admissible velocity closest to the preferred one, or it lies on an edge (lemma 1): at the
// projection of the preferred velocity or at the end of what another obstacle covers. The boundary
// of the admissible set adds no candidates: off the edges the set is convex, and its best point is
// the closest one.
//
// The number of edges to search differs widely between agents. Therefore one agent per lane first
// tries the projections on all its edges. The best of these prunes the edges: only those with
// closer, forbidden projections remain. They are collected and then searched with one edge per
// lane, regardless of the agent.
#pragma once
#include "velocity_edges.h"

// The admissible part of an edge's line that bounds its obstacle.
struct edge_segment {
  struct half_plane h;
  real low, high;
};
#define SEGMENT_FLOATS (int)(sizeof(struct edge_segment) / sizeof(float))

// The best velocity so far by (distance, edge), so that neither the order nor the number of edges
// per batch matters, and the edges that remain. An edge is identified by the position of its n.x in
// `line`, in floats; position % LANES is the agent's lane.
struct velocity_search {
  const struct velocity_obstacle *o;
  int count;
  const struct admissible *admissible;
  vec2 preferred_velocity;
  real noise;                        // m/s
  real away[VELOCITY_OBSTACLES_MAX]; // lower bound of the distance from the preferred velocity to
                                     // the obstacle, m/s
  real limit[VELOCITY_OBSTACLES_MAX][3]; // of an edge: n.v above it is forbidden, m/s
  struct edge_segment line[VELOCITY_EDGES_MAX];
  float x[LANES], y[LANES], d2[LANES]; // m/s; squared distance to the preferred velocity
  int32_t edge[LANES];                 // -1: none
  int left;
  int32_t edges[(VELOCITY_EDGES_MAX + 1) * LANES];
  float least2[(VELOCITY_EDGES_MAX + 1) * LANES]; // squared distance of its closest point
};

// Tries the projection of the preferred velocity on each edge.
HOST_DEVICE void velocity_search_projections(struct velocity_search *s, vec2 best, real best2,
                                             mask active)
{
  ivec edge = splat_ivec(-1);
  int n = 0;
  s->left = 0;
  for (int i = 0; i < s->count; i++) {
    s->away[i] = splat(-VELOCITY_FAR);
    for (int e = 0; e < s->o[i].edge_count; e++) {
      const struct half_plane h = s->o[i].edge[e];
      const real violation = half_plane_violation(h, s->preferred_velocity);
      s->away[i] = max_real(s->away[i], violation);
      s->limit[i][e] = h.b + s->noise;
      mask near = active & less(violation * violation, best2);
      if (!any(near))
        continue;
      const struct edge_lines lines =
          edge_lines_of(&s->o[i], e, s->admissible, s->preferred_velocity, s->noise);
      const real d2 = edge_lines_distance2(&lines, lines.start);
      near = near & lines.valid & less(d2, best2);
      if (!any(near))
        continue;
      const vec2 v = edge_lines_point(&lines, lines.start);
      const mask lost = velocity_forbidden(s->o, s->count, v, s->noise, near);
      const mask good = near & not(lost);
      const ivec at = lane_indices() + splat_ivec(n * SEGMENT_FLOATS);
      s->line[n++] = (struct edge_segment){h, lines.low, lines.high};
      best = select_vec2(good, v, best);
      best2 = select_real(good, d2, best2);
      edge = select_ivec(good, at, edge);
      compress_ivec(s->edges + s->left, lost, at);
      compress(s->least2 + s->left, lost, d2);
      s->left += bit_count(mask_bits(lost));
    }
  }
  lanes_store(s->x, best.x);
  lanes_store(s->y, best.y);
  lanes_store(s->d2, best2);
  lanes_store_ivec(s->edge, edge);
}

// Drops the edges that cannot improve their agents' best velocity.
INLINE void velocity_search_prune(struct velocity_search *s)
{
  const real best2 = lanes_load(s->d2);
  int left = 0;
  for (int i = 0; i < s->left; i += LANES) {
    const ivec at = lanes_load_ivec(s->edges + i);
    const real least2 = lanes_load(s->least2 + i);
    const mask valid =
        mask_from_bits(ALL_LANES_BITS >> (s->left - i < LANES ? LANES - (s->left - i) : 0));
    const mask keep = valid & less_equal(least2, permute(best2, at & splat_ivec(LANES - 1)));
    compress_ivec(s->edges + left, keep, at);
    left += bit_count(mask_bits(keep));
  }
  s->left = left;
}

// LANES of the remaining edges, each with the data of its agent.
struct edge_batch {
  ivec edge, lane;
  real speed, noise, best2;
  struct edge_lines lines;
};

INLINE struct edge_batch edge_batch_of(const struct velocity_search *s, ivec edge)
{
  const float *o = (const float *)s->line;
  const ivec lane = edge & splat_ivec(LANES - 1);
  const struct half_plane h = {vec2_of(gather(o, edge), gather(o + LANES, edge)),
                               gather(o + 2 * LANES, edge)};
  const vec2 preferred_velocity = permute_vec2(s->preferred_velocity, lane);
  const real violation = half_plane_violation(h, preferred_velocity),
             along = h.n.y * preferred_velocity.x - h.n.x * preferred_velocity.y;
  const real low = gather(o + 3 * LANES, edge), high = gather(o + 4 * LANES, edge);
  return (struct edge_batch){edge,
                             lane,
                             permute(s->admissible->speed, lane),
                             permute(s->noise, lane),
                             permute(lanes_load(s->d2), lane),
                             {h, violation * violation, along, low, high,
                              min_real(max_real(along, low), high), not(mask_none())}};
}

// The open interval ]low, high[ of each line inside the obstacle, reduced by the rounding error;
// low >= high where it is empty.
//
// An edge holds slope t > violation: t above violation / slope where the slope is positive, below
// it where it is negative. A parallel line counts as positive slope: outside of the edge low
// becomes infinite. (+ 0 turns a slope of -0, which would give -infinity, into 0.)
INLINE void edge_batch_interval(const struct edge_batch *b, const struct velocity_obstacle *o,
                                const real *limit, real *low, real *high)
{
  const struct half_plane line = b->lines.h;
  const real zero = splat(0);
  *low = splat(-VELOCITY_FAR);
  *high = splat(VELOCITY_FAR);
  UNROLL
  for (int e = 0; e < o->edge_count; e++) {
    const vec2 n = permute_vec2(o->edge[e].n, b->lane);
    const real slope = n.x * line.n.y - n.y * line.n.x + zero;
    const real at = (permute(limit[e], b->lane) - line.b * dot(n, line.n)) / slope;
    const mask falls = less(slope, zero);
    *low = max_where(not(falls), *low, at);
    *high = min_where(falls, *high, at);
  }
}

// The intervals that obstacles cut out of the lines. Obstacles without a velocity closer to the
// preferred one than the best so far are skipped, with a margin of 0.1 % for rounding. Returns
// their number.
INLINE int edge_batch_intervals(const struct velocity_search *s, const struct edge_batch *b,
                                mask lanes, real *from, real *to)
{
  const real reach = square_root(b->best2);
  const real far = reach + splat(0x1p-10f) * (reach + b->speed);
  int n = 0;
  for (int i = 0; i < s->count; i++) {
    if (any(lanes & less_equal(permute(s->away[i], b->lane), far))) {
      edge_batch_interval(b, &s->o[i], s->limit[i], &from[n], &to[n]);
      n++;
    }
  }
  return n;
}

// The point of each line, as t, closest to the preferred velocity and in none of the intervals.
// Lanes of *lanes without one are cleared.
INLINE real edge_lines_nearest(const struct edge_lines *lines, const real *from, const real *to,
                               int n, mask *lanes)
{
  real right = lines->start, left = lines->start;
  mask moved;
  do { // each interval is left at most once in each direction
    moved = mask_none();
    for (int i = 0; i < n; i++) {
      const mask in_right = less(from[i], right) & less(right, to[i]);
      const mask in_left = less(from[i], left) & less(left, to[i]);
      right = select_real(in_right, to[i], right);
      left = select_real(in_left, from[i], left);
      moved = moved | in_right | in_left;
    }
    const mask within = less_equal(right, lines->high) | less_equal(lines->low, left);
    moved = moved & within & *lanes;
  } while (any(moved));
  const mask right_good = less_equal(right, lines->high);
  const mask left_good = less_equal(lines->low, left);
  const mask nearer = less(lines->along - left, right - lines->along);
  *lanes = *lanes & (right_good | left_good);
  return select_real(left_good & (nearer | not(right_good)), left, right);
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
  for (uint32_t bits = mask_bits(found); bits; bits &= bits - 1) {
    const int k = lowest_bit(bits), l = edge[k] % LANES;
    if (d2[k] < s->d2[l] || (d2[k] == s->d2[l] && edge[k] < s->edge[l]))
      s->x[l] = x[k], s->y[l] = y[k], s->d2[l] = d2[k], s->edge[l] = edge[k];
  }
}

// Searches the remaining edges for the closest point outside of all obstacles.
HOST_DEVICE void velocity_search_edges(struct velocity_search *s)
{
  real from[VELOCITY_OBSTACLES_MAX], to[VELOCITY_OBSTACLES_MAX];
  const ivec none = splat_ivec(0);
  for (int i = 0; i < s->left; i += LANES) {
    const int n = s->left - i < LANES ? s->left - i : LANES;
    const mask valid = mask_from_bits(ALL_LANES_BITS >> (LANES - n));
    const struct edge_batch b =
        edge_batch_of(s, select_ivec(valid, lanes_load_ivec(s->edges + i), none));
    mask open = valid & less_equal(edge_lines_distance2(&b.lines, b.lines.start), b.best2);
    if (!any(open))
      continue;
    const int count = edge_batch_intervals(s, &b, open, from, to);
    const real t = edge_lines_nearest(&b.lines, from, to, count, &open);
    velocity_search_improve(s, &b, t, open);
  }
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
  velocity_search_projections(&s, now, now2, forbidden);
  velocity_search_prune(&s);
  velocity_search_edges(&s);
  *infeasible = forbidden & less_equal(far, lanes_load(s.d2));
  return select_vec2(forbidden, vec2_of(lanes_load(s.x), lanes_load(s.y)), nearest);
}

// The obstacles of LANES agents: o[0..hard) of walls, o[hard..count) of agents, closest first.
struct velocity_problem {
  const struct velocity_obstacle *o;
  int hard, count;
  const struct admissible *admissible;
  vec2 preferred_velocity;
};

// The best velocities if each lane keeps only its first `keep` obstacles.
HOST_DEVICE vec2 velocity_best_of_fewer(const struct velocity_problem *p, ivec keep, mask active,
                                        mask *infeasible)
{
  struct velocity_obstacle kept[VELOCITY_OBSTACLES_MAX];
  int count = 0;
  for (; count < p->count; count++) {
    const mask valid = ivec_less(splat_ivec(count), keep);
    if (!any(active & valid))
      break;
    kept[count] = velocity_obstacle_select(valid, p->o[count]);
  }
  return velocity_best(kept, count, p->admissible, p->preferred_velocity, active, infeasible);
}

// The best velocities of `lanes`, which are infeasible, outside of the walls' obstacles and of as
// many of their other obstacles, closest first, as possible (Guy et al. 2009, section 3.5, step 6:
// drop the furthest). agents: how many others each lane has. A velocity outside of a longer list is
// outside of any shorter one, so bisection finds the number. Where the walls alone leave no
// velocity, the agent stops as far as it can. The other lanes keep v.
HOST_DEVICE vec2 velocity_keep_most(const struct velocity_problem *p, ivec agents, mask lanes,
                                    vec2 v)
{
  const ivec one = splat_ivec(1);
  const vec2 still = admissible_closest(p->admissible, vec2_of(splat(0), splat(0)));
  ivec good = splat_ivec(-1), bad = agents;
  v = select_vec2(lanes, still, v);
  for (mask open = lanes & ivec_less(good + one, bad); any(open);
       open = lanes & ivec_less(good + one, bad)) {
    const ivec middle = (good + bad) >> 1; // at least 0 in open lanes
    mask lost;
    const vec2 found = velocity_best_of_fewer(p, middle + splat_ivec(p->hard), open, &lost);
    const mask kept = open & not(lost);
    v = select_vec2(kept, found, v);
    good = select_ivec(kept, middle, good);
    bad = select_ivec(open & lost, middle, bad);
  }
  return v;
}
