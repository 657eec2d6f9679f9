// The grid on which fields are solved: its solid cells and the open links between neighbouring
// cells. A wall thinner than a cell still separates: the link between two cell centres is closed
// when a wall touches the segment between them (exact).
#pragma once
#include "base.h"
#include "cell_order.h"
#include "obstacles.h"
#include "position.h"

enum nav_grid_bits {
  NAV_GRID_SOLID = 1, // the cell's centre lies in an obstacle or on a wall
  NAV_GRID_LOW_CLEARANCE =
      2,              // a wall is closer to the centre than the clearance: no route leads through
  NAV_GRID_EAST = 4,  // open link to the cell (column + 1, row)
  NAV_GRID_NORTH = 8, // open link to the cell (column, row + 1)
  NAV_GRID_CROSSED = 16, // a wall touches the cell: parts of it may not see the centre
  NAV_GRID_NARROW = 32   // the cell or one of the eight around it is a narrow cell
};

// A cell that another point than its centre stands for, since routes lead through a passage beside
// the centre; or one whose neighbour's centre is hidden by the end of a wall.
struct narrow_cell {
  int32_t cell;
  struct point at;      // quanta
  struct point via[4];  // on the way from `at` to the side towards d, round the end of a wall; `at`
                        // where the side is seen from there
  int32_t lo[4], hi[4]; // towards d, the side of the cell is free from lo to hi, quanta: y in the
                        // east and west, x in the north and south; lo > hi: as for other cells
};

#define NAV_GRID_GAP_TILES                                                                         \
  {                                                                                                \
    3, 6                                                                                           \
  } // of gaps: one byte each

#define FIELD_UNIT 1024 // the cost of a cell, and the time to cross it at that cost

#define NAV_GRID_FAR_CELLS 64 // from a destination, until gaps are measured
#define NAV_GRID_FAR       48 // m, from then on

#define NAV_GRID_CELL_LIMIT (1 << 22) // quanta: sums of field_interpolate are exact

// Arrays of cells are in the order of cell_order.h and include the cells outside the grid of the
// squares on its border: solid and without links.
struct nav_grid {
  const struct obstacles *obstacles; // must outlive the grid
  struct point origin;               // lower left corner of cell (0, 0), quanta
  int32_t cell;                      // side of a cell, quanta; even: centres are exact
  int32_t columns, rows;
  uint32_t square_columns, square_rows; // whole squares of cells
  uint64_t per_cell;                    // 2^64 / cell, rounded up: see nav_grid_cells
  uint8_t *bits;                        // [cells]
  uint8_t *upwind;             // [cells] nav_grid_links without a destination; NULL: not yet set
  uint16_t *cost;              // [cells] of crossing a cell: field.h; NULL: uniform
  uint8_t *blocked_directions; // [cells] bit d: no route towards d; NULL: none
  uint8_t *gap; // [cells] from the centre to the nearest wall or the border of the grid, 1/16 m, at
                // most 255; 0 in solid ground and where no route leads; NULL: not measured
  int32_t far;  // time to a destination that is FIELD_FAR (field.h)
  int64_t narrow_count;
  struct narrow_cell *narrow; // [narrow_count] by cell; narrow_cells.h
  int64_t lost_passages;      // for which a cell would have to stand for two places
  struct point lost_at;       // the corner of such a cell
};

#define NAV_GRID_GAPS_PER_METRE 16

// Near walls a route is less comfortable: at the wall a metre costs 1 + 15 %, less with distance,
// and from 4 m on 1.
#define NAV_GRID_WALL_COST_PERCENT 15
#define NAV_GRID_WALL_COST_REACH   4 // m

// cell and clearance in quanta. The grid covers bounds. Threads share the rows.
void nav_grid_create(struct nav_grid *g, struct box bounds, int32_t cell, int32_t clearance,
                     const struct obstacles *o);
void nav_grid_destroy(struct nav_grid *g);
// Sets the gaps of a new grid, exact but for their unit. metre: quanta. Threads share the cells.
void nav_grid_measure_gaps(struct nav_grid *g, int32_t metre);
// Sets the costs of a grid with gaps and without zones.
void nav_grid_raise_costs_near_walls(struct nav_grid *g);
// Sets the upwind links, once the zones are applied. Threads share the cells.
void nav_grid_set_upwind(struct nav_grid *g);
bool nav_grid_is_valid(const struct nav_grid *g); // has cells and their bits; for asserts

