// Laws that every method of velocity obstacles keeps; compiled for every width.
#pragma once
#include "extent.h"
#include "lane_width.h"
#include "perception_lanes.h"
#include "velocity_judge.h"

#define JUDGED 1e-4 // m/s: what float may be wrong by
#define AT_RISK                                                                                    \
  2e-3 // m/s: where a hair's breadth decides whether there is a way, none is asked for
#if SHORT
#define CASES 1500
#else
#define CASES 6000
#endif
#define GRID 41 // points across the disc of speeds

static inline double way_off(const struct judge *j, const double v[2])
{
  return hypot(v[0] - j->preferred_velocity[0], v[1] - j->preferred_velocity[1]);
}

// No grid point that is permitted by a margin is nearer to the preferred velocity.
static inline void assert_grid_has_no_better(const struct judge *j, int agents, double best)
{
  for (int y = 0; y < GRID; y++)
    for (int x = 0; x < GRID; x++) {
      const double v[2] = {j->speed * (2.0 * x / (GRID - 1) - 1),
                           j->speed * (2.0 * y / (GRID - 1) - 1)};
      cr_assert_not(way_off(j, v) < best - JUDGED && judge_excess(j, v) < -JUDGED &&
                        judge_depth(j, agents, v) < -JUDGED,
                    "(%g %g) is permitted, %g from the preferred velocity, not %g", v[0], v[1],
                    way_off(j, v), best);
    }
}

// The answer is permitted as far as the first `agents` go, and the best there is.
static inline void assert_best(const struct judge *j, int agents, const double v[2])
{
  double other[2];
  cr_assert(judge_depth(j, agents, v) < JUDGED, "%g m/s inside", judge_depth(j, agents, v));
  if (judge_nearest(j, agents, JUDGED, other))
    cr_assert(way_off(j, v) <= way_off(j, other) + JUDGED, "%g from preferred, possible %g",
              way_off(j, v), way_off(j, other));
  assert_grid_has_no_better(j, agents, way_off(j, v));
}

// If an agent finds no velocity, there is none; it then stays outside the regions of all walls and
// of as many of the nearest agents as possible.
static inline void assert_dropped(const struct judge *j, const double v[2])
{
  double other[2];
  cr_assert_not(judge_nearest(j, j->agent_count, AT_RISK, other), "(%g %g) is permitted", other[0],
                other[1]);
  assert_grid_has_no_better(j, j->agent_count, 1e9);
  int keep = j->agent_count;
  while (keep >= 0 && !judge_nearest(j, keep, AT_RISK, other))
    keep--;
  if (keep < 0)
    return;
  cr_assert(judge_depth(j, keep, v) < JUDGED, "%d agents can be kept", keep);
  if (!judge_nearest(j, keep + 1, -JUDGED, other))
    assert_best(j, keep, v);
}

static inline void assert_judged(const struct scalar_perception *s,
                                 const struct scalar_answer *answer, enum velocity_method method)
{
  struct judge j;
  const double v[2] = {answer->v[0], answer->v[1]};
  judge_make(&j, s, method);
  if (answer->infeasible)
    assert_dropped(&j, v);
  else
    assert_best(&j, j.agent_count, v);
}

static inline bool same_float(float a, float b) // 0 and -0 are one velocity
{
  return a == b;
}

static inline void random_perceptions(uint64_t *r, struct scalar_perception *s)
{
  for (int l = 0; l < LANES; l++)
    s[l] = random_perception(r);
}

static inline void assert_answers_are_admissible(enum velocity_method method)
{
  uint64_t r = 11;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    random_perceptions(&r, s);
    velocities_of(s, LANES, method, answer);
    for (int l = 0; l < LANES; l++) {
      struct judge j;
      const double v[2] = {answer[l].v[0], answer[l].v[1]};
      judge_make(&j, &s[l], method);
      cr_assert(judge_excess(&j, v) < 1e-5, "%g m/s too much", judge_excess(&j, v));
    }
  }
}

