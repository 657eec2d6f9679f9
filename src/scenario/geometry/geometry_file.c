// GEOS parses the shapes. Their locations and properties are found here: GEOS reports neither.
#include "geometry_file.h"

#include "json.h"
#include <ctype.h>
#include <string.h>

#define NESTING_MAX 32 // parentheses: GEOS parses collections by recursion

// GEOS puts the name of an exception before its message.
static const char *geos_error_message(const struct feature_set *set)
{
  const char *colon = strstr(set->geos_context.error, "Exception: ");
  const char *text = colon ? colon + strlen("Exception: ") : set->geos_context.error;
  return *text ? text : "it contains no shape";
}

// -------------------------------------------------------------------------------------- WKT

// The end of the geometry that starts here: behind its last parenthesis or behind EMPTY. NULL:
// parentheses do not match.
static const char *wkt_end(const char *at)
{
  int depth = 0;
  for (const char *c = at; *c; c++) {
    if (*c == '(' && ++depth > NESTING_MAX)
      return NULL;
    if (*c == ')' && --depth <= 0)
      return depth == 0 ? c + 1 : NULL;
    if (depth == 0 && strncasecmp(c, "EMPTY", 5) == 0)
      return c + 5;
  }
  return NULL;
}

static const char *wkt_begin(const char *at) // skips spaces, separators and comments
{
  for (;;) {
    while (isspace((unsigned char)*at) || *at == ';' || *at == ',')
      at++;
    if (*at != '#')
      return at;
    at += strcspn(at, "\n");
  }
}

static GEOSGeometry *wkt_shape(struct feature_set *set, GEOSWKTReader *reader, const char *begin,
                               const char *end)
{
  char *text = text_copy(begin, (size_t)(end - begin));
  set->geos_context.error[0] = 0;
  GEOSGeometry *shape = GEOSWKTReader_read_r(set->geos_context.geos, reader, text);
  memory_destroy(text);
  return shape;
}

// Shapes of an inline text share its location in the scenario; shapes of a file have their own.
static struct location wkt_location(const struct feature *f, const char *text, const char *at)
{
  return f->at.line == 0 && !f->at.override ? text_location(text, at, f->at.file) : f->at;
}

void wkt_read(struct feature_set *set, const char *text, struct feature f, struct diagnostics *p)
{
  GEOSWKTReader *reader = GEOSWKTReader_create_r(set->geos_context.geos);
  const struct feature all = f;
  for (const char *at = wkt_begin(text); *at;) {
    const char *end = wkt_end(at);
    f.at = wkt_location(&all, text, at);
    f.number++;
    if (!end) {
      diagnostics_error(p, f.at, "not WKT: \"%.20s\" has no matching parentheses", at);
      break;
    }
    GEOSGeometry *shape = wkt_shape(set, reader, at, end);
    if (shape)
      feature_add(set, shape, &f, p);
    else
      diagnostics_error(p, f.at, "not WKT: %s", geos_error_message(set));
    at = wkt_begin(end);
  }
  if (f.number == 0)
    diagnostics_error(p, all.at, "contains no WKT geometry");
  GEOSWKTReader_destroy_r(set->geos_context.geos, reader);
}

// ---------------------------------------------------------------------------------- GeoJSON

static bool contains_word(struct json_span s, const char *word)
{
  return s.begin && memmem(s.begin, (size_t)(s.end - s.begin), word, strlen(word));
}

// RFC 7946 allows degrees only. Older files name another system in "crs", files of this project in
// "throng:projection".
static bool geojson_in_degrees(const char *text, size_t length)
{
  const struct json_span all = {text, text + length};
  char projection[40];
  json_text(json_find(all, "throng:projection"), projection, sizeof projection);
  if (*projection)
    return strcmp(projection, "metres") != 0;
  const struct json_span crs = json_find(all, "crs");
  return !crs.begin || strncmp(crs.begin, "null", 4) == 0 || contains_word(crs, "CRS84") ||
         contains_word(crs, "4326\"");
}

void geojson_attribution(const char *text, size_t length, char *out, size_t size)
{
  const struct json_span all = {text, text + length};
  json_text(json_find(all, "attribution"), out, size);
}

static void role_read(struct json_span properties, struct feature *f, struct diagnostics *p)
{
  char word[40];
  if (!json_text(json_find(properties, "name"), f->name, sizeof f->name))
    f->name[0] = 0; // too long to be referred to
  json_text(json_find(properties, "throng"), word, sizeof word);
  if (strcmp(word, "obstacle") == 0)
    f->role = ROLE_OBSTACLE;
  else if (strcmp(word, "walkable") == 0)
    f->role = ROLE_WALKABLE;
  else if (strcmp(word, "area") == 0 || strcmp(word, "destination") == 0)
    f->role = ROLE_AREA;
  else if (*word)
    diagnostics_error(p, f->at,
                      "feature %lld: property throng: \"%s\" is not a role (obstacle, "
                      "walkable, area, destination)",
                      (long long)f->number, word);
  if (f->role == ROLE_AREA && !*f->name)
    diagnostics_error(p, f->at, "feature %lld: an area needs a property name",
                      (long long)f->number);
}

// Whether an array of numbers is empty: GEOS 3.11 reads beyond such an array.
static bool has_empty_coordinate(struct json_span s)
{
  int depth = 0; // of arrays within this object
  for (const char *c = s.begin; c < s.end; c++) {
    const char *next = c + 1 + (*c == '[' ? strspn(c + 1, " \t\r\n") : 0);
    if (*c == '[' && depth > 0 && *next == ']')
      return true;
    depth = *c == '{' || *c == '}' ? 0 : depth + (*c == '[') - (*c == ']');
  }
  return false;
}

