#include "guidance.h"

#include "pillars.h"

#define DESTINATIONS 4

const char *const guidance_names[GUIDANCE_KINDS] = {"straight", "fields", "roadmap"};

static struct outlines destination_square(const struct world *w, int32_t half, int k)
{
  const int32_t side = frame_length(&w->frame, 4);
  const struct point lo = {k & 1 ? half : -half - side, k & 2 ? half : -half - side};
  return squares_create(1, &lo, side);
}

static void fields_create(struct world *w, bool spreads, int32_t half)
{
  struct field_task tasks[DESTINATIONS];
  struct cell_list destinations[DESTINATIONS] = {{0}};
  nav_grid_create(&w->nav_grid, w->bounds, frame_length(&w->frame, 0.25),
                  frame_length(&w->frame, 0.25), &w->obstacles);
  if (spreads) {
    nav_grid_measure_gaps(&w->nav_grid, frame_length(&w->frame, 1));
    nav_grid_raise_costs_near_walls(&w->nav_grid);
  }
  nav_grid_set_upwind(&w->nav_grid);
  world_create_fields(w, DESTINATIONS, 1, 0, &node_group_self);
  const size_t cells = (size_t)nav_grid_cell_count(&w->nav_grid);
  for (int k = 0; k < DESTINATIONS; k++) {
    struct outlines area = destination_square(w, half, k);
    uint8_t *marks = memory_create(cells, 1);
    nav_grid_mark(&w->nav_grid, &area, marks);
    cell_list_append_marked(&destinations[k], marks, (int64_t)cells);
    tasks[k] = (struct field_task){
        .field = &w->fields[k], .destination = &destinations[k], .cost = w->nav_grid.cost};
    memory_destroy(marks);
    squares_destroy(&area);
  }
  fields_solve(tasks, DESTINATIONS);
  for (int k = 0; k < DESTINATIONS; k++)
    cell_list_destroy(&destinations[k]);
}

static void roadmap_build(struct world *w, bool spreads, int32_t half)
{
  const int32_t clearance = frame_length(&w->frame, 0.25);
  struct outlines inflated = pillars_outlines(w, clearance);
  roadmap_create(&w->roadmap, &w->obstacles, &inflated, false, w->bounds, clearance);
  for (int k = 0; k < DESTINATIONS; k++) {
    struct outlines area = destination_square(w, half, k);
    roadmap_add_destination(&w->roadmap, &area, w->bounds);
    squares_destroy(&area);
  }
  roadmap_build_edges(&w->roadmap);
  roadmap_build_trees(&w->roadmap);
  if (spreads)
    world_measure_passages(w);
  w->navigation = NAVIGATION_roadmap;
  squares_destroy(&inflated);
}

static void slow_zone_create(struct world *w, int32_t half)
{
  const struct point lo = {-half / 4, -half / 4};
  struct outlines area = squares_create(1, &lo, half / 2);
  zones_create(&w->zones, 1);
  zones_add(&w->zones, &area, 0.5f);
  zones_finish(&w->zones);
  squares_destroy(&area);
}

void guidance_create(struct world *w, enum guidance guidance, bool spreads, int32_t half,
                     struct agents *a)
{
  if (guidance == GUIDANCE_FIELDS)
    fields_create(w, spreads, half);
  if (guidance == GUIDANCE_ROADMAP)
    roadmap_build(w, spreads, half);
  if (guidance == GUIDANCE_STRAIGHT)
    return;
  slow_zone_create(w, half);
  for (int64_t i = 0; i < a->count; i++) {
    agent_set_destination(a, i, (int32_t)(a->id[i] % DESTINATIONS));
    agent_set_aim(a, i, ROADMAP_NONE);
  }
}