static inline void assert_same_answer(const struct scalar_answer *a, const struct scalar_answer *b)
{
  cr_assert_eq(memcmp(a->v, b->v, sizeof a->v), 0, "(%a %a) and (%a %a)", (double)a->v[0],
               (double)a->v[1], (double)b->v[0], (double)b->v[1]);
  cr_assert_eq(a->infeasible, b->infeasible);
  cr_assert_eq(a->relaxed, b->relaxed);
}

static inline void assert_a_lane_is_alone(enum velocity_method method)
{
  uint64_t r = 12;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    const int active = oracle_whole(&r, 1, LANES);
    random_perceptions(&r, s);
    for (int l = active; l < LANES; l++) // rubbish in idle lanes
      s[l].vx = NAN, s[l].preferred_x = INFINITY, s[l].agents[0].px = -INFINITY;
    velocities_of(s, active, method, answer);
    for (int l = 0; l < active; l++) {
      const struct scalar_answer one = scalar_velocity(&s[l], method);
      assert_same_answer(&one, &answer[l]);
    }
  }
}

// Every vector of the sight through a turn or a mirror: (x, y) -> (a x + b y, c x + d y).
static inline void turn(float *x, float *y, const float m[4])
{
  const float was_x = *x, was_y = *y;
  *x = m[0] != 0 ? m[0] * was_x : m[1] * was_y;
  *y = m[3] != 0 ? m[3] * was_y : m[2] * was_x;
}

static inline struct scalar_perception turned(struct scalar_perception s, const float m[4])
{
  turn(&s.vx, &s.vy, m);
  turn(&s.preferred_x, &s.preferred_y, m);
  for (int i = 0; i < s.agent_count; i++) {
    struct scalar_neighbour *a = &s.agents[i];
    turn(&a->px, &a->py, m);
    turn(&a->vx, &a->vy, m);
    turn(&a->tie_x, &a->tie_y, m);
  }
  for (int i = 0; i < s.wall_count; i++) {
    struct scalar_perceived_wall *w = &s.walls[i];
    turn(&w->ax, &w->ay, m);
    turn(&w->bx, &w->by, m);
    turn(&w->along_x, &w->along_y, m);
  }
  return s;
}

// The turned scene has the turned answer, to the bit. (Where two ways are equally long, the number
// of the edge decides, which a mirror does not keep; random scenes hold no such tie.)
static inline void assert_turns(enum velocity_method method, const float m[4])
{
  uint64_t r = 13;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES], t[LANES];
    struct scalar_answer one[LANES], other[LANES];
    random_perceptions(&r, s);
    for (int l = 0; l < LANES; l++)
      t[l] = turned(s[l], m);
    velocities_of(s, LANES, method, one);
    velocities_of(t, LANES, method, other);
    for (int l = 0; l < LANES; l++) {
      turn(&one[l].v[0], &one[l].v[1], m);
      cr_assert(same_float(one[l].v[0], other[l].v[0]) && same_float(one[l].v[1], other[l].v[1]),
                "(%a %a) and (%a %a)", (double)one[l].v[0], (double)one[l].v[1],
                (double)other[l].v[0], (double)other[l].v[1]);
      cr_assert_eq(one[l].infeasible, other[l].infeasible);
      cr_assert_eq(one[l].relaxed, other[l].relaxed);
    }
  }
}

static const float mirror_y[4] = {1, 0, 0, -1}, quarter_turn[4] = {0, -1, 1, 0};

static inline float awkward(uint64_t *r) // often the same few values, so that cases touch and tie
{
  static const float some[] = {0, -0.0f, 0.25f, -0.25f, 0.5f, -0.5f, 1, -1, 3, 0x1p-16f};
  return oracle_whole(r, 0, 3) ? some[oracle_whole(r, 0, 9)] : (float)oracle_between(r, -3, 3);
}

