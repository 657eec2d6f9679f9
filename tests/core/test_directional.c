// Compiled for every width: the choice among five directions.
#include "directional.h"

#include "lane_width.h"
#include "oracle.h"
#include "scalar_perception.h"

TestSuite(directional, .init = skip_if_too_wide);

static const struct directional_options usual = {0.1f, 10};

Test(directional, a_lane_has_the_bits_of_one_lane)
{
  uint64_t r = 1;
  for (int c = 0; c < 20000; c += LANES) {
    struct plain_perception p[LANES];
    struct plain_answer side[LANES];
    struct perception s;
    mask bad;
    for (int l = 0; l < LANES; l++)
      p[l] = plain_random(&r, oracle_whole(&r, 0, 1));
    perception_of_plain(&s, p);
    const vec2 v = directional_velocity(&s, &usual, &bad);
    answers_of(side, v, bad);
    for (int l = 0; l < LANES; l++) {
      const struct plain_answer one = scalar_directional(&p[l], &usual);
      cr_assert(plain_same(&one, &side[l]), "(%a %a) and (%a %a)", (double)one.x, (double)one.y,
                (double)side[l].x, (double)side[l].y);
    }
  }
}

// The fitness of a direction in double precision, by solving |p - w t| = R. `grow`: of the radii.
static double time_to_disc(const double w[2], double px, double py, double R)
{
  const double wp = w[0] * px + w[1] * py, w2 = w[0] * w[0] + w[1] * w[1];
  const double root2 = wp * wp - w2 * (px * px + py * py - R * R);
  return wp > 0 && root2 >= 0 ? (wp - sqrt(root2)) / w2 : INFINITY;
}

static double fitness(const struct plain_perception *p, double turn, double grow, double *time)
{
  const double length = hypot((double)p->preferred_x, (double)p->preferred_y);
  const double speed = fmin(length, (double)p->max_speed);
  const double angle = atan2((double)p->preferred_y, (double)p->preferred_x) + turn;
  *time = INFINITY;
  for (int j = 0; j < p->agent_count; j++) {
    const struct plain_agent *a = &p->agents[j];
    const double w[2] = {speed * cos(angle) - (double)a->vx, speed * sin(angle) - (double)a->vy};
    *time = fmin(*time, time_to_disc(w, a->px, a->py, (double)a->R * (1 + grow)));
  }
  return (double)usual.weight * fmin(*time, (double)usual.time_cap) + cos(turn) / 2 + 0.5;
}

Test(directional, the_fittest_direction_is_walked)
{
  static const double turns[5] = {0, 22.5, -22.5, 45, -45};
  const double degree = 0.017453292519943295;
  uint64_t r = 2;
  for (int c = 0; c < 3000; c++) {
    struct plain_perception p = plain_random(&r, false);
    p.wall_count = 0;
    p.max_acceleration = 0;
    const double length = hypot((double)p.preferred_x, (double)p.preferred_y);
    const double speed = fmin(length, (double)p.max_speed);
    if (length < 0.1)
      continue;
    const struct plain_answer got = scalar_directional(&p, &usual);
    double best = -1, chosen = -1, time, late = 0;
    const double angle =
        atan2((double)got.y, (double)got.x) - atan2((double)p.preferred_y, (double)p.preferred_x);
    for (int i = 0; i < 5; i++) {
      best = fmax(best, fitness(&p, turns[i] * degree, 1e-4, &time));
      if (fabs(remainder(angle - turns[i] * degree, 360 * degree)) < 1e-4)
        chosen = fitness(&p, turns[i] * degree, -1e-4, &late);
    }
    cr_assert(chosen >= best - 1e-3, "fitness %g, possible %g", chosen, best);
    const double walked = hypot((double)got.x, (double)got.y);
    cr_assert(walked <= speed * fmin(1, late / (double)PLAIN_STEP) + 1e-5);
    cr_assert(got.infeasible || fabs(walked - speed) < 1e-5);
  }
}

