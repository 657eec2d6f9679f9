// The rest of the way of an agent that spreads (spreading_kernel.h): near its destination it keeps
// less aside.
#pragma once
#include "field_kernel.h"
#include "spreading_side_kernel.h"
#include "world.h"
#include "zones_kernel.h"

#define SPREADING_NARROWS 0.3f // the room is at most this share of the way that is left
#define SPREADING_FAR     (SPREADING_ROOM / SPREADING_NARROWS) // m: more of the way changes nothing

struct spreading_grid { // the navigation grid in metres
  const struct nav_grid *g;
  float per_quantum;   // cells
  float quanta;        // of a metre
  float cell;          // m
  float per_metre;     // cells
  float half_diagonal; // m, of a cell
  float far;           // m: at least the rest of the way where a field is FIELD_FAR
  float rounding;      // m: allowed for the error of the gap map
};

INLINE struct spreading_grid spreading_grid_of(const struct world *w)
{
  const struct nav_grid *g = &w->nav_grid;
  const float cell = (float)g->cell * frame_quantum(&w->frame);
  struct spreading_grid s;
  s.g = g;
  s.per_quantum = 1.0f / (float)g->cell;
  s.quanta = 1.0f / frame_quantum(&w->frame);
  s.cell = cell;
  s.per_metre = 1.0f / cell;
  s.half_diagonal = 0.7072f * cell;
  s.far = (float)g->far * (1.0f / FIELD_UNIT) * cell;
  s.rounding = 0.5f * cell + 1.0f / NAV_GRID_GAPS_PER_METRE;
  return s;
}

// Is the destination so far away that the rest of the way is more than SPREADING_FAR? Then its time
// need not be read. A metre takes at least 1 / ZONE_SPEED_MAX of the time at the preferred speed.
INLINE bool spreading_far(const struct spreading_grid *grid, const struct field *f, struct point at,
                          float slow)
{
  const float far = SPREADING_FAR * (float)ZONE_SPEED_MAX / slow * grid->quanta;
  const struct box b = *f->destination_box;
  const float left = (float)((int64_t)b.lo.x - at.x), right = (float)((int64_t)at.x - b.hi.x);
  const float below = (float)((int64_t)b.lo.y - at.y), above = (float)((int64_t)at.y - b.hi.y);
  return left > far || right > far || below > far || above > far;
}

// The cell of the grid at a place, in cells from its corner; -1: outside.
INLINE int64_t spreading_cell(const struct nav_grid *g, float x, float y)
{
  const bool inside = x >= 0.0f && y >= 0.0f && x < (float)g->columns && y < (float)g->rows;
  return inside ? nav_grid_cell(g, (uint32_t)x, (uint32_t)y) : -1;
}

INLINE float spreading_metres(float cells, float slow, const struct spreading_grid *grid)
{
  return cells * slow * grid->cell;
}

// The rest of the way, m, at most SPREADING_FAR: the agent would circle around a small destination
// with a line displaced by more than that. What slows it down in its zone counts in the field, but
// not here.
INLINE float spreading_rest_of_one(const struct spreading_grid *grid, const struct field *f,
                                   struct point at, float x, float y, float slow)
{
  if (spreading_far(grid, f, at, slow))
    return SPREADING_FAR;
  const int64_t cell = spreading_cell(grid->g, x, y);
  if (cell < 0)
    return 0.0f;
  if ((f->cells[cell].flags & FIELD_FAR) && grid->far * slow >= SPREADING_FAR)
    return SPREADING_FAR;
  const float cells = (float)field_time_of(f, cell) * (1.0f / FIELD_UNIT);
  const float metres = spreading_metres(cells, slow, grid);
  return metres < SPREADING_FAR ? metres : SPREADING_FAR;
}
