// Compiled for every width: the direction and the speed that an agent chooses by headway, against a
// reference in double precision, and what that means for two agents.
#include "headway.h"
#include "headway_options.h"
#include "side_preference.h"

#include "lane_width.h"
#include "oracle.h"
#include "scalar_perception.h"

TestSuite(headway, .init = skip_if_too_wide);
TestSuite(side, .init = skip_if_too_wide);

#define NOBODY 1e9 // m: no wall, no one ahead
#define CLOSE  1e-4

struct plain_walker { // one agent and what it perceives; facing of each neighbour
  struct plain_perception p;
  float facing[PLAIN_AGENTS][2];
  float walls[HEADWAY_DIRECTIONS];
  float length, time_gap, anticipation, sight, side, steps_aside;
};

static struct plain_walker usual(void)
{
  struct plain_walker w = {.length = 0.4f,
                           .time_gap = 1,
                           .anticipation = 1,
                           .sight = 5,
                           .side = SIDE_RIGHT,
                           .steps_aside = 1};
  w.p = (struct plain_perception){
      .radius = 0.2f, .max_speed = 1.7f, .horizon = 2, .preferred_x = 1.3f};
  for (int d = 0; d < HEADWAY_DIRECTIONS; d++)
    w.walls[d] = HEADWAY_FAR;
  return w;
}

static void add_agent(struct plain_walker *w, float x, float y, float vx, float vy)
{
  const int j = w->p.agent_count++;
  const float speed = hypotf(vx, vy);
  w->p.agents[j] = (struct plain_agent){x, y, vx, vy, 0.4f, 0.5f, 0, 0};
  w->facing[j][0] = speed > 0 ? vx / speed : 0;
  w->facing[j][1] = speed > 0 ? vy / speed : 0;
}

// LANES walkers side by side. v[LANES][2].
static void walk_lanes(const struct plain_walker *w, float (*v)[2])
{
  struct plain_perception p[LANES];
  struct perception s;
  vec2 facing[PLAIN_AGENTS];
  real walls[HEADWAY_DIRECTIONS];
  float x[LANES], y[LANES];
  for (int l = 0; l < LANES; l++)
    p[l] = w[l].p;
  perception_of_plain(&s, p);
  for (int j = 0; j < PLAIN_AGENTS; j++)
    facing[j] = vec2_of(PLAIN_COLUMN(w, facing[j][0]), PLAIN_COLUMN(w, facing[j][1]));
  for (int d = 0; d < HEADWAY_DIRECTIONS; d++)
    walls[d] = PLAIN_COLUMN(w, walls[d]);
  const vec2 preferred = s.preferred_velocity;
  const real speed = square_root(dot(preferred, preferred));
  const vec2 forward = {preferred.x / max_real(speed, splat(1e-9f)),
                        preferred.y / max_real(speed, splat(1e-9f))};
  const real gap = PLAIN_COLUMN(w, time_gap), wait = PLAIN_COLUMN(w, anticipation);
  const struct walker lanes = {.active = s.active & less(splat(0), speed),
                               .forward = forward,
                               .speed = speed,
                               .radius = s.radius,
                               .v_aside = det(forward, s.velocity),
                               .length = PLAIN_COLUMN(w, length),
                               .rate = splat(1) / (gap + wait),
                               .anticipation = wait,
                               .sight = PLAIN_COLUMN(w, sight),
                               .side = PLAIN_COLUMN(w, side),
                               .steps_aside = PLAIN_COLUMN(w, steps_aside)};
  const vec2 out = headway_velocity(&s, &lanes, headway_choose(&s, &lanes, facing, walls));
  lanes_store(x, out.x);
  lanes_store(y, out.y);
  for (int l = 0; l < LANES; l++)
    v[l][0] = x[l], v[l][1] = y[l];
}

static void walk_one(const struct plain_walker *w, float *v)
{
  struct plain_walker all[LANES];
  float out[LANES][2];
  for (int l = 0; l < LANES; l++)
    all[l] = *w;
  walk_lanes(all, out);
  v[0] = out[LANES - 1][0];
  v[1] = out[LANES - 1][1];
}

// ------------------------------------------------------------------------------- the reference

struct look {
  double speed, value;
};

