#include "map.h"

#include "config_read.h"
#include "geometry_file.h"
#include "geometry_internal.h"
#include "map_file.h"
#include "property_table.h"
#include "utf8.h"
#include <string.h>

struct map {
  struct config config;
  char *path, *yaml, *text; // of the file; the scenario of the map; [length] the map
  size_t length;
  int64_t invalid; // polygons that a run would refuse
  struct geometry *geometry;
  struct rectangle bounds; // m
  GEOSGeometry *ground;    // NULL: GEOS failed
};

// ------------------------------------------------------------------------------- recognising

static bool ends_with(const char *path, const char *ending)
{
  const size_t length = strlen(path), end = strlen(ending);
  return length > end && strcasecmp(path + length - end, ending) == 0;
}

bool map_recognise(const char *path)
{
  if (ends_with(path, ".geojson") || ends_with(path, ".wkt"))
    return true;
  if (!ends_with(path, ".json"))
    return false;
  struct diagnostics quiet = {0};
  struct geojson json;
  size_t length;
  char *text =
      file_read(path, GEOMETRY_FILE_LIMIT, "", (struct location){.file = path}, &length, &quiet);
  const bool map = text && geojson_begin(&json, text, length, path, &quiet);
  memory_destroy(text);
  diagnostics_destroy(&quiet);
  return map;
}

// --------------------------------------------------------------------------------- creating

// The scenario of a map alone. Quotes within the name are doubled.
static char *scenario_of(const char *path)
{
  const char *slash = strrchr(path, '/');
  struct text t = {0};
  text_add(&t, "world: {geometry: '");
  for (const char *c = slash ? slash + 1 : path; *c; c++)
    text_add(&t, *c == '\'' ? "''" : "%c", *c);
  text_add(&t, "'}\n");
  return t.bytes;
}

// Invalid polygons are reported, and repaired after that.
static void geometry_read(struct map *m, struct diagnostics *p)
{
  const int before = p->count;
  m->geometry = geometry_create(&m->config, true, p);
  if (m->geometry || m->config.world.repair)
    return;
  struct diagnostics quiet = {0};
  m->config.world.repair = true;
  m->geometry = geometry_create(&m->config, true, &quiet);
  m->invalid = p->count - before;
  diagnostics_destroy(&quiet);
}

struct map *map_create(const char *path, const char *const *overrides, int count,
                       struct diagnostics *p)
{
  struct map *m = memory_create(1, sizeof *m);
  m->path = text_copy(path, strlen(path));
  m->yaml = scenario_of(path);
  m->text =
      file_read(path, GEOMETRY_FILE_LIMIT, "", (struct location){.file = m->path}, &m->length, p);
  const struct config_source source = {m->path, m->yaml, strlen(m->yaml), overrides, count};
  if (m->text && config_read(&m->config, &source, p))
    geometry_read(m, p);
  if (!m->geometry) {
    map_destroy(m);
    return NULL;
  }
  m->bounds = rectangle_empty();
  geometry_bounds(m->geometry, &m->bounds);
  const struct geometry_context context = {.geometry = m->geometry, .config = &m->config};
  if (m->bounds.lo[0] <= m->bounds.hi[0])
    m->ground = ground_shape(&context, &m->bounds);
  return m;
}

void map_destroy(struct map *m)
{
  if (!m)
    return;
  if (m->ground)
    GEOSGeom_destroy_r(m->geometry->features.geos_context.geos, m->ground);
  geometry_destroy(m->geometry);
  config_destroy(&m->config);
  memory_destroy(m->text);
  memory_destroy(m->yaml);
  memory_destroy(m->path);
  memory_destroy(m);
}

// --------------------------------------------------------------------------------- describing

static void contents_describe(const struct map *m, FILE *out)
{
  static const char *const names[FEATURE_LISTS][2] = {{"obstacle", "obstacles"},
                                                      {"walkable polygon", "walkable polygons"},
                                                      {"wall line", "wall lines"},
                                                      {"area", "areas"},
                                                      {"line to refer to", "lines to refer to"},
                                                      {"point to refer to", "points to refer to"},
                                                      [FEATURE_BACKDROP] = {"street", "streets"},
                                                      {"label", "labels"}};
  const char *comma = "contents      ";
  for (int k = 0; k < FEATURE_LISTS; k++) {
    const unsigned count =
        m->geometry->features.lists[k].count + m->geometry->places.lists[k].count;
    if (count && names[k][0]) {
      fprintf(out, "%s%u %s", comma, count, names[k][count > 1]);
      comma = ", ";
    }
  }
  fputs(*comma == ',' ? "\n" : "contents      nothing\n", out);
  if (m->geometry->features.solid.count == 1 &&
      GEOSGetNumInteriorRings_r(m->geometry->features.geos_context.geos,
                                m->geometry->features.solid.shapes[0]) > 0)
    fputs("              if people walk inside this polygon: world.geometry_is: walkable\n", out);
}

