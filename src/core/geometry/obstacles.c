#include "obstacles.h"

#include "base.h"
#include "cut.h"
#include "solid.h"
#include <math.h>
#include <string.h>

__extension__ typedef __int128 wide; // a product of two 62-bit ones

bool wall_touched(const struct wall *w, struct point p, struct point q)
{
  return segment_meets_wall(p, q, w);
}

static struct box box_of(const struct wall *w) // hi inside
{
  return piece_box(w->a, w->b);
}

static void unit(struct point from, struct point to, float *x, float *y)
{
  const double dx = (double)to.x - from.x, dy = (double)to.y - from.y;
  const double length = sqrt(dx * dx + dy * dy);
  *x = length > 0 ? (float)(dx / length) : 1.0f; // a repeated point, which scenarios never make
  *y = length > 0 ? (float)(dy / length) : 0.0f;
}

static void append_wall(struct obstacles *o, struct point a, struct point b)
{
  struct wall *w = &o->walls[o->count++];
  w->a = a;
  w->b = b;
  unit(a, b, &w->ux, &w->uy);
}

// The walls [first, count) follow each other in a ring: each learns its neighbours' directions.
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
    w->convex_b = next->convex_a = turn(w->a, w->b, next->b) >= 0;
  }
}

// A closed outline is a ring of walls; an open line is a ring that goes there and comes back.
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
  struct tree_key *keys = memory_create((size_t)o->count, sizeof *keys);
  o->order = memory_create((size_t)o->count, sizeof *o->order);
  for (int64_t i = 0; i < o->count; i++) {
    const struct box b = box_of(&o->walls[i]);
    keys[i] = (struct tree_key){{b.lo.x + (b.hi.x - b.lo.x) / 2, b.lo.y + (b.hi.y - b.lo.y) / 2},
                                (int32_t)i};
  }
  tree_order(keys, o->count);
  tree_reserve(&o->tree, o->count);
  tree_level_create(&o->boxes, o->count);
  o->boxes.count = o->count;
  for (int64_t k = 0; k < o->count; k++) {
    o->order[k] = keys[k].item;
    const struct box b = box_of(&o->walls[keys[k].item]);
    const int64_t leaf = k / TREE_WIDTH;
    tree_level_set(&o->boxes, k, b, 0);
    tree_set_leaf(&o->tree, leaf, k % TREE_WIDTH ? box_union(tree_leaf_box(&o->tree, leaf), b) : b,
                  0);
  }
  tree_fit(&o->tree);
  memory_destroy(keys);
}

static struct box all_walls(const struct obstacles *o)
{
  struct box all = box_of(&o->walls[0]);
  for (int64_t i = 1; i < o->count; i++)
    all = box_union(all, box_of(&o->walls[i]));
  return all;
}

static struct row_index *build_rows(const struct obstacles *o)
{
  struct row_index *rows = memory_create(1, sizeof *rows);
  const struct box all = all_walls(o);
  const int64_t tall = (int64_t)all.hi.y - all.lo.y;
  rows->low = all.lo.y;
  rows->height = (int32_t)(tall / (o->count + 1) + 1); // about one wall's end a row
  rows->count = tall / rows->height + 1;
  rows->start = memory_create((size_t)rows->count + 1, sizeof *rows->start);
  for (int pass = 0; pass < 2; pass++) { // count, then fill
    for (int64_t i = 0; i < o->count; i++) {
      const struct box b = box_of(&o->walls[i]);
      for (int64_t r = row_of(rows, b.lo.y); r <= row_of(rows, b.hi.y); r++)
        if (pass == 0)
          rows->start[r + 1]++;
        else
          rows->walls[rows->start[r]++] = (int32_t)i;
    }
    if (pass == 0) {
      for (int64_t r = 0; r < rows->count; r++)
        rows->start[r + 1] += rows->start[r];
      rows->walls = memory_create((size_t)rows->start[rows->count], sizeof *rows->walls);
    }
  }
  memmove(rows->start + 1, rows->start, (size_t)rows->count * sizeof *rows->start);
  rows->start[0] = 0;
  return rows;
}

void obstacles_create(struct obstacles *o, const struct outlines *lines, bool outside_solid)
{
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
  if (o->rows) {
    memory_destroy(o->rows->start);
    memory_destroy(o->rows->walls);
  }
  memory_destroy(o->rows);
  memory_destroy(o->walls);
  memory_destroy(o->order);
  tree_level_destroy(&o->boxes);
  tree_destroy(&o->tree);
  *o = (struct obstacles){0};
}

bool obstacles_solid(const struct obstacles *o, struct point p)
{
  return solid_at(o, p);
}

// Is the wall nearer to p than that? Exact: the foot of p, or an end.
static bool wall_near(const struct wall *w, struct point p, int32_t distance)
{
  const int64_t bx = (int64_t)w->b.x - w->a.x, by = (int64_t)w->b.y - w->a.y;
  const int64_t px = (int64_t)p.x - w->a.x, py = (int64_t)p.y - w->a.y;
  const wide along = (wide)px * bx + (wide)py * by, length2 = (wide)bx * bx + (wide)by * by;
  const wide limit2 = (wide)distance * distance;
  if (along <= 0)
    return (wide)px * px + (wide)py * py < limit2;
  if (along >= length2) {
    const int64_t qx = px - bx, qy = py - by;
    return (wide)qx * qx + (wide)qy * qy < limit2;
  }
  const wide cross = (wide)bx * py - (wide)by * px; // below 2^63, so its square fits
  return cross * cross < limit2 * length2;
}

bool obstacles_cut(const struct obstacles *o, struct point p, struct point q)
{
  return segment_meets_walls(p, q, o);
}

bool obstacles_near(const struct obstacles *o, struct point p, int32_t distance)
{
  const float reach = 1.0001f * (float)distance; // the walk rounds, the walls are judged exactly
  struct tree_walk walk;
  int64_t leaf;
  walk_begin(&walk, &o->tree, (struct tree_query){{p, p}, reach * reach, 0});
  while (walk_next(&walk, &leaf))
    for (int64_t i = leaf_first(leaf); i < leaf_end(&o->tree, leaf); i++)
      if (wall_near(&o->walls[o->order[i]], p, distance))
        return true;
  return false;
}
