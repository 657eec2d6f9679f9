// Kernels that solve fields, several at once: the fast iterative method (Jeong, Whitaker 2008) in
// tiles of 16 x 16 cells. A round processes the listed tiles of all fields, one thread per patch of
// 4 x 4 cells. The thread holds its patch in registers and sweeps it forward and backward until no
// time decreases. Tiles that a decrease may affect are listed for the next round.
//
// The update is monotone in integers, so the fixed point does not depend on whether a thread reads
// a time of another patch before or after its decrease: a patch that read it before is listed
// again.
#pragma once
#include "device.h"
#include "eikonal_update.h"
#include "field.h"

#define TILE         16 // cells
#define PATCH        4  // cells
#define PATCH_CELLS  (PATCH * PATCH)
#define TILE_PATCHES ((TILE / PATCH) * (TILE / PATCH))

// The border cells of a patch as bits, row by row.
#define PATCH_EAST  0x8888u
#define PATCH_NORTH 0xf000u
#define PATCH_WEST  0x1111u
#define PATCH_SOUTH 0x000fu

struct front_state {
  int32_t round;
  int32_t count[2]; // tiles on each list; lists alternate: this round's is round % 2
};

struct front_batch { // fields of one nav_grid, in device memory
  int32_t count;
  int32_t columns, rows;       // of whole squares
  uint32_t square_columns;     // of the grid's order: cell_order.h
  int32_t tile_columns, tiles; // of each field
  int64_t cells;               // of each field
  int64_t threads;             // of a round
  const uint8_t *upwind;       // [count][cells] field.h
  const uint16_t *cost;        // [costs][cells]
  const int32_t *cost_index;   // [count] into `cost`; -1: FIELD_UNIT everywhere
  uint32_t *time;              // [count][cells]
  int32_t *listed_round;       // [count][tiles] the last round for which a tile was listed
  int32_t *list[2];            // [count * tiles] field * tiles + tile
  struct front_state *state;
};

struct patch_origin {
  int32_t field, column, row; // of the patch's lower left cell
};

struct patch {
  uint32_t time[PATCH + 2][PATCH + 2]; // with a border of the upwind neighbours
  uint32_t cost[PATCH_CELLS / 2];      // 16 bits per cell: half the registers
  uint64_t upwind;                     // 4 bits per cell
};

// Lists the tile of a cell for that round, once.
ON_DEVICE void activate_tile(const struct front_batch *f, int32_t field, int32_t column,
                             int32_t row, int32_t round)
{
  const int32_t tile = field * f->tiles + row / TILE * f->tile_columns + column / TILE;
  if (atomic_raise(&f->listed_round[tile], round))
    f->list[round % 2][atomic_increment(&f->state->count[round % 2])] = tile;
}

// The k-th patch of a listed tile.
ON_DEVICE struct patch_origin patch_origin_of(const struct front_batch *f, int32_t listed,
                                              int32_t k)
{
  const int32_t tile = listed % f->tiles, across = TILE / PATCH;
  struct patch_origin p;
  p.field = listed / f->tiles;
  p.column = tile % f->tile_columns * TILE + k % across * PATCH;
  p.row = tile / f->tile_columns * TILE + k / across * PATCH;
  return p;
}

INLINE int64_t front_cell(const struct front_batch *f, int32_t column, int32_t row)
{
  return cell_order_x((uint32_t)column) + cell_order_y((uint32_t)row, f->square_columns);
}

// A patch is 16 cells next to each other in memory: the place of one of them.
INLINE int64_t place_in_patch(int r, int c)
{
  return (int64_t)(cell_order_spread((uint32_t)c) | cell_order_spread((uint32_t)r) << 1);
}

// Where a patch and its neighbours begin, in the field; outside the grid a neighbour has no cell
// that is upwind.
struct patch_cells {
  int64_t own, east, north, west, south;
};

