// The bits of the kept corners: which agents may arrive in a step, and which stand on free ground.
// They are what the cells around each agent say, whatever the width of the vectors and whatever
// was kept before.
#include "kept_corners.h"

#include "backend.h"
#include "grid_cells.h"
#include "navigation.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <string.h>

#define METRE        65536
#define M(m)         ((int32_t)((m)*METRE))
#define CELL         M(0.5)
#define LINES        8
#define DESTINATIONS 2
#define ROUTES       2
#define ROUNDS       8
#define AGENTS       700

struct scene {
  int64_t start[LINES + 1];
  struct point points[4 * LINES];
  uint8_t closed[LINES];
  struct outlines lines;
  struct world world;
  struct box near[DESTINATIONS * ROUTES]; // around the destination of each field
  struct agents agents;
};

struct bits { // [agents] 0 or 1
  uint8_t may_arrive[AGENTS], on_free_ground[AGENTS];
};

// ---------------------------------------------------------------------------------- the scene

static void add_line(struct scene *s, int count, const double (*at)[2])
{
  struct outlines *l = &s->lines;
  *l = (struct outlines){l->count, s->start, s->points, s->closed};
  for (int i = 0; i < count; i++)
    s->points[s->start[l->count] + i] = (struct point){M(at[i][0]), M(at[i][1])};
  s->closed[l->count] = count > 2;
  s->start[l->count + 1] = s->start[l->count] + count;
  l->count++;
}

