// The queue of infeasible agents: no velocity satisfies all their half-planes. linear_program_3
// goes one step when LANES of them have come together, on full vectors instead of single lanes.
// Those that need another step stay. The composition of the queue does not change results: lanes
// are independent.
#pragma once
#include "half_plane.h"

// Half-planes of walls end at h[WALLS_MAX] and those of agents begin there, whatever their numbers.
// Those that a lane does not have demand nothing.
struct infeasible_queue {
  int count;                   // lanes taken
  int wall_count, agent_count; // the most half-planes in a lane
  struct half_plane h[HALF_PLANES_MAX], added_h[LP_ADDED_MAX + 1];
  struct admissible set;
  struct lp_relaxed relaxed;
  ivec steps;     // taken
  ivec agent;     // index in struct agents
  mask near_wall; // a step could touch a wall
};

INLINE void infeasible_queue_begin(struct infeasible_queue *p)
{
  const real zero = splat(0);
  const vec2 none = {zero, zero};
  p->count = p->wall_count = p->agent_count = 0;
  for (int i = 0; i < HALF_PLANES_MAX; i++)
    p->h[i] = lp_none();
  p->set = (struct admissible){zero, false, none, zero}; // unused lanes are computed, too
  p->relaxed = (struct lp_relaxed){none, zero, {p->added_h, 0}};
  p->steps = p->agent = splat_ivec(0);
  p->near_wall = mask_none();
}

// A block of agents after linear_program_2.
struct infeasible_block {
  struct lp_constraints constraints;
  const struct admissible *set;
  struct lp_relaxed relaxed;
  ivec agent;     // index in struct agents
  mask near_wall; // a step could touch a wall
};

INLINE void pack_vec2(vec2 *to, const struct packing *p, vec2 from)
{
  to->x = pack(p, from.x, to->x);
  to->y = pack(p, from.y, to->y);
}

INLINE void pack_planes(struct half_plane *to, const struct packing *p,
                        const struct half_plane *from, int count)
{
  for (int i = 0; i < count; i++) {
    pack_vec2(&to[i].n, p, from[i].n);
    to[i].b = pack(p, from[i].b, to[i].b);
  }
}

INLINE void pack_admissible(struct admissible *to, const struct packing *p,
                            const struct admissible *from)
{
  to->speed = pack(p, from->speed, to->speed);
  to->limited |= from->limited;
  pack_vec2(&to->centre, p, from->centre);
  to->reach = pack(p, from->reach, to->reach);
}

INLINE void pack_relaxed(struct lp_relaxed *to, const struct packing *p,
                         const struct lp_relaxed *from)
{
  while (to->added.count < from->added.count)
    to->added.h[to->added.count++] = lp_none();
  pack_planes(to->added.h, p, from->added.h, from->added.count);
  pack_vec2(&to->v, p, from->v);
  to->worst = pack(p, from->worst, to->worst);
}

// Moves lanes of h[count] to the front and empties the others.
INLINE void pack_planes_in_place(struct half_plane *h, const struct packing *p, int count)
{
  const struct half_plane none = lp_none();
  for (int i = 0; i < count; i++)
    h[i] = (struct half_plane){{pack(p, h[i].n.x, none.n.x), pack(p, h[i].n.y, none.n.y)},
                               pack(p, h[i].b, none.b)};
}

// Adds as many of the given lanes of a block as there is room for; returns the others.
INLINE mask infeasible_queue_add(struct infeasible_queue *p, const struct infeasible_block *from,
                                 mask lanes)
{
  const struct lp_constraints *c = &from->constraints;
  const mask taken = first_lanes(lanes, LANES - p->count);
  const struct packing packing = packing_of(taken, p->count);
  const int agents = c->count - c->hard;
  pack_planes(p->h + WALLS_MAX - c->hard, &packing, c->h, c->count);
  pack_admissible(&p->set, &packing, from->set);
  pack_relaxed(&p->relaxed, &packing, &from->relaxed);
  p->steps = pack_ivec(&packing, splat_ivec(0), p->steps);
  p->agent = pack_ivec(&packing, from->agent, p->agent);
  p->near_wall = pack_mask(&packing, from->near_wall, p->near_wall);
  p->wall_count = c->hard > p->wall_count ? c->hard : p->wall_count;
  p->agent_count = agents > p->agent_count ? agents : p->agent_count;
  p->count += bit_count(mask_bits(taken));
  return lanes & not(taken);
}

// Takes one step. Returns the lanes that are done: their velocities are in p->relaxed.v.
INLINE mask infeasible_queue_step(struct infeasible_queue *p)
{
  const struct lp_constraints c = {p->h + WALLS_MAX - p->wall_count, p->wall_count,
                                   p->wall_count + p->agent_count};
  const mask used = lanes_below(p->count);
  p->steps = p->steps + splat_ivec(1);
  const mask more = linear_program_3_step(&p->relaxed, &c, &p->set, used) &
                    ivec_less(p->steps, splat_ivec(LP_STEPS_MAX));
  return used & not(more);
}

// Removes lanes.
INLINE void infeasible_queue_remove(struct infeasible_queue *p, mask lanes)
{
  const mask left = not(lanes) & lanes_below(p->count);
  const struct packing packing = packing_of(left, 0);
  struct half_plane *h = p->h + WALLS_MAX - p->wall_count;
  pack_planes_in_place(h, &packing, p->wall_count + p->agent_count);
  pack_planes_in_place(p->added_h, &packing, p->relaxed.added.count);
  pack_admissible(&p->set, &packing, &p->set);
  pack_vec2(&p->relaxed.v, &packing, p->relaxed.v);
  p->relaxed.worst = pack(&packing, p->relaxed.worst, p->relaxed.worst);
  p->steps = pack_ivec(&packing, p->steps, p->steps);
  p->agent = pack_ivec(&packing, p->agent, p->agent);
  p->near_wall = pack_mask(&packing, p->near_wall, p->near_wall);
  p->count = bit_count(mask_bits(left));
  if (p->count == 0) {
    p->wall_count = p->agent_count = p->relaxed.added.count = 0;
    p->set.limited = false;
  }
}
