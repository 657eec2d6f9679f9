// Agents that spread along a roadmap: the room beside corners, and how agents use it.
#include "arrive_in_box.h"
#include "navigation.h"
#include "oracle.h"
#include "roadmap_kernel.h"
#include "spreading_side_kernel.h"
#include <criterion/criterion.h>
#include <math.h>

#define METRE     65536
#define M(m)      ((int32_t)((m)*METRE))
#define CLEARANCE (METRE / 5)
#define LINES     48
#define SPEED     1.3f
#define STEP_S    0.1f

struct lines {
  int64_t start[LINES + 1];
  struct point points[6 * LINES];
  uint8_t closed[LINES];
  struct outlines of;
};

struct scene {
  struct lines walls, grown;
  struct world world;
  float spread;
  float queue; // the profile's
  struct agents agents;
};

static int32_t upwards = 1; // -1: scenes are mirrored

static void lines_add(struct lines *l, int count, const struct point *at)
{
  l->of = (struct outlines){l->of.count, l->start, l->points, l->closed};
  for (int i = 0; i < count; i++) { // mirroring turns an outline's sense round
    const struct point p = at[upwards > 0 ? i : count - 1 - i];
    l->points[l->start[l->of.count] + i] = (struct point){p.x, upwards * p.y};
  }
  l->closed[l->of.count] = 1;
  l->start[l->of.count + 1] = l->start[l->of.count] + count;
  l->of.count++;
}

// -1, 0 or 1
static int32_t sign_of(int32_t x)
{
  return (x > 0) - (x < 0);
}

// A polygon whose sides are parallel to the axes, and the same grown by the clearance.
static void add_polygon(struct scene *s, int count, const double (*at)[2])
{
  struct point p[6], grown[6];
  for (int i = 0; i < count; i++)
    p[i] = (struct point){M(at[i][0]), M(at[i][1])};
  for (int i = 0; i < count; i++) {
    const struct point a = p[(i + count - 1) % count], b = p[i], c = p[(i + 1) % count];
    const int32_t x = sign_of(b.y - a.y) + sign_of(c.y - b.y);
    const int32_t y = sign_of(b.x - a.x) + sign_of(c.x - b.x);
    grown[i] = (struct point){b.x + x * CLEARANCE, b.y - y * CLEARANCE};
  }
  lines_add(&s->walls, count, p);
  lines_add(&s->grown, count, grown);
}

