// Agents for whom no velocity meets every half-plane, set aside until LANES of them are together:
// linear_program_3 then runs on full vectors instead of one lane here and two there. Which agents
// meet there shows in no result: a lane's answer is its own.
#pragma once
#include "avoidance.h"
#include "half_plane.h"

#define HALF_PLANES_MAX (WALLS_MAX + NEIGHBOURS_MAX)

// The walls' half-planes end at h[WALLS_MAX], the agents' begin there, whatever their numbers.
struct infeasible_queue {
  int count;  // lanes taken
  int walls;  // the most half-planes of walls in a lane
  int agents; // the most of agents
  struct half_plane h[HALF_PLANES_MAX];
  struct admissible set;
  vec2 v;
  int32_t failed[LANES]; // half-plane that could not be met, an index of h
  int64_t agent[LANES];  // index in struct agents
  uint32_t near_wall;    // bits: one step could touch a wall
};

INLINE void infeasible_queue_begin(struct infeasible_queue *p)
{
  p->count = p->walls = p->agents = 0;
  p->near_wall = 0;
  p->set.limited = false;
  for (int i = 0; i < HALF_PLANES_MAX; i++)
    p->h[i] = half_plane_always();
  for (int l = 0; l < LANES; l++)
    p->failed[l] = WALLS_MAX; // lanes that stay empty are reckoned with, too
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

// Takes lane l of a block with half-planes h[0 .. count), the first `hard` of walls, of which
// h[failed] could not be met by the velocity v.
INLINE void infeasible_queue_add(struct infeasible_queue *p, int l, const struct half_plane *h,
                                 int hard, int count, const struct admissible *set, const vec2 *v,
                                 int32_t failed, int64_t agent, bool near_wall)
{
  const int m = p->count++, first = WALLS_MAX - hard;
  for (int i = 0; i < count; i++) {
    copy_lane2(&p->h[first + i].n, m, &h[i].n, l);
    copy_lane(&p->h[first + i].b, m, &h[i].b, l);
  }
  copy_lane(&p->set.speed, m, &set->speed, l);
  copy_lane2(&p->set.centre, m, &set->centre, l);
  copy_lane(&p->set.reach, m, &set->reach, l);
  p->set.limited |= set->limited;
  copy_lane2(&p->v, m, v, l);
  p->failed[m] = first + failed;
  p->agent[m] = agent;
  p->near_wall |= (uint32_t)near_wall << m;
  p->walls = hard > p->walls ? hard : p->walls;
  p->agents = count - hard > p->agents ? count - hard : p->agents;
}

// The least bad velocities of those set aside; the mask of their lanes.
INLINE vec2 infeasible_queue_solve(const struct infeasible_queue *p, mask *active)
{
  struct half_plane scratch[HALF_PLANES_MAX];
  const int first = WALLS_MAX - p->walls;
  const ivec failed = lanes_load_ivec(p->failed) - splat_ivec(first);
  *active = mask_from_bits(p->count < LANES ? (1u << p->count) - 1 : ALL_LANES_BITS);
  return linear_program_3(p->h + first, p->walls, p->walls + p->agents, &p->set, failed, *active,
                          p->v, scratch);
}
