// Theorem 1 of ClearPath (section 3.3) in whole scenes: a pair that is apart, of which both agents
// found a guaranteed velocity and perceive each other, is apart after the step.
#include "velocity_reference.h"

#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>
#include <stdlib.h>

#define MOST   250
#define RADIUS 0.25
#define SPEED  1.3

struct body {
  double p[2], v[2], goal[2];
  int count;               // of the agents it perceives
  int seen[SCALAR_AGENTS]; // nearest first
  bool promised;           // neither relaxed nor infeasible in this step
};

struct scene {
  int count;
  double step;
  struct body body[MOST];
  int wall_count;
  double wall[8][4]; // from x, y to x, y; solid on the left
  int64_t promised_pairs, relaxed;
};

static double distance(const double a[2], const double b[2])
{
  return hypot(a[0] - b[0], a[1] - b[1]);
}

// The ten nearest agents within 5 m.
static void perceive_agents(const struct scene *s, struct body *own, struct scalar_perception *seen)
{
  own->count = 0;
  for (int k = 0; k < s->count; k++) {
    const double d = distance(s->body[k].p, own->p);
    if (&s->body[k] == own || d > 5)
      continue;
    int at = own->count < 10 ? own->count++ : 10;
    for (; at > 0 && distance(s->body[own->seen[at - 1]].p, own->p) > d; at--)
      if (at < 10)
        own->seen[at] = own->seen[at - 1];
    if (at < 10)
      own->seen[at] = k;
  }
  seen->agent_count = own->count;
  for (int i = 0; i < own->count; i++) {
    const struct body *other = &s->body[own->seen[i]];
    seen->agents[i] = (struct scalar_neighbour){.px = (float)(other->p[0] - own->p[0]),
                                                .py = (float)(other->p[1] - own->p[1]),
                                                .vx = (float)other->v[0],
                                                .vy = (float)other->v[1],
                                                .R = 2 * (float)RADIUS,
                                                .share = 0.5f};
  }
}

// The nearest walls, of those that the agent is in front of.
static void perceive_walls(const struct scene *s, const struct body *own,
                           struct scalar_perception *seen)
{
  for (int k = 0; k < s->wall_count && seen->wall_count < SCALAR_WALLS; k++) {
    const double *w = s->wall[k];
    const double a[2] = {w[0] - own->p[0], w[1] - own->p[1]};
    const double b[2] = {w[2] - own->p[0], w[3] - own->p[1]}, here[2] = {0, 0};
    const double length = distance(a, b);
    const double front = ((b[0] - a[0]) * a[1] - (b[1] - a[1]) * a[0]) / length;
    if (front < 0 || oracle_segments_distance(here, here, a, b) > 3)
      continue;
    seen->walls[seen->wall_count++] =
        (struct scalar_perceived_wall){(float)a[0],
                                       (float)a[1],
                                       (float)b[0],
                                       (float)b[1],
                                       (float)((b[0] - a[0]) / length),
                                       (float)((b[1] - a[1]) / length)};
  }
}

static struct scalar_answer answer_of(struct scene *s, int i)
{
  struct body *own = &s->body[i];
  struct scalar_perception seen = {.vx = (float)own->v[0],
                                   .vy = (float)own->v[1],
                                   .radius = (float)RADIUS,
                                   .max_speed = (float)SPEED,
                                   .horizon = 2,
                                   .horizon_walls = 1,
                                   .step = (float)s->step};
  const double to[2] = {own->goal[0] - own->p[0], own->goal[1] - own->p[1]};
  const double scale = SPEED / fmax(hypot(to[0], to[1]), SPEED * s->step);
  seen.preferred_x = (float)(scale * to[0]), seen.preferred_y = (float)(scale * to[1]);
  perceive_agents(s, own, &seen);
  perceive_walls(s, own, &seen);
  return scalar_velocity(&seen, CLEARPATH_GUARANTEED);
}

static bool perceives(const struct body *one, int other)
{
  for (int i = 0; i < one->count; i++)
    if (one->seen[i] == other)
      return true;
  return false;
}

static void move(struct scene *s, const struct scalar_answer *answer)
{
  for (int i = 0; i < s->count; i++)
    for (int e = 0; e < 2; e++) {
      s->body[i].v[e] = answer[i].v[e];
      s->body[i].p[e] += s->step * s->body[i].v[e];
    }
}