static void extent_describe(const struct map *m, FILE *out)
{
  const struct rectangle *r = &m->bounds;
  const double width = r->hi[0] - r->lo[0], height = r->hi[1] - r->lo[1];
  if (!(width >= 0))
    return;
  fprintf(out, "extent        (%.2f, %.2f) to (%.2f, %.2f) m: %.6g x %.6g m, %.4g km^2, %s\n",
          r->lo[0], r->lo[1], r->hi[0], r->hi[1], width, height, width * height * 1e-6,
          m->geometry->box.lo[0] <= m->geometry->box.hi[0] ? "the bbox of the file"
                                                           : "around all that is in the file");
  char *crs = geometry_describe_crs(m->geometry);
  if (m->geometry->projected)
    projection_describe(&m->geometry->projection, r->lo, r->hi, out);
  else
    fprintf(out, "projection    none: the coordinates are in metres\n");
  if (crs)
    fprintf(out, "%s\n", crs);
  memory_destroy(crs);
}

static void ground_describe(const struct map *m, FILE *out)
{
  const struct geos_context *s = &m->geometry->features.geos_context;
  int count = 0;
  const GEOSGeometry *largest = m->ground ? largest_polygon(s, m->ground, &count) : NULL;
  if (!largest) {
    fputs("walkable      nothing\n", out);
    return;
  }
  const double all = shape_area(s, m->ground);
  fprintf(out, "walkable      %.6g m^2", all);
  if (count > 1)
    fprintf(out, " in %d parts; the largest is %.6g %% of it", count,
            100 * shape_area(s, largest) / all);
  fputs(m->geometry->features.walkable.count ? "\n" : ", within the extent\n", out);
}

static void validity_describe(const struct map *m, FILE *out)
{
  const long long repaired =
      m->geometry->features.trifles.repaired + m->geometry->places.trifles.repaired;
  if (repaired)
    fprintf(out, "geometry      %lld invalid polygons: %s\n", repaired,
            m->invalid ? "a run refuses them, world.repair: true repairs them" : "repaired");
  else
    fputs("geometry      all polygons are valid\n", out);
}

void map_describe(const struct map *m, FILE *out)
{
  struct diagnostics quiet = {0};
  struct geojson json;
  struct geojson_feature f;
  const bool geojson = *(m->text + strspn(m->text, " \t\r\n")) == '{' &&
                       geojson_begin(&json, m->text, m->length, m->path, &quiet);
  while (geojson && geojson_next(&json, &f))
    ;
  fprintf(out, "map           %s: %s", printable(m->path).text, geojson ? "GeoJSON" : "WKT");
  if (geojson)
    fprintf(out, ", %lld feature%s", (long long)json.count, json.count == 1 ? "" : "s");
  fputc('\n', out);
  contents_describe(m, out);
  if (geojson)
    property_table_print(m->text, m->length, 2, out);
  extent_describe(m, out);
  ground_describe(m, out);
  validity_describe(m, out);
  const char *attribution = geometry_attribution(m->geometry);
  if (*attribution)
    fprintf(out, "attribution   %s\n", printable(attribution).text);
  diagnostics_destroy(&quiet);
}

// ------------------------------------------------------------------------------------ writing

bool map_write(const struct map *m, FILE *out)
{
  const struct geometry *g = m->geometry;
  const struct feature_set *sets[] = {&g->features, &g->places};
  const char *slash = strrchr(m->path, '/');
  const struct map_about about = {.projection = geometry_projection(g),
                                  .title = slash ? slash + 1 : m->path,
                                  .attribution = geometry_attribution(g),
                                  .bbox = m->bounds};
  struct map_file file;
  map_file_begin(&file, &g->features.geos_context, out, &about);
  if (m->ground)
    map_file_add(&file,
                 &(struct map_feature){.role = "ground", .index = -1, .geometry = MAP_POLYGON},
                 (const GEOSGeometry *const *)&m->ground, 1);
  for (int s = 0; s < 2; s++)
    for (int list = 0; list < FEATURE_LISTS; list++)
      map_file_add_list(&file, sets[s], list, feature_list_name(list), NULL);
  return map_file_end(&file);
}
