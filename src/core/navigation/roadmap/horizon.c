#include "horizon.h"

#include "base.h"
#include "exact.h"
#include "length.h"

#define SCALE (HORIZON_BUCKETS / 4.0) // buckets a quarter turn
#define SLACK 1e-6                    // of a bucket, and of a length: far above any rounding

void horizon_create(struct horizon *h, const struct obstacles *walls)
{
  *h = (struct horizon){.walls = walls};
  h->depth = memory_create(HORIZON_BUCKETS, sizeof *h->depth);
}

void horizon_destroy(struct horizon *h)
{
  memory_destroy(h->depth);
  memory_destroy(h->seen);
  *h = (struct horizon){0};
}

// Buckets from the x axis, counter-clockwise, along a diamond: monotone in the angle, no libm.
static double bucket_of(double x, double y)
{
  const double t = y / (fabs(x) + fabs(y));
  return SCALE * (x < 0 ? 2 - t : y < 0 ? 4 + t : t);
}

// The direction where a bucket begins.
static void bucket_edge(int64_t k, double *x, double *y)
{
  const double t = (double)(k & (HORIZON_BUCKETS - 1)) / SCALE;
  *y = t < 1 ? t : t < 3 ? 2 - t : t - 4;
  *x = t < 2 ? 1 - t : t - 3;
}

// How far away the line through (ax, ay) along (x, y) is in the direction where bucket k begins.
static double edge_depth(int64_t k, double ax, double ay, double x, double y)
{
  double u, v;
  bucket_edge(k, &u, &v);
  return (ax * y - ay * x) / (u * y - v * x) * sqrt(u * u + v * v);
}

// A wall in front of the eye (which is on its right, so it runs clockwise) fills the buckets that
// lie wholly within it, as far as it reaches there.
static void wall_fill(struct horizon *h, const struct wall *w)
{
  if (turn(w->a, w->b, h->eye) >= 0)
    return;
  const double ax = (double)w->a.x - h->eye.x, ay = (double)w->a.y - h->eye.y;
  const double bx = (double)w->b.x - h->eye.x, by = (double)w->b.y - h->eye.y;
  const double from = bucket_of(bx, by);
  double to = bucket_of(ax, ay);
  to += to < from ? HORIZON_BUCKETS : 0;
  if (to - from > HORIZON_BUCKETS / 2)
    return; // seen from its end: nothing but rounding
  const int64_t first = (int64_t)ceil(from + SLACK), end = (int64_t)floor(to - SLACK);
  double before = first < end ? edge_depth(first, ax, ay, bx - ax, by - ay) : 0;
  for (int64_t k = first; k < end; k++) {
    const double after = edge_depth(k + 1, ax, ay, bx - ax, by - ay);
    const double far = (before > after ? before : after) * (1 + SLACK);
    double *depth = &h->depth[k & (HORIZON_BUCKETS - 1)];
    *depth = far < *depth ? far : *depth;
    before = after;
  }
}

bool horizon_hides(const struct horizon *h, struct point p)
{
  const double x = (double)p.x - h->eye.x, y = (double)p.y - h->eye.y;
  if (x == 0 && y == 0)
    return false;
  const int64_t k = (int64_t)bucket_of(x, y) & (HORIZON_BUCKETS - 1);
  return sqrt(x * x + y * y) * (1 - SLACK) > h->depth[k];
}

bool horizon_hides_box(const struct horizon *h, struct box b)
{
  const double near = (double)length_to_box(h->eye, b) * (1 - SLACK) - 2;
  if (near <= 0)
    return false;
  double least = 0, most = 0, first = 0;
  for (int c = 0; c < 4; c++) { // seen from outside, a box fills less than half of all directions
    const double x = (double)(c & 1 ? b.hi.x : b.lo.x) - h->eye.x;
    const double y = (double)(c & 2 ? b.hi.y : b.lo.y) - h->eye.y;
    const double bucket = bucket_of(x, y);
    first = c == 0 ? bucket : first;
    double off = bucket - first;
    off += off < -HORIZON_BUCKETS / 2  ? HORIZON_BUCKETS
           : off > HORIZON_BUCKETS / 2 ? -HORIZON_BUCKETS
                                       : 0;
    least = off < least ? off : least;
    most = off > most ? off : most;
  }
  const int64_t from = (int64_t)floor(first + least - SLACK),
                to = (int64_t)floor(first + most + SLACK);
  for (int64_t k = from; k <= to; k++)
    if (near <= h->depth[k & (HORIZON_BUCKETS - 1)])
      return false;
  return true;
}

// ------------------------------------------------------------------------------- the walk

static void wall_see(struct horizon *h, int32_t wall)
{
  if (h->seen_count == h->seen_capacity) {
    const int64_t more = 2 * h->seen_capacity + 256;
    h->seen = memory_grow(h->seen, (size_t)h->seen_count, (size_t)more, sizeof *h->seen);
    h->seen_capacity = more;
  }
  h->seen[h->seen_count++] = wall;
  wall_fill(h, &h->walls->walls[wall]);
}

static void leaf_see(struct horizon *h, int64_t leaf)
{
  const int64_t last = (leaf + 1) * TREE_WIDTH;
  const int64_t end = last < h->walls->count ? last : h->walls->count;
  for (int64_t k = leaf * TREE_WIDTH; k < end; k++)
    wall_see(h, h->walls->order[k]);
}

static struct box level_box(const struct tree_level *l, int64_t i)
{
  return (struct box){{l->lo_x[i], l->lo_y[i]}, {l->hi_x[i], l->hi_y[i]}};
}

// The children [first, first + TREE_WIDTH) of a level, the nearest first.
static void children_see(struct horizon *h, int level, int64_t first)
{
  const struct tree_level *l = &h->walls->tree.level[level];
  const int64_t last = first + TREE_WIDTH, end = last < l->count ? last : l->count;
  int64_t child[TREE_WIDTH], distance[TREE_WIDTH];
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
    if (!horizon_hides_box(h, level_box(l, child[k]))) {
      if (level == 0)
        leaf_see(h, child[k]);
      else
        children_see(h, level - 1, child[k] * TREE_WIDTH);
    }
}

void horizon_look(struct horizon *h, struct point eye)
{
  h->eye = eye;
  h->seen_count = 0;
  for (int k = 0; k < HORIZON_BUCKETS; k++)
    h->depth[k] = HUGE_VAL;
  if (h->walls->tree.level_count > 0)
    children_see(h, h->walls->tree.level_count - 1, 0);
}