static void geojson_shape(struct feature_set *set, GEOSGeoJSONReader *reader, struct json_span span,
                          const struct feature *f, struct diagnostics *p)
{
  if (has_empty_coordinate(span)) {
    diagnostics_error(p, f->at,
                      "feature %lld: not a GeoJSON geometry: an empty list among the "
                      "coordinates",
                      (long long)f->number);
    return;
  }
  char *text = text_copy(span.begin, (size_t)(span.end - span.begin));
  set->geos_context.error[0] = 0;
  GEOSGeometry *shape = GEOSGeoJSONReader_readGeometry_r(set->geos_context.geos, reader, text);
  memory_destroy(text);
  if (shape)
    feature_add(set, shape, f, p);
  else
    diagnostics_error(p, f->at, "feature %lld: not a GeoJSON geometry: %s", (long long)f->number,
                      geos_error_message(set));
}

// Line and column of ascending positions, found in one pass over the text.
struct location_cursor {
  const char *at;
  struct location location;
};

static struct location location_advance(struct location_cursor *w, const char *at)
{
  const struct location more = text_location(w->at, at, w->location.file);
  w->location.column = more.line > 1 ? more.column : w->location.column + more.column - 1;
  w->location.line += more.line - 1;
  w->at = at;
  return w->location;
}

static void geojson_features(struct feature_set *set, GEOSGeoJSONReader *reader, const char *text,
                             struct json_span features, const struct feature *all,
                             struct diagnostics *p)
{
  struct json j = {text, features.begin, features.end, NULL};
  struct json_span member;
  struct location_cursor cursor = {text, {all->at.file, NULL, 1, 1}};
  int64_t number = 0;
  if (!json_enter(&j, '['))
    return;
  while (json_element(&j, &member)) {
    struct feature f = *all;
    f.at = location_advance(&cursor, member.begin);
    f.number = ++number;
    role_read(json_find(member, "properties"), &f, p);
    const struct json_span shape = json_find(member, "geometry");
    if (!shape.begin)
      diagnostics_error(p, f.at, "feature %lld: it has no member geometry", (long long)number);
    else if (strncmp(shape.begin, "null", 4) != 0)
      geojson_shape(set, reader, shape, &f, p);
  }
}

static void geojson_read(struct feature_set *set, const char *text, size_t length, struct feature f,
                         struct diagnostics *p)
{
  struct json j = {text, text, text + length, NULL};
  json_skip(&j);
  j.at += strspn(j.at, " \t\r\n");
  if (j.error || j.at < j.end) {
    diagnostics_error(p, text_location(text, j.at, f.at.file), "not JSON: %s",
                      j.error ? j.error : "unexpected text after the end");
    return;
  }
  const struct json_span all = {text, j.end}, features = json_find(all, "features");
  GEOSGeoJSONReader *reader = GEOSGeoJSONReader_create_r(set->geos_context.geos);
  f.at = text_location(text, text, f.at.file);
  f.number = 1;
  char type[40];
  json_text(json_find(all, "type"), type, sizeof type);
  if (strcmp(type, "FeatureCollection") == 0 && features.begin && *features.begin == '[') {
    geojson_features(set, reader, text, features, &f, p);
  } else if (strcmp(type, "Feature") == 0 && json_find(all, "geometry").begin) {
    role_read(json_find(all, "properties"), &f, p);
    geojson_shape(set, reader, json_find(all, "geometry"), &f, p);
  } else if (json_find(all, "coordinates").begin || json_find(all, "geometries").begin) {
    geojson_shape(set, reader, all, &f, p);
  } else {
    diagnostics_error(p, f.at,
                      "not GeoJSON: a FeatureCollection, a Feature or a geometry is expected");
  }
  GEOSGeoJSONReader_destroy_r(set->geos_context.geos, reader);
}

// What is neither WKT nor GeoJSON, but may have been taken for a map; NULL: nothing known.
static const char *other_format(const char *first)
{
  if (!*first)
    return "the file is empty";
  if (*first != '<')
    return NULL;
  const char *tag = first;
  for (int k = 0; k < 3 && tag && (strncmp(tag, "<?", 2) == 0 || strncmp(tag, "<!--", 4) == 0); k++)
    tag = strchr(tag + 1, '<');
  if (tag && strncmp(tag, "<osm", 4) == 0)
    return "this is OpenStreetMap XML; tools/osm2geojson.sh makes GeoJSON of it";
  if (tag && (strncasecmp(tag, "<!doctype html", 14) == 0 || strncasecmp(tag, "<html", 5) == 0))
    return "this is an HTML page, perhaps an error message of the server";
  return "this is XML";
}

bool geometry_text_read(struct feature_set *set, const char *text, size_t length, int units,
                        struct feature f, struct diagnostics *p)
{
  const char *first = text + strspn(text, " \t\r\n");
  const bool geojson = *first == '{' || *first == '[';
  const char *other = other_format(first);
  if (other) {
    diagnostics_error(p, f.at, "%s; WKT or GeoJSON is expected", other);
    return false;
  }
  f.degrees = units == 2 || (units == 0 && geojson && geojson_in_degrees(text, length));
  if (geojson)
    geojson_read(set, text, length, f, p);
  else
    wkt_read(set, text, f, p);
  return f.degrees;
}
