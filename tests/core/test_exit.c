// Agents on open ground enter an exit at places of their own, in sight and off walls.
#include "spreading_scene.h"

#include "obstacles_crossing_kernel.h"
#include "spreading_exit_kernel.h"

#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>

#define PEOPLE 1000

// The exit: a rectangle, m.
#define LEFT   (-8.0)
#define RIGHT  8.0
#define TOP    (-15.0)
#define BOTTOM (-17.0)

static void make_ground(struct scene *s)
{
  *s = (struct scene){0};
  solve(s, LEFT, BOTTOM, RIGHT, TOP);
}

// Adds people who stand still in this rectangle: they have no heading.
static void add_people(struct scene *s, double x0, double y0, double x1, double y1)
{
  uint64_t r = 7;
  for (int k = 0; k < PEOPLE; k++) {
    const int32_t x = oracle_whole(&r, M(x0), M(x1)), y = oracle_whole(&r, M(y0), M(y1));
    const int64_t i = add_agent(s, x, upwards * y);
    s->agents.vx[i] = 0;
  }
}

static double side_of(const struct scene *s, int64_t i)
{
  const struct navigation_input in = {.seed = 3}; // as set_preferred
  return (double)spreading_side(&in, &s->agents, i);
}

// From above and from the right, the visible edge leads from the left end of the upper side to the
// lower end of the right side.
static void place_in_edge(double share, double *x, double *y)
{
  const double along = share * (RIGHT - LEFT + TOP - BOTTOM);
  *x = fmin(LEFT + along, RIGHT);
  *y = TOP - fmax(along - (RIGHT - LEFT), 0);
}

// degrees: between the way that agent i prefers and a place.
static double angle_to(const struct agents *a, int64_t i, double x, double y)
{
  const double dx = x - (double)a->x[i] / METRE, dy = y - (double)a->y[i] / METRE;
  const double px = (double)a->prefer_x[i], py = (double)a->prefer_y[i];
  return fabs(atan2(px * dy - py * dx, px * dx + py * dy)) * 180 / M_PI;
}

Test(exit, seen_from_the_side_is_entered_along_its_whole_edge)
{
  struct scene s;
  make_ground(&s);
  add_people(&s, 12, -11, 20, -4);
  set_preferred(&s);
  for (int64_t i = 0; i < PEOPLE; i++) {
    double x, y;
    place_in_edge(0.5 + 0.5 * side_of(&s, i), &x, &y);
    cr_assert_lt(angle_to(&s.agents, i, x, y), 0.1, "at %g, %g m: %g degrees",
                 s.agents.x[i] / (double)METRE, s.agents.y[i] / (double)METRE,
                 angle_to(&s.agents, i, x, y));
  }
  scene_destroy(&s);
}

// A heading that leads to the edge is kept, if it leads nearly as far from the corner as the own
// place, or farther.
Test(exit, is_entered_where_a_heading_leads)
{
  struct scene s;
  make_ground(&s);
  add_people(&s, 12, -11, 20, -4);
  int kept = 0;
  for (int64_t i = 0; i < PEOPLE; i++) { // to the middle of the upper side
    const double x = -(double)s.agents.x[i] / METRE, y = TOP - (double)s.agents.y[i] / METRE;
    s.agents.vx[i] = (float)(x / hypot(x, y));
    s.agents.vy[i] = (float)(y / hypot(x, y));
  }
  set_preferred(&s);
  for (int64_t i = 0; i < PEOPLE; i++) {
    const double u = side_of(&s, i);
    const bool keeps = angle_to(&s.agents, i, 0, TOP) < 0.1;
    cr_assert(!keeps || u > -0.3, "side %g", u); // to the right of the middle
    cr_assert(keeps || u < 0 || u > 0.77, "side %g", u);
    kept += keeps;
  }
  cr_assert_gt(kept, PEOPLE / 4);
  scene_destroy(&s);
}

