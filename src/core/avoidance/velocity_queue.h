// Agents that no velocity keeps out of all their velocity obstacles, and their queue.
// velocity_keep_most runs when the queue holds LANES of them and once for those left at the end, as
// linear_program_3 does (infeasible.h).
#pragma once
#include "infeasible.h"
#include "velocity_obstacles.h"

// The best velocities if each lane keeps only its first `keep` obstacles.
HOST_DEVICE vec2 velocity_best_of_fewer(const struct velocity_problem *p, ivec keep, mask active,
                                        mask *infeasible)
{
#if LANES == 1 // a GPU's thread has little memory of its own
  return velocity_best(p->o, keep, p->admissible, p->preferred_velocity, active, infeasible);
#else
  struct velocity_obstacle kept[VELOCITY_OBSTACLES_MAX];
  int count = 0;
  for (; count < p->count; count++) {
    const mask valid = ivec_less(splat_ivec(count), keep);
    if (!any(active & valid))
      break;
    kept[count] = velocity_obstacle_select(valid, p->o[count]);
  }
  return velocity_best(kept, count, p->admissible, p->preferred_velocity, active, infeasible);
#endif
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

#define QUEUED_OBSTACLES_MAX (WALLS_MAX + NEIGHBOURS_MAX)

// Obstacles of walls end at o[WALLS_MAX] and those of agents begin there, whatever their numbers.
struct velocity_queue {
  int count;         // lanes taken
  int walls, agents; // the most obstacles of either kind in a lane
  struct velocity_obstacle o[QUEUED_OBSTACLES_MAX];
  struct admissible set;
  vec2 preferred_velocity;
  int32_t others[LANES]; // obstacles of agents
  int64_t agent[LANES];  // index in struct agents
  uint32_t near_wall;    // bits: a step could touch a wall
};

INLINE void velocity_queue_begin(struct velocity_queue *q)
{
  q->count = q->walls = q->agents = 0;
  q->near_wall = 0;
  q->set.limited = false;
  for (int i = 0; i < QUEUED_OBSTACLES_MAX; i++)
    q->o[i] = (struct velocity_obstacle){
        1, {half_plane_never(), half_plane_always(), half_plane_always()}};
  for (int l = 0; l < LANES; l++)
    q->others[l] = 0; // unused lanes are computed, too
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

INLINE void copy_lane_obstacle(struct velocity_obstacle *to, int lane_to,
                               const struct velocity_obstacle *from, int lane_from)
{
  to->edge_count = to->edge_count > from->edge_count ? to->edge_count : from->edge_count;
  for (int e = 0; e < from->edge_count; e++) {
    copy_lane2(&to->edge[e].n, lane_to, &from->edge[e].n, lane_from);
    copy_lane(&to->edge[e].b, lane_to, &from->edge[e].b, lane_from);
  }
}

struct queued_agent {
  int64_t agent;  // index in struct agents
  int32_t others; // that it perceives
  bool near_wall; // a step could touch a wall
};

// Adds lane l of a problem.
INLINE void velocity_queue_add(struct velocity_queue *q, const struct velocity_problem *p, int l,
                               const struct queued_agent *of)
{
  const struct admissible *set = p->admissible;
  const int m = q->count++, first = WALLS_MAX - p->hard;
  for (int i = 0; i < p->hard + of->others; i++)
    copy_lane_obstacle(&q->o[first + i], m, &p->o[i], l);
  copy_lane(&q->set.speed, m, &set->speed, l);
  copy_lane2(&q->set.centre, m, &set->centre, l);
  copy_lane(&q->set.reach, m, &set->reach, l);
  q->set.limited |= set->limited;
  copy_lane2(&q->preferred_velocity, m, &p->preferred_velocity, l);
  q->others[m] = of->others;
  q->agent[m] = of->agent;
  q->near_wall |= (uint32_t)of->near_wall << m;
  q->walls = p->hard > q->walls ? p->hard : q->walls;
  q->agents = of->others > q->agents ? of->others : q->agents;
}

INLINE vec2 velocity_queue_solve(const struct velocity_queue *q)
{
  const mask active = lanes_below(q->count);
  const struct velocity_problem p = {q->o + WALLS_MAX - q->walls, q->walls, q->walls + q->agents,
                                     &q->set, q->preferred_velocity};
  const vec2 none = vec2_of(splat(0), splat(0));
  return velocity_keep_most(&p, lanes_load_ivec(q->others), active, none);
}
