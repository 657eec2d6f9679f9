// Velocity obstacles and the edges that bound them, LANES agents at a time.
//
// A velocity obstacle is the meet of up to three open half-planes: v is forbidden where n.v > b for
// every edge, |n| = 1 (Guy et al. 2009, section 3.2: FVO_L, FVO_R, FVO_T).
#pragma once
#include "admissible.h"
#include "orca.h" // half_plane_if, half_plane_always

#define VELOCITY_OBSTACLES_MAX 80  // the walls, and two for each neighbour
#define VELOCITY_EDGES_MAX     160 // three for a wall or a neighbour; ClearPath-1: two and one

struct velocity_obstacle {
  int edge_count; // the most of any lane, >= 1; spare edges of a lane hold all velocities
  struct half_plane edge[3]; // m/s
};

#define VELOCITY_FAR 1e18f // m/s (and its square): further than any velocity

INLINE struct half_plane half_plane_never(void) // 0.v > 1: no velocity
{
  const real zero = all_lanes(0);
  return (struct half_plane){{zero, zero}, all_lanes(1)};
}

// A forbidden half-plane n.v > b that leaves something admissible: asked for more than can be done
// in one step, it asks for about the most that can.
#define VELOCITY_EFFORT (1 - 0x1p-8f)
INLINE struct half_plane half_plane_within_reach(struct half_plane h, const struct admissible *a)
{
  const vec2 most = admissible_furthest(a, times(all_lanes(-1), h.n));
  const vec2 least = admissible_furthest(a, h.n);
  const real low = dot(h.n, most), high = dot(h.n, least);
  h.b = larger(h.b, high - all_lanes(VELOCITY_EFFORT) * (high - low));
  return h;
}

// The lanes of `there` keep their obstacle, in the others it forbids nothing.
INLINE struct velocity_obstacle velocity_obstacle_where(mask there, struct velocity_obstacle o)
{
  o.edge[0] = half_plane_if(there, o.edge[0], half_plane_never());
  for (int e = 1; e < o.edge_count; e++)
    o.edge[e] = half_plane_if(there, o.edge[e], half_plane_always());
  return o;
}

// Is v forbidden by more than `noise` (m/s)?
INLINE mask velocity_obstacle_holds(const struct velocity_obstacle *o, vec2 v, real noise)
{
  mask inside = less(o->edge[0].b + noise, dot(o->edge[0].n, v));
  for (int e = 1; e < o->edge_count; e++)
    inside = inside & less(o->edge[e].b + noise, dot(o->edge[e].n, v));
  return inside;
}

INLINE mask velocity_forbidden(const struct velocity_obstacle *o, int count, vec2 v, real noise)
{
  mask inside = none_of_lanes();
  for (int i = 0; i < count; i++)
    inside = inside | velocity_obstacle_holds(&o[i], v, noise);
  return inside;
}

// The edges of all obstacles, numbered in their order, and how each agent takes them.
struct edge_order {
  int count;
  real off2[VELOCITY_EDGES_MAX];     // squared distance of the wish from the line, m^2/s^2
  real away[VELOCITY_OBSTACLES_MAX]; // the wish is at least so far from the obstacle, m/s
  const struct half_plane *line[VELOCITY_EDGES_MAX];
  int end[VELOCITY_OBSTACLES_MAX];         // one past the last edge of an obstacle
  int32_t rank[VELOCITY_EDGES_MAX][LANES]; // nearest line first, equal ones by number
};

INLINE void edge_order_measure(struct edge_order *order, const struct velocity_obstacle *o,
                               int count, vec2 wish)
{
  const real zero = all_lanes(0);
  int n = 0;
  for (int i = 0; i < count; i++) {
    order->away[i] = all_lanes(-VELOCITY_FAR);
    for (int e = 0; e < o[i].edge_count; e++, n++) {
      const struct half_plane h = o[i].edge[e];
      const real lack = half_plane_lack(h, wish);
      const mask spare = equal(h.n.x, zero) & equal(h.n.y, zero);
      order->off2[n] = pick(spare, all_lanes(VELOCITY_FAR), lack * lack);
      order->away[i] = larger(order->away[i], lack);
      order->line[n] = &o[i].edge[e];
    }
    order->end[i] = n;
  }
  order->count = n;
}

// Ranks by counting, for all agents at once: less work than to sort for one after the other.
INLINE void edge_order_rank(struct edge_order *order)
{
  const whole one = all_lanes_whole(1);
  for (int e = 0; e < order->count; e++) {
    const real off2 = order->off2[e];
    whole rank = all_lanes_whole(0);
    for (int k = 0; k < e; k++)
      rank = pick_whole(less_equal(order->off2[k], off2), rank + one, rank);
    for (int k = e + 1; k < order->count; k++)
      rank = pick_whole(less(order->off2[k], off2), rank + one, rank);
    lanes_store_whole(order->rank[e], rank);
  }
}
