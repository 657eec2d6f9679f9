#include "geojson.h"

#include <string.h>

bool geojson_begin(struct geojson *g, const char *text, size_t length, const char *file,
                   struct diagnostics *p)
{
  struct json j = {text, text, text + length, NULL};
  *g = (struct geojson){.text = text, .located = text, .at = {file, NULL, 1, 1}};
  json_skip(&j);
  j.at += strspn(j.at, " \t\r\n");
  if (j.error || j.at < j.end) {
    diagnostics_error(p, text_location(text, j.at, file), "not JSON: %s",
                      j.error ? j.error : "unexpected text after the end");
    return false;
  }
  const struct json_span all = {text, j.end}, features = json_find(all, "features");
  char type[40];
  json_text(json_find(all, "type"), type, sizeof type);
  g->only = (struct geojson_feature){.number = 1, .at = g->at, .alone = true};
  if (strcmp(type, "FeatureCollection") == 0 && features.begin && *features.begin == '[') {
    g->only.alone = false;
    g->list = (struct json){text, features.begin, features.end, NULL};
    json_enter(&g->list, '[');
  } else if (strcmp(type, "Feature") == 0 && json_find(all, "geometry").begin) {
    g->only.properties = json_find(all, "properties");
    g->only.geometry = json_find(all, "geometry");
  } else if (json_find(all, "coordinates").begin || json_find(all, "geometries").begin) {
    g->only.geometry = all;
  } else {
    diagnostics_error(p, g->at,
                      "not GeoJSON: a FeatureCollection, a Feature or a geometry is expected");
    return false;
  }
  return true;
}

// Line and column of ascending positions, found in one pass over the text.
static struct location location_advance(struct geojson *g, const char *at)
{
  const struct location more = text_location(g->located, at, g->at.file);
  g->at.column = more.line > 1 ? more.column : g->at.column + more.column - 1;
  g->at.line += more.line - 1;
  g->located = at;
  return g->at;
}

bool geojson_next(struct geojson *g, struct geojson_feature *f)
{
  struct json_span member;
  if (g->only.alone) {
    *f = g->only;
    return g->count++ == 0;
  }
  if (!json_element(&g->list, &member))
    return false;
  *f = (struct geojson_feature){.number = ++g->count,
                                .at = location_advance(g, member.begin),
                                .properties = json_find(member, "properties"),
                                .geometry = json_find(member, "geometry")};
  return true;
}

enum geojson_kind geojson_kind(const struct geojson_feature *f)
{
  static const struct {
    const char *type;
    enum geojson_kind kind;
  } kinds[] = {{"Point", GEOJSON_POINT},
               {"MultiPoint", GEOJSON_POINT},
               {"LineString", GEOJSON_LINE},
               {"MultiLineString", GEOJSON_LINE},
               {"Polygon", GEOJSON_POLYGON},
               {"MultiPolygon", GEOJSON_POLYGON},
               {"GeometryCollection", GEOJSON_MIXED}};
  char type[40];
  json_text(json_find(f->geometry, "type"), type, sizeof type);
  for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
    if (strcmp(type, kinds[i].type) == 0)
      return kinds[i].kind;
  return GEOJSON_NONE;
}

const char *geojson_kind_name(enum geojson_kind kind)
{
  static const char *const names[] = {"feature without geometry", "point", "line", "polygon",
                                      "collection"};
  return names[kind];
}

char *geojson_property(struct json_span properties, const char *key)
{
  const struct json_span value = json_find(properties, key);
  const size_t length = (size_t)(value.end - value.begin);
  if (!value.begin || (length == 4 && memcmp(value.begin, "null", 4) == 0))
    return NULL;
  char *text = *value.begin == '"' ? json_decode(value) : text_copy(value.begin, length);
  if (*text)
    return text;
  memory_destroy(text);
  return NULL;
}