static void step(struct scene *s, int n)
{
  static struct scalar_answer answer[MOST];
  static double before[MOST][2];
  for (int i = 0; i < s->count; i++) {
    answer[i] = answer_of(s, i);
    s->body[i].promised = !answer[i].relaxed && !answer[i].infeasible;
    s->relaxed += answer[i].relaxed;
    before[i][0] = s->body[i].p[0], before[i][1] = s->body[i].p[1];
  }
  move(s, answer);
  for (int i = 0; i < s->count; i++)
    for (int k = 0; k < i; k++) {
      const struct body *one = &s->body[i], *other = &s->body[k];
      if (!one->promised || !other->promised || distance(before[i], before[k]) < 2 * RADIUS ||
          !perceives(one, k) || !perceives(other, i))
        continue;
      const double apart = distance(one->p, other->p);
      cr_assert(apart >= 2 * RADIUS - 1e-4, "%d and %d are %g m apart after step %d of %g s", i, k,
                apart, n, s->step);
      s->promised_pairs++;
    }
}

static void keeps_its_promise(struct scene *s, double seconds, int64_t pairs)
{
  for (int n = 0; n * s->step < seconds; n++)
    step(s, n);
  cr_log_info("%d agents, %lld pairs, %lld agent-steps relaxed", s->count,
              (long long)s->promised_pairs, (long long)s->relaxed);
  cr_assert(s->promised_pairs > pairs, "%lld pairs", (long long)s->promised_pairs);
}

static void circle(int count, double step_s)
{
  static struct scene s;
  uint64_t r = (uint64_t)count;
  s = (struct scene){.count = count, .step = step_s};
  const double radius = fmax(4, 0.9 * count / 6.2832); // crowded in its middle
  for (int i = 0; i < count; i++) {
    const double angle = 6.283185307179586 * (i + oracle_between(&r, -0.01, 0.01)) / count;
    struct body *b = &s.body[i];
    b->p[0] = radius * cos(angle), b->p[1] = radius * sin(angle);
    b->goal[0] = -b->p[0], b->goal[1] = -b->p[1];
  }
  keeps_its_promise(&s, 3 * radius / SPEED, count);
}

Test(clearpath_guarantee, circles)
{
  static const int counts[] = {8, 12, 20, 33, 50};
  for (int c = 0; c < 5; c++)
    circle(counts[c], 0.1);
  circle(20, 0.25);
  circle(20, 0.04);
}

Test(clearpath_guarantee, circles_of_many)
{
  circle(100, 0.1);
  circle(250, 0.1);
}

static void fill(struct scene *s, uint64_t *r, const double box[4], const double offset[2],
                 int count)
{
  for (; count > 0; count--) {
    struct body *b = &s->body[s->count];
    bool apart;
    do {
      apart = true;
      b->p[0] = oracle_between(r, box[0], box[2]), b->p[1] = oracle_between(r, box[1], box[3]);
      for (int k = 0; k < s->count; k++)
        apart = apart && distance(b->p, s->body[k].p) > 2 * RADIUS + 0.01;
    } while (!apart);
    b->goal[0] = b->p[0] + offset[0], b->goal[1] = b->p[1] + offset[1];
    s->count++;
  }
}

Test(clearpath_guarantee, streams_that_meet_and_cross)
{
  for (int crossing = 0; crossing < 2; crossing++) {
    static struct scene s;
    uint64_t r = 5;
    s = (struct scene){.step = 0.1};
    fill(&s, &r, (const double[]){-14, -3, -4, 3}, (const double[]){18, 0}, 60);
    if (crossing)
      fill(&s, &r, (const double[]){-3, -14, 3, -4}, (const double[]){0, 18}, 60);
    else
      fill(&s, &r, (const double[]){4, -3, 14, 3}, (const double[]){-18, 0}, 60);
    keeps_its_promise(&s, 15, 1000);
  }
}

Test(clearpath_guarantee, a_room_with_a_door)
{
  static struct scene s;
  uint64_t r = 6;
  // Solid on the left: the walls are walked with the room on the right. The door is 1.6 m wide.
  static const double walls[6][4] = {
      {5, 5, 5, .8}, {5, -.8, 5, -5}, {5, -5, -5, -5}, {-5, -5, -5, 5}, {-5, 5, 5, 5}};
  s = (struct scene){.step = 0.1, .wall_count = 5};
  for (int k = 0; k < s.wall_count; k++)
    for (int e = 0; e < 4; e++)
      s.wall[k][e] = walls[k][e];
  fill(&s, &r, (const double[]){-4.7, -4.7, 4.5, 4.7}, (const double[]){0, 0}, 80);
  for (int i = 0; i < s.count; i++)
    s.body[i].goal[0] = 8, s.body[i].goal[1] = 0;
  keeps_its_promise(&s, 20, 1000);
}
