#include "shape.h"

#include <math.h>
#include <string.h>

__extension__ typedef __int128 int128; // cross products of positions need 65 bits

static void geos_error_store(const char *message, void *geos_context)
{
  struct geos_context *s = geos_context;
  if (strcmp(message, "std::bad_alloc") == 0) // a message may quote the word from the text
    memory_fail(0);
  snprintf(s->error, sizeof s->error, "%s", message);
}

void geos_context_create(struct geos_context *s)
{
  *s = (struct geos_context){.geos = GEOS_init_r()};
  GEOSContext_setErrorMessageHandler_r(s->geos, geos_error_store, s);
}

void geos_context_destroy(struct geos_context *s)
{
  GEOS_finish_r(s->geos);
}

const char *geos_context_message(const struct geos_context *s)
{
  const char *colon = strstr(s->error, "Exception: ");
  const char *text = colon ? colon + strlen("Exception: ") : s->error;
  return *text ? text : "it contains no shape";
}

void shape_list_add(struct shape_list *list, GEOSGeometry *shape)
{
  if (list->count == list->capacity) {
    const unsigned capacity = 2 * list->capacity + 16;
    list->shapes = memory_grow(list->shapes, list->count, capacity, sizeof(GEOSGeometry *));
    list->capacity = capacity;
  }
  list->shapes[list->count++] = shape;
}

void shape_list_destroy(struct geos_context *s, struct shape_list *list)
{
  for (unsigned i = 0; i < list->count; i++)
    GEOSGeom_destroy_r(s->geos, list->shapes[i]);
  memory_destroy(list->shapes);
  *list = (struct shape_list){0};
}

bool shape_bounds(const struct geos_context *s, const GEOSGeometry *shape, double lo[2],
                  double hi[2])
{
  return GEOSisEmpty_r(s->geos, shape) == 0 && GEOSGeom_getXMin_r(s->geos, shape, &lo[0]) &&
         GEOSGeom_getYMin_r(s->geos, shape, &lo[1]) && GEOSGeom_getXMax_r(s->geos, shape, &hi[0]) &&
         GEOSGeom_getYMax_r(s->geos, shape, &hi[1]);
}

static int not_finite(double *x, double *y, void *bad)
{
  if (!isfinite(*x) || !isfinite(*y))
    *(bool *)bad = true;
  return 1;
}

bool shape_is_finite(const struct geos_context *s, const GEOSGeometry *shape)
{
  bool bad = false;
  GEOSGeometry *same = GEOSGeom_transformXY_r(s->geos, shape, not_finite, &bad);
  if (!same)
    return false;
  GEOSGeom_destroy_r(s->geos, same);
  return !bad;
}

GEOSGeometry *shape_polygon(const struct geos_context *s, const double *points, int64_t count)
{
  double *ring = memory_create(2 * (size_t)count + 2, sizeof *ring);
  memcpy(ring, points, 2 * (size_t)count * sizeof *ring);
  memcpy(ring + 2 * count, points, 2 * sizeof *ring);
  GEOSCoordSequence *sequence =
      GEOSCoordSeq_copyFromBuffer_r(s->geos, ring, (unsigned)count + 1, 0, 0);
  memory_destroy(ring);
  GEOSGeometry *line = sequence ? GEOSGeom_createLinearRing_r(s->geos, sequence) : NULL;
  return line ? GEOSGeom_createPolygon_r(s->geos, line, NULL, 0) : NULL;
}

GEOSGeometry *shape_rectangle(const struct geos_context *s, const double lo[2], const double hi[2])
{
  return shape_polygon(s, (const double[]){lo[0], lo[1], hi[0], lo[1], hi[0], hi[1], lo[0], hi[1]},
                       4);
}

GEOSGeometry *shape_union(const struct geos_context *s, const struct shape_list *list)
{
  GEOSGeometry **copies = memory_create(list->count, sizeof(GEOSGeometry *));
  for (unsigned i = 0; i < list->count; i++)
    copies[i] = GEOSGeom_clone_r(s->geos, list->shapes[i]);
  GEOSGeometry *all =
      GEOSGeom_createCollection_r(s->geos, GEOS_GEOMETRYCOLLECTION, copies, list->count);
  memory_destroy(copies);
  GEOSGeometry *merged = all ? GEOSUnaryUnion_r(s->geos, all) : NULL;
  if (all)
    GEOSGeom_destroy_r(s->geos, all);
  return merged;
}

