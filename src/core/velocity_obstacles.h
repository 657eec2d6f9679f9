// The velocity nearest to the wish outside of all velocity obstacles
// (Guy et al. 2009, sections 3.2 and 3.5; Snape, van den Berg, Guy, Manocha 2011, section IV).
//
// Their union is not convex, but it has few edges, and the best velocity outside is the admissible
// one nearest to the wish or lies on an edge (lemma 1): at the foot of the wish or at the end of
// what another obstacle covers. The bound of the admissible set gives no candidate of its own: off
// the edges the set is convex, and its best point is the nearest one.
//
// How many edges an agent must look at differs much from agent to agent. So the agents stand side
// by side in the lanes until it is known whose wish is forbidden and in which order each takes its
// edges; then each of those agents has its edges side by side, LANES at a time.
#pragma once
#include "velocity_edges.h"

#include <stddef.h>

INLINE float lane_of(const real *x, int l)
{
  float f;
  __builtin_memcpy(&f, (const char *)x + (size_t)l * sizeof f, sizeof f);
  return f;
}
INLINE real lane_in_all(const real *x, int l)
{
  return all_lanes(lane_of(x, l));
}
INLINE vec2 lane2_in_all(const vec2 *v, int l)
{
  return vec2_of(lane_in_all(&v->x, l), lane_in_all(&v->y, l));
}

INLINE struct admissible admissible_of_lane(const struct admissible *a, int l)
{
  return (struct admissible){lane_in_all(&a->speed, l), a->limited, lane2_in_all(&a->centre, l),
                             lane_in_all(&a->reach, l)};
}

// One agent with its obstacles, in every lane.
struct lone_agent {
  const struct velocity_obstacle *o;
  int count, lane; // the lane of o that is this agent's
  struct admissible admissible;
  vec2 wish;
  real noise; // m/s
};

// LANES of its lines, b n + t (n.y, -n.x). t in m/s: of the foot of the wish, of both ends of what
// is admissible, and of the point nearest to the wish between them.
struct edge_lines {
  struct half_plane h;
  real off2, along, low, high, start;
  mask there;
};

// The best found so far by (distance, number of the edge), so that it does not matter in which
// order and how many at a time edges are looked at.
struct edge_best {
  float x, y, d2; // m/s; squared distance to the wish
  int edge;       // -1: none
};

INLINE vec2 edge_lines_point(const struct edge_lines *lines, real t)
{
  return add(times(lines->h.b, lines->h.n), times(t, vec2_of(lines->h.n.y, -lines->h.n.x)));
}

INLINE real edge_lines_distance2(const struct edge_lines *lines, real t)
{
  const real off = t - lines->along;
  return lines->off2 + off * off;
}

// Lines edges[0..n) side by side, n <= LANES.
INLINE struct edge_lines edge_lines_load(const struct lone_agent *self,
                                         const struct edge_order *order, const uint8_t *edges,
                                         int n)
{
  const real zero = all_lanes(0);
  float x[LANES], y[LANES], b[LANES];
  for (int k = 0; k < LANES; k++) {
    const struct half_plane *h = order->line[edges[k < n ? k : 0]];
    x[k] = lane_of(&h->n.x, self->lane);
    y[k] = lane_of(&h->n.y, self->lane);
    b[k] = lane_of(&h->b, self->lane);
  }
  struct edge_lines lines = {.h = {vec2_of(lanes_load(x), lanes_load(y)), lanes_load(b)}};
  const vec2 direction = vec2_of(lines.h.n.y, -lines.h.n.x), foot = times(lines.h.b, lines.h.n);
  const mask spare = equal(lines.h.n.x, zero) & equal(lines.h.n.y, zero);
  const mask chord = admissible_chord(&self->admissible, foot, direction, &lines.low, &lines.high);
  lines.there = mask_from_bits(ALL_LANES_BITS >> (LANES - n)) & chord & not(spare);
  const real lack = half_plane_lack(lines.h, self->wish);
  lines.off2 = lack * lack;
  lines.along = dot(direction, self->wish);
  lines.start = smaller(larger(lines.along, lines.low), lines.high);
  return lines;
}

// Which points v does some obstacle of the agent hold?
INLINE mask lone_agent_forbidden(const struct lone_agent *self, vec2 v)
{
  mask forbidden = none_of_lanes();
  for (int i = 0; i < self->count; i++) {
    mask inside = not(none_of_lanes());
    for (int e = 0; e < self->o[i].edge_count; e++) {
      const struct half_plane *h = &self->o[i].edge[e];
      inside = inside & less(lane_in_all(&h->b, self->lane) + self->noise,
                             dot(lane2_in_all(&h->n, self->lane), v));
    }
    forbidden = forbidden | inside;
  }
  return forbidden;
}

