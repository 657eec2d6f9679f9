// The cells of a whole square, LANES at a time. Compiled once for each width.
#include "field_cells.h"

#include "lanes.h"
#include <assert.h>
#include <string.h>

#define ROW    (CELL_SQUARE + 4) // of a window: a square and the cells beside it, and padding
#define WINDOW (ROW * (CELL_SQUARE + 2)) // cells

#define CROSSED_BIT 0x100 // beside the bits of wavefront.upwind
#define NARROW_BIT  0x200

static_assert(NAV_GRID_NARROW * (CROSSED_BIT / NAV_GRID_CROSSED) == NARROW_BIT, "one shift");
static_assert(CELL_SQUARE % LANES == 0, "vectors fill a row");
static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__ && sizeof(struct field_cell) == 4,
              "a cell is made as one number");

struct window {         // by rows, so that neighbours are lanes of vectors
  int32_t time[WINDOW]; // less 2^31, which keeps their order: lanes compare signed numbers
  int32_t links[WINDOW];
};

static int32_t signed_time(uint32_t time)
{
  return (int32_t)(time ^ 0x80000000u);
}

// The k-th of 16 x 16 blocks of 2 x 2 cells, by rows: in the window, and the first of the four that
// follow each other in the square.
static int window_place(uint32_t k)
{
  return (int)(2 * (k / (CELL_SQUARE / 2)) + 1) * ROW + (int)(2 * (k % (CELL_SQUARE / 2))) + 1;
}

static uint32_t square_place(uint32_t k)
{
  return cell_order_spread(2 * (k % (CELL_SQUARE / 2))) |
         cell_order_spread(2 * (k / (CELL_SQUARE / 2))) << 1;
}

// The cells beside the square on one side of it, towards d, or none.
static void copy_beside(const struct wavefront *w, int64_t first, int d, bool exist,
                        struct window *to)
{
  const int place[4] = {CELL_SQUARE + 1, (CELL_SQUARE + 1) * ROW, 0, 0};
  const uint32_t edge = d == EAST || d == NORTH ? CELL_SQUARE - 1 : 0;
  for (uint32_t i = 0; i < CELL_SQUARE; i++) {
    const uint32_t x = d & 1 ? i : edge, y = d & 1 ? edge : i;
    const int64_t cell = first + (cell_order_spread(x) | cell_order_spread(y) << 1);
    const int64_t beside = exist ? wavefront_neighbour(w, cell, d) : cell;
    const int at = place[d] + (d & 1 ? (int)i + 1 : ((int)i + 1) * ROW);
    to->time[at] = signed_time(exist ? w->time[beside] : FIELD_UNREACHED);
    to->links[at] = exist ? w->upwind[beside] : 0;
  }
}

static void window_copy(const struct wavefront *w, int64_t first, struct window *to)
{
  const int shift = CROSSED_BIT / NAV_GRID_CROSSED;
  for (uint32_t k = 0; k < CELL_SQUARE_CELLS / 4; k++) {
    const int64_t cell = first + square_place(k);
    const int at = window_place(k), place[4] = {at, at + 1, at + ROW, at + ROW + 1};
    UNROLL
    for (int i = 0; i < 4; i++) {
      to->time[place[i]] = signed_time(w->time[cell + i]);
      to->links[place[i]] =
          w->upwind[cell + i] |
          (w->grid->bits[cell + i] & (NAV_GRID_CROSSED | NAV_GRID_NARROW)) * shift;
    }
  }
  const struct cell_place at = nav_grid_place(w->grid, first);
  copy_beside(w, first, EAST, at.column + CELL_SQUARE < w->grid->columns, to);
  copy_beside(w, first, NORTH, at.row + CELL_SQUARE < w->grid->rows, to);
  copy_beside(w, first, WEST, at.column > 0, to);
  copy_beside(w, first, SOUTH, at.row > 0, to);
}

INLINE mask has(ivec links, int bit)
{
  return not(ivec_equal(links & splat_ivec(bit), splat_ivec(0)));
}

INLINE ivec bit_where(mask m, int bit)
{
  return select_ivec(m, splat_ivec(bit), splat_ivec(0));
}

// How much sooner the neighbour is; 0: not at all, or no link.
INLINE real gain(ivec time, const int32_t *beside, mask linked)
{
  const ivec other = lanes_load_ivec(beside);
  return to_real(time - select_ivec(linked & ivec_less(other, time), other, time));
}

