// Joins walkable polygons across gaps that nobody means: where edges of two polygons run along each
// other within GROUND_GAP, the strip between them becomes ground. Coordinates that should be equal
// often differ in the last digit, and a union keeps such a gap as a wall of no width.
#include "geometry_internal.h"

#include <math.h>
#include <stdlib.h>

#define GROUND_GAP 1e-3 // m; docs/maps.md states it
#define SLOPE      0.1  // of an edge against the other one, at most
#define OVERLAP    1e-5 // m, by which a strip reaches into both polygons: less than a quantum
#define JOINS_TOLD 10   // pairs of polygons

struct place { // m
  double x, y;
};

struct edge { // the polygon is on its left
  struct place from, to;
  int64_t next;                   // number of the edge behind it
  bool first_joined, last_joined; // a strip reaches this end
};

struct polygon {
  struct edge *edges; // [count] ring by ring
  int64_t count;
  struct rectangle bounds;
  unsigned number; // in the list of walkable shapes
};

struct join {           // of two polygons
  double width, length; // m: the widest gap, all together
  double longest;       // strip, m
  struct place middle;  // of it
};

// ------------------------------------------------------------------------------------ edges

static double cross(struct place a, struct place b)
{
  return a.x * b.y - a.y * b.x;
}

static double dot(struct place a, struct place b)
{
  return a.x * b.x + a.y * b.y;
}

static struct place minus(struct place a, struct place b)
{
  return (struct place){a.x - b.x, a.y - b.y};
}

// orientation: 1 counter-clockwise, -1 clockwise, whatever the ring is.
static void ring_add(const struct geos_context *s, const GEOSGeometry *ring, int orientation,
                     struct polygon *out)
{
  const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(s->geos, ring);
  unsigned count = 0;
  GEOSCoordSeq_getSize_r(s->geos, sequence, &count);
  if (count < 4)
    return;
  struct place *p = memory_create(count, sizeof *p);
  GEOSCoordSeq_copyToBuffer_r(s->geos, sequence, &p->x, 0, 0);
  double area = 0;
  for (unsigned i = 0; i + 1 < count; i++)
    area += cross(minus(p[i], p[0]), minus(p[i + 1], p[0]));
  const bool turns = area * orientation < 0;
  out->edges = memory_grow(out->edges, (size_t)out->count, (size_t)out->count + count - 1,
                           sizeof *out->edges);
  const int64_t first = out->count;
  for (unsigned i = 0; i + 1 < count; i++) {
    const unsigned k = turns ? count - 1 - i : i, next = turns ? k - 1 : k + 1;
    out->edges[out->count++] = (struct edge){.from = p[k], .to = p[next], .next = first + i + 1};
  }
  out->edges[out->count - 1].next = first;
  memory_destroy(p);
}

static struct polygon polygon_create(const struct geometry *g, unsigned number)
{
  const GEOSGeometry *shape = g->features.walkable.shapes[number];
  const struct geos_context *s = &g->features.geos_context;
  struct polygon polygon = {.bounds = rectangle_empty(), .number = number};
  shape_include(g, shape, &polygon.bounds);
  ring_add(s, GEOSGetExteriorRing_r(s->geos, shape), 1, &polygon);
  for (int i = 0; i < GEOSGetNumInteriorRings_r(s->geos, shape); i++)
    ring_add(s, GEOSGetInteriorRingN_r(s->geos, shape, i), -1, &polygon);
  return polygon;
}

// ----------------------------------------------------------------------------------- strips

static void strip_add(struct geometry *g, const double corners[8])
{
  GEOSGeometry *shape = shape_polygon(&g->features.geos_context, corners, 4);
  if (shape)
    shape_list_add(&g->joints, shape);
}

// Where an outline bends, its strips leave a wedge open between them.
static void corners_add(struct geometry *g, const struct polygon *polygon)
{
  const double r = 1.5 * GROUND_GAP;
  for (int64_t i = 0; i < polygon->count; i++) {
    const struct edge *e = &polygon->edges[i];
    const double x = e->to.x, y = e->to.y;
    if (e->last_joined && polygon->edges[e->next].first_joined)
      strip_add(g, (const double[8]){x - r, y - r, x + r, y - r, x + r, y + r, x - r, y + r});
  }
}

struct beside { // an edge as another one sees it: along that one, and out of its polygon; m
  double along[2], out[2];
};

// The part of the edge within GROUND_GAP. False: none that is a gap.
static bool gap_find(const struct edge *a, const struct edge *b, struct beside *part)
{
  const struct place u = minus(a->to, a->from), v = minus(b->to, b->from);
  const double length = sqrt(dot(u, u));
  if (!(dot(u, v) < 0 && fabs(cross(u, v)) <= -SLOPE * dot(u, v)))
    return false;
  const struct place from = minus(b->to, a->from), to = minus(b->from, a->from);
  const double ends[2] = {dot(from, u) / length, dot(to, u) / length};     // ascending
  const double outs[2] = {cross(from, u) / length, cross(to, u) / length}; // exactly 0 on the edge
  const double slope = (outs[1] - outs[0]) / (ends[1] - ends[0]);
  double lo = fmax(0, ends[0]), hi = fmin(length, ends[1]);
  const double at_lo = outs[0] + slope * (lo - ends[0]), at_hi = outs[0] + slope * (hi - ends[0]);
  if (!(lo < hi) || fmin(at_lo, at_hi) < -GROUND_GAP)
    return false;
  if (at_lo > GROUND_GAP && slope < 0)
    lo += (GROUND_GAP - at_lo) / slope;
  if (at_hi > GROUND_GAP && slope > 0)
    hi += (GROUND_GAP - at_hi) / slope;
  *part = (struct beside){{lo, hi},
                          {lo > ends[0] ? outs[0] + slope * (lo - ends[0]) : outs[0],
                           hi < ends[1] ? outs[0] + slope * (hi - ends[0]) : outs[1]}};
  const double widest = fmax(part->out[0], part->out[1]);
  return hi - lo > GROUND_GAP && widest > 0 && widest <= 1.000001 * GROUND_GAP;
}

