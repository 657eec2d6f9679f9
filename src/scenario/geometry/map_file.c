#include "map_file.h"

#include "utf8.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------- numbers

#define FRACTION 10000 // a tenth of a millimetre: finer than anybody draws or measures

// Writes the number with up to 4 decimals, without zeros at the end. printf would take most of the
// time of a large map. Returns the end.
static char *number_text(char *to, double value)
{
  char digits[24];
  int count = 0;
  const int64_t scaled = llrint(value * FRACTION);
  uint64_t whole = (uint64_t)llabs(scaled) / FRACTION, part = (uint64_t)llabs(scaled) % FRACTION;
  if (scaled < 0)
    *to++ = '-';
  do
    digits[count++] = (char)('0' + whole % 10);
  while (whole /= 10);
  while (count)
    *to++ = digits[--count];
  if (part)
    *to++ = '.';
  for (uint64_t unit = FRACTION / 10; part; part %= unit, unit /= 10)
    *to++ = (char)('0' + part / unit);
  return to;
}

// The shortest text that gives the same number.
static void exact_write(FILE *out, double value)
{
  char text[40];
  int digits = 15;
  do
    snprintf(text, sizeof text, "%.*g", digits, value);
  while (strtod(text, NULL) != value && ++digits <= 17);
  fputs(text, out);
}

// -------------------------------------------------------------------------------- geometries

#define POINTS_AT_ONCE 512
#define POINT_TEXT     48 // bytes; coordinates are below 1e8 m

// "[x,y],[x,y]"
static void positions_write(const struct map_file *m, const GEOSGeometry *line)
{
  const GEOSContextHandle_t geos = m->geos_context->geos;
  const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(geos, line);
  unsigned count = 0;
  GEOSCoordSeq_getSize_r(geos, sequence, &count);
  double *xy = memory_create(2 * (size_t)count, sizeof *xy);
  GEOSCoordSeq_copyToBuffer_r(geos, sequence, xy, 0, 0);
  for (size_t begin = 0; begin < count; begin += POINTS_AT_ONCE) {
    char text[POINTS_AT_ONCE * POINT_TEXT], *to = text;
    for (size_t i = begin; i < count && i < begin + POINTS_AT_ONCE; i++) {
      if (i)
        *to++ = ',';
      *to++ = '[';
      to = number_text(to, xy[2 * i]);
      *to++ = ',';
      to = number_text(to, xy[2 * i + 1]);
      *to++ = ']';
    }
    fwrite(text, 1, (size_t)(to - text), m->out);
  }
  memory_destroy(xy);
}

static void ring_write(const struct map_file *m, const GEOSGeometry *ring)
{
  fputc('[', m->out);
  positions_write(m, ring);
  fputc(']', m->out);
}

static void part_write(const struct map_file *m, const GEOSGeometry *part,
                       enum map_geometry geometry)
{
  const GEOSContextHandle_t geos = m->geos_context->geos;
  if (geometry == MAP_POINT) {
    positions_write(m, part);
    return;
  }
  if (geometry == MAP_LINE) {
    ring_write(m, part);
    return;
  }
  fputc('[', m->out);
  ring_write(m, GEOSGetExteriorRing_r(geos, part));
  for (int i = 0; i < GEOSGetNumInteriorRings_r(geos, part); i++) {
    fputc(',', m->out);
    ring_write(m, GEOSGetInteriorRingN_r(geos, part, i));
  }
  fputc(']', m->out);
}

static bool is_part(int type, enum map_geometry geometry)
{
  return geometry == MAP_POLYGON ? type == GEOS_POLYGON
         : geometry == MAP_LINE  ? type == GEOS_LINESTRING || type == GEOS_LINEARRING
                                 : type == GEOS_POINT;
}

int64_t map_part_count(const struct geos_context *s, const GEOSGeometry *shape,
                       enum map_geometry geometry)
{
  const int type = GEOSGeomTypeId_r(s->geos, shape);
  int64_t count = is_part(type, geometry) && GEOSisEmpty_r(s->geos, shape) == 0;
  for (int i = 0; type > GEOS_POLYGON && i < GEOSGetNumGeometries_r(s->geos, shape); i++)
    count += map_part_count(s, GEOSGetGeometryN_r(s->geos, shape, i), geometry);
  return count;
}

// Returns the number of parts, of which `before` are written already.
static int64_t parts_write(const struct map_file *m, const GEOSGeometry *shape,
                           enum map_geometry geometry, int64_t before)
{
  const GEOSContextHandle_t geos = m->geos_context->geos;
  const int type = GEOSGeomTypeId_r(geos, shape);
  if (is_part(type, geometry) && GEOSisEmpty_r(geos, shape) == 0) {
    if (before++)
      fputc(',', m->out);
    part_write(m, shape, geometry);
  }
  for (int i = 0; type > GEOS_POLYGON && i < GEOSGetNumGeometries_r(geos, shape); i++)
    before = parts_write(m, GEOSGetGeometryN_r(geos, shape, i), geometry, before);
  return before;
}

// --------------------------------------------------------------------------------- features