INLINE real larger_gain(real forth, real back)
{
  const real larger = select_real(less(back, forth), forth, -back);
  return select_real(equal(forth, back), splat(0), larger);
}

INLINE ivec direction_byte(real along, real length)
{
  const real v = splat(127) * along / length;
  const real half = select_real(less(v, splat(0)), splat(-0.5f), splat(0.5f));
  return to_ivec(v + half) & splat_ivec(255);
}

// As cell_set_direction. open: the paths across the four corners
INLINE ivec direction_of(real x0, real y0, const mask *open)
{
  const mask west = less(x0, splat(0)), south = less(y0, splat(0));
  const mask clear =
      select_mask(south, select_mask(west, open[2], open[3]), select_mask(west, open[1], open[0]));
  const mask cut = not(clear | equal(x0, splat(0)) | equal(y0, splat(0)));
  const real wide = magnitude(x0), high = magnitude(y0);
  const real x = select_real(cut & less_equal(wide, high), splat(0), x0);
  const real y = select_real(cut & less_equal(high, wide), splat(0), y0);
  const real root = square_root(x * x + y * y);
  const real length = select_real(less(splat(0), root), root, splat(1));
  return direction_byte(x, length) | direction_byte(y, length) << 8;
}

// LANES cells of a row, as field_cell_made.
INLINE ivec cells_made(const int32_t *times, const int32_t *links, ivec far)
{
  const ivec time = lanes_load_ivec(times), own = lanes_load_ivec(links);
  const mask reached = not(ivec_equal(time, splat_ivec(signed_time(FIELD_UNREACHED))));
  const mask narrow = has(own, NARROW_BIT), wide = not(narrow);
  const int step[4] = {1, ROW, -1, -ROW};
  mask taken[4], open[4];
  ivec beside[4], paths = splat_ivec(0);
  UNROLL
  for (int d = 0; d < 4; d++) {
    taken[d] = reached & has(own, 1 << d);
    beside[d] = lanes_load_ivec(links + step[d]);
    paths |= bit_where(taken[d], 1 << d);
  }
  UNROLL
  for (int d = 0; d < 4; d++) {
    const int e = (d + 1) % 4;
    open[d] = wide & taken[d] & taken[e] & has(beside[d], 1 << e) & has(beside[e], 1 << d);
    paths |= bit_where(open[d], 1 << (4 + d));
  }
  real gains[4];
  UNROLL
  for (int d = 0; d < 4; d++)
    gains[d] = gain(time, times + step[d], taken[d]);
  const real x0 = larger_gain(gains[EAST], gains[WEST]);
  const real y0 = larger_gain(gains[NORTH], gains[SOUTH]);
  const real least =
      min_real(min_real(gains[EAST], gains[WEST]), min_real(gains[NORTH], gains[SOUTH]));
  const mask tie = equal(magnitude(x0), magnitude(y0)) & less(splat(0), least);
  const real x = select_real(tie, splat(0), x0), y = select_real(tie, splat(0), y0);
  const ivec flags = bit_where(has(own, CROSSED_BIT), FIELD_CROSSED) |
                     bit_where(narrow, FIELD_NARROW) |
                     bit_where(reached & not(ivec_less(time, far)), FIELD_FAR);
  return direction_of(x, y, open) | paths << 16 | flags << 24;
}

#define NAME_OF(lanes) field_square_made_##lanes
#define NAME(lanes)    NAME_OF(lanes)

void NAME(LANES)(const struct wavefront *w, int64_t square, struct field_cell *cells)
{
  const int64_t first = square * CELL_SQUARE_CELLS;
  struct window at;
  int32_t made[WINDOW];
  const ivec far = splat_ivec(signed_time((uint32_t)w->grid->far));
  window_copy(w, first, &at);
  for (int row = 1; row <= CELL_SQUARE; row++)
    for (int cell = row * ROW + 1; cell <= row * ROW + CELL_SQUARE; cell += LANES)
      lanes_store_ivec(made + cell, cells_made(at.time + cell, at.links + cell, far));
  for (uint32_t k = 0; k < CELL_SQUARE_CELLS / 4; k++) {
    const int32_t *from = made + window_place(k);
    memcpy(cells + square_place(k), from, 2 * sizeof *cells);
    memcpy(cells + square_place(k) + 2, from + ROW, 2 * sizeof *cells);
  }
}