GEOSGeometry *shape_clip(const struct geos_context *s, GEOSGeometry *shape, const double lo[2],
                         const double hi[2])
{
  double a[2], b[2];
  if (!shape_bounds(s, shape, a, b) ||
      (a[0] >= lo[0] && a[1] >= lo[1] && b[0] <= hi[0] && b[1] <= hi[1]))
    return shape;
  GEOSGeometry *frame = shape_rectangle(s, lo, hi);
  GEOSGeometry *part = frame ? GEOSIntersection_r(s->geos, shape, frame) : NULL;
  GEOSGeom_destroy_r(s->geos, shape);
  if (frame)
    GEOSGeom_destroy_r(s->geos, frame);
  return part;
}

// --------------------------------------------------------------------------------- outlines

static int128 cross(struct point a, struct point b, struct point c)
{
  return (int128)((int64_t)b.x - a.x) * ((int64_t)c.y - b.y) -
         (int128)((int64_t)b.y - a.y) * ((int64_t)c.x - b.x);
}

static bool reverses(struct point a, struct point b, struct point c)
{
  return (int128)((int64_t)b.x - a.x) * ((int64_t)c.x - b.x) +
             (int128)((int64_t)b.y - a.y) * ((int64_t)c.y - b.y) <
         0;
}

static bool same(struct point a, struct point b)
{
  return a.x == b.x && a.y == b.y;
}

// Twice the signed area, quanta^2.
static int128 ring_area(const struct point *p, int64_t count)
{
  int128 area = 0;
  for (int64_t i = 0; i < count; i++) {
    const struct point a = p[i], b = p[i + 1 < count ? i + 1 : 0];
    area += (int128)a.x * b.y - (int128)a.y * b.x;
  }
  return area;
}

// Drops repeated points and points on a straight line, which includes the spikes of a ring; an open
// line that turns back keeps its tip. Returns the new count.
static int64_t line_remove_collinear(struct point *p, int64_t count, bool closed)
{
  int64_t kept = 0;
  for (int64_t i = 0; i < count; i++) {
    if (kept > 0 && same(p[kept - 1], p[i]))
      continue;
    while (kept > 1 && cross(p[kept - 2], p[kept - 1], p[i]) == 0 &&
           (closed || !reverses(p[kept - 2], p[kept - 1], p[i])))
      kept--;
    if (kept > 0 && same(p[kept - 1], p[i]))
      continue;
    p[kept++] = p[i];
  }
  if (!closed)
    return kept;
  while (kept > 2) { // where the ring closes
    if (same(p[kept - 1], p[0]) || cross(p[kept - 2], p[kept - 1], p[0]) == 0)
      kept--;
    else if (cross(p[kept - 1], p[0], p[1]) == 0)
      memmove(p, p + 1, (size_t)--kept * sizeof *p);
    else
      break;
  }
  return kept;
}

static void ring_reverse(struct point *p, int64_t count)
{
  for (int64_t i = 0, j = count - 1; i < j; i++, j--) {
    const struct point swap = p[i];
    p[i] = p[j];
    p[j] = swap;
  }
}

void outlines_create(struct outlines *o)
{
  *o = (struct outlines){0, memory_create(1, sizeof *o->start), NULL, NULL};
}

static void outlines_reserve(struct outlines *o, int64_t more_points)
{
  const int64_t points = o->count ? o->start[o->count] : 0;
  // Capacities follow from the counts, so that they need no members.
  if (o->count == 0 || ((o->count + 1) & o->count) == 0) {
    o->start = memory_grow(o->start, o->count ? (size_t)o->count + 1 : 0, 2 * (size_t)o->count + 3,
                           sizeof *o->start);
    o->closed = memory_grow(o->closed, (size_t)o->count, 2 * (size_t)o->count + 2, 1);
  }
  int64_t capacity = 64;
  while (capacity < points)
    capacity *= 2;
  const bool holds = o->points && points + more_points <= capacity;
  while (capacity < points + more_points)
    capacity *= 2;
  if (!holds)
    o->points = memory_grow(o->points, (size_t)points, (size_t)capacity, sizeof *o->points);
}