// Can the neighbour, ahead in the middle strip, not be passed on the side of this angle?
static bool no_room(const struct plain_walker *w, const struct plain_agent *o, double angle)
{
  const double px = w->p.preferred_x, py = w->p.preferred_y, v0 = hypot(px, py);
  const double s = (o->px * px + o->py * py) / v0, a = (px * o->py - py * o->px) / v0;
  const int outer = angle > 0 ? HEADWAY_DIRECTIONS - 2 : HEADWAY_DIRECTIONS - 1;
  const double room = w->walls[outer] * sqrt(0.5) - w->p.radius;
  return angle != 0 && s > 0 && fabs(a) < w->length &&
         room < 0.5 * (w->length + (angle > 0 ? a : -a));
}

static bool may_lead(const struct plain_walker *w, int j)
{
  const struct plain_agent *o = &w->p.agents[j];
  const float *f = w->facing[j];
  const double v0 = hypot(w->p.preferred_x, w->p.preferred_y);
  return f[0] * w->p.preferred_x + f[1] * w->p.preferred_y > -0.7 * v0 &&
         f[0] * o->px + f[1] * o->py > 0;
}

static bool is_oncoming(const struct plain_walker *w, int j)
{
  const float *f = w->facing[j];
  const double px = w->p.preferred_x, py = w->p.preferred_y;
  return f[0] * px + f[1] * py < -0.7 * hypot(px, py);
}

// Do the paths from here along e and from p along f cross at 45 degrees or more, at a point to
// which f leads within 1 m and on a shorter way than e?
static bool goes_first(const double *e, const double *p, const double *f)
{
  const double sine = e[0] * f[1] - e[1] * f[0];
  const double way = (p[0] * f[1] - p[1] * f[0]) / sine, other = (p[0] * e[1] - p[1] * e[0]) / sine;
  return fabs(sine) > 0.7 && other > 0 && other < 1.0 && other < way;
}

// One direction, from the definitions in headway.h, with times to collision.
static struct look look_along(const struct plain_walker *w, double angle, double wall, bool middle)
{
  const double px = w->p.preferred_x, py = w->p.preferred_y, v0 = hypot(px, py);
  const double way = atan2(py, px) + angle, ex = cos(way), ey = sin(way);
  const double mx = cos(way - angle), my = sin(way - angle); // the middle direction
  double head = NOBODY, free_way = w->sight;
  for (int j = 0; j < w->p.agent_count; j++) {
    const struct plain_agent *o = &w->p.agents[j];
    const double s = o->px * ex + o->py * ey, a = ex * o->py - ey * o->px;
    if (hypot(o->px, o->py) > 2.5)
      continue;
    if (may_lead(w, j) && no_room(w, o, angle))
      head =
          fmin(head, o->px * mx + o->py * my + w->anticipation * fmax(o->vx * mx + o->vy * my, 0));
    if (s <= 0)
      continue;
    const double v_j = o->vx * ex + o->vy * ey, aside_j = ex * o->vy - ey * o->vx;
    const double e[2] = {ex, ey}, p[2] = {o->px, o->py}, f[2] = {w->facing[j][0], w->facing[j][1]};
    if (fabs(a) < w->length ? may_lead(w, j) : goes_first(e, p, f))
      head = fmin(head, s + w->anticipation * fmax(v_j, 0));
    if (fabs(a) < w->length && is_oncoming(w, j))
      head = fmin(head, s + w->steps_aside);
    if (v0 <= v_j || s > wall)
      continue;
    const double t = fmax(s - o->R, 0) / (v0 - v_j);
    if (fabs(a + t * aside_j) < w->length)
      free_way = fmin(free_way, v0 * t);
  }
  if (!middle)
    free_way = fmin(free_way, fmax(wall - w->p.radius, 0));
  struct look l;
  l.speed = fmax(fmin((head - w->length) / (w->time_gap + w->anticipation), v0), 0);
  l.value = l.speed * cos(angle) * (1 + free_way / w->sight);
  return l;
}

static double angle_of(int direction)
{
  static const double degrees[HEADWAY_DIRECTIONS] = {0, 15, -15, 30, -30, 45, -45};
  return degrees[direction] * 0.017453292519943295;
}

