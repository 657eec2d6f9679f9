// The queries of agents that follow a field.
#pragma once
#include "field.h"
#include "lanes.h"
#include "nav_grid_kernel.h"

#include <math.h>

// The cell that represents p. Where p sees no centre, between walls, it is p's own cell.
INLINE int64_t field_cell(const struct nav_grid *g, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(g, p);
  return cell >= 0 ? cell : nav_grid_cell_of(g, p);
}

// Is the destination in the cell or a neighbour of it? Saves most agents a test of visibility.
INLINE bool destination_adjacent(const struct field *f, int64_t cell)
{
  const struct nav_grid *g = f->nav_grid;
  const struct cell_place at = nav_grid_place(g, cell);
  const int32_t column = at.column, row = at.row;
  for (int32_t r = row - (row > 0); r <= row + (row + 1 < g->rows); r++)
    for (int32_t c = column - (column > 0); c <= column + (column + 1 < g->columns); c++)
      if (f->cells[nav_grid_cell(g, (uint32_t)c, (uint32_t)r)].flags & FIELD_ARRIVED)
        return true;
  return false;
}

// The cells of LANES points, and the three cells with which each forms the square of centres around
// its point.
struct field_stencil {
  ivec own;
  ivec beside, ahead; // steps to the neighbours in x and in y, which may lie outside the grid
  ivec x, y;          // relative to the cell's centre, half quanta: exact for odd cells, too
};

// As nav_grid_clamped.
INLINE ivec field_clamped(const struct nav_grid *g, ivec v, int32_t cells)
{
  const int64_t end = (int64_t)cells * g->cell;
  const ivec zero = splat_ivec(0),
             last = splat_ivec((int32_t)(end > INT32_MAX ? INT32_MAX : end - 1));
  const ivec low = select_ivec(ivec_less(v, zero), zero, v);
  return select_ivec(ivec_less(last, low), last, low);
}

// As nav_grid_cells, and what is left of the length. The estimate is never too high, and hardly
// ever too low.
INLINE ivec field_whole_cells(const struct nav_grid *g, ivec length, ivec *rest)
{
  const float per_cell = (float)g->per_cell * (0x1p-64f * (1 - 0x1p-21f));
  const ivec side = splat_ivec(g->cell);
  ivec cells = to_ivec(to_real(length) * splat(per_cell));
  for (;;) {
    *rest = length - cells * side;
    const mask low = not(ivec_less(*rest, side));
    if (!any(low))
      return cells;
    cells = select_ivec(low, cells + splat_ivec(1), cells);
  }
}

// As cell_order_x and cell_order_y.
INLINE ivec field_order_spread(ivec v)
{
  v = v & splat_ivec(CELL_SQUARE - 1);
  v = (v | v << 4) & splat_ivec(0x10f);
  v = (v | v << 2) & splat_ivec(0x133);
  return (v | v << 1) & splat_ivec(CELL_ORDER_X);
}
INLINE ivec field_order_x(ivec column)
{
  return (column >> CELL_SQUARE_BITS) * splat_ivec(CELL_SQUARE_CELLS) + field_order_spread(column);
}
INLINE ivec field_order_y(ivec row, uint32_t squares)
{
  return (row >> CELL_SQUARE_BITS) * splat_ivec((int32_t)(squares * CELL_SQUARE_CELLS)) +
         (field_order_spread(row) << 1);
}

INLINE struct field_stencil field_stencil_of(const struct nav_grid *g, struct lane_point p)
{
  const ivec one = splat_ivec(1), back = splat_ivec(-1), zero = splat_ivec(0);
  ivec rest_x, rest_y;
  const ivec column =
      field_whole_cells(g, field_clamped(g, p.x - splat_ivec(g->origin.x), g->columns), &rest_x);
  const ivec row =
      field_whole_cells(g, field_clamped(g, p.y - splat_ivec(g->origin.y), g->rows), &rest_y);
  const ivec at_x = field_order_x(column), at_y = field_order_y(row, g->square_columns);
  struct field_stencil s;
  s.x = (rest_x << 1) - splat_ivec(g->cell);
  s.y = (rest_y << 1) - splat_ivec(g->cell);
  s.own = at_x + at_y;
  s.beside = field_order_x(column + select_ivec(ivec_less(s.x, zero), back, one)) - at_x;
  s.ahead =
      field_order_y(row + select_ivec(ivec_less(s.y, zero), back, one), g->square_columns) - at_y;
  return s;
}

// Is p in the destination?
HOST_DEVICE bool field_arrived(const struct field *f, struct point p)
{
  const struct nav_grid *g = f->nav_grid;
  if (!box_holds(*f->destination_box, p))
    return false;
  const int64_t own = nav_grid_cell_of(g, p);
  if (f->reached[own >> 2 * CELL_SQUARE_BITS] < FIELD_SQUARE_ARRIVES)
    return false;
  const uint8_t flags = f->cells[own].flags;
  if (!(flags & FIELD_CROSSED)) // no wall hides its centre
    return flags & FIELD_ARRIVED;
  return destination_adjacent(f, own) && f->cells[field_cell(g, p)].flags & FIELD_ARRIVED;
}