static void properties_write(const struct map_feature *f, FILE *out)
{
  fprintf(out, "{\"type\": \"Feature\", \"properties\": {\"role\": \"%s\", \"name\": ", f->role);
  utf8_write_json(f->name ? f->name : "", out);
  fputs(", \"kind\": ", out);
  utf8_write_json(f->kind ? f->kind : "", out);
  if (f->index >= 0)
    fprintf(out, ", \"index\": %d", f->index);
  fprintf(out, "%s}, ", f->more ? f->more : "");
}

void map_file_add(struct map_file *m, const struct map_feature *f,
                  const GEOSGeometry *const *shapes, int count)
{
  static const char *const types[] = {"Polygon", "LineString", "Point"};
  int64_t parts = 0, written = 0;
  for (int i = 0; i < count; i++)
    parts += map_part_count(m->geos_context, shapes[i], f->geometry);
  if (parts == 0)
    return;
  const bool many = f->many || parts > 1;
  fputs(m->any ? ",\n" : "\n", m->out);
  m->any = true;
  properties_write(f, m->out);
  fprintf(m->out, "\"geometry\": {\"type\": \"%s%s\", \"coordinates\": %s", many ? "Multi" : "",
          types[f->geometry], many ? "[" : "");
  for (int i = 0; i < count; i++)
    written = parts_write(m, shapes[i], f->geometry, written);
  fputs(many ? "]}}" : "}}", m->out);
}

// The part inside the rectangle, which is the shape itself if all of it is, or if GEOS failed.
static const GEOSGeometry *clipped(const struct geos_context *s, const GEOSGeometry *shape,
                                   const struct rectangle *clip, GEOSGeometry **made)
{
  double lo[2], hi[2];
  *made = NULL;
  if (!clip || !shape_bounds(s, shape, lo, hi) ||
      (lo[0] >= clip->lo[0] && lo[1] >= clip->lo[1] && hi[0] <= clip->hi[0] &&
       hi[1] <= clip->hi[1]))
    return shape;
  const bool outside =
      lo[0] > clip->hi[0] || lo[1] > clip->hi[1] || hi[0] < clip->lo[0] || hi[1] < clip->lo[1];
  *made = outside ? GEOSGeom_createEmptyCollection_r(s->geos, GEOS_GEOMETRYCOLLECTION)
                  : shape_clip(s, GEOSGeom_clone_r(s->geos, shape), clip->lo, clip->hi);
  return *made ? *made : shape;
}

static void labelled_add(struct map_file *m, const struct feature_set *set, int list, unsigned i,
                         struct map_feature f, const GEOSGeometry *shape)
{
  const struct json_span properties = feature_set_offer(set, list, i).properties;
  char *name = geojson_property(properties, "name"), *kind = geojson_property(properties, "kind");
  f.name = name;
  f.kind = kind;
  map_file_add(m, &f, &shape, 1);
  memory_destroy(name);
  memory_destroy(kind);
}

void map_file_add_list(struct map_file *m, const struct feature_set *set, int list,
                       const char *role, const struct rectangle *clip)
{
  static const enum map_geometry geometries[] = {
      [GEOJSON_POLYGON] = MAP_POLYGON, [GEOJSON_LINE] = MAP_LINE, [GEOJSON_POINT] = MAP_POINT};
  for (unsigned i = 0; i < set->lists[list].count; i++) {
    GEOSGeometry *made;
    const GEOSGeometry *shape =
        clipped(&set->geos_context, set->lists[list].shapes[i], clip, &made);
    const struct map_feature f = {
        .role = role, .index = -1, .geometry = geometries[feature_set_offer(set, list, i).kind]};
    labelled_add(m, set, list, i, f, shape);
    if (made)
      GEOSGeom_destroy_r(set->geos_context.geos, made);
  }
}

// ------------------------------------------------------------------------------------ the whole

static void pair_write(FILE *out, const char *key, double x, double y)
{
  fprintf(out, ", \"%s\": [", key);
  exact_write(out, x);
  fputs(", ", out);
  exact_write(out, y);
  fputc(']', out);
}

void map_file_begin(struct map_file *m, const struct geos_context *s, FILE *out,
                    const struct map_about *about)
{
  const double *const corners[] = {about->bbox.lo, about->bbox.hi};
  *m = (struct map_file){s, out, false};
  fputs("{\"type\": \"FeatureCollection\", \"throng:projection\": \"metres\", \"title\": ", out);
  utf8_write_json(about->title, out);
  fputs(", \"attribution\": ", out);
  utf8_write_json(about->attribution, out);
  for (int k = 0; k < 4 && about->bbox.lo[0] <= about->bbox.hi[0]; k++) {
    fputs(k ? ", " : ", \"bbox\": [", out);
    exact_write(out, corners[k / 2][k % 2]);
    fputs(k == 3 ? "]" : "", out);
  }
  if (about->projection) {
    const struct projection *to = about->projection;
    pair_write(out, "throng:centre", to->longitude, to->latitude);
    pair_write(out, "throng:metres_per_degree", to->east, to->north);
  }
  fputs(", \"features\": [", out);
}

bool map_file_end(struct map_file *m)
{
  return fputs("\n]}\n", m->out) >= 0 && fflush(m->out) == 0 && !ferror(m->out);
}