static struct plain_walker random_walker(uint64_t *r)
{
  struct plain_walker w = usual();
  w.p = plain_random(r, false);
  for (int j = 0; j < w.p.agent_count; j++) {
    const double angle = oracle_between(r, 0, 6.283185307179586);
    const bool stands = oracle_whole(r, 0, 5) == 0;
    struct plain_agent *o = &w.p.agents[j];
    o->px += (float)oracle_between(r, -0.01, 0.01); // ties are decided by a bit
    o->py += (float)oracle_between(r, -0.01, 0.01);
    o->vx += (float)oracle_between(r, -0.01, 0.01);
    o->vy += (float)oracle_between(r, -0.01, 0.01);
    w.facing[j][0] = stands ? 0 : (float)cos(angle);
    w.facing[j][1] = stands ? 0 : (float)sin(angle);
  }
  for (int d = 0; d < HEADWAY_DIRECTIONS; d++)
    w.walls[d] = oracle_whole(r, 0, 2) ? HEADWAY_FAR : (float)oracle_between(r, 0, 5);
  w.side = (float)oracle_whole(r, -1, 1);
  w.length = (float)oracle_between(r, 0.2, 0.6);
  w.anticipation = (float)oracle_between(r, 0, 1.5);
  return w;
}

// The choice is one of the seven, its speed is the reference's, and none is better: but for those
// few where a hair's breadth decides who is in the strip.
Test(headway, the_quickest_progress_is_chosen)
{
  uint64_t r = 1;
  int wrong = 0, turned = 0;
  for (int c = 0; c < 20000; c++) {
    const struct plain_walker w = random_walker(&r);
    const double v0 = hypot(w.p.preferred_x, w.p.preferred_y);
    if (v0 < 0.01)
      continue;
    float v[2];
    walk_one(&w, v);
    const double way = atan2(w.p.preferred_y, w.p.preferred_x);
    struct look best = {0, -1}, taken = {0, -1};
    for (int d = 0; d < HEADWAY_DIRECTIONS; d++) {
      const struct look l = look_along(&w, angle_of(d), w.walls[d], d == 0);
      best = l.value > best.value ? l : best;
      const double x = l.speed * cos(way + angle_of(d)), y = l.speed * sin(way + angle_of(d));
      if (hypot(x - v[0], y - v[1]) < CLOSE && l.value > taken.value) {
        taken = l;
        turned += d != 0;
      }
    }
    wrong += taken.value < best.value - CLOSE;
  }
  cr_assert_lt(wrong, 20, "%d of 20000", wrong);
  cr_assert_gt(turned, 4000, "%d of 20000", turned);
}

Test(headway, a_lane_does_not_depend_on_the_others)
{
  uint64_t r = 2;
  for (int c = 0; c < 20000; c += LANES) {
    struct plain_walker w[LANES];
    float v[LANES][2], one[2];
    for (int l = 0; l < LANES; l++)
      w[l] = random_walker(&r);
    walk_lanes(w, v);
    for (int l = 0; l < LANES; l++) {
      walk_one(&w[l], one);
      cr_assert(memcmp(one, v[l], sizeof one) == 0, "lane %d", l);
    }
  }
}

// ----------------------------------------------------------------------------------- single file

Test(headway, who_is_alone_walks_as_preferred)
{
  float v[2];
  const struct plain_walker w = usual();
  walk_one(&w, v);
  cr_assert(v[0] == 1.3f && v[1] == 0);
}

// In equilibrium, speed = (distance - length) / time gap. A wide queue leaves no way around.
Test(headway, speed_follows_the_distance)
{
  for (double distance = 0.5; distance < 1.6; distance += 0.1) {
    const float speed = (float)((distance - 0.4) / 1);
    float v[2];
    struct plain_walker w = usual();
    w.p.vx = speed;
    for (int y = -4; y <= 4; y++)
      add_agent(&w, (float)distance, 0.35f * (float)y, speed, 0);
    for (int d = 1; d < HEADWAY_DIRECTIONS; d++)
      w.walls[d] = 0.2f; // in a corridor
    walk_one(&w, v);
    cr_assert_float_eq(v[0], speed, 1e-5, "%g m: %g m/s", distance, (double)v[0]);
  }
}