INLINE void normalized(int64_t wx, int64_t wy, float *x, float *y)
{
  const float fx = (float)wx, fy = (float)wy, length = sqrtf(fx * fx + fy * fy);
  *x = length > 0.0f ? fx / length : 0.0f;
  *y = length > 0.0f ? fy / length : 0.0f;
}

struct grid_direction { // times 127
  int8_t x, y;
};

// The direction of a cell; in a tie, straight to the neighbour closest to the offset (x, y) from
// the centre. (0, 0) where there is no route and in the destination.
INLINE struct grid_direction tie_broken_direction(const struct field *f, int64_t cell, int32_t x,
                                                  int32_t y)
{
  const struct grid_direction straight[4] = {{127, 0}, {0, 127}, {-127, 0}, {0, -127}};
  const int32_t offset[4] = {x, y, -x, -y};
  const struct field_cell own = f->cells[cell];
  struct grid_direction direction = {own.x, own.y};
  if (direction.x || direction.y) // the time, seldom needed, is far from the cells in memory
    return direction;
  uint32_t time = field_time_of(f, cell);
  if (time == FIELD_UNREACHED)
    return direction;
  for (int d = 0, best = -1; d < 4; d++)
    if (own.paths >> d & 1) {
      const uint32_t next = field_time_of(f, nav_grid_neighbour(f->nav_grid, cell, d));
      if (next < time || (next == time && best >= 0 && offset[d] > offset[best])) {
        time = next;
        direction = straight[d];
        best = d;
      }
    }
  return direction;
}

// Whether a wall touches the cell: the grid's bit, but where the agent has read the field already.
INLINE bool field_crossed(const struct field *f, int64_t cell)
{
  return f->reached[cell >> 2 * CELL_SQUARE_BITS] ? f->cells[cell].flags & FIELD_CROSSED
                                                  : f->nav_grid->bits[cell] & NAV_GRID_CROSSED;
}

struct field_offset { // of a point
  int64_t own;        // its cell
  int32_t x, y;       // as in struct field_stencil
};

// Where a wall may be beside the route: towards the point one cell ahead of the centre along the
// route. This draws an agent off that line onto it, and so past the end of a wall in front. An
// agent in a cell with a wall that cannot see the point walks to the centre of the visible cell
// instead.
HOST_DEVICE void field_direction_near_wall(const struct field *f, struct point point,
                                           const struct field_offset *p, float *x, float *y)
{
  const struct nav_grid *g = f->nav_grid;
  const int32_t side = g->cell;
  const bool cut = field_crossed(f, p->own);
  const int64_t cell = cut ? field_cell(g, point) : p->own;
  const struct point c = nav_grid_centre(g, cell), own = nav_grid_centre(g, p->own);
  const int32_t from_x = p->x - 2 * (c.x - own.x), from_y = p->y - 2 * (c.y - own.y);
  const struct grid_direction direction = tie_broken_direction(f, cell, from_x, from_y);
  *x = *y = 0.0f;
  if (direction.x == 0 && direction.y == 0)
    return;
  const struct point ahead = {(int32_t)(c.x + (int64_t)direction.x * side / 127),
                              (int32_t)(c.y + (int64_t)direction.y * side / 127)};
  const bool hidden = cut && (from_x || from_y) && obstacles_crossing(point, ahead, g->obstacles);
  const int64_t on = hidden ? 0 : 2 * (int64_t)side;
  normalized(on * direction.x - 127 * (int64_t)from_x, on * direction.y - 127 * (int64_t)from_y, x,
             y);
}

INLINE int32_t field_cell_word(struct field_cell c) // in the order of its members
{
  return (int32_t)((uint32_t)(uint8_t)c.x | (uint32_t)(uint8_t)c.y << 8 | (uint32_t)c.paths << 16 |
                   (uint32_t)c.flags << 24);
}

// The words of cells; 0 in other lanes.
INLINE ivec field_words(const struct field *const *field, ivec cell, mask of)
{
  int32_t at[LANES], words[LANES] = {0};
  lanes_store_ivec(at, cell);
  for (uint32_t bits = mask_bits(of); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    words[l] = field_cell_word(field[l]->cells[at[l]]);
  }
  return lanes_load_ivec(words);
}

