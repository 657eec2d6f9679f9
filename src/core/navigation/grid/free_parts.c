#include "free_parts.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#define WALLS_MAX 48  // near a cell
#define SLIVER    0.5 // quanta: shorter arcs are rounding

enum { EAST, NORTH, WEST, SOUTH };

struct blocked { // a stretch of a side that a thickened wall covers
  double lo, hi;
  int wall;
};

struct builder {
  const struct cell_square *square;
  double clearance;
  const struct wall_list *walls;
  int chain[WALLS_MAX]; // of thickened walls that hang together: a forest of sets
  struct free_parts *found;
  int before[FREE_ARCS]; // the chain between an arc and the one before it; -1: none, at a corner
  int open_gap;          // the chain since the last arc; -1: none yet
};

double free_clearance(int32_t clearance)
{
  return clearance > 1 ? clearance - 1.0 : 0.5 * clearance;
}

static int chain_of(const struct builder *b, int wall)
{
  while (b->chain[wall] != wall)
    wall = b->chain[wall];
  return wall;
}

static void join(struct builder *b, int one, int other)
{
  b->chain[chain_of(b, one)] = chain_of(b, other);
}

// ------------------------------------------------------------------------------- blocked stretches

struct stretch {
  double lo, hi; // empty: lo > hi
};

static struct stretch common(struct stretch s, struct stretch t)
{
  return (struct stretch){s.lo > t.lo ? s.lo : t.lo, s.hi < t.hi ? s.hi : t.hi};
}

static struct stretch hull(struct stretch s, struct stretch t)
{
  if (s.lo > s.hi)
    return t;
  if (t.lo > t.hi)
    return s;
  return (struct stretch){s.lo < t.lo ? s.lo : t.lo, s.hi > t.hi ? s.hi : t.hi};
}

// Where low < slope t + offset < high.
static struct stretch between(double slope, double offset, double low, double high)
{
  if (slope == 0)
    return low < offset && offset < high ? (struct stretch){-HUGE_VAL, HUGE_VAL}
                                         : (struct stretch){1, 0};
  const double s = (low - offset) / slope, t = (high - offset) / slope;
  return s < t ? (struct stretch){s, t} : (struct stretch){t, s};
}

static struct stretch near_point(struct double_point p, double across, double clearance)
{
  const double d = across - p.y, left = clearance * clearance - d * d;
  if (left <= 0)
    return (struct stretch){1, 0};
  return (struct stretch){p.x - sqrt(left), p.x + sqrt(left)};
}

// Where the line y = across is closer to the segment a-b than the clearance: one stretch, as the
// thickened segment is convex.
static struct stretch near_segment(struct double_point a, struct double_point b, double across,
                                   double clearance)
{
  const double ex = b.x - a.x, ey = b.y - a.y, length = sqrt(ex * ex + ey * ey);
  struct stretch s = hull(near_point(a, across, clearance), near_point(b, across, clearance));
  if (length <= 0)
    return s;
  const double dy = across - a.y;
  const struct stretch beside = between(ex, ey * dy - ex * a.x, 0, length * length);
  const struct stretch around =
      between(-ey, ex * dy + ey * a.x, -clearance * length, clearance * length);
  return hull(s, common(beside, around));
}

// Along a side as x.
static struct double_point turned(struct point p, int side)
{
  return side == NORTH || side == SOUTH ? (struct double_point){p.x, p.y}
                                        : (struct double_point){p.y, p.x};
}

static double across_of(const struct cell_square *s, int side)
{
  return side == EAST ? s->hi.x : side == NORTH ? s->hi.y : side == WEST ? s->lo.x : s->lo.y;
}

static struct stretch side_of(const struct cell_square *s, int side)
{
  return side == NORTH || side == SOUTH ? (struct stretch){s->lo.x, s->hi.x}
                                        : (struct stretch){s->lo.y, s->hi.y};
}

// The stretches of a side that are blocked, in its direction, without overlaps; walls that overlap
// are joined. Returns their number.
static int blocked_stretches(struct builder *b, int side, struct blocked *list)
{
  const struct stretch whole = side_of(b->square, side);
  int count = 0;
  for (int k = 0; k < b->walls->count; k++) {
    const struct wall *w = b->walls->walls[k];
    struct stretch s = near_segment(turned(w->a, side), turned(w->b, side),
                                    across_of(b->square, side), b->clearance);
    s = common(s, whole);
    if (s.lo >= s.hi)
      continue;
    struct blocked next = {s.lo, s.hi, k};
    int kept = 0;
    for (int i = 0; i < count; i++)
      if (list[i].lo <= next.hi && next.lo <= list[i].hi) {
        join(b, list[i].wall, next.wall);
        next.lo = list[i].lo < next.lo ? list[i].lo : next.lo;
        next.hi = list[i].hi > next.hi ? list[i].hi : next.hi;
      } else {
        list[kept++] = list[i];
      }
    int at = kept;
    for (; at > 0 && list[at - 1].lo > next.lo; at--)
      list[at] = list[at - 1];
    list[at] = next;
    count = kept + 1;
  }
  return count;
}

