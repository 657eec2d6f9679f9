// The queue of infeasible agents: no velocity satisfies all their half-planes. linear_program_3
// runs when LANES of them have come together, on full vectors instead of single lanes. The
// composition of the queue does not change results: lanes are independent.
#pragma once
#include "avoidance.h"
#include "half_plane.h"

#define HALF_PLANES_MAX (WALLS_MAX + NEIGHBOURS_MAX)

// Half-planes of walls end at h[WALLS_MAX] and those of agents begin there, whatever their numbers.
struct infeasible_queue {
  int count;  // lanes taken
  int walls;  // the maximum number of wall half-planes in a lane
  int agents; // the same for agents
  struct half_plane h[HALF_PLANES_MAX];
  struct admissible set;
  vec2 v;
  int32_t failed[LANES]; // the half-plane that could not be satisfied, an index of h
  int64_t agent[LANES];  // index in struct agents
  uint32_t near_wall;    // bits: a step could touch a wall
};

INLINE void infeasible_queue_begin(struct infeasible_queue *p)
{
  p->count = p->walls = p->agents = 0;
  p->near_wall = 0;
  p->set.limited = false;
  for (int i = 0; i < HALF_PLANES_MAX; i++)
    p->h[i] = half_plane_always();
  for (int l = 0; l < LANES; l++)
    p->failed[l] = WALLS_MAX; // unused lanes are computed, too
}

INLINE void copy_lane(real *to, int lane_to, const real *from, int lane_from)
{
  __builtin_memcpy((char *)to + 4 * lane_to, (const char *)from + 4 * lane_from, 4);
}

INLINE void copy_lane2(vec2 *to, int lane_to, const vec2 *from, int lane_from)
{
  copy_lane(&to->x, lane_to, &from->x, lane_from);
  copy_lane(&to->y, lane_to, &from->y, lane_from);
}

// A block of agents after linear_program_2.
struct infeasible_block {
  struct lp_constraints constraints;
  const struct admissible *set;
  vec2 v;
  int32_t failed[LANES]; // the half-plane that v does not satisfy
  int64_t first;         // index of lane 0 in struct agents
  uint32_t near_wall;    // bits: a step could touch a wall
};

// Adds lane l of a block.
INLINE void infeasible_queue_add(struct infeasible_queue *p, const struct infeasible_block *from,
                                 int l)
{
  const struct half_plane *h = from->constraints.h;
  const struct admissible *set = from->set;
  const int hard = from->constraints.hard, count = from->constraints.count;
  const int m = p->count++, first = WALLS_MAX - hard;
  for (int i = 0; i < count; i++) {
    copy_lane2(&p->h[first + i].n, m, &h[i].n, l);
    copy_lane(&p->h[first + i].b, m, &h[i].b, l);
  }
  copy_lane(&p->set.speed, m, &set->speed, l);
  copy_lane2(&p->set.centre, m, &set->centre, l);
  copy_lane(&p->set.reach, m, &set->reach, l);
  p->set.limited |= set->limited;
  copy_lane2(&p->v, m, &from->v, l);
  p->failed[m] = first + from->failed[l];
  p->agent[m] = from->first + l;
  p->near_wall |= (from->near_wall >> l & 1) << m;
  p->walls = hard > p->walls ? hard : p->walls;
  p->agents = count - hard > p->agents ? count - hard : p->agents;
}

// Returns the velocities with the least violation; *active: the lanes in use.
INLINE vec2 infeasible_queue_solve(const struct infeasible_queue *p, mask *active)
{
  struct half_plane scratch[HALF_PLANES_MAX];
  const int first = WALLS_MAX - p->walls;
  const ivec failed = lanes_load_ivec(p->failed) - splat_ivec(first);
  *active = mask_from_bits(p->count < LANES ? (1u << p->count) - 1 : ALL_LANES_BITS);
  const struct lp_constraints constraints = {p->h + first, p->walls, p->walls + p->agents};
  return linear_program_3(&constraints, &p->set, failed, *active, p->v, scratch);
}
