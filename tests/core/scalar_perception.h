// A sight in plain numbers, one agent each: what the tests of the avoidance methods are made of.
// For every width: perception_of_plain() puts LANES of them side by side.
#pragma once
#include "oracle.h"
#include "perception.h"
#include "rvo.h"
#include <math.h>
#include <string.h>

#define PLAIN_AGENTS        10
#define PLAIN_WALLS         4
#define PLAIN_STEP          0.125f // s, where a sight says nothing else
#define PLAIN_HORIZON_WALLS 2.0f   // s

struct plain_agent {
  float px, py, vx, vy, R, share, tie_x, tie_y;
};
struct plain_wall {
  float ax, ay, bx, by;
};
struct plain_perception {
  int64_t id;
  float vx, vy, preferred_x, preferred_y, radius, max_speed, max_acceleration, horizon;
  float step; // s; 0: PLAIN_STEP; alike in all lanes
  int agent_count, wall_count;
  struct plain_agent agents[PLAIN_AGENTS];
  struct plain_wall walls[PLAIN_WALLS];
};
struct plain_answer {
  float x, y;
  bool infeasible;
};

// p[l].member of all lanes, the member being a float.
#define PLAIN_COLUMN(p, member) plain_column(&(p)->member, sizeof *(p))

static inline real plain_column(const float *first, size_t stride)
{
  float x[LANES];
  for (int l = 0; l < LANES; l++)
    memcpy(&x[l], (const char *)first + (size_t)l * stride, sizeof x[l]);
  return lanes_load(x);
}

static inline void plain_agents(struct perception *s, const struct plain_perception *p)
{
  s->agent_count = 0;
  for (int j = 0; j < PLAIN_AGENTS; j++) {
    uint32_t valid = 0;
    for (int l = 0; l < LANES; l++)
      valid |= (uint32_t)(j < p[l].agent_count) << l;
    if (valid)
      s->agent_count = j + 1;
    s->agents[j] =
        (struct neighbour){mask_from_bits(valid),
                           {PLAIN_COLUMN(p, agents[j].px), PLAIN_COLUMN(p, agents[j].py)},
                           {PLAIN_COLUMN(p, agents[j].vx), PLAIN_COLUMN(p, agents[j].vy)},
                           PLAIN_COLUMN(p, agents[j].R),
                           PLAIN_COLUMN(p, agents[j].share),
                           {PLAIN_COLUMN(p, agents[j].tie_x), PLAIN_COLUMN(p, agents[j].tie_y)}};
  }
}

static inline void plain_walls(struct perception *s, const struct plain_perception *p)
{
  s->wall_count = 0;
  for (int k = 0; k < PLAIN_WALLS; k++) {
    uint32_t valid = 0;
    for (int l = 0; l < LANES; l++)
      valid |= (uint32_t)(k < p[l].wall_count) << l;
    if (valid)
      s->wall_count = k + 1;
    const vec2 a = {PLAIN_COLUMN(p, walls[k].ax), PLAIN_COLUMN(p, walls[k].ay)};
    const vec2 b = {PLAIN_COLUMN(p, walls[k].bx), PLAIN_COLUMN(p, walls[k].by)};
    const vec2 line = minus(b, a);
    const real d2 = dot(line, line);
    const mask some = less(splat(0), d2);
    const real scale = splat(1) / square_root(select_real(some, d2, splat(1)));
    const vec2 along = select_vec2(some, times(scale, line), vec2_of(splat(1), splat(0)));
    const mask all = not(mask_none());
    s->walls[k] =
        (struct perceived_wall){mask_from_bits(valid), a, b, along, along, along, all, all};
  }
}

static inline void perception_of_plain(struct perception *s,
                                       const struct plain_perception *p) // p[LANES]
{
  s->active = mask_from_bits(ALL_LANES_BITS);
  s->velocity = vec2_of(PLAIN_COLUMN(p, vx), PLAIN_COLUMN(p, vy));
  s->preferred_velocity = vec2_of(PLAIN_COLUMN(p, preferred_x), PLAIN_COLUMN(p, preferred_y));
  s->radius = PLAIN_COLUMN(p, radius);
  s->max_speed = PLAIN_COLUMN(p, max_speed);
  s->horizon = PLAIN_COLUMN(p, horizon);
  s->horizon_walls = PLAIN_HORIZON_WALLS;
  s->step = p->step > 0 ? p->step : PLAIN_STEP;
  s->admissible =
      admissible_of(s->max_speed, s->velocity, PLAIN_COLUMN(p, max_acceleration), s->step);
  plain_agents(s, p);
  plain_walls(s, p);
}

static inline struct rvo_draw draws_of(const struct plain_perception *p, uint64_t seed,
                                       int64_t step)
{
  int32_t low[LANES], high[LANES];
  for (int l = 0; l < LANES; l++) {
    low[l] = (int32_t)(uint32_t)(uint64_t)p[l].id;
    high[l] = (int32_t)(uint32_t)((uint64_t)p[l].id >> 32);
  }
  return (struct rvo_draw){seed, step, lanes_load_ivec(low), lanes_load_ivec(high)};
}

static inline void answers_of(struct plain_answer *to, vec2 v, mask infeasible) // to[LANES]
{
  float x[LANES], y[LANES];
  lanes_store(x, v.x);
  lanes_store(y, v.y);
  for (int l = 0; l < LANES; l++)
    to[l] = (struct plain_answer){x[l], y[l], mask_bits(infeasible) >> l & 1};
}

