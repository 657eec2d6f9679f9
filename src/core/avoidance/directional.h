// Direction choice (Shopf, Oat, Barczak 2008, "March of the Froblins"): five directions around the
// preferred one are rated by their time to collision and their deviation; the agent takes the best.
//
//     fitness(d) = weight min(t(d), time_cap) + (g.d) / 2 + 1/2      (eq. 1)
//     v = d* min(s, s t(d*) / step),  d* of greatest fitness          (eq. 2, 3)
//
// g: the preferred direction; s: the preferred speed, at most max_speed, m/s; t(d): the shortest
// time to collision, s, of the agent at d s with the walls and with all neighbours at their current
// velocities.
//
// The paper gives no angles; these are 0, +-22.5 and +-45 degrees. Ties go to the lower index, and
// left (+) comes before right, so a mirrored scene may differ in that.
//
// Known limit: an agent in contact in all five directions stands still. Contact only blocks
// directions of approach, so that two overlapping agents can separate.
#pragma once
#include "collision_time.h"
#include "perception.h"

#define DIRECTION_COUNT 5

struct directional_problem {
  int agent_count, wall_count;
  struct disc_ahead agents[NEIGHBOURS_MAX];
  vec2 velocities[NEIGHBOURS_MAX];
  struct wall_ahead walls[WALLS_MAX];
};

INLINE void directional_prepare(struct directional_problem *d, const struct perception *s)
{
  d->agent_count = s->agent_count;
  d->wall_count = s->wall_count;
  for (int j = 0; j < s->agent_count; j++) {
    const struct neighbour *other = &s->agents[j];
    d->agents[j] =
        disc_ahead_if(other->valid, disc_ahead_of(other->p, other->R), disc_ahead_none());
    d->velocities[j] = other->v;
  }
  for (int k = 0; k < s->wall_count; k++) {
    const struct perceived_wall *w = &s->walls[k];
    d->walls[k] =
        wall_ahead_if(w->valid, wall_ahead_of(w->a, w->b, w->along, s->radius), wall_ahead_none());
  }
}

INLINE real directional_time(const struct directional_problem *d, vec2 v) // s
{
  real inv_time = splat(0);
  for (int j = 0; j < d->agent_count; j++)
    inv_time = max_real(inv_time, disc_inv_time(&d->agents[j], minus(v, d->velocities[j])));
  for (int k = 0; k < d->wall_count; k++)
    inv_time = max_real(inv_time, wall_inv_time(&d->walls[k], v));
  return time_of_inverse(inv_time);
}

// Returns the next velocity, m/s. *infeasible: active lanes that would collide within one step even
// in the best direction, and slow down.
INLINE vec2 directional_velocity(const struct perception *s, const struct directional_options *o,
                                 mask *infeasible)
{
  static const float turn[DIRECTION_COUNT][2] = {{1, 0}, // cosine, sine
                                                 {0.92387953f, 0.38268343f},
                                                 {0.92387953f, -0.38268343f},
                                                 {0.70710678f, 0.70710678f},
                                                 {0.70710678f, -0.70710678f}};
  struct directional_problem problem;
  directional_prepare(&problem, s);
  const real one = splat(1), length2 = dot(s->preferred_velocity, s->preferred_velocity);
  const mask moves = less(splat(0), length2);
  const real length = square_root(length2);
  const vec2 g = times(one / select_real(moves, length, one),
                       s->preferred_velocity); // 0 where the preferred velocity is 0
  const real speed = min_real(length, s->max_speed);
  vec2 best = g;
  real best_time = splat(0), best_fitness = splat(-1);
  for (int i = 0; i < DIRECTION_COUNT; i++) {
    const real c = splat(turn[i][0]), n = splat(turn[i][1]);
    const vec2 d = {g.x * c - g.y * n, g.x * n + g.y * c};
    const real time = directional_time(&problem, times(speed, d));
    const real fitness =
        splat(o->weight) * min_real(time, splat(o->time_cap)) + splat(0.5f) * c + splat(0.5f);
    const mask better = less(best_fitness, fitness);
    best = select_vec2(better, d, best);
    best_time = select_real(better, time, best_time);
    best_fitness = select_real(better, fitness, best_fitness);
  }
  const real part = min_real(one, best_time / splat(s->step));
  *infeasible = s->active & moves & less(part, one);
  return admissible_closest(&s->admissible, times(part * speed, best));
}