// Behind one who walks at a steady speed, the follower's speed neither keeps swinging nor leads it
// into the other.
Test(headway, following_calms_down)
{
  double x = 0, leader = 1.2, last = 0;
  float v[2] = {1.3f, 0};
  for (int step = 0; step < 200; step++) {
    struct plain_walker w = usual();
    w.p.vx = v[0];
    for (int y = -4; y <= 4; y++)
      add_agent(&w, (float)(leader - x), 0.35f * (float)y, 0.6f, 0);
    for (int d = 1; d < HEADWAY_DIRECTIONS; d++)
      w.walls[d] = 0.2f;
    last = v[0];
    walk_one(&w, v);
    x += 0.1 * v[0];
    leader += 0.1 * 0.6;
    cr_assert_gt(leader - x, 0.4, "step %d", step);
  }
  cr_assert_float_eq(v[0], 0.6f, 1e-3);
  cr_assert_float_eq(v[0], last, 1e-3);
  cr_assert_float_eq(leader - x, 0.4 + 0.6, 1e-2);
}

// A file of 30 behind one whose speed flickers: nobody's speed changes more from step to step than
// that of the one in front.
Test(headway, disturbances_fade_along_a_file)
{
  enum { FILE_LENGTH = 30 };
  double x[FILE_LENGTH];
  float v[FILE_LENGTH][2], largest[FILE_LENGTH] = {0};
  for (int i = 0; i < FILE_LENGTH; i++)
    x[i] = -1.0 * i, v[i][0] = 0.6f, v[i][1] = 0;
  for (int step = 0; step < 100; step++) {
    float next[FILE_LENGTH][2] = {{step % 2 ? 0.9f : 0.3f, 0}};
    for (int i = 1; i < FILE_LENGTH; i++) {
      struct plain_walker w = usual();
      w.p.vx = v[i][0];
      add_agent(&w, (float)(x[i - 1] - x[i]), 0, v[i - 1][0], 0);
      for (int d = 1; d < HEADWAY_DIRECTIONS; d++)
        w.walls[d] = 0.2f;
      walk_one(&w, next[i]);
      cr_assert_float_eq(next[i][1], 0, 1e-6);
    }
    for (int i = 0; i < FILE_LENGTH; i++) {
      largest[i] = fmaxf(largest[i], fabsf(next[i][0] - v[i][0]));
      x[i] += 0.1 * next[i][0], v[i][0] = next[i][0];
    }
  }
  for (int i = 1; i < FILE_LENGTH; i++)
    cr_assert_leq(largest[i], largest[i - 1], "%d: %g after %g", i, (double)largest[i],
                  (double)largest[i - 1]);
  cr_assert_lt(largest[FILE_LENGTH - 1], 0.01f);
}

// Two agents converge, and each has the other in its strip. If both followed, both would stop.
Test(headway, nobody_waits_for_one_beside)
{
  struct plain_walker w = usual();
  w.p.preferred_x = 1.2f, w.p.preferred_y = 0.4f;
  add_agent(&w, 0.02f, 0.34f, 0, 0);
  w.facing[0][0] = 0.9487f, w.facing[0][1] = -0.3162f; // it has the agent ahead, too
  float v[2];
  walk_one(&w, v);
  cr_assert_gt(hypotf(v[0], v[1]), 1, "(%g %g)", (double)v[0], (double)v[1]);
  w.facing[0][0] = 1, w.facing[0][1] = 0; // it has not
  for (int d = 1; d < HEADWAY_DIRECTIONS; d++)
    w.walls[d] = 0.2f;
  walk_one(&w, v);
  cr_assert_eq(hypotf(v[0], v[1]), 0, "(%g %g)", (double)v[0], (double)v[1]);
}

// One walks across from the right, 0.8 m from the crossing point; the agent is farther from it or
// nearer.
Test(headway, the_nearer_one_goes_first)
{
  for (int mirrored = 0; mirrored < 2; mirrored++)
    for (float x = 0.55f; x < 1.2f; x += 0.1f) {
      const float sign = mirrored ? -1 : 1;
      struct plain_walker w = usual();
      for (int d = 1; d < HEADWAY_DIRECTIONS; d++)
        w.walls[d] = 0.2f;
      add_agent(&w, x, -0.8f * sign, 0, 0.5f * sign);
      float v[2];
      walk_one(&w, v);
      const float less = 1.3f - v[0]; // slower, or turned
      cr_assert(x > 0.8f ? less > 0.04f : less < 1e-5f, "%g m: %g", (double)x, (double)v[0]);
      w.facing[0][0] = w.facing[0][1] = 0; // it stands by choice
      walk_one(&w, v);
      cr_assert_float_eq(hypotf(v[0], v[1]), 1.3f, 1e-5);
    }
}