ON_DEVICE struct patch_cells patch_cells_of(const struct front_batch *f,
                                            const struct patch_origin *at)
{
  struct patch_cells p;
  p.own = front_cell(f, at->column, at->row);
  p.east = front_cell(f, at->column + PATCH, at->row);
  p.north = front_cell(f, at->column, at->row + PATCH);
  p.west = front_cell(f, at->column - PATCH, at->row);
  p.south = front_cell(f, at->column, at->row - PATCH);
  return p;
}

// The time of the neighbour in direction d, if the cell is upwind of it. Without the test the
// address may lie outside the grid. Volatile: other threads write it.
INLINE uint32_t upwind_time(const uint32_t *time, uint32_t upwind, int d)
{
  return upwind >> d & 1 ? *(const volatile uint32_t *)time : EIKONAL_UNREACHED;
}

// A cell and, at the patch's border, its upwind neighbours.
ON_DEVICE void patch_load_cell(struct patch *p, const struct front_batch *f, int32_t field,
                               const struct patch_cells *at, int r, int c)
{
  const int n = r * PATCH + c, last = PATCH - 1;
  const int64_t first = field * f->cells, cell = at->own + place_in_patch(r, c);
  const uint32_t *time = f->time + first;
  const uint32_t upwind = f->upwind[first + cell] & 15u;
  const int32_t cost_index = f->cost_index[field];
  p->upwind |= (uint64_t)upwind << 4 * n;
  p->time[r + 1][c + 1] = time[cell];
  const uint32_t cost = cost_index >= 0 ? f->cost[cost_index * f->cells + cell] : FIELD_UNIT;
  p->cost[n / 2] |= cost << 16 * (n % 2);
  if (c == last)
    p->time[r + 1][c + 2] = upwind_time(time + at->east + place_in_patch(r, 0), upwind, 0);
  if (r == last)
    p->time[r + 2][c + 1] = upwind_time(time + at->north + place_in_patch(0, c), upwind, 1);
  if (c == 0)
    p->time[r + 1][c] = upwind_time(time + at->west + place_in_patch(r, last), upwind, 2);
  if (r == 0)
    p->time[r][c + 1] = upwind_time(time + at->south + place_in_patch(last, c), upwind, 3);
}

ON_DEVICE void patch_load(struct patch *p, const struct front_batch *f, int32_t field,
                          const struct patch_cells *at)
{
  memset(p, 0, sizeof *p);
  UNROLL
  for (int r = 0; r < PATCH; r++) {
    UNROLL
    for (int c = 0; c < PATCH; c++)
      patch_load_cell(p, f, field, at, r, c);
  }
}

INLINE bool patch_update_cell(struct patch *p, int n) // did its time decrease?
{
  const int r = n / PATCH + 1, c = n % PATCH + 1;
  const uint32_t upwind = (uint32_t)(p->upwind >> 4 * n);
  const uint32_t east = upwind & 1 ? p->time[r][c + 1] : EIKONAL_UNREACHED;
  const uint32_t north = upwind & 2 ? p->time[r + 1][c] : EIKONAL_UNREACHED;
  const uint32_t west = upwind & 4 ? p->time[r][c - 1] : EIKONAL_UNREACHED;
  const uint32_t south = upwind & 8 ? p->time[r - 1][c] : EIKONAL_UNREACHED;
  const uint32_t cost = p->cost[n / 2] >> 16 * (n % 2) & 0xffff;
  const uint32_t time = eikonal_update(min_uint32(east, west), min_uint32(north, south), cost);
  const bool decreases = time < p->time[r][c];
  p->time[r][c] = decreases ? time : p->time[r][c];
  return decreases;
}

// Updates every cell once; returns the decreased ones as bits.
INLINE uint32_t patch_sweep(struct patch *p, int backward)
{
  uint32_t decreased = 0;
  UNROLL
  for (int n = 0; n < PATCH_CELLS; n++) {
    const int at = backward ? PATCH_CELLS - 1 - n : n;
    decreased |= (uint32_t)patch_update_cell(p, at) << at;
  }
  return decreased;
}

