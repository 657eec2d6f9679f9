// Random sights, and LANES of them side by side. Compiled for every width.
#pragma once
#include "clearpath.h"
#include "hrvo.h"

#include "oracle.h"
#include "velocity_reference.h"
#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static inline real sight_column(const void *base, size_t offset)
{
  float x[LANES];
  for (int l = 0; l < LANES; l++)
    memcpy(&x[l], (const char *)base + (size_t)l * sizeof(struct one_sight) + offset, sizeof *x);
  return lanes_load(x);
}

#define SIGHT(member)  sight_column(s, offsetof(struct one_sight, member))
#define SIGHT2(mx, my) vec2_of(SIGHT(mx), SIGHT(my))

static inline void sights_gather_agents(struct sight *out, const struct one_sight *s)
{
  for (int i = 0; i < out->agent_count; i++) {
    uint32_t there = 0;
    for (int l = 0; l < LANES; l++)
      there |= (uint32_t)(i < s[l].agent_count) << l;
    out->agents[i] = (struct seen_agent){mask_from_bits(there),
                                         SIGHT2(agents[i].px, agents[i].py),
                                         SIGHT2(agents[i].vx, agents[i].vy),
                                         SIGHT(agents[i].R),
                                         SIGHT(agents[i].share),
                                         SIGHT2(agents[i].asunder_x, agents[i].asunder_y)};
  }
}

static inline void sights_gather_walls(struct sight *out, const struct one_sight *s)
{
  for (int i = 0; i < out->wall_count; i++) {
    uint32_t there = 0;
    for (int l = 0; l < LANES; l++)
      there |= (uint32_t)(i < s[l].wall_count) << l;
    const vec2 along = SIGHT2(walls[i].along_x, walls[i].along_y);
    out->walls[i] = (struct seen_wall){mask_from_bits(there),
                                       SIGHT2(walls[i].ax, walls[i].ay),
                                       SIGHT2(walls[i].bx, walls[i].by),
                                       along,
                                       along,
                                       along,
                                       mask_from_bits(ALL_LANES_BITS),
                                       mask_from_bits(ALL_LANES_BITS)};
  }
}

// s[LANES]; lanes from `active` on are idle. The horizon of the walls and the step are those of
// s[0].
static inline void sights_gather(struct sight *out, const struct one_sight *s, int active)
{
  memset(out, 0, sizeof *out);
  out->active = mask_from_bits(ALL_LANES_BITS >> (LANES - active));
  out->velocity = SIGHT2(vx, vy);
  out->wish = SIGHT2(wish_x, wish_y);
  out->radius = SIGHT(radius);
  out->max_speed = SIGHT(max_speed);
  out->horizon = SIGHT(horizon);
  out->horizon_walls = s->horizon_walls;
  out->step = s->step;
  out->admissible = admissible_of(out->max_speed, out->velocity, SIGHT(acceleration), s->step);
  for (int l = 0; l < LANES; l++) {
    out->agent_count = s[l].agent_count > out->agent_count ? s[l].agent_count : out->agent_count;
    out->wall_count = s[l].wall_count > out->wall_count ? s[l].wall_count : out->wall_count;
  }
  sights_gather_agents(out, s);
  sights_gather_walls(out, s);
}

static inline void velocities_of(const struct one_sight *s, int active, enum velocity_method method,
                                 struct one_answer *answers)
{
  struct sight sight;
  mask infeasible, relaxed = none_of_lanes();
  vec2 v;
  float x[LANES], y[LANES];
  const struct clearpath_options options = {method == CLEARPATH_GUARANTEED};
  sights_gather(&sight, s, active);
  if (method == HRVO)
    v = hrvo_velocity(&sight, &infeasible);
  else
    v = clearpath_velocity(&sight, &options, &infeasible, &relaxed);
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  for (int l = 0; l < active; l++)
    answers[l] = (struct one_answer){
        {x[l], y[l]}, mask_bits(infeasible) >> l & 1, mask_bits(relaxed) >> l & 1};
}

static inline int one_neighbour_order(const void *a, const void *b)
{
  const struct one_neighbour *one = a, *other = b;
  const float d = one->px * one->px + one->py * one->py;
  const float e = other->px * other->px + other->py * other->py;
  return (d > e) - (d < e);
}

// Walls that the agent is in front of, unless it touches them.
static inline struct one_seen_wall random_seen_wall(uint64_t *r)
{
  struct one_seen_wall w;
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
static inline struct one_sight random_sight(uint64_t *r)
{
  static const float horizons[] = {0.25f, 0.5f, 1, 2, 4, 8};
  struct one_sight s = {.radius = 0.25f, .max_speed = 2, .horizon_walls = 1, .step = 0.1f};
  s.vx = (float)oracle_between(r, -1.3, 1.3), s.vy = (float)oracle_between(r, -1.3, 1.3);
  s.wish_x = (float)oracle_between(r, -1.5, 1.5), s.wish_y = (float)oracle_between(r, -1.5, 1.5);
  s.acceleration = oracle_whole(r, 0, 2) ? 0 : (float)oracle_between(r, 0.5, 12);
  s.horizon = horizons[oracle_whole(r, 0, 5)];
  s.agent_count = oracle_whole(r, 0, ONE_AGENTS);
  s.wall_count = oracle_whole(r, 0, 3) ? 0 : oracle_whole(r, 1, ONE_WALLS);
  const double side = oracle_between(r, 0.5, 4);
  for (int i = 0; i < s.agent_count; i++) {
    struct one_neighbour *a = &s.agents[i];
    do { // not a hair's breadth apart: there a float's tangent is not that of a double
      *a = (struct one_neighbour){.R = 0.5f, .share = oracle_whole(r, 0, 4) ? 0.5f : 1};
      a->px = (float)oracle_between(r, -side, side), a->py = (float)oracle_between(r, -side, side);
    } while (fabsf(hypotf(a->px, a->py) - a->R) < 0.01f ||
             (hypotf(a->px, a->py) < a->R && oracle_whole(r, 0, 5)));
    a->vx = (float)oracle_between(r, -1.3, 1.3), a->vy = (float)oracle_between(r, -1.3, 1.3);
  }
  qsort(s.agents, (size_t)s.agent_count, sizeof *s.agents, one_neighbour_order);
  for (int i = 0; i < s.wall_count; i++)
    s.walls[i] = random_seen_wall(r);
  return s;
}

#undef SIGHT
#undef SIGHT2