static struct plain_perception turned(const struct plain_perception *p) // left by 90 degrees
{
  struct plain_perception t = *p;
  t.vx = -p->vy, t.vy = p->vx;
  t.preferred_x = -p->preferred_y, t.preferred_y = p->preferred_x;
  for (int j = 0; j < p->agent_count; j++) {
    t.agents[j].px = -p->agents[j].py, t.agents[j].py = p->agents[j].px;
    t.agents[j].vx = -p->agents[j].vy, t.agents[j].vy = p->agents[j].vx;
  }
  for (int k = 0; k < p->wall_count; k++)
    t.walls[k] =
        (struct plain_wall){-p->walls[k].ay, p->walls[k].ax, -p->walls[k].by, p->walls[k].bx};
  return t;
}

static struct plain_perception mirrored(const struct plain_perception *p) // y against -y
{
  struct plain_perception m = *p;
  m.vy = -p->vy;
  m.preferred_y = -p->preferred_y;
  for (int j = 0; j < p->agent_count; j++)
    m.agents[j].py = -p->agents[j].py, m.agents[j].vy = -p->agents[j].vy;
  return m;
}

Test(directional, a_quarter_turn_turns_the_answer_exactly)
{
  uint64_t r = 3;
  for (int c = 0; c < 20000; c++) {
    const struct plain_perception p = plain_random(&r, c % 2), t = turned(&p);
    const struct plain_answer a = scalar_directional(&p, &usual),
                              b = scalar_directional(&t, &usual);
    cr_assert(b.x == -a.y && b.y == a.x && a.infeasible == b.infeasible,
              "(%a %a) turned is (%a %a)", (double)a.x, (double)a.y, (double)b.x, (double)b.y);
  }
}

// Agents ahead in all directions, and almost no weight on the goal: no two directions tie.
Test(directional, a_mirror_image_mirrors_the_answer_but_for_ties)
{
  const struct directional_options far = {0.1f, 1e29f};
  uint64_t r = 4;
  for (int c = 0; c < 5000; c++) {
    struct plain_perception p = plain_random(&r, false);
    p.max_acceleration = 0;
    p.wall_count = 0;
    p.agent_count = PLAIN_AGENTS;
    p.preferred_x = 1, p.preferred_y = 0;
    for (int j = 0; j < PLAIN_AGENTS; j++) { // a fan of people that leaves no gap
      const double angle = 0.2 * (j - 4.5), d = oracle_between(&r, 2, 5);
      p.agents[j] = (struct plain_agent){
          .px = (float)(d * cos(angle)), .py = (float)(d * sin(angle)), .R = 0.6f, .share = 0.5f};
    }
    const struct plain_perception m = mirrored(&p);
    const struct plain_answer a = scalar_directional(&p, &far), b = scalar_directional(&m, &far);
    cr_assert(b.x == a.x && b.y == -a.y, "(%a %a) mirrored is (%a %a)", (double)a.x, (double)a.y,
              (double)b.x, (double)b.y);
  }
}

Test(directional, among_equals_the_left_is_taken)
{
  struct plain_perception p = {.preferred_x = 1, .radius = 0.25f, .max_speed = 2, .agent_count = 1};
  p.agents[0] = (struct plain_agent){.px = 1.5f, .R = 0.5f, .share = 0.5f};
  const struct plain_answer got = scalar_directional(&p, &usual);
  cr_assert(got.x > 0 && got.y > 0);
  p.agent_count = 0;
  cr_assert_eq(scalar_directional(&p, &usual).x, 1);
  cr_assert_eq(scalar_directional(&p, &usual).y, 0);
}

static bool is_admissible(const struct plain_perception *p, const struct plain_answer *v)
{
  const double now = hypot((double)p->vx, (double)p->vy), speed = p->max_speed;
  const double reach = fmax((double)(p->max_acceleration * PLAIN_STEP), now - speed);
  return isfinite(v->x) && isfinite(v->y) && hypot((double)v->x, (double)v->y) < speed + 1e-5 &&
         (p->max_acceleration <= 0 ||
          hypot((double)(v->x - p->vx), (double)(v->y - p->vy)) < reach + 1e-5);
}