static inline int64_t nav_grid_square_count(const struct nav_grid *g)
{
  return (int64_t)g->square_columns * g->square_rows;
}

// The length of an array of cells: those of whole squares.
static inline int64_t nav_grid_cell_count(const struct nav_grid *g)
{
  return nav_grid_square_count(g) * CELL_SQUARE_CELLS;
}

// The index of a cell.
INLINE int64_t nav_grid_cell(const struct nav_grid *g, uint32_t column, uint32_t row)
{
  return cell_order_x(column) + cell_order_y(row, g->square_columns);
}

// The neighbour towards d: 0 .. 3 are east, north, west and south. Both must be inside the squares.
INLINE int64_t nav_grid_neighbour(const struct nav_grid *g, int64_t cell, int d)
{
  return cell_order_step(cell, d, g->square_columns);
}

struct cell_place { // of a cell
  int32_t column, row;
};

INLINE struct cell_place nav_grid_place(const struct nav_grid *g, int64_t cell)
{
  const uint32_t square = (uint32_t)(cell >> 2 * CELL_SQUARE_BITS), in_square = (uint32_t)cell;
  const uint32_t row = square / g->square_columns, column = square - row * g->square_columns;
  struct cell_place p;
  p.column = (int32_t)(column * CELL_SQUARE + cell_order_gathered(in_square));
  p.row = (int32_t)(row * CELL_SQUARE + cell_order_gathered(in_square >> 1));
  return p;
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
INLINE struct cell_place nav_grid_place_of(const struct nav_grid *g, struct point p)
{
  const uint32_t x = nav_grid_clamped(g, (int64_t)p.x - g->origin.x, g->columns);
  const uint32_t y = nav_grid_clamped(g, (int64_t)p.y - g->origin.y, g->rows);
  return (struct cell_place){(int32_t)nav_grid_cells(g, x), (int32_t)nav_grid_cells(g, y)};
}

INLINE int64_t nav_grid_cell_of(const struct nav_grid *g, struct point p)
{
  const struct cell_place at = nav_grid_place_of(g, p);
  return nav_grid_cell(g, (uint32_t)at.column, (uint32_t)at.row);
}

INLINE struct point nav_grid_centre(const struct nav_grid *g, int64_t cell)
{
  const struct cell_place at = nav_grid_place(g, cell);
  return (struct point){(int32_t)(g->origin.x + (int64_t)at.column * g->cell + g->cell / 2),
                        (int32_t)(g->origin.y + (int64_t)at.row * g->cell + g->cell / 2)};
}

// The narrow cell that the cell is; NULL: it is none.
INLINE const struct narrow_cell *nav_grid_narrow_cell(const struct nav_grid *g, int64_t cell)
{
  int64_t low = 0, end = g->bits[cell] & NAV_GRID_NARROW ? g->narrow_count : 0;
  const int64_t all = end;
  while (low < end) {
    const int64_t middle = (low + end) / 2;
    if (g->narrow[middle].cell < cell)
      low = middle + 1;
    else
      end = middle;
  }
  return low < all && g->narrow[low].cell == cell ? &g->narrow[low] : NULL;
}

// The point that stands for the cell.
INLINE struct point nav_grid_point(const struct nav_grid *g, int64_t cell)
{
  const struct narrow_cell *narrow = nav_grid_narrow_cell(g, cell);
  return narrow ? narrow->at : nav_grid_centre(g, cell);
}

// Is the cell's clearance enough for routes, or is it in the destination? destination[cells / 8]: a
// bit for each cell; NULL: none.
INLINE bool nav_grid_is_open(const struct nav_grid *g, int64_t cell, const uint8_t *destination)
{
  return !(g->bits[cell] & NAV_GRID_LOW_CLEARANCE) ||
         (destination && destination[cell >> 3] >> (cell & 7) & 1);
}

// Bits 0 .. 3: the neighbours from which a field takes the time of the cell, for which both must be
// open. Bits 4 .. 7: those to which there is an open link.
#define NAV_GRID_LINKS 4
uint8_t nav_grid_links(const struct nav_grid *g, struct cell_place at, const uint8_t *destination);

// Sets marks[cell] = 1 for every cell whose centre is inside the closed outlines (even-odd), or
// whose inside an outline crosses; an open line marks every cell that it touches.
void nav_grid_mark(const struct nav_grid *g, const struct outlines *area, uint8_t *marks);
