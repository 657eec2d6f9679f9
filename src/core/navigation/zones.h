// Zones: areas where people walk more slowly or faster, where no way leads, or only one way.
#pragma once
#include "agents.h"
#include "nav_grid.h"

struct zone {
  struct obstacles area; // its inside
  struct box box;        // round it, quanta; hi inside
  float speed;           // factor of the preferred speed
};

#define ZONES_RASTER 128

struct zones { // those that change somebody's speed
  int32_t count;
  struct zone *list;
  struct box box;  // round all of them; hi inside
  uint8_t *raster; // [ZONES_RASTER^2] over the box: a zone's box touches the square
};

// Room for so many zones; add them, then call zones_finish.
void zones_create(struct zones *z, int32_t most);
void zones_add(struct zones *z, const struct outlines *area, float speed);
void zones_finish(struct zones *z);
void zones_destroy(struct zones *z);

// Multiplies the wishes of the owned agents by their zones' factors.
void zones_apply(const struct zones *z, struct agents *a);

#define ZONE_SPEED_MIN 0.125 // 8192 units to a cell: what a field's buckets and costs hold
#define ZONE_SPEED_MAX 1.3   // as fast as anybody walks who hurries

// What a zone does to the grid that fields are solved on. marks[cells] != 0: its cells.
void zone_slow_nav_grid(struct nav_grid *g, const uint8_t *marks, double speed);
// Nobody is led through; who stands there is led out, like near a wall.
void zone_close_nav_grid(struct nav_grid *g, const uint8_t *marks);
// No step out of these cells leads against the direction.
void zone_direct_nav_grid(struct nav_grid *g, const uint8_t *marks, double x, double y);
