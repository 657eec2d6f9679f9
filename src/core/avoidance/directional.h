// Direction choice (Shopf, Oat, Barczak 2008, "March of the Froblins"): five directions about the
// wish are rated by when they collide and by how little they turn, and the best is walked.
//
//     fitness(d) = weight min(t(d), time_cap) + (g.d) / 2 + 1/2      (eq. 1)
//     v = d* min(s, s t(d*) / step),  d* of greatest fitness          (eq. 2, 3)
// g: the wish's direction; s: its length, at most max_speed, m/s; t(d): the least time to collision
// of the swept discs at d s with everybody at his present velocity, and with the walls, s.
//
// The angles are ours, the paper has none: 0, +-22.5, +-45 degrees. Ties go to the lower index, and
// left (+) stands before right: the one thing that a mirror image changes.
//
// Known limit: an agent that touches somebody in all five directions stands. What touches blocks
// only those directions that get closer, so that two who overlap can part.
#pragma once
#include "collision_time.h"
#include "sight.h"

#define DIRECTION_COUNT 5

struct directional_scene {
  int agent_count, wall_count;
  struct disc_ahead agents[NEIGHBOURS_MAX];
  vec2 velocities[NEIGHBOURS_MAX];
  struct wall_ahead walls[WALLS_MAX];
};

INLINE void directional_prepare(struct directional_scene *d, const struct sight *s)
{
  d->agent_count = s->agent_count;
  d->wall_count = s->wall_count;
  for (int j = 0; j < s->agent_count; j++) {
    const struct seen_agent *other = &s->agents[j];
    d->agents[j] =
        disc_ahead_if(other->there, disc_ahead_of(other->p, other->R), disc_ahead_none());
    d->velocities[j] = other->v;
  }
  for (int k = 0; k < s->wall_count; k++) {
    const struct seen_wall *w = &s->walls[k];
    d->walls[k] =
        wall_ahead_if(w->there, wall_ahead_of(w->a, w->b, w->along, s->radius), wall_ahead_none());
  }
}

INLINE real directional_time(const struct directional_scene *d, vec2 v) // s
{
  real hurry = all_lanes(0);
  for (int j = 0; j < d->agent_count; j++)
    hurry = larger(hurry, disc_hurry(&d->agents[j], minus(v, d->velocities[j])));
  for (int k = 0; k < d->wall_count; k++)
    hurry = larger(hurry, wall_hurry(&d->walls[k], v));
  return time_of_hurry(hurry);
}

// The next velocity, m/s; *infeasible: active lanes that would collide within one step even in the
// best direction, and slow down instead.
INLINE vec2 directional_velocity(const struct sight *s, const struct directional_options *o,
                                 mask *infeasible)
{
  static const float turn[DIRECTION_COUNT][2] = {{1, 0}, // cosine, sine
                                                 {0.92387953f, 0.38268343f},
                                                 {0.92387953f, -0.38268343f},
                                                 {0.70710678f, 0.70710678f},
                                                 {0.70710678f, -0.70710678f}};
  struct directional_scene scene;
  directional_prepare(&scene, s);
  const real one = all_lanes(1), length2 = dot(s->wish, s->wish);
  const mask moves = less(all_lanes(0), length2);
  const real length = square_root(length2);
  const vec2 g = times(one / pick(moves, length, one), s->wish); // 0 where nothing is wished
  const real speed = smaller(length, s->max_speed);
  vec2 best = g;
  real best_time = all_lanes(0), best_fitness = all_lanes(-1);
  for (int i = 0; i < DIRECTION_COUNT; i++) {
    const real c = all_lanes(turn[i][0]), n = all_lanes(turn[i][1]);
    const vec2 d = {g.x * c - g.y * n, g.x * n + g.y * c};
    const real time = directional_time(&scene, times(speed, d));
    const real fitness = all_lanes(o->weight) * smaller(time, all_lanes(o->time_cap)) +
                         all_lanes(0.5f) * c + all_lanes(0.5f);
    const mask better = less(best_fitness, fitness);
    best = pick2(better, d, best);
    best_time = pick(better, time, best_time);
    best_fitness = pick(better, fitness, best_fitness);
  }
  const real part = smaller(one, best_time / all_lanes(s->step));
  *infeasible = s->active & moves & less(part, one);
  return admissible_nearest(&s->admissible, times(part * speed, best));
}
