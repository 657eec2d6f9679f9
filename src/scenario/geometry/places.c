// Places: features of maps that the scenario refers to by their properties.
#include "geometry_internal.h"

#include "geometry_file.h"
#include "layers.h"
#include "units.h"
#include <string.h>

// ------------------------------------------------------------------------------------ files

// The centre of degrees without a map: that of the first file of places, or of its bbox, unless
// world.centre gives it. False and an error if walls in metres leave it open.
static bool projection_find(struct geometry *g, const struct place_file *file,
                            const struct feature_mark *from, struct diagnostics *p)
{
  const struct survey s = survey_create(&g->places, from);
  if (g->projected || s.count == 0)
    return s.count > 0;
  if (g->part_count) {
    diagnostics_error(p, file->at,
                      "\"%s\" is in degrees, but the walls are in metres: world.centre must give "
                      "the longitude and latitude of (0, 0) m",
                      file->name);
    return false;
  }
  struct location at = {file->path, NULL, 0, 0};
  double box[4] = {s.lo[0], s.lo[1], s.hi[0], s.hi[1]};
  const int before = p->count;
  geojson_bbox(file->text, file->length, true, box, &at, p);
  g->projection = projection_create(0.5 * (box[0] + box[2]), 0.5 * (box[1] + box[3]));
  g->projected = true;
  return p->count == before;
}

static void file_add(struct geometry *g, const struct config *c, const struct place_file *file,
                     struct diagnostics *p)
{
  const int before = p->count;
  const struct feature_mark from = feature_set_mark(&g->places);
  const struct feature f = {.role = ROLE_PLACE,
                            .role_fixed = true,
                            .file = file->name,
                            .repair = c->world.repair,
                            .at = {file->path, NULL, 0, 0}};
  if (file->text[strspn(file->text, " \t\r\n")] != '{') {
    diagnostics_error(p, f.at, "places are read from GeoJSON, which begins with {");
    return;
  }
  const struct text_units units =
      geometry_text_read(&g->places, file->text, file->length, c->world.units, f, p);
  geometry_check_crs(g, &units, f.at, p);
  feature_set_warn(&g->places, &from, f.at, p);
  if (p->count == before && units.degrees && projection_find(g, file, &from, p))
    feature_set_project(&g->places, &from, g->projection);
}

void places_add(struct geometry *g, const struct config *c, struct diagnostics *p)
{
  const struct numbers *centre = &c->world.centre;
  if (!g->projected && centre->given) {
    g->projection = projection_create(centre->values[0], centre->values[1]);
    g->projected = true;
  }
  for (int i = 0; i < c->place_file_count; i++) {
    const struct place_file *file = &c->place_files[i];
    if (file->map)
      continue;
    g->map_is_places |= c->world.geometry && strcmp(file->name, c->world.geometry) == 0;
    file_add(g, c, file, p);
  }
}

// ---------------------------------------------------------------------------- throng check

#define UNUSED_SHOWN 5

static void unused_add(struct text *t, const struct feature_label *label, int64_t number)
{
  const char *json = label->properties;
  char *name =
      geojson_property((struct json_span){json, json ? json + strlen(json) : NULL}, "name");
  if (number <= UNUSED_SHOWN)
    text_add(t, "%s%.60s", number > 1 ? ", " : "; not used: ", name ? name : "one without a name");
  memory_destroy(name);
}

char *geometry_describe_places(const struct geometry *g, const struct config *c)
{
  struct text t = {0};
  for (int i = 0; i < c->place_file_count; i++) {
    int64_t count = 0, unused = 0;
    struct text names = {0};
    for (int list = FEATURE_AREAS; list <= FEATURE_POINTS; list++)
      for (unsigned k = 0; k < g->places.lists[list].count; k++) {
        const struct feature_label *label = &g->places.labels[list][k];
        if (label->file != c->place_files[i].name)
          continue;
        count++;
        if (!label->used)
          unused_add(&names, label, ++unused);
      }
    if (!c->place_files[i].map)
      text_add(&t, "places        %lld of %s%s", (long long)count, c->place_files[i].name,
               names.bytes ? names.bytes : "");
    if (unused > UNUSED_SHOWN)
      text_add(&t, " and %lld more", (long long)(unused - UNUSED_SHOWN));
    if (!c->place_files[i].map)
      text_add(&t, "\n");
    memory_destroy(names.bytes);
  }
  return t.bytes;
}

