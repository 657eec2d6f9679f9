// Opens the navigation grid where people fit but the centres of cells do not: at doors, in alleys
// and along slanted walls. Afterwards the grid connects what the walls, thickened by the clearance,
// connect: for any size, shift and angle of the cells, unless two such ways pass through one cell.
//
// The free parts of cells (free_parts.h) and their common sides are a graph that is connected
// exactly as the ground is. It is thinned: a part goes, the one with the shortest free border
// first, if the parts around it stay connected with each other; those that hold the centre of an
// open cell stay. So cells along plain walls are as before, and a door keeps one line of cells.
// A part that stays without its cell's centre makes a narrow cell (nav_grid.h).
#pragma once
#include "nav_grid.h"

// bits are those of nav_grid_create with the same clearance. Threads share the cells.
void nav_grid_open_narrow_cells(struct nav_grid *g, int32_t clearance);
