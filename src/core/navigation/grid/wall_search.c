#include "wall_search.h"

#include "box_tree_query.h"
#include <math.h>

void wall_list_append(struct wall_list *l, const struct wall *w)
{
  if (l->count == l->capacity) {
    const size_t used = (size_t)l->count, room = used ? 2 * used : 64;
    l->walls = memory_grow(l->walls, used, room, sizeof(struct wall *));
    l->distance = memory_grow(l->distance, used, room, sizeof *l->distance);
    l->capacity = (int64_t)room;
  }
  l->walls[l->count++] = w;
}

void wall_list_destroy(struct wall_list *l)
{
  memory_destroy(l->walls);
  memory_destroy(l->distance);
}

void wall_list_find(struct wall_list *l, const struct obstacles *o, struct box box, float reach)
{
  const struct box_tree_query query = {box, reach * reach, 0};
  struct box_tree_cursor cursor;
  int64_t leaf;
  l->count = 0;
  box_tree_query_begin(&cursor, &o->tree, query);
  while (box_tree_query_next(&cursor, &leaf))
    for (uint32_t bits = box_tree_query_children(&o->boxes, box_tree_leaf_begin(leaf), &query);
         bits; bits &= bits - 1)
      wall_list_append(l, &o->walls[o->order[box_tree_leaf_begin(leaf) + lowest_bit(bits)]]);
}

static double length_of(double x, double y)
{
  return sqrt(x * x + y * y);
}

double wall_distance(const struct wall *w, struct double_point p)
{
  const double ex = (double)w->b.x - w->a.x, ey = (double)w->b.y - w->a.y;
  const double ax = p.x - w->a.x, ay = p.y - w->a.y, bx = p.x - w->b.x, by = p.y - w->b.y;
  const double length2 = ex * ex + ey * ey, along = ax * ex + ay * ey;
  if (along <= 0)
    return length_of(ax, ay);
  if (along >= length2)
    return length_of(bx, by);
  return fabs(ex * ay - ey * ax) / sqrt(length2);
}

// The point of a-b that is closest to p.
static struct double_point closest(struct double_point a, struct double_point b,
                                   struct double_point p)
{
  const double ex = b.x - a.x, ey = b.y - a.y, length2 = ex * ex + ey * ey;
  const double along = (p.x - a.x) * ex + (p.y - a.y) * ey;
  if (along <= 0 || length2 <= 0)
    return a;
  if (along >= length2)
    return b;
  return (struct double_point){a.x + ex * (along / length2), a.y + ey * (along / length2)};
}

// Where the segments a-b and p-q cross, if they do.
static bool crossing(struct double_point a, struct double_point b, struct double_point p,
                     struct double_point q, struct double_point *at)
{
  const double ex = b.x - a.x, ey = b.y - a.y, fx = q.x - p.x, fy = q.y - p.y;
  const double of_p = ex * (p.y - a.y) - ey * (p.x - a.x);
  const double of_q = ex * (q.y - a.y) - ey * (q.x - a.x);
  const double of_a = fx * (a.y - p.y) - fy * (a.x - p.x);
  const double of_b = fx * (b.y - p.y) - fy * (b.x - p.x);
  if (!((of_p < 0 && of_q > 0) || (of_p > 0 && of_q < 0)) ||
      !((of_a < 0 && of_b > 0) || (of_a > 0 && of_b < 0)))
    return false;
  const double share = of_p / (of_p - of_q);
  *at = (struct double_point){p.x + share * fx, p.y + share * fy};
  return true;
}

// Where segments do not cross, an end of one of them is closest to the other.
double wall_distance_to_segment(const struct wall *w, struct double_point p, struct double_point q,
                                struct double_point *near)
{
  const struct double_point a = {w->a.x, w->a.y}, b = {w->b.x, w->b.y};
  const struct double_point ends[4] = {a, b, p, q};
  struct double_point middle = {0, 0};
  double least = crossing(a, b, p, q, &middle) ? 0 : HUGE_VAL;
  for (int k = 0; k < 4 && least > 0; k++) {
    const struct double_point other = k < 2 ? closest(p, q, ends[k]) : closest(a, b, ends[k]);
    const double distance = length_of(other.x - ends[k].x, other.y - ends[k].y);
    if (distance < least) {
      least = distance;
      middle = (struct double_point){(other.x + ends[k].x) / 2, (other.y + ends[k].y) / 2};
    }
  }
  if (near)
    *near = middle;
  return least;
}
