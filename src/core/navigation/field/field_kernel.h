// The queries of agents that follow a field.
#pragma once
#include "field.h"
#include "field_narrow_kernel.h"
#include "lanes.h"
#include "nav_grid_kernel.h"

#include <math.h>

// The cell that represents p. Where p sees no centre, between walls, it is p's own cell.
INLINE int64_t field_cell(const struct nav_grid *g, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(g, p);
  return cell >= 0 ? cell : nav_grid_cell_of(g, p);
}

// LANES points, and for each the square of four cell centres around it.
struct field_stencil {
  ivec own;        // the cell that holds the point
  ivec x, y;       // the point, relative to the centre of that cell, half quanta: exact
  ivec south_west; // the cell in this corner of the square, which may lie outside the grid
  ivec right, up;  // steps from there to the east and to the north
  ivec inside;     // bits of the cells that are in memory: south-west, -east, north-west, -east
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
  const ivec zero = splat_ivec(0), one = splat_ivec(1);
  const ivec columns = splat_ivec((int32_t)g->square_columns * CELL_SQUARE);
  const ivec rows = splat_ivec((int32_t)g->square_rows * CELL_SQUARE);
  ivec rest_x, rest_y;
  const ivec column =
      field_whole_cells(g, field_clamped(g, p.x - splat_ivec(g->origin.x), g->columns), &rest_x);
  const ivec row =
      field_whole_cells(g, field_clamped(g, p.y - splat_ivec(g->origin.y), g->rows), &rest_y);
  struct field_stencil s;
  s.x = (rest_x << 1) - splat_ivec(g->cell);
  s.y = (rest_y << 1) - splat_ivec(g->cell);
  const mask west = ivec_less(s.x, zero), south = ivec_less(s.y, zero);
  const ivec left = column - select_ivec(west, one, zero);
  const ivec low = row - select_ivec(south, one, zero);
  const ivec x0 = field_order_x(left), x1 = field_order_x(left + one);
  const ivec y0 = field_order_y(low, g->square_columns);
  const ivec y1 = field_order_y(low + one, g->square_columns);
  s.own = select_ivec(west, x1, x0) + select_ivec(south, y1, y0);
  s.south_west = x0 + y0;
  s.right = x1 - x0;
  s.up = y1 - y0;
  s.inside = (select_ivec(ivec_less(left, zero), zero, splat_ivec(1 | 4)) |
              select_ivec(ivec_less(left + one, columns), splat_ivec(2 | 8), zero)) &
             (select_ivec(ivec_less(low, zero), zero, splat_ivec(1 | 2)) |
              select_ivec(ivec_less(low + one, rows), splat_ivec(4 | 8), zero));
  return s;
}

// The direction of a cell, given what agents read of it; in a tie, straight to the neighbour
// closest to the offset (x, y) from the centre. (0, 0) where there is no route and in the
// destination.
INLINE struct grid_direction tie_broken_direction(const struct field *f, int64_t cell,
                                                  struct field_cell own, int32_t x, int32_t y)
{
  const struct grid_direction straight[4] = {{127, 0}, {0, 127}, {-127, 0}, {0, -127}};
  const int32_t offset[4] = {x, y, -x, -y};
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
  int32_t word;       // what agents read of the cell; 0: not in memory, or no route
};

INLINE struct field_cell field_cell_of_word(int32_t word) // of field_cell_word
{
  const uint32_t w = (uint32_t)word;
  return (struct field_cell){(int8_t)(w & 0xff), (int8_t)(w >> 8 & 0xff), (uint8_t)(w >> 16 & 0xff),
                             (uint8_t)(w >> 24)};
}

// Where a wall may be beside the route: towards the point one cell ahead of the centre along the
// route, or through a narrow passage. This draws an agent off that line onto it, and so past the
// end of a wall in front. An agent that cannot see the point walks to the point of the visible cell
// instead.
HOST_DEVICE void field_direction_near_wall(const struct field *f, struct point point,
                                           const struct field_offset *p, float *x, float *y)
{
  const struct nav_grid *g = f->nav_grid;
  const int32_t side = g->cell;
  const bool cut =
      p->word ? (uint32_t)p->word >> 24 & FIELD_CROSSED : field_crossed(f, p->own); // less to read
  const int64_t cell = cut ? field_cell(g, point) : p->own;
  const struct point c = nav_grid_centre(g, cell), own = nav_grid_centre(g, p->own);
  const int32_t from_x = p->x - 2 * (c.x - own.x), from_y = p->y - 2 * (c.y - own.y);
  const struct field_cell read =
      cell == p->own && p->word ? field_cell_of_word(p->word) : f->cells[cell];
  const struct grid_direction direction = tie_broken_direction(f, cell, read, from_x, from_y);
  *x = *y = 0.0f;
  if (direction.x == 0 && direction.y == 0)
    return;
  if (read.flags & FIELD_NARROW && field_direction_if_narrow(f, point, cell, direction, x, y))
    return;
  const struct point ahead = {(int32_t)(c.x + (int64_t)direction.x * side / 127),
                              (int32_t)(c.y + (int64_t)direction.y * side / 127)};
  const bool wall = cut || field_crossed(f, nav_grid_cell_of(g, ahead));
  const bool hidden = wall && (from_x || from_y) && obstacles_crossing(point, ahead, g->obstacles);
  const int64_t on = hidden ? 0 : 2 * (int64_t)side;
  normalized(on * direction.x - 127 * (int64_t)from_x, on * direction.y - 127 * (int64_t)from_y, x,
             y);
}

