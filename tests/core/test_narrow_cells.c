// The grid connects what the walls, thickened by the clearance, connect.
#include "narrow_cells.h"

#include "extent.h"
#include "field_kernel.h"
#include "grid_cells.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#define METRE     65536
#define LINES_MAX 24

static unsigned state = 1;

static double drawn(double low, double high)
{
  state = state * 1664525u + 1013904223u;
  return low + (high - low) * (state / 4294967296.0);
}

struct scene {
  int64_t start[LINES_MAX + 1];
  struct point points[4 * LINES_MAX];
  uint8_t closed[LINES_MAX];
  struct outlines lines;
  struct obstacles obstacles;
  struct nav_grid grid;
  struct field field;
};

static const struct box BOUNDS = {{-5 * METRE, -5 * METRE}, {5 * METRE, 5 * METRE}};

static struct point metres(double x, double y)
{
  return (struct point){(int32_t)lrint(x * METRE), (int32_t)lrint(y * METRE)};
}

static void add_line(struct scene *s, int count, const struct point *points, bool closed)
{
  struct outlines *l = &s->lines;
  *l = (struct outlines){l->count, s->start, s->points, s->closed};
  for (int i = 0; i < count; i++)
    s->points[s->start[l->count] + i] = points[i];
  s->closed[l->count] = closed;
  s->start[l->count + 1] = s->start[l->count] + count;
  l->count++;
}

// A box along a direction: from `from` to `to`, between the offsets low and high beside it; metres.
struct frame_of_box {
  double x, y, ux, uy; // a point, and a unit direction
};

static void add_box(struct scene *s, struct frame_of_box f, double from, double to, double low,
                    double high)
{
  const double along[4] = {from, to, to, from}, beside[4] = {low, low, high, high};
  struct point p[4];
  for (int k = 0; k < 4; k++)
    p[k] =
        metres(f.x + along[k] * f.ux - beside[k] * f.uy, f.y + along[k] * f.uy + beside[k] * f.ux);
  add_line(s, 4, p, true);
}

static void finish(struct scene *s, double cell, double clearance)
{
  obstacles_create(&s->obstacles, &s->lines, false);
  nav_grid_create(&s->grid, BOUNDS, (int32_t)lrint(cell * METRE) & ~1,
                  (int32_t)lrint(clearance * METRE), &s->obstacles);
  nav_grid_open_narrow_cells(&s->grid, (int32_t)lrint(clearance * METRE));
}

static void solve(struct scene *s, struct point target)
{
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&s->grid), 1);
  marks[nav_grid_cell_of(&s->grid, target)] = 1;
  field_create(&s->field, &s->grid, NULL);
  field_solve(&s->field, marks, NULL);
  memory_destroy(marks);
}

static void scene_destroy(struct scene *s)
{
  if (s->field.cells)
    field_destroy(&s->field);
  nav_grid_destroy(&s->grid);
  obstacles_destroy(&s->obstacles);
}

// Walks along the field in steps of 5 cm; false: a wall is in the way, or it takes too long.
static bool arrives(const struct scene *s, struct point p)
{
  for (int step = 0; step < 1200; step++) {
    if (field_time(&s->field, p) == 0)
      return true;
    float x, y;
    field_direction(&s->field, p, &x, &y);
    const struct point next = {p.x + (int32_t)(x * (METRE / 20)),
                               p.y + (int32_t)(y * (METRE / 20))};
    if (obstacles_crossed(&s->obstacles, p, next))
      return false;
    p = next;
  }
  return false;
}

// ------------------------------------------------------------------------------------------- doors

struct door {
  double width, angle, cell, clearance, thickness;
};

// A wall through the world with one door near the middle.
static void door_scene(struct scene *s, const struct door *d, struct frame_of_box *wall)
{
  *wall = (struct frame_of_box){drawn(-d->cell / 2, d->cell / 2), drawn(-d->cell / 2, d->cell / 2),
                                cos(d->angle), sin(d->angle)};
  add_box(s, *wall, d->width / 2, 12, -d->thickness / 2, d->thickness / 2);
  add_box(s, *wall, -12, -d->width / 2, -d->thickness / 2, d->thickness / 2);
  finish(s, d->cell, d->clearance);
}

