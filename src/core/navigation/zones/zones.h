// Zones: areas that change the preferred speed, or that routes avoid or cross in one direction
// only.
#pragma once
#include "agents.h"
#include "nav_grid.h"

struct zone {
  struct obstacles area; // its inside
  struct box box;        // around it, quanta; hi inside
  float speed;           // factor of the preferred speed
};

#define ZONES_RASTER 128

struct zones { // the zones that change the speed
  int32_t count;
  struct zone *list;
  struct box box;  // around all of them; hi inside
  uint8_t *raster; // [ZONES_RASTER^2] over the box: a zone's box touches the square
};

// Reserves memory for `most` zones; add them, then call zones_finish.
void zones_create(struct zones *z, int32_t most);
void zones_add(struct zones *z, const struct outlines *area, float speed);
void zones_finish(struct zones *z);
void zones_destroy(struct zones *z);

// Multiplies the preferred velocities of the agents [first, end) by the factors of their zones.
void zones_apply(const struct zones *z, struct agents *a, int64_t first, int64_t end);

#define ZONE_SPEED_MIN 0.125 // 8192 units per cell: the limit of a field's buckets and costs
#define ZONE_SPEED_MAX 1.3   // upper limit of a zone's speed factor

// The effect of a zone on the grid of the fields. marks[cells] != 0: the zone's cells.
void zone_slow_nav_grid(struct nav_grid *g, const uint8_t *marks, double speed);
// Routes avoid the zone; agents inside are led out, as near a wall.
void zone_close_nav_grid(struct nav_grid *g, const uint8_t *marks);
// No route leaves these cells against the direction (x, y).
void zone_direct_nav_grid(struct nav_grid *g, const uint8_t *marks, double x, double y);
