#include "obstacles.h"

#include "base.h"
#include "ground_index.h"
#include "obstacles_crossing_kernel.h"
#include "obstacles_inside_kernel.h"
#include <assert.h>
#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128; // holds the product of two 62-bit integers

bool wall_crossed(const struct wall *w, struct point p, struct point q)
{
  return wall_crossing(p, q, w);
}

static void unit_vector(struct point from, struct point to, float *x, float *y)
{
  const double dx = (double)to.x - from.x, dy = (double)to.y - from.y;
  const double length = sqrt(dx * dx + dy * dy);
  *x = length > 0 ? (float)(dx / length) : 1.0f; // points coincide; scenarios never do
  *y = length > 0 ? (float)(dy / length) : 0.0f;
}

static void append_wall(struct obstacles *o, struct point a, struct point b)
{
  struct wall *w = &o->walls[o->count++];
  w->a = a;
  w->b = b;
  unit_vector(a, b, &w->ux, &w->uy);
}

// The walls [first, count) form a ring: sets the directions of each wall's predecessor and
// successor.
static void close_ring(struct obstacles *o, int64_t first)
{
  const int64_t count = o->count - first;
  for (int64_t i = 0; i < count; i++) {
    struct wall *w = &o->walls[first + i];
    struct wall *next = &o->walls[first + (i + 1) % count];
    w->after_x = next->ux;
    w->after_y = next->uy;
    next->before_x = w->ux;
    next->before_y = w->uy;
    // The solid is on the left: its corner is convex where the outline turns left.
    w->convex_b = next->convex_a = orientation(w->a, w->b, next->b) >= 0;
  }
}

// A closed outline is a ring of walls; an open line is a ring that runs forth and back.
static void append_line(struct obstacles *o, const struct point *p, int64_t count, bool closed)
{
  const int64_t first = o->count;
  for (int64_t i = 0; i + 1 < count; i++)
    append_wall(o, p[i], p[i + 1]);
  if (closed)
    append_wall(o, p[count - 1], p[0]);
  else
    for (int64_t i = count - 1; i > 0; i--)
      append_wall(o, p[i], p[i - 1]);
  close_ring(o, first);
}

static void build_tree(struct obstacles *o)
{
  struct box_tree_key *keys = memory_create((size_t)o->count, sizeof *keys);
  o->order = memory_create((size_t)o->count, sizeof *o->order);
  for (int64_t i = 0; i < o->count; i++) {
    const struct box b = wall_box(&o->walls[i]);
    keys[i] = (struct box_tree_key){
        {b.lo.x + (b.hi.x - b.lo.x) / 2, b.lo.y + (b.hi.y - b.lo.y) / 2}, (int32_t)i};
  }
  box_tree_sort(keys, o->count);
  box_tree_reserve(&o->tree, o->count);
  box_tree_level_create(&o->boxes, o->count);
  o->boxes.count = o->count;
  for (int64_t k = 0; k < o->count; k++) {
    o->order[k] = keys[k].item;
    const struct box b = wall_box(&o->walls[keys[k].item]);
    const int64_t leaf = k / BOX_TREE_WIDTH;
    box_tree_level_set(&o->boxes, k, b, 0);
    box_tree_set_leaf(&o->tree, leaf,
                      k % BOX_TREE_WIDTH ? box_union(box_tree_leaf_box(&o->tree, leaf), b) : b, 0);
  }
  box_tree_refit(&o->tree);
  memory_destroy(keys);
}

bool outlines_is_valid(const struct outlines *lines)
{
  for (int64_t l = 0; l < lines->count; l++)
    if (lines->start[l + 1] - lines->start[l] < 2)
      return false;
  return lines->count == 0 || lines->start[0] == 0;
}

void obstacles_create(struct obstacles *o, const struct outlines *lines, bool outside_solid)
{
  assert(outlines_is_valid(lines));
  *o = (struct obstacles){.outside_solid = outside_solid};
  const int64_t points = lines->count ? lines->start[lines->count] : 0;
  o->walls = memory_create((size_t)(2 * points), sizeof *o->walls);
  for (int64_t l = 0; l < lines->count; l++)
    append_line(o, lines->points + lines->start[l], lines->start[l + 1] - lines->start[l],
                lines->closed[l]);
  if (o->count == 0)
    return;
  build_tree(o);
  o->rows = row_index_create(o);
  o->raster = ground_raster_create(o);
}

void obstacles_destroy(struct obstacles *o)
{
  row_index_destroy(o->rows);
  ground_raster_destroy(o->raster);
  memory_destroy(o->walls);
  memory_destroy(o->order);
  box_tree_level_destroy(&o->boxes);
  box_tree_destroy(&o->tree);
  *o = (struct obstacles){0};
}

