#include "world.h"

#include "spreading_side_kernel.h"
#include <assert.h>

uint64_t world_next_version(void)
{
  static uint64_t last;
  return __atomic_add_fetch(&last, 1, __ATOMIC_RELAXED);
}

uint64_t world_fields_version(const struct world *w)
{
  uint64_t latest = 0;
  for (int32_t f = 0; f < w->destination_count * w->route_count; f++)
    latest = w->fields[f].version > latest ? w->fields[f].version : latest;
  return latest;
}

static char *aligned(char *memory, size_t alignment) // to the next multiple, or where it is
{
  return memory + (alignment - (uintptr_t)memory % alignment) % alignment;
}

bool world_create_fields(struct world *w, int32_t count, int32_t routes, int32_t spare,
                         const struct node_group *node_group)
{
  assert(count >= 0 && routes > 0 && (count == 0 || nav_grid_is_valid(&w->nav_grid)));
  const size_t each = field_bytes(&w->nav_grid), fields = (size_t)count * (size_t)routes;
  const size_t all = fields + (size_t)spare, bytes = all * each;
  void *shared = node_group_allocate(node_group, bytes); // begins at a page
  w->node_group = shared ? node_group : &node_group_self;
  w->fields_memory = shared ? shared : memory_create(bytes + FIELD_ALIGNMENT, 1);
  w->fields = memory_create(all, sizeof *w->fields);
  w->spare_fields = w->fields + fields;
  w->spare_count = spare;
  char *first = aligned(w->fields_memory, FIELD_ALIGNMENT);
  for (size_t f = 0; f < all; f++) {
    field_create(&w->fields[f], &w->nav_grid, first + f * each);
    if (!shared && spare == 0) // fields that change are read less often than they are written
      field_prefer_large_pages(&w->fields[f]);
  }
  w->destination_count = count;
  w->route_count = routes;
  if (count > 0)
    w->navigation = NAVIGATION_field;
  return shared || bytes == 0 || node_group->size == 1;
}

static void destroy_fields(struct world *w)
{
  const int32_t fields = w->destination_count * w->route_count + w->spare_count;
  const size_t bytes = (size_t)fields * field_bytes(&w->nav_grid);
  for (int32_t f = 0; f < fields; f++)
    field_destroy(&w->fields[f]);
  memory_destroy(w->fields);
  if (w->node_group && w->node_group->size > 1)
    node_group_release(w->node_group, w->fields_memory, bytes);
  else
    memory_destroy(w->fields_memory);
}

static void arrival_area_create(struct arrival_area *a, const struct outlines *outlines)
{
  *a = (struct arrival_area){.box = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}}};
  obstacles_create(&a->outlines, outlines, false);
  for (int64_t i = 0; i < a->outlines.count; i++) {
    const struct point p = a->outlines.walls[i].a;
    a->box = box_union(a->box, (struct box){p, {p.x + 1, p.y + 1}});
  }
}

static void destroy_arrival_areas(struct world *w)
{
  for (int32_t i = 0; i < w->arrival_count; i++)
    obstacles_destroy(&w->arrival_areas[i].outlines);
  memory_destroy(w->arrival_areas);
}

void world_set_arrival_areas(struct world *w, const struct outlines *outlines, int32_t count)
{
  destroy_arrival_areas(w);
  w->arrival_count = count;
  w->arrival_areas = memory_create((size_t)count, sizeof *w->arrival_areas);
  if (w->version)
    w->version = world_next_version();
  for (int32_t i = 0; i < count; i++)
    arrival_area_create(&w->arrival_areas[i], &outlines[i]);
}

void world_destroy(struct world *w)
{
  destroy_fields(w);
  destroy_arrival_areas(w);
  zones_destroy(&w->zones);
  roadmap_destroy(&w->roadmap);
  nav_grid_destroy(&w->nav_grid);
  obstacles_destroy(&w->obstacles);
  *w = (struct world){0};
}

void world_measure_passages(struct world *w)
{
  const float metre = 1.0f / frame_quantum(&w->frame);
  const float margin = SPREADING_MARGIN * metre - (float)w->roadmap.clearance;
  roadmap_measure_passages(&w->roadmap, w->bounds, margin > 0 ? margin : 0,
                           2 * SPREADING_ROOM * metre);
}

bool world_is_valid(const struct world *w)
{
  return (int)w->navigation >= 0 && w->navigation < NAVIGATION_COUNT &&
         (w->destination_count == 0 || w->fields) && w->bounds.lo.x <= w->bounds.hi.x &&
         w->bounds.lo.y <= w->bounds.hi.y;
}

bool world_reachable(const struct world *w, int32_t destination, struct point p)
{
  assert(world_has_routes(w));
  return navigation_models[w->navigation].reachable(w, destination, p);
}

int64_t world_cost_to_go(const struct world *w, int32_t destination, struct point p)
{
  assert(world_has_routes(w));
  return navigation_models[w->navigation].cost_to_go(w, destination, p);
}