static void add_box(struct scene *s, double x0, double y0, double x1, double y1)
{
  add_line(s, 4, (const double[][2]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
}

// Cells here and there without a route, so that each of an agent's corners may be the only one.
static void add_holes(struct field *f, uint64_t seed)
{
  for (int64_t cell = 0; cell < nav_grid_cell_count(f->nav_grid); cell++)
    if (field_time_of(f, cell) > 0 && oracle_whole(&seed, 0, 29) == 0) {
      f->time[cell] = FIELD_UNREACHED;
      f->cells[cell].x = f->cells[cell].y = 0;
      f->cells[cell].paths = 0;
    }
}

static void mark_near(struct scene *s, struct field *f, double x, double y)
{
  struct box *near = &s->near[f - s->world.fields];
  *near = (struct box){{M(x - 1), M(y - 1)}, {M(x + 3), M(y + 3)}};
  for (int64_t cell = 0; cell < nav_grid_cell_count(f->nav_grid); cell++)
    if (box_holds(*near, nav_grid_centre(f->nav_grid, cell)))
      f->cells[cell].flags |= FIELD_NEAR;
}

// Towards a square of 2 m at (x, y), m.
static void solve_field(struct scene *s, int32_t destination, int32_t route, double x, double y)
{
  struct world *w = &s->world;
  const struct nav_grid *g = &w->nav_grid;
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(g), 1);
  FOR_EACH_CELL(cell, g)
  {
    const struct point c = nav_grid_centre(g, cell);
    marks[cell] = c.x > M(x) && c.x < M(x + 2) && c.y > M(y) && c.y < M(y + 2);
  }
  field_solve(world_field(w, destination, route), marks, NULL);
  mark_near(s, world_field(w, destination, route), x, y);
  add_holes(world_field(w, destination, route), (uint64_t)(ROUTES * destination + route));
  memory_destroy(marks);
}

// A pillar, a slanted block, a thin wall, and a wall beyond which no route leads, nor to a pillar
// there: the last squares of cells are not reached. The grid has 113 by 33 cells, so that the
// arrays of cells hold some that are outside.
static void scene_create(struct scene *s)
{
  *s = (struct scene){0};
  struct world *w = &s->world;
  add_box(s, -3, -5, -2.5, -4);
  add_line(s, 4, (const double[][2]){{2, 1}, {5, 2.5}, {4.5, 3.5}, {1.5, 2}});
  add_line(s, 2, (const double[][2]){{-8, 1.2}, {-1, 3.1}});
  add_box(s, 19, -8, 20, 8.5);
  add_box(s, 42, 0, 42.4, 0.4);
  w->frame.exponent = 16;
  w->bounds = (struct box){{M(-10), M(-8)}, {M(46.5), M(8.5)}};
  obstacles_create(&w->obstacles, &s->lines, false);
  nav_grid_create(&w->nav_grid, w->bounds, CELL, CELL / 2, &w->obstacles);
  cr_assert(world_create_fields(w, DESTINATIONS, ROUTES, 0, &node_group_self));
  solve_field(s, 0, 0, 8, -7);
  solve_field(s, 0, 1, 8, 6);
  solve_field(s, 1, 0, -9.5, -7.5);
  solve_field(s, 1, 1, 0, -0.5);
  cr_assert_eq(w->fields[0].reached[3], FIELD_SQUARE_UNREACHED);
  agents_create(&s->agents, 0);
}

static void scene_destroy(struct scene *s)
{
  agents_destroy(&s->agents);
  world_destroy(&s->world);
}

// One in eight stands at the border of the world.
static void place(struct scene *s, int64_t i, uint64_t *r)
{
  const struct box b = s->world.bounds;
  struct agents *a = &s->agents;
  a->x[i] = oracle_whole(r, b.lo.x, b.hi.x - 1);
  a->y[i] = oracle_whole(r, b.lo.y, b.hi.y - 1);
  if (oracle_whole(r, 0, 7) > 0)
    return;
  const bool low = i % 4 < 2;
  if (i % 2)
    a->x[i] = low ? b.lo.x : b.hi.x - 1;
  else
    a->y[i] = low ? b.lo.y : b.hi.y - 1;
}

// Some have no destination, some stay or react, some belong to groups.
static void add_agents(struct scene *s, int count, uint64_t *r)
{
  struct agents *a = &s->agents;
  for (int i = 0; i < count; i++) {
    agents_append(a);
    a->id[i] = i;
    a->speed[i] = 1.3f;
    a->doing[i] = i % 11 ? ACTIVITY_WALK : i % 2 ? ACTIVITY_REACT : ACTIVITY_STAY;
    a->until[i] = 3;
    agent_set_destination(a, i, oracle_whole(r, -1, DESTINATIONS - 1));
    if (i % 5 == 0)
      agent_set_group(a, i, i - i % 15);
    place(s, i, r);
  }
}

// Most move by less than a cell. Some head for another destination, some are others now, as after a
// new order in memory.
static void change(struct scene *s, uint64_t *r)
{
  struct agents *a = &s->agents;
  const struct box b = s->world.bounds;
  for (int64_t i = 0; i < a->count; i++) {
    const struct point to = {a->x[i] + oracle_whole(r, -CELL / 4, CELL / 4),
                             a->y[i] + oracle_whole(r, -CELL / 4, CELL / 4)};
    const int32_t what = oracle_whole(r, 0, 9);
    if (what < 2)
      agent_set_destination(a, i, oracle_whole(r, -1, DESTINATIONS - 1));
    if (what == 0) {
      place(s, i, r);
    } else if (what > 1 && box_holds(b, to)) {
      a->x[i] = to.x;
      a->y[i] = to.y;
    }
  }
}

// ------------------------------------------------------------------------------------ the bits

// What is not set is wrong for half of the agents.
static void find_bits(struct scene *s, int lanes, int step, struct kept_corners *kept,
                      struct bits *found)
{
  const struct navigation_input in = {.dt = 0.1f, .step = step, .kept = kept, .lanes = lanes};
  const float moved = 0.5f * (float)s->world.nav_grid.cell - 1.5f;
  kept_corners_reserve(kept, s->agents.count);
  memset(kept->may_arrive, 0x5a, (size_t)kept->block_count * sizeof *kept->may_arrive);
  memset(kept->on_free_ground, 0xa5, (size_t)kept->block_count * sizeof *kept->on_free_ground);
  navigation_preferred_velocities(&s->world, &in, &s->agents);
  const uint16_t *may_arrive = navigation_may_arrive(&s->world, kept, moved);
  const uint16_t *on_free_ground = navigation_on_free_ground(&s->world, kept, moved);
  cr_assert(may_arrive && on_free_ground);
  for (int64_t i = 0; i < s->agents.count; i++) {
    found->may_arrive[i] = may_arrive[i / KEPT_BLOCK] >> i % KEPT_BLOCK & 1;
    found->on_free_ground[i] = on_free_ground[i / KEPT_BLOCK] >> i % KEPT_BLOCK & 1;
  }
}

// The first of the two columns, or rows, whose centres are on either side of v.
static int32_t cell_below(int32_t v, int32_t origin)
{
  return (v - origin + CELL / 2) / CELL - 1; // v is not below the origin
}

// One agent, from the grid and the box around the destination, not from what agents read of a cell.
// Where the field reaches nothing, a wall counts near the destination only.
static void expect_bits(const struct scene *s, int64_t i, struct bits *expected)
{
  const struct agents *a = &s->agents;
  const struct nav_grid *g = &s->world.nav_grid;
  const int32_t destination = agent_destination(a, i);
  bool near = destination < 0, route = true;
  for (int k = 0; k < 4 && destination >= 0; k++) {
    const struct field *f = world_field_of(&s->world, destination, agents_party(a, i));
    const int32_t column = cell_below(a->x[i], g->origin.x) + k % 2;
    const int32_t row = cell_below(a->y[i], g->origin.y) + k / 2;
    const bool inside = column >= 0 && row >= 0 && column < g->columns && row < g->rows;
    const int64_t cell = inside ? nav_grid_cell(g, (uint32_t)column, (uint32_t)row) : 0;
    const bool known = inside && f->reached[cell >> 2 * CELL_SQUARE_BITS];
    near |= inside && box_holds(s->near[f - s->world.fields], nav_grid_centre(g, cell));
    near |= known && g->bits[cell] & NAV_GRID_CROSSED;
    route = route && inside && field_has_route(f, cell);
  }
  expected->may_arrive[i] = near;
  expected->on_free_ground[i] = !near && route;
}

struct tally {
  int64_t near, free, neither, none; // none: no destination
};

static void assert_bits(const struct scene *s, const struct bits *found,
                        const struct bits *expected, int lanes)
{
  for (int64_t i = 0; i < s->agents.count; i++)
    cr_assert(found->may_arrive[i] == expected->may_arrive[i] &&
                  found->on_free_ground[i] == expected->on_free_ground[i],
              "%d lanes, agent %d of %d at %g, %g: may arrive %d, not %d; free %d, not %d", lanes,
              (int)i, (int)s->agents.count, (double)s->agents.x[i] / METRE,
              (double)s->agents.y[i] / METRE, found->may_arrive[i], expected->may_arrive[i],
              found->on_free_ground[i], expected->on_free_ground[i]);
}

static void add_to_tally(struct tally *t, const struct scene *s, const struct bits *b)
{
  for (int64_t i = 0; i < s->agents.count; i++) {
    const bool none = agent_destination(&s->agents, i) < 0;
    t->none += none;
    t->near += !none && b->may_arrive[i];
    t->free += b->on_free_ground[i];
    t->neither += !b->may_arrive[i] && !b->on_free_ground[i];
  }
}

// Rounds in which agents move, and one before which a field leads elsewhere.
static void assert_rounds(int count, struct tally *t)
{
  struct scene s;
  struct kept_corners kept[BACKENDS_CPU] = {{0}};
  uint64_t r = (uint64_t)count;
  scene_create(&s);
  add_agents(&s, count, &r);
  for (int round = 0; round < ROUNDS; round++) {
    static struct bits expected, of_one, found;
    if (round == ROUNDS / 2) {
      solve_field(&s, 0, 0, 3, -7);
      for (int k = 0; k < BACKENDS_CPU; k++)
        kept_corners_follow(&kept[k], 1);
    }
    for (int64_t i = 0; i < count; i++)
      expect_bits(&s, i, &expected);
    for (int k = 0; k < BACKENDS_CPU; k++) {
      const struct backend *b = backends_cpu[k];
      if (b->unavailable())
        continue;
      find_bits(&s, b->lanes, round, &kept[k], b->lanes == 1 ? &of_one : &found);
      assert_bits(&s, b->lanes == 1 ? &of_one : &found, &expected, b->lanes);
      assert_bits(&s, b->lanes == 1 ? &of_one : &found, &of_one, b->lanes);
    }
    add_to_tally(t, &s, &expected);
    change(&s, &r);
  }
  for (int k = 0; k < BACKENDS_CPU; k++)
    kept_corners_destroy(&kept[k]);
  scene_destroy(&s);
}

Test(kept_corners, every_width_sets_the_bits_that_the_cells_around_an_agent_say)
{
  static const int counts[] = {1, 3, 4, 5, 8, 9, 15, 16, 17, 31, 33, 100, 255, 256, 257, AGENTS};
  struct tally t = {0};
  for (size_t k = 0; k < sizeof counts / sizeof *counts; k++)
    assert_rounds(counts[k], &t);
  cr_assert(t.near > 500 && t.free > 1000 && t.neither > 1000 && t.none > 1000,
            "%d near, %d free, %d neither, %d without a destination", (int)t.near, (int)t.free,
            (int)t.neither, (int)t.none);
}
