// Random sights, and LANES of them side by side. Compiled for every width.
#pragma once
#include "clearpath.h"
#include "hrvo.h"
#include "oracle.h"
#include "velocity_queue.h"
#include "velocity_reference.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline real perception_column(const void *base, size_t offset)
{
  float x[LANES];
  for (int l = 0; l < LANES; l++)
    memcpy(&x[l], (const char *)base + (size_t)l * sizeof(struct scalar_perception) + offset,
           sizeof *x);
  return lanes_load(x);
}

#define COLUMN(member)  perception_column(s, offsetof(struct scalar_perception, member))
#define COLUMN2(mx, my) vec2_of(COLUMN(mx), COLUMN(my))

static inline void gather_agents(struct perception *out, const struct scalar_perception *s)
{
  for (int i = 0; i < out->agent_count; i++) {
    uint32_t valid = 0;
    for (int l = 0; l < LANES; l++)
      valid |= (uint32_t)(i < s[l].agent_count) << l;
    out->agents[i] = (struct neighbour){mask_from_bits(valid),
                                        COLUMN2(agents[i].px, agents[i].py),
                                        COLUMN2(agents[i].vx, agents[i].vy),
                                        COLUMN(agents[i].R),
                                        COLUMN(agents[i].share),
                                        COLUMN2(agents[i].tie_x, agents[i].tie_y)};
  }
}

static inline void gather_walls(struct perception *out, const struct scalar_perception *s)
{
  for (int i = 0; i < out->wall_count; i++) {
    uint32_t valid = 0;
    for (int l = 0; l < LANES; l++)
      valid |= (uint32_t)(i < s[l].wall_count) << l;
    const vec2 along = COLUMN2(walls[i].along_x, walls[i].along_y);
    out->walls[i] = (struct perceived_wall){mask_from_bits(valid),
                                            COLUMN2(walls[i].ax, walls[i].ay),
                                            COLUMN2(walls[i].bx, walls[i].by),
                                            along,
                                            along,
                                            along,
                                            mask_from_bits(ALL_LANES_BITS),
                                            mask_from_bits(ALL_LANES_BITS)};
  }
}

// s[LANES]; lanes from `active` on are idle. The horizon of the walls and the step are those of
// s[0].
static inline void gather_perception(struct perception *out, const struct scalar_perception *s,
                                     int active)
{
  memset(out, 0, sizeof *out);
  out->active = mask_from_bits(ALL_LANES_BITS >> (LANES - active));
  out->velocity = COLUMN2(vx, vy);
  out->preferred_velocity = COLUMN2(preferred_x, preferred_y);
  out->radius = COLUMN(radius);
  out->max_speed = COLUMN(max_speed);
  out->horizon = COLUMN(horizon);
  out->horizon_walls = s->horizon_walls;
  out->step = s->step;
  out->admissible = admissible_of(out->max_speed, out->velocity, COLUMN(acceleration), s->step);
  for (int l = 0; l < LANES; l++) {
    out->agent_count = s[l].agent_count > out->agent_count ? s[l].agent_count : out->agent_count;
    out->wall_count = s[l].wall_count > out->wall_count ? s[l].wall_count : out->wall_count;
  }
  gather_agents(out, s);
  gather_walls(out, s);
}

static inline void velocities_of(const struct scalar_perception *s, int active,
                                 enum velocity_method method, struct scalar_answer *answers)
{
  struct perception perception;
  struct clearpath_problem memory;
  struct velocity_problem problem;
  mask infeasible, relaxed = mask_none();
  vec2 v;
  float x[LANES], y[LANES];
  const struct clearpath_options options = {method == CLEARPATH_GUARANTEED};
  gather_perception(&perception, s, active);
  if (method == HRVO)
    v = hrvo_best(&perception, memory.o, &problem, &infeasible);
  else
    v = clearpath_best(&perception, &options, &memory, &problem, &infeasible, &relaxed);
  if (any(infeasible))
    v = velocity_keep_most(&problem, perceived_count(&perception), infeasible, v);
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  for (int l = 0; l < active; l++)
    answers[l] = (struct scalar_answer){
        {x[l], y[l]}, mask_bits(infeasible) >> l & 1, mask_bits(relaxed) >> l & 1};
}

static inline int scalar_neighbour_order(const void *a, const void *b)
{
  const struct scalar_neighbour *one = a, *other = b;
  const float d = one->px * one->px + one->py * one->py;
  const float e = other->px * other->px + other->py * other->py;
  return (d > e) - (d < e);
}

// Walls that the agent is in front of, unless it touches them.
static inline struct scalar_perceived_wall random_perceived_wall(uint64_t *r)
{
  struct scalar_perceived_wall w;
  do {
    w.ax = (float)oracle_between(r, -3, 3), w.ay = (float)oracle_between(r, -3, 3);
    w.bx = (float)oracle_between(r, -3, 3), w.by = (float)oracle_between(r, -3, 3);
  } while (hypotf(w.bx - w.ax, w.by - w.ay) < 0.1f ||
           (w.bx - w.ax) * w.ay - (w.by - w.ay) * w.ax < 0);
  const float length = hypotf(w.bx - w.ax, w.by - w.ay);
  w.along_x = (w.bx - w.ax) / length, w.along_y = (w.by - w.ay) / length;
  return w;
}

// A crowd of some density around an agent: some overlap, some are passive, and some agents have a
// greatest acceleration.
static inline struct scalar_perception random_perception(uint64_t *r)
{
  static const float horizons[] = {0.25f, 0.5f, 1, 2, 4, 8};
  struct scalar_perception s = {.radius = 0.25f, .max_speed = 2, .horizon_walls = 1, .step = 0.1f};
  s.vx = (float)oracle_between(r, -1.3, 1.3), s.vy = (float)oracle_between(r, -1.3, 1.3);
  s.preferred_x = (float)oracle_between(r, -1.5, 1.5),
  s.preferred_y = (float)oracle_between(r, -1.5, 1.5);
  s.acceleration = oracle_whole(r, 0, 2) ? 0 : (float)oracle_between(r, 0.5, 12);
  s.horizon = horizons[oracle_whole(r, 0, 5)];
  s.agent_count = oracle_whole(r, 0, SCALAR_AGENTS);
  s.wall_count = oracle_whole(r, 0, 3) ? 0 : oracle_whole(r, 1, SCALAR_WALLS);
  const double side = oracle_between(r, 0.5, 4);
  for (int i = 0; i < s.agent_count; i++) {
    struct scalar_neighbour *a = &s.agents[i];
    do { // not a hair's breadth apart: there a float's tangent is not that of a double
      *a = (struct scalar_neighbour){.R = 0.5f, .share = oracle_whole(r, 0, 4) ? 0.5f : 1};
      a->px = (float)oracle_between(r, -side, side), a->py = (float)oracle_between(r, -side, side);
    } while (fabsf(hypotf(a->px, a->py) - a->R) < 0.01f ||
             (hypotf(a->px, a->py) < a->R && oracle_whole(r, 0, 5)));
    a->vx = (float)oracle_between(r, -1.3, 1.3), a->vy = (float)oracle_between(r, -1.3, 1.3);
  }
  qsort(s.agents, (size_t)s.agent_count, sizeof *s.agents, scalar_neighbour_order);
  for (int i = 0; i < s.wall_count; i++)
    s.walls[i] = random_perceived_wall(r);
  return s;
}

#undef COLUMN
#undef COLUMN2