// The open interval ]low, high[ of each line that lies in the obstacle, less what rounding may have
// added; low >= high where there is none.
//
// An edge holds slope t > lack: a bound lack / slope, of t from below where the line climbs into
// the edge. The fractions are compared by cross multiplication (denominators of low are positive,
// those of high negative) and divided together, once. On a parallel line outside of the edge low
// becomes infinite.
INLINE void lone_agent_cut(const struct lone_agent *self, const struct velocity_obstacle *o,
                           struct half_plane line, real *low, real *high)
{
  const real zero = all_lanes(0), far = all_lanes(VELOCITY_FAR);
  real low_up = -far, low_down = all_lanes(1), high_up = -far, high_down = all_lanes(-1);
#pragma GCC unroll 3 // saves 1 % of the whole
  for (int e = 0; e < o->edge_count; e++) {
    const vec2 n = lane2_in_all(&o->edge[e].n, self->lane);
    const real slope = n.x * line.n.y - n.y * line.n.x;
    const real lack =
        lane_in_all(&o->edge[e].b, self->lane) + self->noise - line.b * dot(n, line.n);
    const mask falls = less(slope, zero);
    const mask higher = less(low_up * slope, lack * low_down) & not(falls);
    const mask lower = less(lack * high_down, high_up * slope) & falls;
    low_up = pick(higher, lack, low_up);
    low_down = pick(higher, slope, low_down);
    high_up = pick(lower, lack, high_up);
    high_down = pick(lower, slope, high_down);
  }
  const real scale = all_lanes(1) / (low_down * high_down);
  *low = low_up * high_down * scale;
  *high = high_up * low_down * scale;
}

// The point of each line nearest to the wish that none of the obstacles list[0..n) holds, as t.
// Lanes of *lanes without one are cleared.
INLINE real edge_lines_nearest(const struct lone_agent *self, const uint8_t *list, int n,
                               const struct edge_lines *lines, mask *lanes)
{
  real from[VELOCITY_OBSTACLES_MAX], to[VELOCITY_OBSTACLES_MAX];
  for (int i = 0; i < n; i++)
    lone_agent_cut(self, &self->o[list[i]], lines->h, &from[i], &to[i]);
  real right = lines->start, left = lines->start;
  mask moved;
  do { // each interval is left at most once each way
    moved = none_of_lanes();
    for (int i = 0; i < n; i++) {
      const mask in_right = less(from[i], right) & less(right, to[i]);
      const mask in_left = less(from[i], left) & less(left, to[i]);
      right = pick(in_right, to[i], right);
      left = pick(in_left, from[i], left);
      moved = moved | in_right | in_left;
    }
    const mask within = less_equal(right, lines->high) | less_equal(lines->low, left);
    moved = moved & within & *lanes;
  } while (any(moved));
  const mask right_good = less_equal(right, lines->high);
  const mask left_good = less_equal(lines->low, left);
  const mask nearer = less(lines->along - left, right - lines->along);
  *lanes = *lanes & (right_good | left_good);
  return pick(left_good & (nearer | not(right_good)), left, right);
}

INLINE void edge_best_improve(struct edge_best *best, const struct edge_lines *lines, real t,
                              mask found, const uint8_t *edges)
{
  float x[LANES], y[LANES], d2[LANES];
  const real distance2 = edge_lines_distance2(lines, t);
  const vec2 v = edge_lines_point(lines, t);
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  lanes_store(d2, distance2);
  found = found & less_equal(distance2, all_lanes(best->d2));
  for (uint32_t bits = mask_bits(found); bits; bits &= bits - 1) {
    const int k = __builtin_ctz(bits);
    if (d2[k] < best->d2 || (d2[k] == best->d2 && edges[k] < best->edge))
      *best = (struct edge_best){x[k], y[k], d2[k], edges[k]};
  }
}

// The obstacles that may hold a velocity no further from the wish than the best so far, with a
// thousandth to spare for rounding. Returns how many.
INLINE int lone_agent_near(const struct lone_agent *self, const struct edge_order *order, float d2,
                           uint8_t *list)
{
  const float reach = sqrtf(d2), slack = 0x1p-10f * (reach + lane_of(&self->admissible.speed, 0));
  int n = 0;
  for (int i = 0; i < self->count; i++) {
    list[n] = (uint8_t)i;
    n += lane_of(&order->away[i], self->lane) <= reach + slack;
  }
  return n;
}

// The edges of the agent's obstacles, nearest line first. Returns how many.
INLINE int lone_agent_edges(const struct lone_agent *self, const struct edge_order *order,
                            uint8_t *edges)
{
  const int end = self->count ? order->end[self->count - 1] : 0;
  for (int e = 0; e < order->count; e++)
    edges[order->rank[e][self->lane]] = (uint8_t)e;
  int n = 0;
  for (int i = 0; i < order->count; i++) {
    edges[n] = edges[i];
    n += edges[i] < end;
  }
  return n;
}