INLINE uint32_t patch_converge(struct patch *p)
{
  uint32_t forward, backward, decreased = 0;
  do {
    forward = patch_sweep(p, 0);
    backward = forward ? patch_sweep(p, 1) : 0;
    decreased |= forward | backward;
  } while (backward);
  return decreased;
}

ON_DEVICE void patch_store(const struct patch *p, const struct front_batch *f, int32_t field,
                           int64_t own, uint32_t decreased)
{
  uint32_t *time = f->time + field * f->cells + own;
  UNROLL
  for (int n = 0; n < PATCH_CELLS; n++)
    if (decreased >> n & 1)
      *(volatile uint32_t *)&time[place_in_patch(n / PATCH, n % PATCH)] =
          p->time[n / PATCH + 1][n % PATCH + 1];
}

// The patch's own tile, for its other patches, and the tiles across borders with a decrease.
ON_DEVICE void activate_tiles(const struct front_batch *f, const struct patch_origin *at,
                              uint32_t decreased, int32_t round)
{
  const int32_t field = at->field, column = at->column, row = at->row;
  activate_tile(f, field, column, row, round);
  if (decreased & PATCH_EAST && (column + PATCH) % TILE == 0 && column + PATCH < f->columns)
    activate_tile(f, field, column + PATCH, row, round);
  if (decreased & PATCH_NORTH && (row + PATCH) % TILE == 0 && row + PATCH < f->rows)
    activate_tile(f, field, column, row + PATCH, round);
  if (decreased & PATCH_WEST && column % TILE == 0 && column > 0)
    activate_tile(f, field, column - 1, row, round);
  if (decreased & PATCH_SOUTH && row % TILE == 0 && row > 0)
    activate_tile(f, field, column, row - 1, round);
}

KERNEL_OF(struct front_batch, front_update_tiles)
{
  const int32_t round = s->state->round;
  const int64_t patches = (int64_t)s->state->count[round % 2] * TILE_PATCHES;
  for (int64_t k = i; k < patches; k += s->threads) {
    const struct patch_origin at =
        patch_origin_of(s, s->list[round % 2][k / TILE_PATCHES], (int32_t)(k % TILE_PATCHES));
    const struct patch_cells cells = patch_cells_of(s, &at);
    struct patch p;
    patch_load(&p, s, at.field, &cells);
    const uint32_t decreased = patch_converge(&p);
    if (decreased) {
      patch_store(&p, s, at.field, cells.own, decreased);
      activate_tiles(s, &at, decreased, round + 1);
    }
  }
}

KERNEL_OF(struct front_batch, front_next_round) // one thread
{
  (void)i;
  s->state->count[s->state->round % 2] = 0;
  s->state->round++;
}

// Lists, for round 0, the tile of every cell with a known time and its neighbours' tiles.
KERNEL_OF(struct front_batch, front_activate_sources)
{
  if (s->time[i] == EIKONAL_UNREACHED)
    return;
  const int32_t field = (int32_t)(i / s->cells);
  const int64_t cell = i % s->cells;
  const uint32_t square = (uint32_t)(cell >> 2 * CELL_SQUARE_BITS);
  const int32_t column =
      (int32_t)(square % s->square_columns * CELL_SQUARE + cell_order_gathered((uint32_t)cell));
  const int32_t row = (int32_t)(square / s->square_columns * CELL_SQUARE +
                                cell_order_gathered((uint32_t)cell >> 1));
  activate_tile(s, field, column, row, 0);
  activate_tile(s, field, column > 0 ? column - 1 : 0, row, 0);
  activate_tile(s, field, column + 1 < s->columns ? column + 1 : column, row, 0);
  activate_tile(s, field, column, row > 0 ? row - 1 : 0, 0);
  activate_tile(s, field, column, row + 1 < s->rows ? row + 1 : row, 0);
}