static void check_door(const struct door *d, bool walk)
{
  struct scene s = {0};
  struct frame_of_box wall;
  door_scene(&s, d, &wall);
  const struct point from = metres(wall.x + 3 * wall.uy, wall.y - 3 * wall.ux);
  solve(&s, metres(wall.x - 3 * wall.uy, wall.y + 3 * wall.ux));
  const bool open = d->width >= 2 * d->clearance;
  cr_assert_eq(field_reachable(&s.field, from), open,
               "door of %g m at %g rad with cells of %g m and a clearance of %g m: %s", d->width,
               d->angle, d->cell, d->clearance, open ? "closed" : "open");
  cr_assert_eq(s.grid.lost_passages, 0);
  for (int k = -2; k <= 2 && open && walk; k++) {
    const double aside = 1.2 * k;
    const struct point p =
        metres(wall.x + 3 * wall.uy + aside * wall.ux, wall.y - 3 * wall.ux + aside * wall.uy);
    cr_assert(arrives(&s, p),
              "nobody gets through the door of %g m at %g rad, cells of %g m, from %g m aside",
              d->width, d->angle, d->cell, aside);
  }
  scene_destroy(&s);
}

#define ANGLES 12
#define SHIFTS (LONG ? 10 : SHORT ? 1 : 2)

static void check_doors(double clearance, double thickness, bool walk)
{
  const double widths[] = {0.7, 0.8, 0.9, 1.2}, cells[] = {0.1, 0.25, 0.5, 1};
  for (int w = 0; w < 4; w++)
    for (int c = 0; c < 4; c++)
      for (int angle = 0; angle < ANGLES; angle++)
        for (int shift = 0; shift < SHIFTS; shift++)
          check_door(&(struct door){widths[w], angle * 3.14159265358979 / ANGLES, cells[c],
                                    clearance, thickness},
                     walk);
}

Test(narrow_cells, doors_of_any_width_angle_and_shift_let_people_through)
{
  check_doors(0.25, 0.2, true);
}

Test(narrow_cells, doors_narrower_than_twice_the_clearance_are_closed)
{
  check_doors(0.37, 0.2, false); // .7 m is not enough
  if (LONG)
    check_doors(0.46, 0.3, false);
}

Test(narrow_cells, doors_in_thin_and_in_thick_walls)
{
  check_doors(0.3, 0.02, true);
  if (LONG)
    check_doors(0.3, 1.1, true);
}

// ------------------------------------------------------------------------------------------
// pockets

// A U that opens towards -u, of thick walls.
static void pocket_scene(struct scene *s, struct frame_of_box u, double half, double cell)
{
  add_box(s, u, -1.2, 1.5, half, half + 0.3);
  add_box(s, u, -1.2, 1.5, -half - 0.3, -half);
  add_box(s, u, 1.5, 1.8, -half - 0.3, half + 0.3);
  finish(s, cell, 0.2);
}

// From the axis of a U that lies across the grid: nobody stays where both ways out of it are
// equally long.
Test(narrow_cells, nobody_stays_in_a_pocket_across_the_grid)
{
  const double cells[] = {0.1, 0.25, 0.5}, halves[] = {1, 1.3, 2}, root = sqrt(0.5);
  for (int k = 0; k < 4 * 3 * 3; k++) {
    struct scene s = {0};
    const struct frame_of_box u = {0, 0, k & 1 ? root : -root, k & 2 ? root : -root};
    const double cell = cells[k / 4 % 3], half = halves[k / 12];
    pocket_scene(&s, u, half, cell);
    solve(&s, metres(3.5 * u.ux, 3.5 * u.uy));
    for (double at = -4; at < 1.2; at += 0.1)
      cr_assert(arrives(&s, metres(at * u.ux, at * u.uy)),
                "quarter %d, cells of %g m, %g m wide: from %g m", k & 3, cell, 2 * half, at);
    scene_destroy(&s);
  }
}

// --------------------------------------------------------------------------------------- any walls

#define FINE (METRE / 40) // of the oracle's lattice

// A judge of connectedness that knows nothing of cells: a fine lattice of points that keep a
// distance from all walls.
struct lattice {
  int side;
  int *piece; // [side * side] 0: too near a wall
};