// People in front of the exit walk on in the direction that they have.
Test(exit, seen_from_the_front_is_entered_straight_ahead)
{
  struct scene s;
  make_ground(&s);
  add_people(&s, -3, -3, 3, 0);
  set_preferred(&s);
  for (int64_t i = 0; i < PEOPLE; i++) { // 17 degrees to the left
    cr_assert_lt(angle_to(&s.agents, i, s.agents.x[i] / (double)METRE, TOP), 2);
    s.agents.turn[i] = (7800 << 17) + 2400;
  }
  set_preferred(&s);
  for (int64_t i = 0; i < PEOPLE; i++) {
    const double ahead = (double)s.agents.prefer_y[i] / (double)SPEED;
    cr_assert_float_eq(ahead, -0.956, 0.01, "%g", ahead);
    cr_assert_gt(s.agents.prefer_x[i], 0);
  }
  scene_destroy(&s);
}

static bool leads_into_wall(const struct scene *s, int64_t i, double metres)
{
  const struct agents *a = &s->agents;
  const struct point p = {a->x[i], a->y[i]};
  const double scale = metres * METRE / (double)SPEED;
  const struct point to = {p.x + (int32_t)(scale * (double)a->prefer_x[i]),
                           p.y + (int32_t)(scale * (double)a->prefer_y[i])};
  return obstacles_crossing(p, to, &s->world.obstacles);
}

// A wall hides most of the edge: nobody heads for a hidden place, even people who walk towards it.
static void expect_no_way_into_wall(bool walking)
{
  struct scene s = {0};
  add_box(&s, -4, -13, 4, -9);
  solve(&s, LEFT, BOTTOM, RIGHT, TOP);
  add_people(&s, 12, -10, 20, -2);
  for (int64_t i = 0; walking && i < PEOPLE; i++) { // into the wall
    s.agents.vx[i] = -(float)s.agents.x[i] / METRE / 20 * SPEED;
    s.agents.vy[i] = (-11 - (float)s.agents.y[i] / METRE) / 20 * SPEED;
  }
  set_preferred(&s);
  int own = 0;
  for (int64_t i = 0; i < PEOPLE; i++) {
    const double dx = (double)s.agents.x[i] / METRE - RIGHT;
    const double dy = (double)s.agents.y[i] / METRE - TOP;
    own += (s.agents.turn[i] & SPREADING_OWN_PLACE) != 0;
    cr_assert(!leads_into_wall(&s, i, hypot(dx, dy)), "agent %lld", (long long)i);
  }
  cr_assert_gt(own, PEOPLE / 2);
  scene_destroy(&s);
}

Test(exit, behind_a_wall_is_entered_where_it_is_seen)
{
  expect_no_way_into_wall(false);
  expect_no_way_into_wall(true);
}

// Routes avoid a zone before most of the edge: nobody heads through it, but over its corner.
Test(exit, behind_a_closed_zone_is_entered_beside_it)
{
  struct scene s;
  make_ground(&s);
  struct nav_grid *g = &s.world.nav_grid;
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(g), 1);
  for (int64_t cell = 0; cell < nav_grid_cell_count(g); cell++) {
    const struct point c = nav_grid_centre(g, cell);
    marks[cell] = c.x > M(-8) && c.x < M(5) && c.y > M(TOP) && c.y < M(-9);
  }
  zone_close_nav_grid(g, marks);
  memory_destroy(marks);
  solve_field(&s, LEFT, BOTTOM, RIGHT, TOP);
  add_people(&s, 12, -11, 20, -4);
  set_preferred(&s);
  int own = 0, through = 0;
  for (int64_t i = 0; i < PEOPLE; i++) {
    const double x = (double)s.agents.x[i] / METRE, y = (double)s.agents.y[i] / METRE;
    const double dx = (double)s.agents.prefer_x[i], dy = (double)s.agents.prefer_y[i];
    own += (s.agents.turn[i] & SPREADING_OWN_PLACE) != 0;
    through += dy < 0 && x + dx / dy * (TOP + 1 - y) < 3; // 2 m deep
  }
  cr_assert_gt(own, PEOPLE / 2);
  cr_assert_eq(through, 0);
  scene_destroy(&s);
}