// Where the two sides are alike, the agent turns to where it moves already.
Test(headway, of_two_equal_sides_the_motion_decides)
{
  for (int side = -1; side <= 1; side++)
    for (int aside = -1; aside <= 1; aside++) {
      struct plain_walker w = usual();
      w.side = (float)side;
      w.p.vy = 0.1f * (float)aside;
      add_agent(&w, 1, 0, 0.2f, 0);
      float v[2];
      walk_one(&w, v);
      const int wanted = aside ? aside : -side; // side > 0: right
      cr_assert_eq((v[1] > 0) - (v[1] < 0), wanted, "side %d, motion %d: %g", side, aside,
                   (double)v[1]);
    }
}

// In between, an agent keeps the direction and the share of its speed that it chose.
Test(headway, a_choice_turns_with_the_route)
{
  struct perception s = {.preferred_velocity = {splat(0), splat(0)}};
  struct walker w = {.active = mask_from_bits(ALL_LANES_BITS), .speed = splat(1.3f)};
  for (int d = 0; d < HEADWAY_DIRECTIONS; d++)
    for (float speed = 0; speed <= 1.3f; speed += 0.1f) {
      w.forward = vec2_of(splat(1), splat(0));
      const ivec choice = headway_choice_of(&w, splat_ivec(d), splat(speed));
      int32_t choices[LANES];
      lanes_store_ivec(choices, choice);
      cr_assert_neq(choices[0], 0);
      w.forward = vec2_of(splat(0.6f), splat(0.8f));
      const vec2 v = headway_velocity(&s, &w, choice);
      float x[LANES], y[LANES];
      lanes_store(x, v.x);
      lanes_store(y, v.y);
      const double angle = atan2(0.8, 0.6) + angle_of(d);
      cr_assert_float_eq(x[0], (float)(speed * cos(angle)), 1e-6);
      cr_assert_float_eq(y[0], (float)(speed * sin(angle)), 1e-6);
    }
}

// A wall on the right: the leader is passed there if there is half the room, else not at all.
Test(headway, nobody_squeezes_between_leader_and_wall)
{
  struct plain_walker w = usual();
  add_agent(&w, 0.6f, 0, 0, 0);
  w.facing[0][0] = 1;
  for (int d = 1; d < HEADWAY_DIRECTIONS; d += 2)
    w.walls[d] = 0.2f; // on the left
  float v[2];
  for (int d = 2; d < HEADWAY_DIRECTIONS; d += 2)
    w.walls[d] = (0.2f + 0.21f) / sinf(0.261799388f * (float)(d / 2));
  walk_one(&w, v);
  cr_assert_lt(v[1], 0, "(%g %g)", (double)v[0], (double)v[1]);
  for (int d = 2; d < HEADWAY_DIRECTIONS; d += 2)
    w.walls[d] = (0.2f + 0.19f) / sinf(0.261799388f * (float)(d / 2));
  walk_one(&w, v);
  cr_assert(v[1] == 0 && v[0] < 0.11f, "(%g %g)", (double)v[0], (double)v[1]);
}

Test(headway, oncoming_and_standing_agents_slow_nobody_down)
{
  float v[2];
  struct plain_walker w = usual();
  add_agent(&w, 1, 0, -1.3f, 0);
  add_agent(&w, 1.2f, 0.1f, 0, 0);
  walk_one(&w, v);
  cr_assert_float_eq(hypotf(v[0], v[1]), 1.3f, 1e-5);
}

Test(headway, the_slow_are_passed_where_there_is_room)
{
  float v[2];
  struct plain_walker w = usual();
  add_agent(&w, 1, 0.2f, 0.3f, 0);
  walk_one(&w, v);
  cr_assert(v[1] < 0 && hypotf(v[0], v[1]) > 1, "(%g %g)", (double)v[0], (double)v[1]);
  w.p.agents[0].py = -0.2f;
  walk_one(&w, v);
  cr_assert(v[1] > 0 && hypotf(v[0], v[1]) > 1, "(%g %g)", (double)v[0], (double)v[1]);
  for (int d = 1; d < HEADWAY_DIRECTIONS; d += 2)
    w.walls[d] = 0.3f; // on the left
  walk_one(&w, v);
  cr_assert(v[1] <= 0, "(%g %g)", (double)v[0], (double)v[1]);
}