INLINE int32_t field_cell_word(struct field_cell c) // in the order of its members
{
  return (int32_t)((uint32_t)(uint8_t)c.x | (uint32_t)(uint8_t)c.y << 8 | (uint32_t)c.paths << 16 |
                   (uint32_t)c.flags << 24);
}

// The cells at the corners of the squares around LANES points.
#define FIELD_CORNERS 4 // south-west, south-east, north-west, north-east
struct field_corners {
  ivec word[FIELD_CORNERS]; // of struct field_cell; 0: not in memory
};

// Where the corners of a stencil are, lane by lane.
struct field_corner_cells {
  int32_t south_west[LANES], right[LANES], up[LANES], inside[LANES];
};

INLINE struct field_corner_cells field_corner_cells_of(const struct field_stencil *p)
{
  struct field_corner_cells at;
  lanes_store_ivec(at.south_west, p->south_west);
  lanes_store_ivec(at.right, p->right);
  lanes_store_ivec(at.up, p->up);
  lanes_store_ivec(at.inside, p->inside);
  return at;
}

// Reads the square of lane l: to[0], to[stride], ...
INLINE void field_corners_read_lane(int32_t *to, int stride, const struct field *f,
                                    const struct field_corner_cells *at, int l)
{
  const int32_t step[FIELD_CORNERS] = {0, at->right[l], at->up[l], at->right[l] + at->up[l]};
  if (at->inside[l] == (1 << FIELD_CORNERS) - 1) { // most
    const struct field_cell *cells = f->cells + at->south_west[l];
    UNROLL
    for (int k = 0; k < FIELD_CORNERS; k++)
      to[k * stride] = field_cell_word(cells[step[k]]);
    return;
  }
  UNROLL
  for (int k = 0; k < FIELD_CORNERS; k++)
    to[k * stride] =
        at->inside[l] >> k & 1 ? field_cell_word(f->cells[at->south_west[l] + step[k]]) : 0;
}

// 0 in other lanes.
INLINE struct field_corners field_corners_read(const struct field *const *field,
                                               const struct field_stencil *p, mask of)
{
  const struct field_corner_cells at = field_corner_cells_of(p);
  int32_t words[FIELD_CORNERS][LANES] = {{0}};
  struct field_corners s;
  for (uint32_t bits = mask_bits(of); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    field_corners_read_lane(&words[0][l], LANES, field[l], &at, l);
  }
  for (int k = 0; k < FIELD_CORNERS; k++)
    s.word[k] = lanes_load_ivec(words[k]);
  return s;
}

// The word of the cell that holds the point.
INLINE ivec field_own_word(const struct field_corners *s, mask west, mask south)
{
  const ivec *w = s->word;
  return select_ivec(south, select_ivec(west, w[3], w[2]), select_ivec(west, w[1], w[0]));
}

// The direction of least travel time, of any length, interpolated between the four closest cell
// centres. Returns the lanes in which the square between them is open.
INLINE mask field_interpolate(const struct field_corners *s, const struct nav_grid *g,
                              const struct field_stencil *p, mask follow, vec2 *v)
{
  const ivec zero = splat_ivec(0), *w = s->word;
  const mask west = ivec_less(p->x, zero), south = ivec_less(p->y, zero);
  const ivec own = field_own_word(s, west, south);
  const ivec corner = select_ivec(
      south, select_ivec(west, splat_ivec(FIELD_SOUTH_WEST), splat_ivec(FIELD_SOUTH_EAST)),
      select_ivec(west, splat_ivec(FIELD_NORTH_WEST), splat_ivec(FIELD_NORTH_EAST)));
  const mask open = follow & not(ivec_equal((own >> 16) & corner, zero)) &
                    not(ivec_equal(own & splat_ivec(0xffff), zero));
  // Weights times (2 cell)^2: exact sums. The path across the corner leads to cells inside the
  // grid.
  const ivec whole = splat_ivec(2 * g->cell);
  const ivec x1 = p->x + select_ivec(west, whole, zero), x0 = whole - x1;
  const ivec y1 = p->y + select_ivec(south, whole, zero), y0 = whole - y1;
  v->x = products_sum(y0, x0 * signed_byte(w[0], 0) + x1 * signed_byte(w[1], 0), y1,
                      x0 * signed_byte(w[2], 0) + x1 * signed_byte(w[3], 0));
  v->y = products_sum(y0, x0 * signed_byte(w[0], 1) + x1 * signed_byte(w[1], 1), y1,
                      x0 * signed_byte(w[2], 1) + x1 * signed_byte(w[3], 1));
  return open & not(equal(v->x, splat(0)) & equal(v->y, splat(0)));
}

