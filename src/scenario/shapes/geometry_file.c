// GEOS parses the shapes. Their locations and properties are found here: GEOS reports neither.
#include "geometry_file.h"

#include "mending.h"
#include "units.h"
#include "utf8.h"
#include "wkt.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------- GeoJSON

// Option world.units.
enum { UNITS_AUTO, UNITS_METRES, UNITS_DEGREES };

// RFC 7946 allows degrees only. Older files name another system in "crs", files of this project in
// "throng:projection", which counts like the option.
static int own_units(const char *text, size_t length)
{
  char projection[40];
  json_text(json_find((struct json_span){text, text + length}, "throng:projection"), projection,
            sizeof projection);
  return !*projection                        ? UNITS_AUTO
         : strcmp(projection, "metres") == 0 ? UNITS_METRES
                                             : UNITS_DEGREES;
}

#define CONVERT "ogr2ogr -t_srs EPSG:4326 NEW.geojson OLD.geojson, or QGIS, makes a map in degrees"

// What keeps coordinates of a kind from being used as they are; NULL: nothing.
static const char *crs_fault(enum crs_kind kind)
{
  return kind == CRS_OTHER_UNIT     ? "is not in metres, but in feet or another unit"
         : kind == CRS_STRETCHED    ? "stretches lengths (Web Mercator twofold at 60 degrees)"
         : kind == CRS_OTHER_ANGLES ? "is not in degrees from Greenwich"
                                    : NULL;
}

static void check_crs(const struct crs *crs, int units, struct location at, struct diagnostics *p)
{
  const char *fault = crs_fault(crs->kind);
  const bool degrees = units == UNITS_DEGREES;
  if (fault && units == UNITS_AUTO)
    diagnostics_error(p, at, "its crs, %s, %s; " CONVERT, crs->name, fault);
  else if (fault)
    diagnostics_warning(p, at, "its crs, %s, %s; its coordinates are taken for %s nevertheless",
                        crs->name, fault, degrees ? "degrees" : "metres");
  else if (units != UNITS_AUTO && crs->kind != CRS_NOT_STATED &&
           degrees != (crs->kind == CRS_DEGREES))
    diagnostics_warning(p, at,
                        "its crs, %s, is in %s; its coordinates are taken for %s nevertheless",
                        crs->name, degrees ? "metres" : "degrees", degrees ? "degrees" : "metres");
}

void geojson_attribution(const char *text, size_t length, char *out, size_t size)
{
  const struct json_span all = {text, text + length}, value = json_find(all, "attribution");
  char *decoded = value.begin && *value.begin == '"' ? json_decode(value) : NULL;
  utf8_printable(out, size, decoded ? decoded : "");
  memory_destroy(decoded);
}

// The numbers of the array: west, south, east, north, perhaps with heights behind each pair. False:
// it is something else.
static bool box_read(struct json_span array, double box[4])
{
  struct json j = {array.begin, array.begin, array.end, NULL};
  struct json_span member;
  double numbers[6];
  int count = 0;
  if (!json_enter(&j, '['))
    return false;
  while (json_element(&j, &member)) {
    char *end;
    const double number = strtod(member.begin, &end);
    if (count == 6 || end != member.end || !isfinite(number))
      return false;
    numbers[count++] = number;
  }
  const int second = count / 2; // of the upper corner
  for (int k = 0; k < 4 && count >= 4; k++)
    box[k] = numbers[k < 2 ? k : second + k - 2];
  return count == 4 || count == 6;
}

bool geojson_bbox(const char *text, size_t length, bool degrees, double box[4], struct location *at,
                  struct diagnostics *p)
{
  const int before = p->count;
  const char *first = text + strspn(text, " \t\r\n");
  const struct json_span all = {text, text + length};
  const struct json_span span = *first == '{' ? json_find(all, "bbox") : (struct json_span){0};
  if (!span.begin || strncmp(span.begin, "null", 4) == 0)
    return false;
  *at = text_location(text, span.begin, at->file);
  if (!box_read(span, box))
    diagnostics_error(p, *at, "bbox: four numbers are expected: [%s]",
                      degrees ? "west, south, east, north" : "x0, y0, x1, y1");
  else if (box[0] > box[2] || box[1] > box[3])
    diagnostics_error(p, *at, "bbox: %s are expected in [%s]",
                      degrees ? "west <= east and south <= north" : "x0 <= x1 and y0 <= y1",
                      degrees ? "west, south, east, north" : "x0, y0, x1, y1");
  else if (degrees && (box[0] < -180 || box[2] > 180 || box[1] < -85 || box[3] > 85))
    diagnostics_error(p, *at,
                      "bbox: longitudes within 180 and latitudes within 85 degrees are expected, "
                      "as in the coordinates");
  else if (fmax(fmax(-box[0], box[2]), fmax(-box[1], box[3])) > 1e8)
    diagnostics_error(p, *at, "bbox: a coordinate lies beyond 1e8 m");
  return p->count == before;
}

