#include "obstacles.h"

#include "base.h"
#include "obstacles_crossing_kernel.h"
#include "obstacles_inside_kernel.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef __int128 int128; // holds the product of two 62-bit integers

bool wall_crossed(const struct wall *w, struct point p, struct point q)
{
  return wall_crossing(p, q, w);
}

static struct box box_of(const struct wall *w) // hi inside
{
  return segment_box(w->a, w->b);
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
    const struct box b = box_of(&o->walls[i]);
    keys[i] = (struct box_tree_key){
        {b.lo.x + (b.hi.x - b.lo.x) / 2, b.lo.y + (b.hi.y - b.lo.y) / 2}, (int32_t)i};
  }
  box_tree_sort(keys, o->count);
  box_tree_reserve(&o->tree, o->count);
  box_tree_level_create(&o->boxes, o->count);
  o->boxes.count = o->count;
  for (int64_t k = 0; k < o->count; k++) {
    o->order[k] = keys[k].item;
    const struct box b = box_of(&o->walls[keys[k].item]);
    const int64_t leaf = k / BOX_TREE_WIDTH;
    box_tree_level_set(&o->boxes, k, b, 0);
    box_tree_set_leaf(&o->tree, leaf,
                      k % BOX_TREE_WIDTH ? box_union(box_tree_leaf_box(&o->tree, leaf), b) : b, 0);
  }
  box_tree_refit(&o->tree);
  memory_destroy(keys);
}

static struct box all_walls(const struct obstacles *o)
{
  struct box all = box_of(&o->walls[0]);
  for (int64_t i = 1; i < o->count; i++)
    all = box_union(all, box_of(&o->walls[i]));
  return all;
}

// Whether the wall passes the row: at every y of the row, its lower end is at or below y and its
// upper end above.
static bool passes_row(const struct row_index *rows, struct box b, int64_t row)
{
  const int64_t bottom = rows->low + row * rows->height;
  return b.lo.y <= bottom && b.hi.y > bottom + rows->height - 1;
}

// Counts each row's walls into start[row + 1], or fills them in and moves start[row] to their end.
static void scan_rows(const struct obstacles *o, struct row_index *rows, const int32_t *by_x,
                      bool fill)
{
  for (int64_t k = 0; k < o->count; k++) {
    const int32_t i = by_x[k];
    const struct box b = box_of(&o->walls[i]);
    for (int64_t r = row_containing(rows, b.lo.y); r <= row_containing(rows, b.hi.y); r++) {
      const bool passes = passes_row(rows, b, r);
      int64_t *start = passes ? rows->passing_start : rows->ending_start;
      if (!fill)
        start[r + 1]++;
      else if (passes)
        rows->passing[start[r]++] = (struct row_wall){i, b.lo.x, b.hi.x, 0};
      else
        rows->ending[start[r]++] = i;
    }
  }
}

static void sum_starts(int64_t *start, int64_t rows)
{
  for (int64_t r = 0; r < rows; r++)
    start[r + 1] += start[r];
}

static void restore_starts(int64_t *start, int64_t rows) // after filling
{
  memmove(start + 1, start, (size_t)rows * sizeof *start);
  start[0] = 0;
}

static int by_left_end(const void *a, const void *b)
{
  const struct box_tree_key *const p = a, *const q = b;
  return p->at.x != q->at.x ? (p->at.x > q->at.x) - (p->at.x < q->at.x)
                            : (p->item > q->item) - (p->item < q->item);
}

static int32_t *walls_by_left_end(const struct obstacles *o)
{
  struct box_tree_key *keys = memory_create((size_t)o->count, sizeof *keys);
  int32_t *order = memory_create((size_t)o->count, sizeof *order);
  for (int64_t i = 0; i < o->count; i++)
    keys[i] = (struct box_tree_key){box_of(&o->walls[i]).lo, (int32_t)i};
  qsort(keys, (size_t)o->count, sizeof *keys, by_left_end);
  for (int64_t i = 0; i < o->count; i++)
    order[i] = keys[i].item;
  memory_destroy(keys);
  return order;
}

static void sum_row(const struct obstacles *o, struct row_wall *row, int64_t count)
{
  for (int64_t i = 1; i < count; i++)
    if (row[i].reach < row[i - 1].reach)
      row[i].reach = row[i - 1].reach;
  int32_t winding = 0;
  for (int64_t i = count - 1; i >= 0; i--) {
    const struct wall *w = &o->walls[row[i].wall];
    winding += w->a.y < w->b.y ? 1 : -1;
    row[i].winding = winding;
  }
}

#define ENTRIES_PER_WALL 64 // in the rows, on average; rows are higher where walls are long

// About one wall's end per row, but not too many rows for each wall.
static void set_rows(const struct obstacles *o, struct row_index *rows)
{
  const struct box all = all_walls(o);
  const int64_t tall = (int64_t)all.hi.y - all.lo.y;
  int64_t lengths = 0;
  for (int64_t i = 0; i < o->count; i++) {
    const struct box b = box_of(&o->walls[i]);
    lengths += (int64_t)b.hi.y - b.lo.y;
  }
  const int64_t by_ends = tall / (o->count + 1), by_length = lengths / o->count / ENTRIES_PER_WALL;
  rows->low = all.lo.y;
  rows->height = (int32_t)((by_ends > by_length ? by_ends : by_length) + 1);
  rows->count = tall / rows->height + 1;
}

static struct row_index *build_rows(const struct obstacles *o)
{
  struct row_index *rows = memory_create(1, sizeof *rows);
  set_rows(o, rows);
  const size_t starts = (size_t)rows->count + 1;
  rows->passing_start = memory_create(starts, sizeof *rows->passing_start);
  rows->ending_start = memory_create(starts, sizeof *rows->ending_start);
  int32_t *by_x = walls_by_left_end(o);
  scan_rows(o, rows, by_x, false);
  sum_starts(rows->passing_start, rows->count);
  sum_starts(rows->ending_start, rows->count);
  const int64_t passing = rows->passing_start[rows->count],
                ending = rows->ending_start[rows->count];
  rows->passing = memory_create((size_t)passing, sizeof *rows->passing);
  rows->ending = memory_create((size_t)ending, sizeof *rows->ending);
  scan_rows(o, rows, by_x, true);
  restore_starts(rows->passing_start, rows->count);
  restore_starts(rows->ending_start, rows->count);
  memory_destroy(by_x);
  for (int64_t r = 0; r < rows->count; r++)
    sum_row(o, rows->passing + rows->passing_start[r],
            rows->passing_start[r + 1] - rows->passing_start[r]);
  return rows;
}

static void destroy_rows(struct row_index *rows)
{
  memory_destroy(rows->passing_start);
  memory_destroy(rows->passing);
  memory_destroy(rows->ending_start);
  memory_destroy(rows->ending);
  memory_destroy(rows);
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
  o->rows = build_rows(o);
}

void obstacles_destroy(struct obstacles *o)
{
  if (o->rows)
    destroy_rows(o->rows);
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