// ---------------------------------------------------------------------------------- around the
// cell

static bool add_arc(struct builder *b, int side, double lo, double hi)
{
  struct free_parts *f = b->found;
  if (hi - lo < SLIVER)
    return true;
  if (f->arcs == FREE_ARCS)
    return false;
  b->before[f->arcs] = b->open_gap;
  f->arc[f->arcs++] = (struct free_arc){lo, hi, (uint8_t)side, 0};
  b->open_gap = -1;
  return true;
}

static void add_to_gap(struct builder *b, int wall)
{
  if (b->open_gap >= 0)
    join(b, b->open_gap, wall);
  b->open_gap = wall;
}

// Counter-clockwise: the sides north and west run backwards.
static bool follow_side(struct builder *b, int side)
{
  struct blocked list[WALLS_MAX];
  const bool backwards = side == NORTH || side == WEST;
  const struct stretch whole = side_of(b->square, side);
  const int count = blocked_stretches(b, side, list);
  double at = backwards ? whole.hi : whole.lo;
  for (int i = 0; i < count; i++) {
    const struct blocked *next = &list[backwards ? count - 1 - i : i];
    if (backwards ? !add_arc(b, side, next->hi, at) : !add_arc(b, side, at, next->lo))
      return false;
    add_to_gap(b, next->wall);
    at = backwards ? next->lo : next->hi;
  }
  return backwards ? add_arc(b, side, whole.lo, at) : add_arc(b, side, at, whole.hi);
}

static bool holds(const struct cell_square *s, struct double_point p)
{
  return s->lo.x <= p.x && p.x <= s->hi.x && s->lo.y <= p.y && p.y <= s->hi.y;
}

static void join_inside(struct builder *b)
{
  for (int i = 0; i < b->walls->count; i++)
    for (int k = 0; k < i; k++) {
      const struct wall *w = b->walls->walls[k], *v = b->walls->walls[i];
      struct double_point middle;
      const double apart = wall_distance_to_segment(w, (struct double_point){v->a.x, v->a.y},
                                                    (struct double_point){v->b.x, v->b.y}, &middle);
      if (apart < 2 * b->clearance && holds(b->square, middle))
        join(b, i, k);
    }
}

// ---------------------------------------------------------------------------------------- the
// parts

// Does one chain reach the border both between the arcs i < k and outside of them?
static bool separated(const struct builder *b, int i, int k)
{
  for (int inner = i + 1; inner <= k; inner++)
    for (int outer = 0; outer < b->found->arcs; outer++)
      if ((outer <= i || outer > k) && b->before[inner] >= 0 && b->before[outer] >= 0 &&
          chain_of(b, b->before[inner]) == chain_of(b, b->before[outer]))
        return true;
  return false;
}

static bool arc_is_solid(const struct builder *b, int arc, const struct obstacles *o)
{
  const struct double_point p = free_arc_middle(&b->found->arc[arc], b->square);
  return obstacles_solid(o, (struct point){(int32_t)floor(p.x), (int32_t)floor(p.y)});
}

// Numbers the parts and drops arcs in solid ground.
static bool number_parts(struct builder *b, const struct obstacles *o)
{
  struct free_parts *f = b->found;
  int part[FREE_ARCS], parts = 0, kept = 0;
  for (int k = 0; k < f->arcs; k++) {
    part[k] = -2;
    for (int i = 0; i < k && part[k] == -2; i++)
      if (!separated(b, i, k))
        part[k] = part[i];
    if (part[k] == -2)
      part[k] = arc_is_solid(b, k, o) ? -1 : parts++;
  }
  for (int k = 0; k < f->arcs; k++)
    if (part[k] >= 0) {
      f->arc[kept] = f->arc[k];
      f->arc[kept++].part = (uint8_t)part[k];
    }
  f->arcs = (uint8_t)kept;
  f->parts = (uint8_t)parts;
  return parts <= FREE_PARTS;
}

bool free_parts_find(struct free_parts *f, const struct cell_square *square, double clearance,
                     const struct wall_list *walls, const struct obstacles *o)
{
  struct builder b = {square, clearance, walls, {0}, f, {0}, -1};
  *f = (struct free_parts){0};
  if (walls->count > WALLS_MAX)
    return false;
  for (int k = 0; k < walls->count; k++)
    b.chain[k] = k;
  const int order[4] = {SOUTH, EAST, NORTH, WEST};
  for (int i = 0; i < 4; i++)
    if (!follow_side(&b, order[i]))
      return false;
  if (f->arcs > 0 && b.open_gap >= 0) { // the gap that spans the first corner
    if (b.before[0] >= 0)
      join(&b, b.before[0], b.open_gap);
    b.before[0] = b.open_gap;
  }
  join_inside(&b);
  return number_parts(&b, o);
}

struct double_point free_arc_middle(const struct free_arc *a, const struct cell_square *square)
{
  const double along = (a->lo + a->hi) / 2, across = across_of(square, a->side);
  return a->side == NORTH || a->side == SOUTH ? (struct double_point){along, across}
                                              : (struct double_point){across, along};
}