// --------------------------------------------------------------------------------- finding

static void offer(struct feature_search *search, const struct feature_set *set, int list,
                  unsigned i, struct shape_list *found)
{
  const struct feature_offer offered = feature_set_offer(set, list, i);
  if (!feature_search_offer(search, &offered))
    return;
  set->labels[list][i].used = true;
  shape_list_add(found, set->lists[list].shapes[i]);
}

static void offer_all(const struct geometry *g, struct feature_search *search,
                      struct shape_list *found)
{
  const struct feature_set *const sets[] = {&g->features, &g->places};
  for (int k = g->map_is_places; k < 2; k++)
    for (int list = FEATURE_AREAS; list <= FEATURE_POINTS; list++)
      for (unsigned i = 0; i < sets[k]->lists[list].count; i++)
        offer(search, sets[k], list, i, found);
}

static void offer_named(const struct geometry *g, struct feature_search *search, const char *name,
                        struct shape_list *found)
{
  struct feature_names *names = g->names;
  if (!names->made) {
    feature_names_add(names, &g->places);
    if (!g->map_is_places)
      feature_names_add(names, &g->features);
    names->made = true;
  }
  for (int32_t k = feature_names_find(names, name); k >= 0; k = names->features[k].next)
    offer(search, names->features[k].set, names->features[k].list, names->features[k].shape, found);
}

// The shapes of this kind that the query finds, not owned. An error if there are none.
static struct shape_list find(const struct geometry *g, const struct feature_query *query,
                              enum geojson_kind kind, struct location at, const char *path,
                              struct diagnostics *p)
{
  struct feature_search search = feature_search_begin(query, kind, kind);
  struct shape_list found = {0};
  const char *name = feature_query_value(query, "name");
  if (name)
    offer_named(g, &search, name, &found);
  if (!found.count && (!name || diagnostics_shows_more(p))) { // all, to say what is close
    search = feature_search_begin(query, kind, kind);
    offer_all(g, &search, &found);
  }
  if (!found.count)
    feature_search_report(&search, path, at, p);
  return found;
}

GEOSGeometry *feature_shape(struct geometry *g, const struct feature_query *query,
                            struct location at, const char *path, struct diagnostics *p)
{
  struct shape_list found = find(g, query, GEOJSON_POLYGON, at, path, p);
  GEOSGeometry *shape = found.count ? shape_union(&g->features.geos_context, &found) : NULL;
  memory_destroy(found.shapes);
  return shape;
}

double *feature_points(const struct geometry *g, const struct feature_query *query,
                       enum geojson_kind kind, const char *path, int *count, struct diagnostics *p)
{
  const GEOSContextHandle_t geos = g->features.geos_context.geos;
  const struct location at = query->node->at;
  struct shape_list found = find(g, query, kind, at, path, p);
  double *points = NULL;
  if (found.count > 1)
    diagnostics_error(p, at, "%s: %u %ss have these properties, but one is expected", path,
                      found.count, geojson_kind_name(kind));
  if (found.count == 1) {
    const GEOSCoordSequence *sequence = GEOSGeom_getCoordSeq_r(geos, found.shapes[0]);
    unsigned size = 0;
    GEOSCoordSeq_getSize_r(geos, sequence, &size);
    points = memory_create(2 * (size_t)size, sizeof *points);
    GEOSCoordSeq_copyToBuffer_r(geos, sequence, points, 0, 0);
    *count = (int)size;
  }
  memory_destroy(found.shapes);
  return points;
}