// The square of the length of an interpolated direction below which the cells around disagree: on
// the line between two ways that are equally long, where people would run to and fro.
INLINE float field_least_agreement(const struct nav_grid *g)
{
  const float whole = 127.0f * 4.0f * (float)g->cell * (float)g->cell; // all four agree
  return 0.25f * whole * whole;
}

// Of the agent's own cell.
INLINE vec2 field_own_direction(const struct field_corners *s, const struct field_stencil *p)
{
  const ivec zero = splat_ivec(0);
  const ivec own = field_own_word(s, ivec_less(p->x, zero), ivec_less(p->y, zero));
  return vec2_of(to_real(signed_byte(own, 0)), to_real(signed_byte(own, 1)));
}

// Sets the directions of the lanes that field_interpolate has left.
HOST_DEVICE void field_directions_near_walls(const struct field *const *field, struct lane_point p,
                                             const struct field_stencil *at,
                                             const struct field_corners *square, mask near, vec2 *v)
{
  const ivec zero = splat_ivec(0);
  int32_t px[LANES], py[LANES], own[LANES], x[LANES], y[LANES], word[LANES];
  float vx[LANES], vy[LANES];
  lanes_store_ivec(px, p.x);
  lanes_store_ivec(py, p.y);
  lanes_store_ivec(own, at->own);
  lanes_store_ivec(x, at->x);
  lanes_store_ivec(y, at->y);
  lanes_store_ivec(word, field_own_word(square, ivec_less(at->x, zero), ivec_less(at->y, zero)));
  lanes_store(vx, v->x);
  lanes_store(vy, v->y);
  for (uint32_t bits = mask_bits(near); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const struct field_offset offset = {own[l], x[l], y[l], word[l]};
    field_direction_near_wall(field[l], (struct point){px[l], py[l]}, &offset, &vx[l], &vy[l]);
  }
  *v = vec2_of(lanes_load(vx), lanes_load(vy));
}

// The unit directions of least travel time at p, along field[LANES]: interpolated between the four
// closest cell centres where the square between them is open, else along the cell's direction past
// its centre, clear of walls. (0, 0) where there is no route, in the destination and in lanes that
// do not follow. The same bits on every machine. at, square: of p.
INLINE vec2 field_directions(const struct field *const *field, const struct nav_grid *g,
                             struct lane_point p, const struct field_stencil *at,
                             const struct field_corners *square, mask follow)
{
  const real zero = splat(0);
  vec2 v;
  const mask open = field_interpolate(square, g, at, follow, &v);
  const mask divided = open & less(dot(v, v), splat(field_least_agreement(g)));
  if (any(divided))
    v = select_vec2(divided, field_own_direction(square, at), v);
  const real length = square_root(select_real(open, dot(v, v), splat(1)));
  v = select_vec2(open, vec2_of(v.x / length, v.y / length), vec2_of(zero, zero));
  const mask near = follow & not(open);
  if (any(near))
    field_directions_near_walls(field, p, at, square, near, &v);
  return v;
}

// The same for one point.
HOST_DEVICE void field_direction(const struct field *f, struct point point, float *x, float *y)
{
  const struct field *field[LANES] = {f};
  const struct lane_point p = {splat_ivec(point.x), splat_ivec(point.y)};
  const struct field_stencil at = field_stencil_of(f->nav_grid, p);
  const mask first = mask_from_bits(1);
  const struct field_corners square = field_corners_read(field, &at, first);
  const vec2 v = field_directions(field, f->nav_grid, p, &at, &square, first);
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  *x = vx[0];
  *y = vy[0];
}

// Prefetches what field_corners_read will read: fields are larger than any cache.
INLINE void field_prefetch(const struct field *const *field, const struct field_stencil *p, mask of)
{
#ifndef __CUDA_ARCH__
  const struct field_corner_cells at = field_corner_cells_of(p);
  for (uint32_t bits = mask_bits(of); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const struct field_cell *cell = field[l]->cells + at.south_west[l];
    __builtin_prefetch(cell);
    __builtin_prefetch(cell + at.right[l] + at.up[l]);
  }
#else
  (void)field, (void)p, (void)of;
#endif
}