static void add_box(struct scene *s, double x0, double y0, double x1, double y1)
{
  add_polygon(s, 4, (const double[][2]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
}

// The destination: a box.
static void build(struct scene *s, double x0, double y0, double x1, double y1)
{
  struct world *w = &s->world;
  struct lines area = {0};
  w->frame.exponent = 16;
  w->facings = true;
  w->bounds = (struct box){{M(-120), M(-120)}, {M(120), M(120)}};
  obstacles_create(&w->obstacles, &s->walls.of, false);
  roadmap_create(&w->roadmap, &w->obstacles, &s->grown.of, false, w->bounds, CLEARANCE);
  lines_add(&area, 4,
            (const struct point[]){{M(x0), M(y0)}, {M(x1), M(y0)}, {M(x1), M(y1)}, {M(x0), M(y1)}});
  cr_assert(roadmap_add_destination(&w->roadmap, &area.of, w->bounds));
  roadmap_build_edges(&w->roadmap);
  roadmap_build_trees(&w->roadmap);
  world_measure_passages(w);
  w->navigation = NAVIGATION_roadmap;
  arrive_in_box(w, (struct box){{M(x0), M(y0)}, {M(x1), M(y1)}});
  agents_create(&s->agents, 0);
  s->spread = 1;
}

// Blocks of all sizes, and Ls, with streets, alleys and squares between them.
static void make_town(struct scene *s)
{
  *s = (struct scene){0};
  uint64_t r = 3;
  for (int k = 0; k < 36; k++) {
    const double x = 20 * (k % 6) - 50, y = 20 * (k / 6) - 50;
    const double west = x - oracle_between(&r, 3, 9.5), east = x + oracle_between(&r, 3, 9.5);
    const double south = y - oracle_between(&r, 3, 9.5), north = y + oracle_between(&r, 3, 9.5);
    if (k % 5 == 3)
      add_polygon(s, 6,
                  (const double[][2]){
                      {west, south}, {east, south}, {east, y}, {x, y}, {x, north}, {west, north}});
    else if (k != 14)
      add_box(s, west, south, east, north);
  }
  build(s, 70, 20, 76, 30);
}

// 100 m of street to the east, then 100 m to the north, 10 m wide.
static void make_street(struct scene *s)
{
  *s = (struct scene){0};
  add_box(s, -110, -90, 90, 110);
  add_polygon(s, 6,
              (const double[][2]){
                  {-110, -105}, {105, -105}, {105, 110}, {100, 110}, {100, -100}, {-110, -100}});
  build(s, 90, 95, 100, 100);
}

static void scene_destroy(struct scene *s)
{
  agents_destroy(&s->agents);
  world_destroy(&s->world);
}

static int64_t add_agent(struct scene *s, int32_t x, int32_t y)
{
  struct agents *a = &s->agents;
  const int64_t i = agents_append(a);
  a->id[i] = i;
  a->x[i] = x;
  a->y[i] = y;
  agent_set_destination(a, i, 0);
  a->yield[i] = 1;
  a->radius[i] = 0.2f;
  a->speed[i] = a->vx[i] = SPEED;
  return i;
}

static void add_crowd(struct scene *s, int count)
{
  uint64_t r = 5;
  for (int k = 0; k < count;) {
    const struct point p = {oracle_whole(&r, M(-70), M(70)),
                            upwards * oracle_whole(&r, M(-70), M(70))};
    if (obstacles_solid(&s->world.roadmap.inflated.walls, p))
      continue;
    add_agent(s, p.x, p.y);
    k++;
  }
}

static void set_preferred(struct scene *s, int64_t step)
{
  const struct navigation_input in = {.dt = STEP_S,
                                      .seed = 3,
                                      .step = step,
                                      .spread = s->spread != 0 ? &s->spread : NULL,
                                      .queue = &s->queue,
                                      .look_period = 1,
                                      .all_look = true};
  navigation_preferred_velocities(&s->world, &in, &s->agents);
}

// Walks the crowd as it prefers.
static void walk(struct scene *s, int64_t step)
{
  struct agents *a = &s->agents;
  set_preferred(s, step);
  for (int64_t i = 0; i < a->count; i++) {
    const struct point at = {a->x[i], a->y[i]};
    a->vx[i] = a->prefer_x[i];
    a->vy[i] = a->prefer_y[i];
    const struct point to = position_after(at, a->vx[i], a->vy[i], STEP_S * METRE);
    cr_assert(!obstacles_crossed(&s->world.obstacles, at, to), "agent %lld walks into a wall",
              (long long)a->id[i]);
    a->x[i] = to.x;
    a->y[i] = to.y;
  }
}

static bool beside_waypoint(const struct agents *a, int64_t i)
{
  return roadmap_aim_parts(agent_aim(a, i)) > 0;
}

// ------------------------------------------------------------------------------------- room

Test(passage, an_aim_holds_a_waypoint_and_a_share)
{
  const int32_t waypoints[] = {0, 1, 12345, (1 << 28) - 1, ROADMAP_EDGE, ROADMAP_EDGE - 77};
  for (int k = 0; k < 6; k++)
    for (int32_t parts = 0; parts <= ROADMAP_PARTS; parts++) {
      const int32_t aim = roadmap_aim(waypoints[k], parts);
      cr_assert_eq(roadmap_aim_waypoint(aim), waypoints[k]);
      cr_assert_eq(roadmap_aim_parts(aim), parts);
      cr_assert((aim < 0) == (waypoints[k] < 0));
    }
  cr_assert(roadmap_aim_waypoint(ROADMAP_NONE) == ROADMAP_NONE &&
            roadmap_aim_waypoint(ROADMAP_INSIDE) == ROADMAP_INSIDE);
  cr_assert(roadmap_aim_parts(ROADMAP_NONE) == 0 && roadmap_aim_parts(ROADMAP_INSIDE) == 0);
}

// How far a ray from the corner goes until it meets a grown wall, quanta.
static double ray_length(const struct roadmap *r, struct point at, double x, double y)
{
  double least = HUGE_VAL;
  for (int64_t k = 0; k < r->inflated.walls.count; k++) {
    const struct wall *w = &r->inflated.walls.walls[k];
    if (same_point(w->a, at) || same_point(w->b, at))
      continue;
    const double ax = (double)w->a.x - at.x, ay = (double)w->a.y - at.y;
    const double ex = (double)w->b.x - w->a.x, ey = (double)w->b.y - w->a.y;
    const double across = x * ey - y * ex, t = (ax * y - ay * x) / across;
    const double far = (ax * ey - ay * ex) / across;
    if (across != 0 && t >= 0 && t <= 1 && far > 0 && far < least)
      least = far;
  }
  return least;
}

// The least of many rays between the normals of the ways, and along the middle.
static double width_by_rays(const struct roadmap *r, struct point at, double middle, double half)
{
  const int rays = 4000;
  const double spare = atan(0.25), mitre = 1 / cos(half);
  double least = ray_length(r, at, cos(middle), sin(middle)) / mitre;
  for (int k = 0; k <= rays; k++) {
    const double angle = middle + (half + spare) * (2.0 * k / rays - 1);
    least = fmin(least, ray_length(r, at, cos(angle), sin(angle)));
  }
  return least;
}

Test(passage, the_room_at_corners_is_that_of_all_rays)
{
  struct scene s;
  make_town(&s);
  const struct roadmap *r = &s.world.roadmap;
  const double margin = r->passage_margin, most = r->passage_most;
  int checked = 0, wide = 0, narrow = 0;
  for (int32_t u = 0; u < r->node_count; u++) {
    struct point next;
    const struct passage *g = &r->trees[0].passages[u];
    const int bend = roadmap_bend(r, 0, u, &next);
    if (bend == 0)
      continue;
    const struct wall *w = &r->inflated.walls.walls[r->corners[u]];
    const struct point end = r->inflated.walls.walls[r->inflated.after[r->corners[u]]].b;
    const struct point from = bend > 0 ? w->a : end, at = r->nodes[u];
    const double to_way = atan2((double)at.y - from.y, (double)at.x - from.x);
    const double from_way = atan2((double)next.y - at.y, (double)next.x - at.x);
    const double turn = remainder(from_way - to_way, 2 * 3.14159265358979);
    const double half = 0.5 * fabs(turn), mitre = 1 / cos(half);
    const double middle = to_way + 0.5 * turn - bend * 0.5 * 3.14159265358979;
    cr_assert(fabs(turn) < 1.58 && bend * turn > -1e-4);
    const double gap = width_by_rays(r, at, middle, half), room = gap - 2 * margin;
    const double width = fmin(room, fmax(0.5 * most, 2 * most - room)) + 2 * margin;
    if (width > 2 * margin + 100) {
      const double x = g->x * 2 / mitre, y = g->y * 2 / mitre;
      cr_assert_float_eq(hypot(x, y), width, 0.01 * width, "node %d: %g m, by rays %g m", (int)u,
                         hypot(x, y) / METRE, width / METRE);
      cr_assert(fabs(x * sin(middle) - y * cos(middle)) < 1e-4 * width, "outwards");
      cr_assert_float_eq((double)g->side, bend * (1 - 2 * margin / width), 0.02);
    } else if (width < 2 * margin - 100) {
      cr_assert(g->x == 0 && g->y == 0 && g->side == 0);
    }
    checked++;
    wide += room > most;
    narrow += width < 4 * METRE;
  }
  cr_assert(checked > 80 && wide > 3 && narrow > 5, "%d, %d, %d", checked, wide, narrow);
  scene_destroy(&s);
}

// A wall with a door of 0.8 m: the gap at its corners is what the clearance leaves of the door.
Test(passage, a_door_has_the_room_between_its_jambs)
{
  struct scene s = {0};
  add_box(&s, 0, -100, 0.3, -0.4);
  add_box(&s, 0, 0.4, 0.3, 100);
  build(&s, 30, -2, 32, 2);
  const struct roadmap *r = &s.world.roadmap;
  const double room = 0.8 * METRE - 2.0 * r->clearance;
  int checked = 0;
  for (int64_t u = 0; u < r->node_count; u++) {
    const struct passage *g = &r->trees[0].passages[u];
    if (labs((long)r->nodes[u].y) > METRE / 2 || (g->x == 0 && g->y == 0))
      continue;
    cr_assert_leq(2 * fabs((double)g->y), 1.02 * room, "%g of %g", 2 * fabs((double)g->y), room);
    checked++;
  }
  cr_assert_gt(checked, 0);
  scene_destroy(&s);
}

// --------------------------------------------------------------------------------- the walk

// Without avoidance: what leads around walls is the preferred velocity alone. Who turned back or
// went round in circles would walk farther.
Test(passage, nobody_is_led_into_a_wall_or_turns_back_and_everybody_arrives)
{
  struct scene s;
  make_town(&s);
  add_crowd(&s, 800);
  int64_t beside = 0, arrived = 0, steps = 0;
  double *due = memory_create(800, sizeof *due);
  uint8_t *gone = memory_create(800, 1);
  for (int64_t i = 0; i < 800; i++)
    due[i] = (double)roadmap_path_length(&s.world.roadmap, 0,
                                         (struct point){s.agents.x[i], s.agents.y[i]}) /
             METRE;
  for (int step = 0; step < 3000 && s.agents.count > 0; step++) {
    walk(&s, step);
    steps += s.agents.count;
    for (int64_t i = 0; i < s.agents.count; i++) {
      const double walked = (double)(SPEED * STEP_S) * step, shortest = due[s.agents.id[i]];
      beside += beside_waypoint(&s.agents, i);
      cr_assert(walked < 1.1 * shortest + 3, "agent %lld: %g m of %g m at %g, %g",
                (long long)s.agents.id[i], walked, shortest, (double)s.agents.x[i] / METRE,
                (double)s.agents.y[i] / METRE);
    }
    arrived += navigation_arrived(&s.world, 0.2f, &s.agents, 0, s.agents.count, NULL, gone);
    agents_remove(&s.agents, gone);
  }
  cr_assert_eq(arrived, 800);
  cr_assert_gt(beside, steps / 2);
  memory_destroy(due);
  memory_destroy(gone);
  scene_destroy(&s);
}

// Standard deviation of the lateral position on the second part of the street, of its width.
static double street_deviation(float spread)
{
  struct scene s;
  make_street(&s);
  s.spread = spread;
  for (int k = 0; k < 400; k++)
    add_agent(&s, M(-20), M(-95) + k * 10);
  double sum = 0, squares = 0;
  uint8_t crossed[400] = {0};
  for (int step = 0; step < 2500; step++) {
    walk(&s, step);
    for (int64_t i = 0; i < s.agents.count; i++)
      if (!crossed[i] && s.agents.y[i] > M(-50)) {
        const double x = (double)s.agents.x[i] / METRE - 95;
        crossed[i] = 1;
        sum += x;
        squares += x * x;
      }
  }
  for (int64_t i = 0; i < s.agents.count; i++)
    cr_assert(crossed[i]);
  uint8_t gone[400];
  cr_assert_eq(navigation_arrived(&s.world, 0.2f, &s.agents, 0, s.agents.count, NULL, gone), 400);
  scene_destroy(&s);
  return sqrt(squares / 400 - sum * sum / 160000) / 10;
}

Test(passage, people_use_the_width_of_a_street_behind_a_corner)
{
  const double with = street_deviation(1), without = street_deviation(0);
  cr_assert(with > 0.19 && with < 0.26, "%g", with);
  cr_assert(without < 0.02, "%g", without);
}

static struct roadmap_agent agent_at(const struct scene *s, int64_t i, float side)
{
  return (struct roadmap_agent){.r = &s->world.roadmap,
                                .p = {s->agents.x[i], s->agents.y[i]},
                                .reach = CLEARANCE,
                                .phase = 1,
                                .spreads = true,
                                .side = side,
                                .share = 1};
}

Test(passage, a_mirrored_town_mirrors_the_points)
{
  struct scene s, mirrored;
  make_town(&s);
  add_crowd(&s, 1000);
  upwards = -1;
  make_town(&mirrored);
  add_crowd(&mirrored, 1000);
  int beside = 0;
  for (int64_t i = 0; i < 1000; i++) {
    const float side = 0.8f * (float)(i % 20 - 10) / 10;
    const struct roadmap_agent a = agent_at(&s, i, side), b = agent_at(&mirrored, i, -side);
    const int32_t aim = roadmap_next_aim(&a, ROADMAP_NONE);
    const int32_t other = roadmap_next_aim(&b, ROADMAP_NONE);
    const struct point p = roadmap_steer_point(&a, aim), q = roadmap_steer_point(&b, other);
    cr_assert(a.p.x == b.p.x && a.p.y == -b.p.y);
    cr_assert(abs(p.x - q.x) <= 8 && abs(p.y + q.y) <= 8, "agent %lld: %d %d, mirrored %d %d",
              (long long)i, p.x, p.y, q.x, q.y);
    cr_assert_eq(roadmap_aim_parts(aim), roadmap_aim_parts(other));
    beside += roadmap_aim_parts(aim) > 0;
  }
  cr_assert_gt(beside, 400);
  scene_destroy(&s);
  scene_destroy(&mirrored);
}

// --------------------------------------------------------------------------- who spreads how

Test(passage, nobody_leaves_the_way_without_spread_in_a_queue_or_if_passive)
{
  struct scene s, plain;
  make_town(&s);
  make_town(&plain);
  add_crowd(&s, 500);
  add_crowd(&plain, 500);
  plain.spread = 0;
  int same = 0;
  for (int64_t i = 0; i < 500; i++)
    s.agents.vx[i] = 0.5f * SPEED;
  for (int step = 0; step < 16; step++) {
    set_preferred(&s, step);
    set_preferred(&plain, step);
    for (int64_t i = 0; i < 500; i++)
      cr_assert(!beside_waypoint(&s.agents, i) && !beside_waypoint(&plain.agents, i));
    for (int64_t i = 0; i < 500 && step == 0; i++)
      if (roadmap_aim_waypoint(agent_aim(&s.agents, i)) == agent_aim(&plain.agents, i)) {
        cr_assert(s.agents.prefer_x[i] == plain.agents.prefer_x[i] &&
                  s.agents.prefer_y[i] == plain.agents.prefer_y[i]);
        same++;
      }
  }
  cr_assert_geq(same, 400); // in its gap an agent may look beyond the waypoint
  for (int64_t i = 0; i < 500; i++) {
    s.agents.vx[i] = SPEED;
    s.agents.yield[i] = 0; // passive
  }
  for (int step = 16; step < 32; step++) {
    set_preferred(&s, step);
    for (int64_t i = 0; i < 500; i++)
      cr_assert(!beside_waypoint(&s.agents, i));
  }
  scene_destroy(&s);
  scene_destroy(&plain);
}

Test(passage, groups_keep_to_one_side)
{
  struct scene s;
  make_street(&s);
  const int64_t first = add_agent(&s, M(-25), M(-95));
  for (int k = 0; k < 20; k++)
    agent_set_group(&s.agents, add_agent(&s, M(-25), M(-95)), first);
  for (int step = 0; step < 8; step++)
    set_preferred(&s, step);
  set_preferred(&s, 8);
  for (int64_t i = 1; i < s.agents.count; i++)
    cr_assert(s.agents.prefer_y[i] == s.agents.prefer_y[first] && beside_waypoint(&s.agents, i));
  agent_set_group(&s.agents, first + 1, -1);
  set_preferred(&s, 9);
  cr_assert(s.agents.prefer_y[first + 1] != s.agents.prefer_y[first]);
  scene_destroy(&s);
}
