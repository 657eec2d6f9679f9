#include "reference.h"

#include "orca.h"

_Static_assert(LANES == 1, "the reference has one lane");

static struct half_plane plane_in(const struct scalar_half_plane *h)
{
  return (struct half_plane){{h->nx, h->ny}, h->b};
}

static struct scalar_half_plane plane_out(struct half_plane h)
{
  return (struct scalar_half_plane){h.n.x, h.n.y, h.b};
}

bool scalar_linear_programs(const struct scalar_half_plane *h, int hard, int count, float speed,
                            const float preferred_velocity[2], float v[2])
{
  struct half_plane planes[HALF_PLANES_MAX], added[LP_ADDED_MAX + 1];
  for (int i = 0; i < count; i++)
    planes[i] = plane_in(&h[i]);
  const vec2 opt_velocity = {preferred_velocity[0], preferred_velocity[1]};
  const struct admissible set = {.speed = speed};
  const struct lp_constraints constraints = {planes, hard, count};
  struct lp_relaxed relaxed = {opt_velocity, 0, {added, 0}};
  mask failed;
  relaxed.v = linear_program_2(planes, count, &set, opt_velocity, true, &relaxed.added, &failed);
  const vec2 best =
      failed ? linear_program_3(&constraints, &set, relaxed, opt_velocity, true) : relaxed.v;
  v[0] = best.x;
  v[1] = best.y;
  return failed;
}

struct scalar_half_plane scalar_orca_agent(const struct scalar_pair *p)
{
  const struct neighbour other = {true,      {p->px, p->py}, {p->other_x, p->other_y},
                                  p->radius, p->share,       {p->tie_x, p->tie_y}};
  return plane_out(
      orca_agent(&other, (vec2){p->own_x, p->own_y}, (struct inv_horizons){p->far, p->near}));
}

bool scalar_orca_agent_open(const struct scalar_pair *p)
{
  return tie_direction_needed((vec2){p->px, p->py}, p->radius, (vec2){p->own_x, p->own_y},
                              (vec2){p->other_x, p->other_y},
                              (struct inv_horizons){p->far, p->near});
}

static struct perceived_wall wall_in(const struct scalar_wall *w)
{
  return (struct perceived_wall){true,
                                 {w->ax, w->ay},
                                 {w->bx, w->by},
                                 {w->along_x, w->along_y},
                                 {w->before_x, w->before_y},
                                 {w->after_x, w->after_y},
                                 w->convex_a,
                                 w->convex_b};
}

struct scalar_half_plane scalar_wall(const struct scalar_wall *w, float radius, float vx, float vy,
                                     float inv_horizon)
{
  const struct perceived_wall wall = wall_in(w);
  return plane_out(orca_wall(&wall, radius, (vec2){vx, vy}, inv_horizon));
}

bool scalar_wall_covered(const struct scalar_wall *w, float radius, float inv_horizon,
                         const struct scalar_half_plane *h, int count)
{
  struct half_plane planes[64];
  const struct perceived_wall wall = wall_in(w);
  for (int i = 0; i < count; i++)
    planes[i] = plane_in(&h[i]);
  return orca_wall_covered(&wall, radius, inv_horizon, planes, count);
}
