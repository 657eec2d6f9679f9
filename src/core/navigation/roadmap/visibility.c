#include "visibility.h"

#include "base.h"
#include "exact.h"
#include "integer_length.h"

#define SCALE (VISIBILITY_BUCKETS / 4.0) // buckets per quarter turn
#define SLACK 1e-6 // of a bucket, and relative to a length: far above any rounding error

void visibility_create(struct visibility *h, const struct obstacles *walls)
{
  *h = (struct visibility){.walls = walls};
  h->depth = memory_create(VISIBILITY_BUCKETS, sizeof *h->depth);
}

void visibility_destroy(struct visibility *h)
{
  memory_destroy(h->depth);
  memory_destroy(h->visible);
  *h = (struct visibility){0};
}

// Position among the buckets, from the x axis counter-clockwise along a diamond: monotone in the
// angle, without libm.
static double bucket_of(double x, double y)
{
  const double t = y / (fabs(x) + fabs(y));
  return SCALE * (x < 0 ? 2 - t : y < 0 ? 4 + t : t);
}

// The direction at which a bucket begins.
static void bucket_edge(int64_t k, double *x, double *y)
{
  const double t = (double)(k & (VISIBILITY_BUCKETS - 1)) / SCALE;
  *y = t < 1 ? t : t < 3 ? 2 - t : t - 4;
  *x = t < 2 ? 1 - t : t - 3;
}

// Distance to the line through (ax, ay) along (x, y) in the direction at which bucket k begins.
static double edge_depth(int64_t k, double ax, double ay, double x, double y)
{
  double u, v;
  bucket_edge(k, &u, &v);
  return (ax * y - ay * x) / (u * y - v * x) * sqrt(u * u + v * v);
}

// A wall in front of the eye (the eye is on its right, so it runs clockwise) fills the buckets that
// it covers completely, up to its distance there.
static void fill_buckets(struct visibility *h, const struct wall *w)
{
  if (orientation(w->a, w->b, h->eye) >= 0)
    return;
  const double ax = (double)w->a.x - h->eye.x, ay = (double)w->a.y - h->eye.y;
  const double bx = (double)w->b.x - h->eye.x, by = (double)w->b.y - h->eye.y;
  const double from = bucket_of(bx, by);
  double to = bucket_of(ax, ay);
  to += to < from ? VISIBILITY_BUCKETS : 0;
  if (to - from > VISIBILITY_BUCKETS / 2)
    return; // seen end on: rounding only
  const int64_t first = (int64_t)ceil(from + SLACK), end = (int64_t)floor(to - SLACK);
  double before = first < end ? edge_depth(first, ax, ay, bx - ax, by - ay) : 0;
  for (int64_t k = first; k < end; k++) {
    const double after = edge_depth(k + 1, ax, ay, bx - ax, by - ay);
    const double far = (before > after ? before : after) * (1 + SLACK);
    double *depth = &h->depth[k & (VISIBILITY_BUCKETS - 1)];
    *depth = far < *depth ? far : *depth;
    before = after;
  }
}

bool visibility_hidden(const struct visibility *h, struct point p)
{
  const double x = (double)p.x - h->eye.x, y = (double)p.y - h->eye.y;
  if (x == 0 && y == 0)
    return false;
  const int64_t k = (int64_t)bucket_of(x, y) & (VISIBILITY_BUCKETS - 1);
  return sqrt(x * x + y * y) * (1 - SLACK) > h->depth[k];
}

bool visibility_box_hidden(const struct visibility *h, struct box b)
{
  const double near = (double)length_to_box(h->eye, b) * (1 - SLACK) - 2;
  if (near <= 0)
    return false;
  double least = 0, most = 0, first = 0;
  for (int c = 0; c < 4; c++) { // from outside, a box fills less than half of all directions
    const double x = (double)(c & 1 ? b.hi.x : b.lo.x) - h->eye.x;
    const double y = (double)(c & 2 ? b.hi.y : b.lo.y) - h->eye.y;
    const double bucket = bucket_of(x, y);
    first = c == 0 ? bucket : first;
    double off = bucket - first;
    off += off < -VISIBILITY_BUCKETS / 2  ? VISIBILITY_BUCKETS
           : off > VISIBILITY_BUCKETS / 2 ? -VISIBILITY_BUCKETS
                                          : 0;
    least = off < least ? off : least;
    most = off > most ? off : most;
  }
  const int64_t from = (int64_t)floor(first + least - SLACK),
                to = (int64_t)floor(first + most + SLACK);
  for (int64_t k = from; k <= to; k++)
    if (near <= h->depth[k & (VISIBILITY_BUCKETS - 1)])
      return false;
  return true;
}

// ----------------------------------------------------------------------------- the search

static void visit_wall(struct visibility *h, int32_t wall)
{
  h->visible =
      memory_reserve(h->visible, h->visible_count, &h->visible_capacity, sizeof *h->visible);
  h->visible[h->visible_count++] = wall;
  fill_buckets(h, &h->walls->walls[wall]);
}

static void visit_leaf(struct visibility *h, int64_t leaf)
{
  const int64_t last = (leaf + 1) * BOX_TREE_WIDTH;
  const int64_t end = last < h->walls->count ? last : h->walls->count;
  for (int64_t k = leaf * BOX_TREE_WIDTH; k < end; k++)
    visit_wall(h, h->walls->order[k]);
}

static struct box level_box(const struct box_tree_level *l, int64_t i)
{
  return (struct box){{l->lo_x[i], l->lo_y[i]}, {l->hi_x[i], l->hi_y[i]}};
}

// The children [first, first + BOX_TREE_WIDTH) of a level, closest first.
static void visit_children(struct visibility *h, int level, int64_t first)
{
  const struct box_tree_level *l = &h->walls->tree.level[level];
  const int64_t last = first + BOX_TREE_WIDTH, end = last < l->count ? last : l->count;
  int64_t child[BOX_TREE_WIDTH], distance[BOX_TREE_WIDTH];
  int count = 0;
  for (int64_t i = first; i < end; i++) {
    const int64_t d = length_to_box(h->eye, level_box(l, i));
    int at = count++;
    for (; at > 0 && distance[at - 1] > d; at--) {
      child[at] = child[at - 1];
      distance[at] = distance[at - 1];
    }
    child[at] = i;
    distance[at] = d;
  }
  for (int k = 0; k < count; k++)
    if (!visibility_box_hidden(h, level_box(l, child[k]))) {
      if (level == 0)
        visit_leaf(h, child[k]);
      else
        visit_children(h, level - 1, child[k] * BOX_TREE_WIDTH);
    }
}

void visibility_compute(struct visibility *h, struct point eye)
{
  h->eye = eye;
  h->visible_count = 0;
  for (int k = 0; k < VISIBILITY_BUCKETS; k++)
    h->depth[k] = HUGE_VAL;
  if (h->walls->tree.level_count > 0)
    visit_children(h, h->walls->tree.level_count - 1, 0);
}