static inline struct scalar_perception awkward_perception(uint64_t *r)
{
  struct scalar_perception s = {.horizon_walls = 1, .step = 0.125f};
  s.vx = awkward(r), s.vy = awkward(r), s.preferred_x = awkward(r), s.preferred_y = awkward(r);
  s.radius = fabsf(awkward(r)), s.max_speed = fabsf(awkward(r));
  s.acceleration = fabsf(awkward(r));
  s.horizon = oracle_whole(r, 0, 1) ? 2 : 0.125f;
  s.agent_count = oracle_whole(r, 0, SCALAR_AGENTS),
  s.wall_count = oracle_whole(r, 0, SCALAR_WALLS);
  for (int i = 0; i < s.agent_count; i++) {
    struct scalar_neighbour *a = &s.agents[i];
    *a = (struct scalar_neighbour){.share = 0.5f * (float)oracle_whole(r, 0, 2)};
    a->px = awkward(r), a->py = awkward(r), a->vx = awkward(r), a->vy = awkward(r);
    a->R = s.radius + fabsf(awkward(r));
    if (oracle_whole(r, 0, 3) == 0) // as fast as we are, in our place or beside it
      a->vx = s.vx, a->vy = s.vy, a->px = oracle_whole(r, 0, 1) ? 0 : a->R, a->py = 0;
    if (oracle_whole(r, 0, 1))
      a->tie_x = 0.6f, a->tie_y = -0.8f;
  }
  for (int i = 0; i < s.wall_count; i++) {
    struct scalar_perceived_wall *w = &s.walls[i];
    w->ax = awkward(r), w->ay = awkward(r);
    do
      w->bx = awkward(r), w->by = awkward(r);
    while (w->ax == w->bx && w->ay == w->by);
    const float length = hypotf(w->bx - w->ax, w->by - w->ay);
    w->along_x = (w->bx - w->ax) / length, w->along_y = (w->by - w->ay) / length;
  }
  return s;
}

static inline void assert_bears_ugly_cases(enum velocity_method method)
{
  uint64_t r = 14;
  for (int c = 0; c < 5 * CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    for (int l = 0; l < LANES; l++)
      s[l] = awkward_perception(&r);
    velocities_of(s, LANES, method, answer);
    for (int l = 0; l < LANES; l++) {
      struct judge j;
      const struct scalar_answer one = scalar_velocity(&s[l], method);
      const double v[2] = {answer[l].v[0], answer[l].v[1]};
      cr_assert(isfinite(v[0]) && isfinite(v[1]), "%g %g", v[0], v[1]);
      judge_make(&j, &s[l], method);
      cr_assert(judge_excess(&j, v) < 1e-4, "%g m/s too much", judge_excess(&j, v));
      cr_assert_eq(memcmp(one.v, answer[l].v, sizeof one.v), 0);
    }
  }
}

// A scene that is its own mirror image: somebody stands in the way, pairs walk on both sides.
static inline struct scalar_perception symmetric_perception(uint64_t *r)
{
  struct scalar_perception s = {.radius = 0.25f, .max_speed = 2, .horizon = 4, .step = 0.1f};
  s.horizon_walls = 1;
  s.vx = (float)oracle_between(r, 0, 1.3), s.preferred_x = (float)oracle_between(r, 0.5, 1.3);
  s.agent_count = 1 + 2 * oracle_whole(r, 0, SCALAR_AGENTS / 2 - 1);
  s.agents[0] = (struct scalar_neighbour){
      .px = (float)oracle_between(r, 0.6, 3), .R = 0.5f, .share = 1, .tie_x = 1};
  for (int i = 1; i < s.agent_count; i += 2) {
    struct scalar_neighbour *a = &s.agents[i];
    *a = (struct scalar_neighbour){.R = 0.5f, .share = 1, .tie_x = 1};
    a->px = (float)oracle_between(r, 0, 4), a->py = (float)oracle_between(r, 0.6, 4);
    a->vx = (float)oracle_between(r, -1.3, 1.3), a->vy = (float)oracle_between(r, -1.3, 1.3);
    a[1] = *a;
    a[1].py = -a->py, a[1].vy = -a->vy;
  }
  return s;
}