// The best velocity of an agent whose wish is forbidden, on the lines of its edges, if it is better
// than `best`. First come the points of the lines nearest to the wish: the best of them that is
// permitted leaves few lines and obstacles.
static inline struct edge_best lone_agent_outside(const struct lone_agent *self,
                                                  const struct edge_order *order,
                                                  struct edge_best best)
{
  uint8_t edges[VELOCITY_EDGES_MAX] = {0}; // ranks of a velocity that is no number leave gaps
  uint8_t list[VELOCITY_OBSTACLES_MAX + 1];
  const int count = lone_agent_edges(self, order, edges);
  for (int first = 0; first < count; first += LANES) {
    const float off2 = lane_of(&order->off2[edges[first]], self->lane);
    if (off2 > best.d2 || off2 >= VELOCITY_FAR)
      break;
    const int n = count - first < LANES ? count - first : LANES;
    const struct edge_lines lines = edge_lines_load(self, order, edges + first, n);
    const mask forbidden = lone_agent_forbidden(self, edge_lines_point(&lines, lines.start));
    edge_best_improve(&best, &lines, lines.start, lines.there & not(forbidden), edges + first);
    const real least2 = edge_lines_distance2(&lines, lines.start);
    mask open = lines.there & forbidden & less_equal(least2, all_lanes(best.d2));
    if (!any(open))
      continue;
    const int near = lone_agent_near(self, order, best.d2, list);
    const real t = edge_lines_nearest(self, list, near, &lines, &open);
    edge_best_improve(&best, &lines, t, open, edges + first);
  }
  return best;
}

// The best velocity outside of o[0..hard) (walls) and of as many of the agent's other obstacles,
// nearest first, as possible (Guy et al. 2009, section 3.5, step 6: drop the furthest). What can be
// kept of a longer list can be kept of a shorter one, so the number, less than `agents`, is found
// by bisection. If the walls alone leave nothing, the agent stands still as far as it can.
static inline struct edge_best lone_agent_most(struct lone_agent self,
                                               const struct edge_order *order, int hard, int agents)
{
  const vec2 none = {all_lanes(0), all_lanes(0)};
  const vec2 nearest = admissible_nearest(&self.admissible, self.wish);
  const vec2 still = admissible_nearest(&self.admissible, none);
  struct edge_best best = {lane_of(&still.x, 0), lane_of(&still.y, 0), 0, VELOCITY_EDGES_MAX};
  int good = -1, bad = agents;
  while (good + 1 < bad) {
    const int middle = (good + bad) / 2;
    struct edge_best some = {lane_of(&nearest.x, 0), lane_of(&nearest.y, 0), 0, VELOCITY_EDGES_MAX};
    self.count = hard + middle;
    if (any(lone_agent_forbidden(&self, nearest)))
      some = lone_agent_outside(&self, order, (struct edge_best){0, 0, VELOCITY_FAR, -1});
    if (some.edge < 0)
      bad = middle;
    else
      good = middle, best = some;
  }
  return best;
}

// The admissible velocity nearest to the wish that no obstacle forbids. *infeasible: the lanes that
// have none. Those keep out of o[0..hard) and as many of their agents' obstacles as possible;
// agents: how many each lane has, or null: nothing is dropped, and their velocity is any.
static inline vec2 velocity_outside(const struct velocity_obstacle *o, int hard, int count,
                                    const whole *agents, const struct admissible *a, vec2 wish,
                                    mask active, mask *infeasible)
{
  const real noise = all_lanes(LP_NOISE) * a->speed;
  const vec2 nearest = admissible_nearest(a, wish);
  const mask forbidden = active & velocity_forbidden(o, count, nearest, noise);
  *infeasible = forbidden;
  if (!any(forbidden))
    return nearest;
  // Who was permitted what it does goes on being so, as a rule: then little is left to look for.
  const vec2 now = admissible_nearest(a, a->centre), off = minus(now, wish);
  const mask lost = velocity_forbidden(o, count, now, noise);
  const real now2 = pick(lost, all_lanes(VELOCITY_FAR), dot(off, off));
  struct edge_order order;
  edge_order_measure(&order, o, count, wish);
  edge_order_rank(&order);
  float x[LANES], y[LANES];
  int32_t agent_counts[LANES];
  uint32_t failed = 0;
  lanes_store(x, nearest.x);
  lanes_store(y, nearest.y);
  if (agents)
    lanes_store_whole(agent_counts, *agents);
  for (uint32_t bits = mask_bits(forbidden); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    const struct lone_agent self = {o,
                                    count,
                                    l,
                                    admissible_of_lane(a, l),
                                    lane2_in_all(&wish, l),
                                    all_lanes(LP_NOISE) * lane_in_all(&a->speed, l)};
    struct edge_best best = {lane_of(&now.x, l), lane_of(&now.y, l), lane_of(&now2, l),
                             mask_bits(lost) >> l & 1 ? -1 : VELOCITY_EDGES_MAX};
    best = lone_agent_outside(&self, &order, best);
    if (best.edge < 0) {
      failed |= 1u << l;
      if (!agents)
        continue;
      best = lone_agent_most(self, &order, hard, agent_counts[l]);
    }
    x[l] = best.x, y[l] = best.y;
  }
  *infeasible = mask_from_bits(failed);
  return vec2_of(lanes_load(x), lanes_load(y));
}
