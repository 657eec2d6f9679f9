// The grid on which fields are solved: its solid cells and the open links between neighbouring
// cells. A wall thinner than a cell still separates: the link between two cell centres is closed
// when a wall touches the segment between them (exact).
#pragma once
#include "base.h"
#include "cell_tiles.h"
#include "obstacles.h"
#include "position.h"

enum nav_grid_bits {
  NAV_GRID_SOLID = 1, // the cell's centre lies in an obstacle or on a wall
  NAV_GRID_LOW_CLEARANCE =
      2,                // a wall is closer to the centre than the clearance: no route leads through
  NAV_GRID_EAST = 4,    // open link to the cell (column + 1, row)
  NAV_GRID_NORTH = 8,   // open link to the cell (column, row + 1)
  NAV_GRID_CROSSED = 16 // a wall touches the cell: parts of it may not see the centre
};

#define NAV_GRID_GAP_TILES                                                                         \
  {                                                                                                \
    3, 6                                                                                           \
  } // of gaps: one byte each

#define NAV_GRID_CELL_LIMIT (1 << 26) // quanta

struct nav_grid {
  const struct obstacles *obstacles; // must outlive the grid
  struct point origin;               // lower left corner of cell (0, 0), quanta
  int32_t cell;                      // side of a cell, quanta; even: centres are exact
  int32_t columns, rows;
  uint64_t per_cell;           // 2^64 / cell, rounded up: see nav_grid_cells
  uint8_t *bits;               // [rows * columns], row-major
  uint16_t *cost;              // [rows * columns] of crossing a cell: field.h; NULL: uniform
  uint8_t *blocked_directions; // [rows * columns] bit d: no route towards d; NULL: none
  uint8_t *gap; // [nav_grid_gap_count], by nav_grid_gap_index: from the centre to the nearest wall
                // or the border of the grid, 1/16 m, at most 255; 0 in solid ground and where no
                // route leads; NULL: not measured
};

#define NAV_GRID_GAPS_PER_METRE 16

// Near walls a route is less comfortable: at the wall a metre costs 1 + 15 %, less with distance,
// and from 4 m on 1.
#define NAV_GRID_WALL_COST_PERCENT 15
#define NAV_GRID_WALL_COST_REACH   4 // m

INLINE int64_t nav_grid_gap_index(const struct nav_grid *g, int32_t column, int32_t row)
{
  const struct cell_tiles tiles = NAV_GRID_GAP_TILES;
  return cell_tiles_x(tiles, (uint32_t)column) +
         cell_tiles_y(tiles, cell_tiles_pages(tiles, (uint32_t)g->columns), (uint32_t)row);
}

static inline int64_t nav_grid_gap_count(const struct nav_grid *g)
{
  const struct cell_tiles tiles = NAV_GRID_GAP_TILES;
  return cell_tiles_count(tiles, (uint32_t)g->columns, (uint32_t)g->rows);
}

// cell and clearance in quanta. The grid covers bounds. Threads share the rows.
void nav_grid_create(struct nav_grid *g, struct box bounds, int32_t cell, int32_t clearance,
                     const struct obstacles *o);
void nav_grid_destroy(struct nav_grid *g);
// Sets the gaps of a new grid, exact but for their unit. metre: quanta. Threads share the cells.
void nav_grid_measure_gaps(struct nav_grid *g, int32_t metre);
// Sets the costs of a grid with gaps and without zones.
void nav_grid_raise_costs_near_walls(struct nav_grid *g);
bool nav_grid_is_valid(const struct nav_grid *g); // has cells and their bits; for asserts

static inline int64_t nav_grid_cell_count(const struct nav_grid *g)
{
  return (int64_t)g->columns * g->rows;
}

// Whole cells in a length, quanta: length / cell without a division. The product exceeds the
// quotient by less than length * cell / 2^64 cells, too little to reach the next integer.
INLINE uint32_t nav_grid_cells(const struct nav_grid *g, uint32_t length)
{
  return (uint32_t)product_high(length, g->per_cell);
}

// A coordinate relative to the corner of the grid, clamped to its width or height, quanta.
INLINE uint32_t nav_grid_clamped(const struct nav_grid *g, int64_t v, int32_t cells)
{
  const int64_t end = (int64_t)cells * g->cell;
  return (uint32_t)(v < 0 ? 0 : v < end ? v : end - 1);
}

// The index of the cell that holds p; p is clamped to the grid.
INLINE int64_t nav_grid_cell_of(const struct nav_grid *g, struct point p)
{
  const uint32_t x = nav_grid_clamped(g, (int64_t)p.x - g->origin.x, g->columns);
  const uint32_t y = nav_grid_clamped(g, (int64_t)p.y - g->origin.y, g->rows);
  return (int64_t)nav_grid_cells(g, y) * g->columns + nav_grid_cells(g, x);
}

INLINE struct point nav_grid_centre(const struct nav_grid *g, int64_t cell)
{
  return (struct point){(int32_t)(g->origin.x + cell % g->columns * g->cell + g->cell / 2),
                        (int32_t)(g->origin.y + cell / g->columns * g->cell + g->cell / 2)};
}

// Sets marks[cell] = 1 for every cell whose centre is inside the closed outlines (even-odd), or
// whose inside an outline crosses; an open line marks every cell that it touches.
void nav_grid_mark(const struct nav_grid *g, const struct outlines *area, uint8_t *marks);