static void edges_join(struct geometry *g, struct edge *a, const struct edge *b, struct join *join)
{
  struct beside part;
  if (!gap_find(a, b, &part))
    return;
  const struct place u = minus(a->to, a->from);
  const double length = sqrt(dot(u, u)), reach = part.along[1] - part.along[0];
  const struct place along = {u.x / length, u.y / length}, out = {along.y, -along.x};
  struct place middle = {0};
  double corners[8];
  for (int k = 0; k < 4; k++) { // in, in, out, out
    const int end = k == 1 || k == 2;
    const double t = part.along[end], d = k < 2 ? -OVERLAP : fmax(part.out[end], 0) + OVERLAP;
    corners[2 * k] = a->from.x + t * along.x + d * out.x;
    corners[2 * k + 1] = a->from.y + t * along.y + d * out.y;
    middle.x += 0.25 * corners[2 * k];
    middle.y += 0.25 * corners[2 * k + 1];
  }
  strip_add(g, corners);
  a->first_joined |= part.along[0] <= GROUND_GAP;
  a->last_joined |= part.along[1] >= length - GROUND_GAP;
  join->width = fmax(join->width, fmax(part.out[0], part.out[1]));
  join->length += reach;
  join->middle = reach > join->longest ? middle : join->middle;
  join->longest = fmax(join->longest, reach);
}

// ---------------------------------------------------------------------------------- polygons

static bool is_near(const struct rectangle *a, const struct rectangle *b)
{
  return a->lo[0] <= b->hi[0] + GROUND_GAP && b->lo[0] <= a->hi[0] + GROUND_GAP &&
         a->lo[1] <= b->hi[1] + GROUND_GAP && b->lo[1] <= a->hi[1] + GROUND_GAP;
}

static struct rectangle edge_bounds(const struct edge *e)
{
  struct rectangle r = rectangle_empty();
  rectangle_include(&r, e->from.x, e->from.y);
  rectangle_include(&r, e->to.x, e->to.y);
  return r;
}

static struct join polygons_join(struct geometry *g, struct polygon *a, const struct polygon *b)
{
  struct join join = {0};
  int64_t *near = memory_create((size_t)b->count, sizeof *near), count = 0;
  for (int64_t k = 0; k < b->count; k++) {
    const struct rectangle r = edge_bounds(&b->edges[k]);
    if (is_near(&r, &a->bounds))
      near[count++] = k;
  }
  for (int64_t i = 0; i < a->count && count > 0; i++) {
    const struct rectangle r = edge_bounds(&a->edges[i]);
    for (int64_t k = 0; k < count && is_near(&r, &b->bounds); k++)
      edges_join(g, &a->edges[i], &b->edges[near[k]], &join);
  }
  memory_destroy(near);
  return join;
}

static int by_west(const void *a, const void *b)
{
  const struct polygon *p = a, *q = b;
  const double west = p->bounds.lo[0] - q->bounds.lo[0];
  return west != 0 ? (west > 0) - (west < 0) : (p->number > q->number) - (p->number < q->number);
}

static void join_tell(const struct join *join, int64_t number, struct location at,
                      struct diagnostics *p)
{
  if (number <= JOINS_TOLD)
    diagnostics_warning(p, at,
                        "walkable polygons joined across a gap of up to %.3g m, %.4g m long, at "
                        "(%.3f, %.3f) m",
                        join->width, join->length, join->middle.x, join->middle.y);
}

void joints_create(struct geometry *g, struct location at, struct diagnostics *p)
{
  const struct shape_list *list = &g->features.walkable;
  struct polygon *polygons = memory_create(list->count, sizeof *polygons);
  int64_t joined = 0;
  for (unsigned i = 0; i < list->count; i++)
    polygons[i] = polygon_create(g, i);
  qsort(polygons, list->count, sizeof *polygons, by_west);
  for (unsigned i = 0; i < list->count; i++) {
    for (unsigned k = i + 1; k < list->count; k++) {
      if (polygons[k].bounds.lo[0] > polygons[i].bounds.hi[0] + GROUND_GAP)
        break;
      if (!is_near(&polygons[i].bounds, &polygons[k].bounds))
        continue;
      const struct join join = polygons_join(g, &polygons[i], &polygons[k]);
      if (join.length > 0)
        join_tell(&join, ++joined, at, p);
    }
    corners_add(g, &polygons[i]);
  }
  if (joined > JOINS_TOLD)
    diagnostics_warning(p, at, "further walkable polygons joined across gaps: %lld",
                        (long long)(joined - JOINS_TOLD));
  for (unsigned i = 0; i < list->count; i++)
    memory_destroy(polygons[i].edges);
  memory_destroy(polygons);
}