static inline bool plain_same(const struct plain_answer *a, const struct plain_answer *b)
{
  return memcmp(&a->x, &b->x, sizeof a->x) == 0 && memcmp(&a->y, &b->y, sizeof a->y) == 0 &&
         a->infeasible == b->infeasible;
}

// The same text compiled for one lane, whatever the width of the test.
struct plain_answer scalar_rvo(const struct plain_perception *p, const struct rvo_options *o,
                               uint64_t seed, int64_t step);
struct plain_answer scalar_directional(const struct plain_perception *p,
                                       const struct directional_options *o);
struct plain_answer scalar_steering(const struct plain_perception *p,
                                    const struct steering_options *o, float preferred);
float scalar_disc_inv_horizon(float wx, float wy, float px, float py, float R);
float scalar_wall_inv_horizon(const struct plain_wall *w, float vx, float vy, float radius);

// Often the same few values, so that cases touch and tie.
static inline float plain_awkward(uint64_t *r, double reach)
{
  static const float some[] = {0, -0.0f, 0.25f, -0.25f, 0.5f, -0.5f, 1, -1, 1.5f, 0x1p-16f};
  return oracle_whole(r, 0, 3) ? (float)oracle_between(r, -reach, reach)
                               : some[oracle_whole(r, 0, 9)];
}

// A wall with us on its free side (right of a to b), its line between least and most away, m.
static inline struct plain_wall plain_random_wall(uint64_t *r, double least, double most)
{
  const double angle = oracle_between(r, 0, 6.283185307179586);
  const double gap = oracle_between(r, least, most), low = oracle_between(r, -3, 1);
  const double high = low + oracle_between(r, 0.1, 4), c = cos(angle), n = sin(angle);
  return (struct plain_wall){(float)(low * c - gap * n), (float)(low * n + gap * c),
                             (float)(high * c - gap * n), (float)(high * n + gap * c)};
}

static inline struct plain_perception plain_random(uint64_t *r, bool awkward)
{
  struct plain_perception s = {.id = (int64_t)oracle_word(r), .horizon = 4};
  const double reach = awkward ? 1 : 2.5;
  s.vx = plain_awkward(r, 1.2), s.vy = plain_awkward(r, 1.2);
  s.preferred_x = plain_awkward(r, 1.4), s.preferred_y = plain_awkward(r, 1.4);
  s.radius = awkward ? fabsf(plain_awkward(r, 0.4)) : 0.2f;
  s.max_speed = awkward && oracle_whole(r, 0, 9) == 0 ? 0 : (float)oracle_between(r, 0.5, 2);
  s.max_acceleration = oracle_whole(r, 0, 1) ? (float)oracle_between(r, 0.5, 9) : 0;
  s.agent_count = oracle_whole(r, 0, PLAIN_AGENTS);
  s.wall_count = oracle_whole(r, 0, 2) ? 0 : oracle_whole(r, 1, PLAIN_WALLS);
  for (int j = 0; j < s.agent_count; j++) {
    struct plain_agent *a = &s.agents[j];
    *a = (struct plain_agent){.share = 0.5f, .tie_x = 0.6f, .tie_y = -0.8f};
    do
      a->px = plain_awkward(r, reach), a->py = plain_awkward(r, reach);
    while (!awkward && hypotf(a->px, a->py) < 0.45f);
    a->vx = plain_awkward(r, 1.3), a->vy = plain_awkward(r, 1.3);
    a->R = awkward ? s.radius + fabsf(plain_awkward(r, 0.4)) : 0.4f;
    if (oracle_whole(r, 0, 3) == 0)
      a->share = oracle_whole(r, 0, 1) ? 1 : (float)oracle_between(r, 0, 1);
    if (awkward && oracle_whole(r, 0, 5) == 0)
      a->vx = s.vx, a->vy = s.vy;
  }
  for (int k = 0; k < s.wall_count; k++)
    s.walls[k] = plain_random_wall(r, awkward ? 0 : 0.25, 2);
  return s;
}

// Bodies that walk in the tests' own little worlds.
struct plain_body {
  float x, y, vx, vy, preferred_x, preferred_y, radius, share;
};

// What body i sees of the others: the nearest first.
static inline struct plain_perception plain_perceive(const struct plain_body *b, int count, int i)
{
  const struct plain_body *own = &b[i];
  struct plain_perception s = {.id = i, .vx = own->vx, .vy = own->vy, .horizon = 4};
  s.preferred_x = own->preferred_x, s.preferred_y = own->preferred_y;
  s.radius = own->radius, s.max_speed = 1.8f;
  for (int j = 0; j < count; j++) {
    const struct plain_body *other = &b[j];
    const struct plain_agent a = {other->x - own->x,
                                  other->y - own->y,
                                  other->vx,
                                  other->vy,
                                  own->radius + other->radius,
                                  own->share,
                                  i < j ? 0.6f : -0.6f,
                                  i < j ? 0.8f : -0.8f};
    int at = s.agent_count;
    while (at > 0 && hypotf(a.px, a.py) < hypotf(s.agents[at - 1].px, s.agents[at - 1].py))
      at--;
    if (j == i || at == PLAIN_AGENTS)
      continue;
    if (s.agent_count < PLAIN_AGENTS)
      s.agent_count++;
    for (int k = s.agent_count - 1; k > at; k--)
      s.agents[k] = s.agents[k - 1];
    s.agents[at] = a;
  }
  return s;
}

static inline void plain_prefer(struct plain_body *b, float x, float y, float speed)
{
  const float far = hypotf(x - b->x, y - b->y), scale = far > speed ? speed / far : 1;
  b->preferred_x = scale * (x - b->x);
  b->preferred_y = scale * (y - b->y);
}
