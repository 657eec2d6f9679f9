// A world with one destination, a box.
#pragma once
#include "world.h"

// Sets the area in which agents arrive; with a field, also the cells where they may touch it.
static inline void arrive_in_box(struct world *w, struct box box)
{
  int64_t start[] = {0, 4};
  struct point points[] = {box.lo, {box.hi.x, box.lo.y}, box.hi, {box.lo.x, box.hi.y}};
  uint8_t closed[] = {1};
  const struct outlines lines = {1, start, points, closed};
  const struct nav_grid *g = &w->nav_grid;
  w->arrival_reach = frame_length(&w->frame, 0.5);
  world_set_arrival_areas(w, &lines, 1);
  const struct box near = box_widened(box, w->arrival_reach + 2 * g->cell);
  for (int64_t cell = 0; w->destination_count && cell < nav_grid_cell_count(g); cell++)
    if (box_holds(near, nav_grid_centre(g, cell)))
      w->fields[0].cells[cell].flags |=
          FIELD_NEAR | (g->bits[cell] & NAV_GRID_CROSSED ? FIELD_CROSSED : 0);
}