// orientation: 1 counter-clockwise ring, -1 clockwise ring, 0 open line.
static void line_append(const struct geos_context *s, const GEOSGeometry *line,
                        const struct frame *frame, int orientation, struct outlines *out)
{
  const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(s->geos, line);
  unsigned count = 0;
  GEOSCoordSeq_getSize_r(s->geos, sequence, &count);
  double *xy = memory_create(2 * (size_t)count, sizeof *xy);
  GEOSCoordSeq_copyToBuffer_r(s->geos, sequence, xy, 0, 0);
  outlines_reserve(out, count);
  const int64_t start = out->start[out->count];
  struct point *p = out->points + start;
  for (unsigned i = 0; i < count; i++)
    p[i] = frame_point(frame, xy[2 * (size_t)i], xy[2 * (size_t)i + 1]);
  memory_destroy(xy);
  const int64_t kept = line_remove_collinear(p, count, orientation != 0);
  if (kept < (orientation ? 3 : 2))
    return;
  const int128 area = orientation ? ring_area(p, kept) : 0;
  if (orientation && area == 0)
    return;
  if (orientation && (area > 0) != (orientation > 0))
    ring_reverse(p, kept);
  out->closed[out->count] = orientation != 0;
  out->start[++out->count] = start + kept;
}

void shape_outlines(const struct geos_context *s, const GEOSGeometry *shape,
                    const struct frame *frame, bool free_inside, struct outlines *out)
{
  const int type = GEOSGeomTypeId_r(s->geos, shape);
  if (GEOSisEmpty_r(s->geos, shape))
    return;
  if (type == GEOS_POLYGON) {
    const int outer = free_inside ? -1 : 1;
    line_append(s, GEOSGetExteriorRing_r(s->geos, shape), frame, outer, out);
    for (int i = 0; i < GEOSGetNumInteriorRings_r(s->geos, shape); i++)
      line_append(s, GEOSGetInteriorRingN_r(s->geos, shape, i), frame, -outer, out);
  } else if (type == GEOS_LINESTRING || type == GEOS_LINEARRING) {
    line_append(s, shape, frame, 0, out);
  } else if (type > GEOS_POLYGON && type != GEOS_MULTIPOINT) {
    for (int i = 0; i < GEOSGetNumGeometries_r(s->geos, shape); i++)
      shape_outlines(s, GEOSGetGeometryN_r(s->geos, shape, i), frame, free_inside, out);
  }
}

void outlines_append(struct outlines *to, const struct outlines *from)
{
  const int64_t lines = to->count, points = to->start[lines];
  const int64_t more = from->count ? from->start[from->count] : 0;
  if (from->count == 0)
    return;
  to->count += from->count;
  to->start = memory_grow(to->start, (size_t)lines + 1, (size_t)to->count + 1, sizeof *to->start);
  to->points = memory_grow(to->points, (size_t)points, (size_t)(points + more), sizeof *to->points);
  to->closed = memory_grow(to->closed, (size_t)lines, (size_t)to->count, 1);
  memcpy(to->points + points, from->points, (size_t)more * sizeof *to->points);
  memcpy(to->closed + lines, from->closed, (size_t)from->count);
  for (int64_t l = 0; l < from->count; l++)
    to->start[lines + l + 1] = points + from->start[l + 1];
}

void outlines_destroy(struct outlines *o)
{
  memory_destroy(o->start);
  memory_destroy(o->points);
  memory_destroy(o->closed);
  *o = (struct outlines){0};
}

double outlines_area(const struct outlines *o, double quantum)
{
  int128 area = 0;
  for (int64_t i = 0; i < o->count; i++)
    if (o->closed[i])
      area += ring_area(o->points + o->start[i], o->start[i + 1] - o->start[i]);
  return 0.5 * (double)area * quantum * quantum;
}
