#include "zones.h"

#include "base.h"
#include "field.h"
#include "zones_kernel.h"
#include <assert.h>
#include <math.h>

void zones_create(struct zones *z, int32_t most)
{
  *z = (struct zones){.list = memory_create((size_t)most, sizeof *z->list)};
}

static struct box box_of(const struct outlines *area)
{
  struct box b = {{INT32_MAX, INT32_MAX}, {INT32_MIN, INT32_MIN}};
  for (int64_t i = 0; i < area->start[area->count]; i++) {
    const struct point p = area->points[i];
    b = box_union(b, (struct box){p, p});
  }
  return b;
}

void zones_add(struct zones *z, const struct outlines *area, float speed)
{
  assert(speed > 0);
  struct zone *zone = &z->list[z->count++];
  obstacles_create(&zone->area, area, false);
  zone->box = box_of(area);
  zone->speed = speed;
  z->box = z->count == 1 ? zone->box : box_union(z->box, zone->box);
}

void zones_finish(struct zones *z)
{
  const struct box all = z->box;
  if (z->count == 0)
    return;
  z->raster = memory_create((size_t)ZONES_RASTER * ZONES_RASTER, 1);
  for (int32_t k = 0; k < z->count; k++) {
    const struct box b = z->list[k].box;
    for (int32_t r = zones_raster(b.lo.y, all.lo.y, all.hi.y);
         r <= zones_raster(b.hi.y, all.lo.y, all.hi.y); r++)
      for (int32_t c = zones_raster(b.lo.x, all.lo.x, all.hi.x);
           c <= zones_raster(b.hi.x, all.lo.x, all.hi.x); c++)
        z->raster[r * ZONES_RASTER + c] = 1;
  }
}

void zones_destroy(struct zones *z)
{
  for (int32_t k = 0; k < z->count; k++)
    obstacles_destroy(&z->list[k].area);
  memory_destroy(z->list);
  memory_destroy(z->raster);
  *z = (struct zones){0};
}

void zones_apply(const struct zones *z, struct agents *a, int64_t first, int64_t end)
{
  for (int64_t i = first; z->count > 0 && i < end; i++)
    zone_apply_one(z, a, i);
}

// ---------------------------------------------------------------------------- the ground

void zone_slow_nav_grid(struct nav_grid *g, const uint8_t *marks, double speed)
{
  const int64_t cells = nav_grid_cell_count(g);
  if (!g->cost) {
    g->cost = memory_create((size_t)cells, sizeof *g->cost);
    for (int64_t i = 0; i < cells; i++)
      g->cost[i] = FIELD_UNIT;
  }
  for (int64_t i = 0; i < cells; i++)
    if (marks[i]) {
      const double cost = floor(g->cost[i] / speed + 0.5);
      g->cost[i] = (uint16_t)(cost < 1 ? 1 : cost < UINT16_MAX ? cost : UINT16_MAX);
    }
}

void zone_close_nav_grid(struct nav_grid *g, const uint8_t *marks)
{
  for (int64_t i = 0; i < nav_grid_cell_count(g); i++)
    if (marks[i]) {
      g->bits[i] |= NAV_GRID_LOW_CLEARANCE;
      if (g->gap)
        g->gap[i] = 0;
    }
}

void zone_direct_nav_grid(struct nav_grid *g, const uint8_t *marks, double x, double y)
{
  // Directions 0 .. 3 of wavefront.h: east, north, west, south.
  const unsigned against =
      (unsigned)(x < 0) | (unsigned)(y < 0) << 1 | (unsigned)(x > 0) << 2 | (unsigned)(y > 0) << 3;
  if (!g->blocked_directions)
    g->blocked_directions = memory_create((size_t)nav_grid_cell_count(g), 1);
  for (int64_t i = 0; i < nav_grid_cell_count(g); i++)
    if (marks[i])
      g->blocked_directions[i] |= (uint8_t)against;
}