bool obstacles_solid(const struct obstacles *o, struct point p)
{
  return obstacles_inside(o, p);
}

#define COUNTED 64 // points at a time

// Where the raster of the ground tells about some points.
struct ground_look_ups {
  int32_t square[COUNTED]; // of struct ground_raster; -1: none
  int32_t row[COUNTED];    // of the square
  int32_t shift[COUNTED];  // bits, of the cell in that row
};

static void find_squares(struct ground_look_ups *at, const struct ground_raster *raster,
                         const int32_t *x, const int32_t *y, int count)
{
  const struct ground_raster g = *raster; // a copy: the compiler sees that `at` is not in it
#pragma omp simd
  for (int k = 0; k < count; k++) {
    const struct ground_place p = ground_place_of(&g, (struct point){x[k], y[k]});
    const int32_t outside = -(int32_t)!ground_has_place(&g, p); // all bits or none
    at->square[k] =
        (int32_t)(p.row / GROUND_SIDE * (uint32_t)g.square_columns + p.column / GROUND_SIDE) |
        outside;
    at->row[k] = (int32_t)(p.row % GROUND_SIDE);
    at->shift[k] = (int32_t)(2 * (p.column % GROUND_SIDE));
  }
}

// The raster of the ground tells for most of them. All squares are found before the first is read,
// because they are larger than a cache.
static int64_t count_solid(const struct obstacles *o, const int32_t *x, const int32_t *y, int count)
{
  const struct ground_raster *g = o->raster;
  struct ground_look_ups at;
  const struct ground_square *square[COUNTED];
  int unsure[COUNTED], unsure_count = 0;
  int64_t solid = 0;
  find_squares(&at, g, x, y, count);
  for (int k = 0; k < count; k++) {
    square[k] = &g->kinds[at.square[k] < 0 ? GROUND_MIXED : g->squares[at.square[k]]];
    __builtin_prefetch(square[k]);
  }
  for (int k = 0; k < count; k++) { // without branches
    const unsigned cell = square[k]->row[at.row[k]] >> at.shift[k] & 3;
    solid += cell == CELL_SOLID;
    unsure[unsure_count] = k;
    unsure_count += cell == CELL_MIXED;
  }
  for (int k = 0; k < unsure_count; k++)
    solid += rows_inside(o, (struct point){x[unsure[k]], y[unsure[k]]});
  return solid;
}

int64_t obstacles_count_solid(const struct obstacles *o, const int32_t *x, const int32_t *y,
                              int64_t count)
{
  int64_t solid = 0;
  if (!o->raster)
    return o->outside_solid ? count : 0;
  for (int64_t k = 0; k < count; k += COUNTED)
    solid += count_solid(o, x + k, y + k, count - k < COUNTED ? (int)(count - k) : COUNTED);
  return solid;
}

// Whether the wall is closer to p than distance. Exact: by the foot of p on the wall, or an end.
static bool wall_near(const struct wall *w, struct point p, int32_t distance)
{
  const int64_t bx = (int64_t)w->b.x - w->a.x, by = (int64_t)w->b.y - w->a.y;
  const int64_t px = (int64_t)p.x - w->a.x, py = (int64_t)p.y - w->a.y;
  const int128 along = (int128)px * bx + (int128)py * by,
               length2 = (int128)bx * bx + (int128)by * by;
  const int128 limit2 = (int128)distance * distance;
  if (along <= 0)
    return (int128)px * px + (int128)py * py < limit2;
  if (along >= length2) {
    const int64_t qx = px - bx, qy = py - by;
    return (int128)qx * qx + (int128)qy * qy < limit2;
  }
  const int128 cross = (int128)bx * py - (int128)by * px; // below 2^63, so its square fits int128
  return cross * cross < limit2 * length2;
}

bool obstacles_crossed(const struct obstacles *o, struct point p, struct point q)
{
  return obstacles_crossing(p, q, o);
}

bool obstacles_near(const struct obstacles *o, struct point p, int32_t distance)
{
  const float reach = 1.0001f * (float)distance; // the query rounds; wall_near is exact
  struct box_tree_cursor cursor;
  int64_t leaf;
  box_tree_query_begin(&cursor, &o->tree, (struct box_tree_query){{p, p}, reach * reach, 0});
  while (box_tree_query_next(&cursor, &leaf))
    for (int64_t i = box_tree_leaf_begin(leaf); i < box_tree_leaf_end(&o->tree, leaf); i++)
      if (wall_near(&o->walls[o->order[i]], p, distance))
        return true;
  return false;
}
