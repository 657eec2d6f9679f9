#include "spreading_scene.h"

#include "arrive_in_box.h"
#include "grid_cells.h"
#include "navigation.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>

int32_t upwards = 1;

void add_line(struct scene *s, int count, const double (*at)[2])
{
  struct outlines *l = &s->lines;
  *l = (struct outlines){l->count, s->start, s->points, s->closed};
  for (int i = 0; i < count; i++) { // mirroring turns an outline's sense round
    const double *p = at[upwards > 0 ? i : count - 1 - i];
    s->points[s->start[l->count] + i] = (struct point){M(p[0]), upwards * M(p[1])};
  }
  s->closed[l->count] = count > 2;
  s->start[l->count + 1] = s->start[l->count] + count;
  l->count++;
}

void add_box(struct scene *s, double x0, double y0, double x1, double y1)
{
  add_line(s, 4, (const double[][2]){{x0, y0}, {x1, y0}, {x1, y1}, {x0, y1}});
}

// The field that leads to a rectangle, m.
void solve_field(struct scene *s, double x0, double y0, double x1, double y1)
{
  struct world *w = &s->world;
  const struct nav_grid *g = &w->nav_grid;
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(g), 1);
  for (int64_t cell = 0; cell < nav_grid_cell_count(g); cell++) {
    const struct point c = nav_grid_centre(g, cell);
    marks[cell] = c.x > M(x0) && c.x < M(x1) && upwards * c.y > M(y0) && upwards * c.y < M(y1);
  }
  field_solve(&w->fields[0], marks, g->cost);
  memory_destroy(marks);
  arrive_in_box(w, (struct box){{M(x0), upwards > 0 ? M(y0) : -M(y1)},
                                {M(x1), upwards > 0 ? M(y1) : -M(y0)}});
}

void solve(struct scene *s, double x0, double y0, double x1, double y1)
{
  struct world *w = &s->world;
  struct nav_grid *g = &w->nav_grid;
  w->frame.exponent = 16;
  w->facings = true;
  w->bounds = (struct box){{M(-30), M(-20)}, {M(30), M(20)}};
  obstacles_create(&w->obstacles, &s->lines, false);
  nav_grid_create(g, w->bounds, CELL, CELL, &w->obstacles);
  nav_grid_measure_gaps(g, METRE);
  nav_grid_raise_costs_near_walls(g);
  cr_assert(world_create_fields(w, 1, 1, 0, &node_group_self));
  solve_field(s, x0, y0, x1, y1);
  agents_create(&s->agents, 0);
  s->spread = 1;
}

// A square with pillars and a slanted block, a door of 1 m, a corridor around a corner.
void make_town(struct scene *s)
{
  *s = (struct scene){0};
  add_box(s, -30, 18, 30, 20);
  add_box(s, -30, -20, 30, -18);
  add_box(s, -30, -18, -28, 18);
  add_box(s, 0, -18, 1, 3);
  add_box(s, 0, 4, 1, 18);
  add_box(s, -15, -1, -14, 0);
  add_box(s, -9, -7, -6, -4);
  add_line(s, 4, (const double[][2]){{-20, 6}, {-12, 9}, {-13, 11}, {-21, 8}});
  add_line(s, 2, (const double[][2]){{-10, 12}, {-4, 8}});
  add_box(s, 5, -12, 22, 14);
  solve(s, 28, -17, 30, -15);
}

void scene_destroy(struct scene *s)
{
  kept_corners_destroy(&s->kept);
  agents_destroy(&s->agents);
  world_destroy(&s->world);
}

int64_t add_agent(struct scene *s, int32_t x, int32_t y)
{
  struct agents *a = &s->agents;
  const int64_t i = agents_append(a);
  a->id[i] = i;
  a->x[i] = x;
  a->y[i] = y;
  agent_set_destination(a, i, 0);
  a->speed[i] = a->vx[i] = SPEED;
  a->yield[i] = 1;
  return i;
}

struct point random_free_point(const struct scene *s, uint64_t *r)
{
  for (;;) {
    const struct point p = {oracle_whole(r, M(-28), M(30)), oracle_whole(r, M(-18), M(18))};
    const struct point at = {p.x, upwards * p.y};
    if (field_reachable(&s->world.fields[0], at) && !obstacles_solid(&s->world.obstacles, at))
      return at;
  }
}

void add_crowd(struct scene *s, int count)
{
  uint64_t r = 5;
  for (int k = 0; k < count; k++) {
    const struct point p = random_free_point(s, &r);
    add_agent(s, p.x, p.y);
  }
}

void set_preferred(struct scene *s)
{
  const int32_t period = s->look_period ? s->look_period : 1;
  const struct navigation_input in = {.dt = STEP_S,
                                      .seed = 3,
                                      .step = s->step,
                                      .spread = &s->spread,
                                      .queue = &s->queue,
                                      .look_period = period,
                                      .all_look = s->step % period == 0,
                                      .kept = s->keeps_corners ? &s->kept : NULL,
                                      .lanes = s->lanes};
  kept_corners_reserve(&s->kept, s->agents.count);
  navigation_preferred_velocities(&s->world, &in, &s->agents);
}

bool displaced(const struct agents *a, int64_t i)
{
  return fabsf(a->prefer_x[i] - SPEED * a->facing_x[i]) +
             fabsf(a->prefer_y[i] - SPEED * a->facing_y[i]) >
         1e-5f;
}
