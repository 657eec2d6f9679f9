// Velocity obstacles and the edges that bound them, for LANES agents at a time.
//
// A velocity obstacle is the intersection of up to three open half-planes: v is forbidden where n.v
// > b for every edge, |n| = 1 (Guy et al. 2009, section 3.2: FVO_L, FVO_R, FVO_T).
#pragma once
#include "admissible.h"
#include "half_plane.h"

#define VELOCITY_OBSTACLES_MAX 80 // the walls, and two per neighbour

struct velocity_obstacle {
  int edge_count; // the maximum of all lanes, >= 1; unused edges of a lane hold all velocities
  struct half_plane edge[3]; // m/s
};

#define VELOCITY_FAR 1e18f // m/s (and its square): greater than any velocity

// A forbidden half-plane n.v > b that leaves some velocity admissible: where it demands more than
// one step allows, it is relaxed to about the most that is possible.
#define VELOCITY_EFFORT (1 - 0x1p-8f)
INLINE struct half_plane half_plane_within_reach(struct half_plane h, const struct admissible *a)
{
  const vec2 most = admissible_furthest(a, times(splat(-1), h.n));
  const vec2 least = admissible_furthest(a, h.n);
  const real low = dot(h.n, most), high = dot(h.n, least);
  h.b = max_real(h.b, high - splat(VELOCITY_EFFORT) * (high - low));
  return h;
}

// Lanes of `valid` keep their obstacle; in the others it forbids nothing.
INLINE struct velocity_obstacle velocity_obstacle_select(mask valid, struct velocity_obstacle o)
{
  o.edge[0] = half_plane_select(valid, o.edge[0], half_plane_never());
  for (int e = 1; e < o.edge_count; e++)
    o.edge[e] = half_plane_select(valid, o.edge[e], half_plane_always());
  return o;
}

// Is v inside by more than `noise` (m/s)?
INLINE mask velocity_obstacle_holds(const struct velocity_obstacle *o, vec2 v, real noise)
{
  mask inside = less(o->edge[0].b + noise, dot(o->edge[0].n, v));
  UNROLL
  for (int e = 1; e < o->edge_count; e++)
    inside = inside & less(o->edge[e].b + noise, dot(o->edge[e].n, v));
  return inside;
}

// The subset of `lanes` whose v some obstacle forbids. Stops as soon as all are known.
INLINE mask velocity_forbidden(const struct velocity_obstacle *o, int count, vec2 v, real noise,
                               mask lanes)
{
  mask free = lanes;
  for (int i = 0; i < count && any(free); i++)
    free = free & not(velocity_obstacle_holds(&o[i], v, noise));
  return lanes & not(free);
}

// The lines of LANES edges, b n + t (n.y, -n.x). t, m/s: of the projection of the preferred
// velocity (along), of both ends of the admissible part, and of the point of that part closest to
// the preferred velocity (start).
struct edge_lines {
  struct half_plane h;
  real off2, along, low, high, start;
  mask valid;
};

INLINE vec2 edge_lines_point(const struct edge_lines *lines, real t)
{
  return add(times(lines->h.b, lines->h.n), times(t, vec2_of(lines->h.n.y, -lines->h.n.x)));
}

// Squared distance to the preferred velocity.
INLINE real edge_lines_distance2(const struct edge_lines *lines, real t)
{
  const real off = t - lines->along;
  return lines->off2 + off * off;
}

// The line of edge e of an obstacle, and its part that bounds the obstacle: what the other edges
// hold, extended by the rounding error.
INLINE struct edge_lines edge_lines_of(const struct velocity_obstacle *o, const int edges, int e,
                                       const struct admissible *a, vec2 preferred_velocity,
                                       real noise)
{
  const real zero = splat(0);
  const struct half_plane h = o->edge[e];
  struct edge_lines lines = {.h = h};
  const vec2 direction = vec2_of(h.n.y, -h.n.x), foot = times(h.b, h.n);
  const mask spare = equal(h.n.x, zero) & equal(h.n.y, zero);
  lines.valid = admissible_chord(a, foot, direction, &lines.low, &lines.high) & not(spare);
  for (int k = 0; k < edges; k++) {
    if (k == e)
      continue;
    const real slope = det(o->edge[k].n, h.n);
    const real violation = half_plane_violation(o->edge[k], foot) - noise;
    const mask rises = less(zero, slope), falls = less(slope, zero);
    const real at = violation / slope; // of no account where the slope is 0
    lines.low = max_where(rises, lines.low, at);
    lines.high = min_where(falls, lines.high, at);
    lines.valid = lines.valid & (rises | falls | less_equal(violation, zero));
  }
  lines.valid = lines.valid & less_equal(lines.low, lines.high);
  const real violation = half_plane_violation(h, preferred_velocity);
  lines.off2 = violation * violation;
  lines.along = dot(direction, preferred_velocity);
  lines.start = min_real(max_real(lines.along, lines.low), lines.high);
  return lines;
}