// An acute corner points at the people: they use both sides of it, from either side alike.
Test(exit, with_an_acute_corner_is_entered_along_its_sides)
{
  for (int mirror = -1; mirror <= 1; mirror += 2) {
    struct scene s;
    make_ground(&s);
    const struct point a = {mirror * M(-10), M(-17)}, b = {mirror * M(10), M(-15)},
                       c = {mirror * M(-10), M(-14.5)};
    struct point outline[] = {a, mirror > 0 ? b : c, mirror > 0 ? c : b};
    int64_t start[] = {0, 3};
    uint8_t closed[] = {true};
    const struct outlines areas = {1, start, outline, closed};
    world_set_arrival_areas(&s.world, &areas, 1);
    add_people(&s, mirror > 0 ? 13 : -20, -11, mirror > 0 ? 20 : -13, -4);
    set_preferred(&s);
    int aside = 0;
    for (int64_t i = 0; i < PEOPLE; i++)
      aside += angle_to(&s.agents, i, mirror * 10, -15) > 5;
    cr_assert_gt(aside, PEOPLE / 3, "%d", aside);
    scene_destroy(&s);
  }
}

// In a room, the door comes first: nobody heads for a place of the exit that the wall hides.
Test(exit, behind_a_door_is_not_aimed_at)
{
  struct scene s = {0};
  add_box(&s, 0, -20, 1, -2);
  add_box(&s, 0, 2, 1, 20);
  solve(&s, 8, -15, 10, 15);
  add_people(&s, -12, -12, -1, 12);
  set_preferred(&s);
  int own = 0;
  for (int64_t i = 0; i < PEOPLE; i++) {
    own += (s.agents.turn[i] & SPREADING_OWN_PLACE) != 0;
    cr_assert(!leads_into_wall(&s, i, -(double)s.agents.x[i] / METRE), "at %g, %g m",
              s.agents.x[i] / (double)METRE, s.agents.y[i] / (double)METRE);
  }
  cr_assert_gt(own, PEOPLE / 10, "%d", own); // who sees it through the door
  scene_destroy(&s);
}

// Their places lie at the same shares of the edge, from its other end.
Test(exit, on_mirrored_ground_is_mirrored)
{
  struct scene s;
  upwards = -1;
  make_ground(&s);
  add_people(&s, 12, -11, 20, -4);
  set_preferred(&s);
  upwards = 1;
  for (int64_t i = 0; i < PEOPLE; i++) {
    double x, y;
    place_in_edge(0.5 - 0.5 * side_of(&s, i), &x, &y);
    cr_assert_lt(angle_to(&s.agents, i, x, -y), 0.1);
  }
  scene_destroy(&s);
}

// Whatever the outline: round exits, and those with many corners.
Test(exit, of_any_outline_is_headed_for)
{
  for (int corners = 3; corners <= 64; corners += corners < 8 ? 1 : 14) {
    struct scene s = {0};
    struct point outline[64];
    int64_t start[] = {0, corners};
    uint8_t closed[] = {true};
    for (int k = 0; k < corners; k++)
      outline[k] = (struct point){M(6 * cos(2 * M_PI * k / corners)),
                                  M(-8 + 6 * sin(2 * M_PI * k / corners))};
    solve(&s, -3, -11, 3, -5);
    const struct outlines areas = {1, start, outline, closed};
    world_set_arrival_areas(&s.world, &areas, 1);
    add_people(&s, -25, 2, 25, 18);
    set_preferred(&s);
    int own = 0;
    for (int64_t i = 0; i < PEOPLE; i++) {
      own += (s.agents.turn[i] & SPREADING_OWN_PLACE) != 0;
      // Within the circle around it:
      const double distance =
          hypot(s.agents.x[i] / (double)METRE, s.agents.y[i] / (double)METRE + 8);
      cr_assert_lt(angle_to(&s.agents, i, 0, -8), 1 + asin(6 / distance) * 180 / M_PI);
    }
    cr_assert_gt(own, PEOPLE / 4, "%d corners: %d", corners, own);
    scene_destroy(&s);
  }
}