// -------------------------------------------------------------------------------- side preference

static struct side_view side_view_before(enum side_preference side)
{
  return (struct side_view){.active = mask_from_bits(ALL_LANES_BITS),
                            .forward = {splat(1), splat(0)},
                            .shift = splat(SIDE_SHIFT * (float)side),
                            .push = splat(0),
                            .meets = mask_from_bits(0)};
}

static vec2 side_of(float x, float y, float facing_x, float facing_y, enum side_preference side)
{
  struct side_view view = side_view_before(side);
  side_view_add(&view, vec2_of(splat(x), splat(y)), vec2_of(splat(facing_x), splat(facing_y)));
  return side_direction(view.forward, side_view_memory(&view));
}

static float turn_of(vec2 direction)
{
  float y[LANES];
  lanes_store(y, direction.y);
  return y[0];
}

Test(side, oncoming_agents_are_passed_on_the_preferred_side)
{
  cr_assert_lt(turn_of(side_of(2, 0, -1, 0, SIDE_RIGHT)), 0);
  cr_assert_lt(turn_of(side_of(2, -0.9f, -1, 0, SIDE_RIGHT)), 0); // still on his right
  cr_assert_gt(turn_of(side_of(2, -1.1f, -1, 0, SIDE_RIGHT)), 0);
  cr_assert_gt(turn_of(side_of(2, 0, -1, 0, SIDE_LEFT)), 0);
  cr_assert_eq(turn_of(side_of(2, 0, -1, 0, SIDE_NONE)), 0);
  cr_assert_lt(turn_of(side_of(2, 0.1f, -1, 0, SIDE_NONE)), 0);
}

Test(side, others_are_not)
{
  cr_assert_eq(turn_of(side_of(2, 0, 1, 0, SIDE_RIGHT)), 0);     // the same way
  cr_assert_eq(turn_of(side_of(2, 0, 0, 1, SIDE_RIGHT)), 0);     // across
  cr_assert_eq(turn_of(side_of(2, 0, 0, 0, SIDE_RIGHT)), 0);     // stands by choice
  cr_assert_eq(turn_of(side_of(-1, 0, -1, 0, SIDE_RIGHT)), 0);   // behind
  cr_assert_eq(turn_of(side_of(5.1f, 0, -1, 0, SIDE_RIGHT)), 0); // far ahead
  cr_assert_eq(turn_of(side_of(2, 2.6f, -1, 0, SIDE_RIGHT)), 0); // far aside
  cr_assert_lt(turn_of(side_of(4, 0, -1, 0, SIDE_RIGHT)), 0);
}

// Also at an angle: an agent that spreads then walks along the route itself.
Test(side, who_comes_towards_an_agent_is_noticed)
{
  const float places[][5] = {{2, 0, -1, 0, 1},        {2, 2.4f, -1, 0, 1}, {2, 0, -0.5f, 0.8f, 1},
                             {2, 0, -0.2f, 0.97f, 0}, {2, 0, 1, 0, 0},     {2, 0, 0, 0, 0},
                             {-1, 0, -1, 0, 0},       {5.1f, 0, -1, 0, 0}, {2, -2.6f, -1, 0, 0}};
  for (size_t k = 0; k < sizeof places / sizeof *places; k++) {
    struct side_view view = side_view_before(SIDE_RIGHT);
    side_view_add(&view, vec2_of(splat(places[k][0]), splat(places[k][1])),
                  vec2_of(splat(places[k][2]), splat(places[k][3])));
    cr_assert_eq(any(view.meets), places[k][4] == 1, "%zu", k);
  }
}

// The nearer, the more; at most 30 degrees.
Test(side, the_turn_grows_as_they_come_closer)
{
  float last = 0;
  for (float x = 4.9f; x > 0.1f; x -= 0.3f) {
    const float turn = turn_of(side_of(x, 0, -1, 0, SIDE_RIGHT));
    cr_assert(turn <= last && turn > -0.5001f, "%g m: %g", (double)x, (double)turn);
    last = turn;
  }
}