// Where a velocity and its mirror image are equally good, each lane chooses what it would choose
// alone. In every second case all lanes have the same scene, so they tie at the same time and fill
// the list of waiting edges together.
static inline void assert_ties_are_decided_alone(enum velocity_method method)
{
  uint64_t r = 16;
  int tied = 0;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    const int active = oracle_whole(&r, 1, LANES);
    const bool same = c / LANES % 2;
    for (int l = 0; l < LANES; l++)
      s[l] = same && l > 0 ? s[0] : symmetric_perception(&r);
    velocities_of(s, active, method, answer);
    for (int l = 0; l < active; l++) {
      const struct scalar_answer one = scalar_velocity(&s[l], method);
      assert_same_answer(&one, &answer[l]);
      tied += !one.infeasible && one.v[1] != 0;
    }
  }
  cr_assert_gt(tied, CASES / 20);
}

// Two agents walk straight at each other, or one at a standing agent: they pass and never overlap.
static inline void assert_head_on_pair_passes(enum velocity_method method, float off_line,
                                              bool passive)
{
  double p[2][2] = {{-4, 0}, {4, off_line}}, v[2][2] = {{0}};
  const double goal[2] = {4, -4}, step = 0.1;
  for (int n = 0; n < 300; n++) {
    struct scalar_answer answer[2];
    for (int i = 0; i < 2; i++) {
      const int k = 1 - i;
      struct scalar_perception s = {.radius = 0.25f,
                                    .max_speed = 2,
                                    .horizon = 2,
                                    .horizon_walls = 1,
                                    .step = (float)step,
                                    .agent_count = 1};
      const double dx = goal[i] - p[i][0], dy = p[0][1] * 0 - p[i][1], d = hypot(dx, dy);
      s.preferred_x = (float)(1.3 * dx / fmax(d, 1.3)),
      s.preferred_y = (float)(1.3 * dy / fmax(d, 1.3));
      s.vx = (float)v[i][0], s.vy = (float)v[i][1];
      s.agents[0] = (struct scalar_neighbour){(float)(p[k][0] - p[i][0]),
                                              (float)(p[k][1] - p[i][1]),
                                              (float)v[k][0],
                                              (float)v[k][1],
                                              0.5f,
                                              passive ? 1 : 0.5f,
                                              0,
                                              0};
      answer[i] = scalar_velocity(&s, method);
      if (passive && i == 1)
        answer[i].v[0] = answer[i].v[1] = 0;
    }
    for (int i = 0; i < 2; i++)
      for (int e = 0; e < 2; e++)
        p[i][e] += step * (v[i][e] = answer[i].v[e]);
    cr_assert(hypot(p[0][0] - p[1][0], p[0][1] - p[1][1]) > 0.499, "step %d", n);
    if (passive)
      p[1][0] = 0, p[1][1] = off_line;
  }
  cr_assert(p[0][0] > 3.9, "stuck at %g %g", p[0][0], p[0][1]);
  if (!passive)
    cr_assert(p[1][0] < -3.9, "stuck at %g %g", p[1][0], p[1][1]);
}

// One step never brings an agent that found a way nearer to a wall than its radius.
static inline void assert_walls_are_kept(enum velocity_method method)
{
  uint64_t r = 15;
  for (int c = 0; c < CASES; c += LANES) {
    struct scalar_perception s[LANES];
    struct scalar_answer answer[LANES];
    random_perceptions(&r, s);
    for (int l = 0; l < LANES; l++)
      for (s[l].wall_count = 0; s[l].wall_count < SCALAR_WALLS; s[l].wall_count++)
        s[l].walls[s[l].wall_count] = random_perceived_wall(&r);
    velocities_of(s, LANES, method, answer);
    for (int l = 0; l < LANES; l++)
      for (int i = 0; i < SCALAR_WALLS && !answer[l].infeasible; i++) {
        const struct scalar_perceived_wall *w = &s[l].walls[i];
        const double a[2] = {w->ax, w->ay}, b[2] = {w->bx, w->by}, from[2] = {0, 0};
        const double to[2] = {s->step * (double)answer[l].v[0], s->step * (double)answer[l].v[1]};
        const double now = oracle_segments_distance(from, from, a, b);
        const double next = oracle_segments_distance(from, to, a, b);
        cr_assert(next > fmin(now, s[l].radius) - 1e-5, "from %g m to %g m", now, next);
      }
  }
}