static void role_read(struct feature *f, struct diagnostics *p)
{
  static const struct {
    const char *word;
    enum role role;
  } roles[] = {{"obstacle", ROLE_OBSTACLE}, {"walkable", ROLE_WALKABLE}, {"area", ROLE_AREA},
               {"destination", ROLE_AREA},  {"place", ROLE_PLACE},       {"street", ROLE_STREET},
               {"label", ROLE_LABEL}};
  char word[40];
  bool known = false;
  if (f->role_fixed)
    return;
  json_text(json_find(f->properties, "throng"), word, sizeof word);
  for (size_t i = 0; i < sizeof roles / sizeof *roles && !known; i++)
    if ((known = strcmp(word, roles[i].word) == 0))
      f->role = roles[i].role;
  if (*word && !known)
    diagnostics_error(p, f->at,
                      "feature %lld: property throng: \"%s\" is not a role (obstacle, "
                      "walkable, area, destination, place, street, label)",
                      (long long)f->number, word);
  if (!*word) {
    json_text(json_find(f->properties, "role"), word, sizeof word);
    if (strcmp(word, "ground") == 0)
      diagnostics_error(p, f->at,
                        "feature %lld: \"role\": \"ground\": this is the picture that a run makes "
                        "of its map; world.geometry needs the map that the run was made of",
                        (long long)f->number);
  }
  char *name = f->role == ROLE_AREA ? geojson_property(f->properties, "name") : NULL;
  if (f->role == ROLE_AREA && !name)
    diagnostics_error(p, f->at, "feature %lld: an area needs a property name",
                      (long long)f->number);
  memory_destroy(name);
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

// The first innermost array of more than three values; NULLs if there is none.
static struct json_span find_long_array(struct json_span s)
{
  const char *begin = NULL;
  int commas = 0;
  for (const char *c = s.begin; c < s.end; c++) {
    if (*c == ']' && begin && commas > 2)
      return (struct json_span){begin, c + 1};
    commas = *c == '[' ? 0 : commas + (*c == ',');
    begin = *c == '[' ? c : *c == ']' ? NULL : begin;
  }
  return (struct json_span){NULL, NULL};
}

// The first position with more than longitude, latitude and height: GEOS 3.11 drops the rest, so a
// forgotten bracket would go unseen.
static struct json_span find_long_position(struct json_span shape)
{
  struct json_span found = find_long_array(json_find(shape, "coordinates")), member;
  const struct json_span list = json_find(shape, "geometries");
  struct json j = {list.begin, list.begin, list.end, NULL};
  if (list.begin && json_enter(&j, '['))
    while (!found.begin && json_element(&j, &member))
      found = find_long_position(member);
  return found;
}

// Removes the third number of positions, which GEOS 3.11 refuses.
static void drop_heights(char *text)
{
  char *to = text;
  int commas = 0;
  bool quoted = false, innermost = false; // within an array that holds no other one so far
  for (const char *c = text; *c; c++) {
    quoted = quoted != (*c == '"' && (c == text || c[-1] != '\\'));
    if (!quoted && strchr("[]{}", *c)) {
      innermost = *c == '[';
      commas = 0;
    } else if (!quoted && *c == ',') {
      commas++;
    }
    const bool height =
        innermost && !quoted && commas == 2 && strchr(", \t\r\n+-.0123456789eE", *c);
    if (!height)
      *to++ = *c;
  }
  *to = 0;
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
  const struct json_span position = find_long_position(span);
  if (position.begin) {
    diagnostics_error(p, f->at,
                      "feature %lld: the position %.*s has more than 3 numbers: perhaps brackets "
                      "are missing, [x, y], [x, y]",
                      (long long)f->number, (int)fmin(80, (double)(position.end - position.begin)),
                      position.begin);
    return;
  }
  char *text = text_copy(span.begin, (size_t)(span.end - span.begin));
  int64_t closed = 0;
  drop_heights(text);
  set->geos_context.error[0] = 0;
  GEOSGeometry *shape = GEOSGeoJSONReader_readGeometry_r(set->geos_context.geos, reader, text);
  char *mended = shape ? NULL : geojson_mend(text, ring_gap(f), &closed);
  if (mended)
    shape = GEOSGeoJSONReader_readGeometry_r(set->geos_context.geos, reader, mended);
  set->trifles.rings_closed += shape ? closed : 0;
  memory_destroy(mended);
  memory_destroy(text);
  if (shape)
    feature_add(set, shape, f, p);
  else
    diagnostics_error(p, f->at, "feature %lld: not a GeoJSON geometry: %s", (long long)f->number,
                      geos_context_message(&set->geos_context));
}

static void geojson_read(struct feature_set *set, const char *text, size_t length,
                         const struct feature *all, struct diagnostics *p)
{
  struct geojson json;
  struct geojson_feature member;
  if (!geojson_begin(&json, text, length, all->at.file, p))
    return;
  GEOSGeoJSONReader *reader = GEOSGeoJSONReader_create_r(set->geos_context.geos);
  while (geojson_next(&json, &member)) {
    struct feature f = *all;
    f.at = member.at;
    f.number = member.number;
    f.properties = member.properties;
    role_read(&f, p);
    if (!member.geometry.begin)
      diagnostics_error(p, f.at, "feature %lld: it has no member geometry", (long long)f.number);
    else if (strncmp(member.geometry.begin, "null", 4) != 0)
      geojson_shape(set, reader, member.geometry, &f, p);
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

// Refuses coordinates that look like the other unit. Whoever states degrees is believed; a crs in
// metres often stands over coordinates that were never converted to it.
static void check_units(const struct feature_set *set, const struct feature_mark *from,
                        const struct feature *f, const struct crs *crs, struct diagnostics *p)
{
  const struct survey s = survey_create(set, from);
  const double width = s.hi[0] - s.lo[0], height = s.hi[1] - s.lo[1];
  char stated[160] = "";
  if (crs->kind != CRS_NOT_STATED)
    snprintf(stated, sizeof stated, ", although its crs, %s, is taken for metres", crs->name);
  if (!f->degrees && survey_looks_like_degrees(&s))
    diagnostics_error(p, f->at,
                      "the geometry spans %.3g x %.3g m at (%.7g, %.7g): it looks like longitude "
                      "and latitude%s; set world.units: degrees, or metres if it is in metres",
                      width, height, s.lo[0], s.lo[1], stated);
  if (f->degrees && crs->kind == CRS_NOT_STATED && survey_looks_like_metres(&s))
    diagnostics_error(p, f->at,
                      "the geometry spans %.6g x %.6g degrees: it looks like metres, but GeoJSON "
                      "without a crs is in degrees; set world.units: metres (or degrees if it is "
                      "in degrees), or \"throng:projection\": \"metres\" in the file",
                      width, height);
}

struct crs text_crs(const struct text_units *units)
{
  return units->crs.kind == CRS_NOT_STATED && units->degrees
             ? (struct crs){CRS_DEGREES, 4326, "WGS84"}
             : units->crs;
}

struct text_units geometry_text_read(struct feature_set *set, const char *text, size_t length,
                                     int units, struct feature f, struct diagnostics *p)
{
  struct text_units found = {0};
  const struct feature_mark begin = feature_set_mark(set);
  const int before = p->count;
  const char *first = text + strspn(text, " \t\r\n");
  const bool geojson = *first == '{' || *first == '[';
  const char *other = other_format(first);
  if (other) {
    diagnostics_error(p, f.at, "%s; WKT or GeoJSON is expected", other);
    return found;
  }
  if (geojson)
    found.crs = crs_read(json_find((struct json_span){text, text + length}, "crs"));
  if (geojson && units == UNITS_AUTO)
    units = own_units(text, length);
  found.degrees = f.degrees =
      units == UNITS_DEGREES || (units == UNITS_AUTO && geojson && found.crs.kind != CRS_METRES);
  check_crs(&found.crs, units, f.at, p);
  if (p->count > before)
    return found;
  if (geojson)
    geojson_read(set, text, length, &f, p);
  else
    wkt_read(set, text, f, p);
  if (units == UNITS_AUTO && p->count == before)
    check_units(set, &begin, &f, &found.crs, p);
  return found;
}