// The direction of least travel time, of any length, interpolated between the four closest cell
// centres. Returns the lanes in which the square between them is open.
INLINE mask field_interpolate(const struct field *const *field, const struct nav_grid *g,
                              const struct field_stencil *p, mask follow, vec2 *v)
{
  const ivec zero = splat_ivec(0);
  const mask west = ivec_less(p->x, zero), south = ivec_less(p->y, zero);
  const ivec corner = select_ivec(
      south, select_ivec(west, splat_ivec(FIELD_SOUTH_WEST), splat_ivec(FIELD_SOUTH_EAST)),
      select_ivec(west, splat_ivec(FIELD_NORTH_WEST), splat_ivec(FIELD_NORTH_EAST)));
  const ivec w = field_words(field, p->own, follow);
  const mask open = follow & not(ivec_equal((w >> 16) & corner, zero)) &
                    not(ivec_equal(w & splat_ivec(0xffff), zero));
  // The path across the corner leads to cells inside the grid.
  const ivec w1 = field_words(field, p->own + p->beside, open);
  const ivec w2 = field_words(field, p->own + p->ahead, open);
  const ivec w3 = field_words(field, p->own + p->beside + p->ahead, open);
  // Weights times (2 cell)^2: exact sums.
  const ivec whole = splat_ivec(2 * g->cell);
  const ivec x1 = select_ivec(west, zero - p->x, p->x), x0 = whole - x1;
  const ivec y1 = select_ivec(south, zero - p->y, p->y), y0 = whole - y1;
  v->x = products_sum(y0, x0 * signed_byte(w, 0) + x1 * signed_byte(w1, 0), y1,
                      x0 * signed_byte(w2, 0) + x1 * signed_byte(w3, 0));
  v->y = products_sum(y0, x0 * signed_byte(w, 1) + x1 * signed_byte(w1, 1), y1,
                      x0 * signed_byte(w2, 1) + x1 * signed_byte(w3, 1));
  return open & not(equal(v->x, splat(0)) & equal(v->y, splat(0)));
}

// Sets the directions of the lanes that field_interpolate has left.
HOST_DEVICE void field_directions_near_walls(const struct field *const *field, struct lane_point p,
                                             const struct field_stencil *at, mask near, vec2 *v)
{
  int32_t px[LANES], py[LANES], own[LANES], x[LANES], y[LANES];
  float vx[LANES], vy[LANES];
  lanes_store_ivec(px, p.x);
  lanes_store_ivec(py, p.y);
  lanes_store_ivec(own, at->own);
  lanes_store_ivec(x, at->x);
  lanes_store_ivec(y, at->y);
  lanes_store(vx, v->x);
  lanes_store(vy, v->y);
  for (uint32_t bits = mask_bits(near); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const struct field_offset offset = {own[l], x[l], y[l]};
    field_direction_near_wall(field[l], (struct point){px[l], py[l]}, &offset, &vx[l], &vy[l]);
  }
  *v = vec2_of(lanes_load(vx), lanes_load(vy));
}

// The unit directions of least travel time at p, along field[LANES]: interpolated between the four
// closest cell centres where the square between them is open, else along the cell's direction past
// its centre, clear of walls. (0, 0) where there is no route, in the destination and in lanes that
// do not follow. The same bits on every machine. at: of p.
INLINE vec2 field_directions(const struct field *const *field, const struct nav_grid *g,
                             struct lane_point p, const struct field_stencil *at, mask follow)
{
  const real zero = splat(0);
  vec2 v;
  const mask open = field_interpolate(field, g, at, follow, &v);
  const real length = square_root(select_real(open, dot(v, v), splat(1)));
  v = select_vec2(open, vec2_of(v.x / length, v.y / length), vec2_of(zero, zero));
  const mask near = follow & not(open);
  if (any(near))
    field_directions_near_walls(field, p, at, near, &v);
  return v;
}

// The same for one point.
HOST_DEVICE void field_direction(const struct field *f, struct point point, float *x, float *y)
{
  const struct field *field[LANES] = {f};
  const struct lane_point p = {splat_ivec(point.x), splat_ivec(point.y)};
  const struct field_stencil at = field_stencil_of(f->nav_grid, p);
  const vec2 v = field_directions(field, f->nav_grid, p, &at, mask_from_bits(1));
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  *x = vx[0];
  *y = vy[0];
}

// Prefetches what field_interpolate will read for the first `count` lanes: fields are larger than
// any cache. NULL: of no field.
INLINE void field_prefetch(const struct field *const *field, const struct field_stencil *p,
                           int count)
{
#ifndef __CUDA_ARCH__
  int32_t own[LANES], beside[LANES], ahead[LANES];
  lanes_store_ivec(own, p->own);
  lanes_store_ivec(beside, p->beside);
  lanes_store_ivec(ahead, p->ahead);
  for (int l = 0; l < count; l++) {
    if (!field[l])
      continue;
    const struct field_cell *at = field[l]->cells + own[l];
    __builtin_prefetch(at);
    __builtin_prefetch(at + beside[l]);
    __builtin_prefetch(at + ahead[l]);
    __builtin_prefetch(at + beside[l] + ahead[l]);
  }
#else
  (void)field, (void)p, (void)count;
#endif
}