static struct lattice lattice_create(const struct scene *s, int32_t distance)
{
  const int side = (BOUNDS.hi.x - BOUNDS.lo.x) / FINE + 1;
  struct lattice l = {side, memory_create((size_t)(side * side), sizeof *l.piece)};
  int *list = memory_create((size_t)(side * side), sizeof *list), pieces = 0;
  for (int k = 0; k < side * side; k++) {
    const struct point p = {BOUNDS.lo.x + k % side * FINE, BOUNDS.lo.y + k / side * FINE};
    l.piece[k] =
        obstacles_near(&s->obstacles, p, distance) || obstacles_solid(&s->obstacles, p) ? 0 : -1;
  }
  for (int k = 0; k < side * side; k++) {
    if (l.piece[k] >= 0)
      continue;
    int count = 0;
    list[count++] = k;
    l.piece[k] = ++pieces;
    for (int i = 0; i < count; i++) {
      const int x = list[i] % side, y = list[i] / side;
      const int next[4] = {x > 0 ? list[i] - 1 : list[i], x + 1 < side ? list[i] + 1 : list[i],
                           y > 0 ? list[i] - side : list[i],
                           y + 1 < side ? list[i] + side : list[i]};
      for (int d = 0; d < 4; d++)
        if (l.piece[next[d]] < 0) {
          l.piece[next[d]] = pieces;
          list[count++] = next[d];
        }
    }
  }
  memory_destroy(list);
  return l;
}

static int piece_at(const struct lattice *l, struct point p)
{
  const int x = (p.x - BOUNDS.lo.x + FINE / 2) / FINE, y = (p.y - BOUNDS.lo.y + FINE / 2) / FINE;
  return l->piece[y * l->side + x];
}

// Slanted boxes that leave passages of all widths between them.
static void random_scene(struct scene *s, double cell, double clearance)
{
  for (int i = 0; i < 14; i++) {
    const double angle = drawn(0, 3.14);
    const struct frame_of_box f = {drawn(-5, 5), drawn(-5, 5), cos(angle), sin(angle)};
    add_box(s, f, 0, drawn(0.5, 4), 0, drawn(0.05, 0.8));
  }
  finish(s, cell, clearance);
}

// The open cell that represents a random place; -1: there is none, or the judge cannot tell.
static int64_t drawn_cell(const struct scene *s, const struct lattice *far)
{
  const struct point p = metres(drawn(-4.5, 4.5), drawn(-4.5, 4.5));
  const int64_t cell = nav_grid_visible_cell(&s->grid, p);
  return cell >= 0 && nav_grid_is_open(&s->grid, cell, NULL) &&
                 piece_at(far, nav_grid_point(&s->grid, cell)) > 0
             ? cell
             : -1;
}

// The law is certain between a little more and a little less than the clearance.
static int64_t check_connections(const struct scene *s, double clearance)
{
  const int32_t distance = (int32_t)lrint(clearance * METRE);
  const struct lattice far = lattice_create(s, distance + FINE);
  const struct lattice near = lattice_create(s, distance - FINE);
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(&s->grid), 1);
  int64_t pairs = 0;
  for (int k = 0; k < 24; k++) {
    const int64_t target = drawn_cell(s, &far);
    if (target < 0)
      continue;
    struct field field;
    marks[target] = 1;
    field_create(&field, &s->grid, NULL);
    field_solve(&field, marks, NULL);
    marks[target] = 0;
    const struct point p = nav_grid_point(&s->grid, target);
    for (int i = 0; i < 60; i++) {
      const int64_t cell = drawn_cell(s, &far);
      if (cell < 0)
        continue;
      const struct point q = nav_grid_point(&s->grid, cell);
      const bool reached = field_time_of(&field, cell) != FIELD_UNREACHED;
      cr_assert(reached || piece_at(&far, p) != piece_at(&far, q), "cells of %d are not connected",
                s->grid.cell);
      cr_assert(!reached || piece_at(&near, p) == piece_at(&near, q), "cells of %d are connected",
                s->grid.cell);
      pairs++;
    }
    field_destroy(&field);
  }
  memory_destroy(marks);
  memory_destroy(far.piece);
  memory_destroy(near.piece);
  return pairs;
}

Test(narrow_cells, grid_connects_what_the_thickened_walls_connect)
{
  const double cells[] = {0.1, 0.25, 0.5, 1};
  int64_t pairs = 0, lost = 0;
  const int rounds = LONG ? 400 : SHORT ? 8 : 40;
  for (int i = 0; i < rounds; i++) {
    struct scene s = {0};
    const double clearance = drawn(0.2, 0.4);
    random_scene(&s, cells[i % 4], clearance);
    lost += s.grid.lost_passages;
    if (s.grid.lost_passages == 0)
      pairs += check_connections(&s, clearance);
    scene_destroy(&s);
  }
  cr_assert_gt(pairs, 100 * rounds);
  cr_assert_lt(lost, rounds); // two passages through one cell are rare
}