Test(directional, the_answer_is_finite_and_admissible)
{
  uint64_t r = 5;
  for (int c = 0; c < 10000; c++) {
    struct plain_perception p = plain_random(&r, true);
    if (c % 3 == 0)
      p.preferred_x = p.preferred_y = 0;
    for (int j = 0; c % 2 && j < p.agent_count; j++) {
      p.agents[j].R = oracle_whole(&r, 0, 1) ? 0 : p.agents[j].R;
      if (oracle_whole(&r, 0, 1))
        p.agents[j].px = p.agents[j].py = 0;
      if (oracle_whole(&r, 0, 1))
        p.agents[j].vx = p.preferred_x, p.agents[j].vy = p.preferred_y;
    }
    const struct plain_answer got = scalar_directional(&p, &usual);
    cr_assert(is_admissible(&p, &got), "case %d: (%g %g)", c, (double)got.x, (double)got.y);
  }
}

Test(directional, a_step_never_runs_into_a_wall)
{
  uint64_t r = 6;
  for (int c = 0; c < 5000; c++) {
    struct plain_perception p = plain_random(&r, false);
    p.max_acceleration = 0;
    p.wall_count = 1;
    p.walls[0] = plain_random_wall(&r, 0.21, 0.6);
    const struct plain_answer got = scalar_directional(&p, &usual);
    const double a[2] = {p.walls[0].ax, p.walls[0].ay}, b[2] = {p.walls[0].bx, p.walls[0].by};
    const double here[2] = {0, 0};
    const double valid[2] = {(double)(got.x * PLAIN_STEP), (double)(got.y * PLAIN_STEP)};
    cr_assert(oracle_segments_distance(a, b, here, valid) > (double)p.radius - 1e-4);
  }
}

#define STANDING 36

// Through rows of standing agents: none is touched, and the goal is reached.
Test(directional, a_standing_crowd_is_walked_through)
{
  for (uint64_t seed = 1; seed <= 20; seed++) {
    struct plain_body b[1 + STANDING] = {{.x = -8, .radius = 0.2f, .share = 1}};
    uint64_t r = seed;
    for (int i = 0; i < STANDING; i++)
      b[1 + i] =
          (struct plain_body){.x = (float)(1.7 * (i % 6 - 2.5) + oracle_between(&r, -0.3, 0.3)),
                              .y = (float)(1.7 * (i / 6 - 2.5) + oracle_between(&r, -0.3, 0.3)),
                              .radius = 0.2f};
    float least = INFINITY;
    for (int step = 0; step < 240; step++) {
      plain_prefer(&b[0], 8, 0, 1.3f);
      const struct plain_perception p = plain_perceive(b, 1 + STANDING, 0);
      const struct plain_answer v = scalar_directional(&p, &usual);
      b[0].vx = v.x, b[0].vy = v.y;
      b[0].x += PLAIN_STEP * v.x, b[0].y += PLAIN_STEP * v.y;
      for (int i = 1; i <= STANDING; i++)
        least = fminf(least, hypotf(b[0].x - b[i].x, b[0].y - b[i].y) - 0.4f);
    }
    cr_assert(hypotf(b[0].x - 8, b[0].y) < 0.3f, "seed %d stands at (%g %g)", (int)seed,
              (double)b[0].x, (double)b[0].y);
    cr_assert(least > -1e-4f, "%g m into another agent", -(double)least);
  }
}

Test(directional, two_who_overlap_and_wish_apart_part)
{
  struct plain_perception p = {
      .preferred_x = -1, .radius = 0.25f, .max_speed = 2, .agent_count = 1};
  p.agents[0] = (struct plain_agent){.px = 0.3f, .R = 0.5f, .share = 0.5f};
  cr_assert_eq(scalar_directional(&p, &usual).x, -1);
  p.preferred_x = 1; // and who pushes on stands
  cr_assert(hypotf(scalar_directional(&p, &usual).x, scalar_directional(&p, &usual).y) < 1e-6f);
}
