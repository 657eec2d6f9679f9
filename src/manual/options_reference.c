#include "options_reference.h"

#include <stdbool.h>
#include <string.h>

const char *option_type_text(const struct option *o)
{
  static const char *const names[] = {
      [OPTION_TEXT] = "string",
      [OPTION_NUMBER] = "number",
      [OPTION_INTEGER] = "whole number",
      [OPTION_OPTIONAL] = "number",
      [OPTION_OPTIONAL_INTEGER] = "whole number",
      [OPTION_FLAG] = "true or false",
      [OPTION_POINT] = "[x, y]",
      [OPTION_PLACE] = "place",
      [OPTION_RECTANGLE] = "[x0, y0, x1, y1]",
      [OPTION_PAIRS] = "list of [x, y]",
      [OPTION_DISTRIBUTION] = "distribution",
      [OPTION_INTEGER_DISTRIBUTION] = "distribution of whole numbers",
      [OPTION_TEXTS] = "list of strings",
      [OPTION_AREA] = "area",
      [OPTION_AREAS] = "list of areas",
      [OPTION_SHARES] = "name, or shares",
      [OPTION_LEGS] = "list of legs",
      [OPTION_POINTS] = "line",
      [OPTION_TIMETABLE] = "list of [s, people]",
      [OPTION_FEATURES] = "features",
      [OPTION_RECORDS] = "list",
  };
  return names[o->type];
}

static void choices_print(const struct option *o, FILE *out)
{
  for (const char *c = o->choices; *c; c++)
    if (*c == '|')
      fputs(", ", out);
    else
      fputc(*c, out);
}

void option_range_print(const struct option *o, FILE *out)
{
  const bool numbers = o->min < o->max && o->type != OPTION_AREA && o->type != OPTION_AREAS &&
                       o->type != OPTION_SHARES && o->type != OPTION_LEGS;
  if (numbers)
    fprintf(out, "%.16g to %.16g", o->min, o->max);
  fprintf(out, "%s%s", numbers && *o->unit ? " " : "", o->unit);
}

static void option_print(const struct option *o, FILE *out)
{
  fprintf(out, "| `%s` | ", o->path);
  if (o->choices)
    choices_print(o, out);
  else
    fputs(option_type_text(o), out);
  fputs(" | ", out);
  option_range_print(o, out);
  if (!o->fallback)
    fputs(" | ", out);
  else if (strcmp(o->fallback, "!") == 0)
    fputs(" | required", out);
  else
    fprintf(out, " | `%s`", o->fallback);
  fprintf(out, " | %s |\n", o->meaning);
}

static const char options_reference_head[] =
    "# Scenario options\n"
    "\n"
    "With this page you can look up every key that a scenario may contain: its type, range,\n"
    "default and meaning. `throng options` prints it from the same table (`options.c`) that\n"
    "validates a scenario, so the page and the program agree.\n"
    "\n"
    "A scenario is one YAML file. All numbers are in SI units; there are no angles, hours or\n"
    "kilometres. Unknown keys, repeated keys, values of the wrong type and values out of range\n"
    "are errors. `throng run --set key.path=value` overrides any option: `--set time.end=60`,\n"
    "`--set sources.0.count=500` by index or `--set sources.west.count=500` by name.\n"
    "\n";

static const char options_reference_tail[] =
    "\n"
    "## Distributions\n"
    "\n"
    "| notation | meaning |\n"
    "|---|---|\n"
    "| `1.3` | constant |\n"
    "| `{uniform: [lo, hi]}` | uniform between lo and hi |\n"
    "| `{normal: [mean, deviation, lo, hi]}` | normal, truncated to lo and hi |\n"
    "| `{lognormal: [median, deviation, lo, hi]}` | log-normal, truncated to lo and hi; "
    "the deviation is that of the logarithm |\n"
    "| `{table: [[value, weight], ...]}` | one of the values, by weight |\n"
    "\n"
    "For whole numbers, lo and hi are whole numbers that can both be drawn, and a normal draw is\n"
    "rounded.\n"
    "\n"
    "A draw depends only on the seed and the agent's id. The normal quantile is Wichura's AS 241\n"
    "(PPND7) with a logarithm built from + - * / alone, so it is the same on every machine.\n"
    "\n"
    "## Areas\n"
    "\n"
    "| notation | meaning |\n"
    "|---|---|\n"
    "| `{rectangle: [x0, y0, x1, y1]}` | rectangle between two corners |\n"
    "| `{circle: [x, y, radius]}` | regular polygon with 64 vertices, inscribed in the circle |\n"
    "| `{polygon: [[x, y], [x, y], ...]}` | polygon without holes |\n"
    "| `{wkt: \"POLYGON (...)\"}` | polygon or multipolygon, with or without holes |\n"
    "| `{border: width}` | strip of this width along the inside of the extent |\n"
    "| `{feature: name}` | polygons with this property `name` in a map (Places, below) |\n"
    "| `{feature: {kind: exit, level: 0}}` | polygons with all of these properties |\n"
    "\n"
    "## Places\n"
    "\n"
    "| notation | meaning |\n"
    "|---|---|\n"
    "| `[x, y]` | a point in metres |\n"
    "| `{lonlat: [longitude, latitude]}` | a point in degrees |\n"
    "| `{feature: name}` | a point of a map; for a line, a line of it |\n"
    "| `{features: FILE}`, `{features: {kind: exit}}` | in a list: an entry for each name among "
    "the "
    "features with these properties |\n"
    "| `destinations: FILE` | the same for all features of the file |\n"
    "\n"
    "`{lonlat: ...}` may stand around all coordinates: `extent: {lonlat: [lon0, lat0, lon1, "
    "lat1]}`,\n"
    "`{rectangle: {lonlat: [...]}}`, `{circle: {lonlat: [lon, lat, radius in m]}}`, `{polygon: "
    "{lonlat:\n"
    "[[lon, lat], ...]}}`, `{wkt: {lonlat: \"POLYGON (...)\"}}`, or around single points of a "
    "polygon or line.\n"
    "It needs a projection: a map in degrees, or `world.centre`.\n"
    "\n"
    "Features come from `world.places`, from files that the option names itself (`{feature: {file: "
    "FILE,\n"
    "name: gate A}}`), and from `world.geometry` if their property `throng` is `area`, "
    "`destination` or\n"
    "`place`. `file` counts as a property of each of them. Features of a list with one name become "
    "one\n"
    "entry; `name: N` beside `features` makes one entry of all. Properties named like an option of "
    "the\n"
    "entry are its options (`flow`, `count`, `speed`); what the entry says itself counts more, and "
    "`--set`\n"
    "counts most. Polygons become areas, lines become lines; the others are left out.\n";

static const char options_reference_geometry[] =
    "\n"
    "## Geometry\n"
    "\n"
    "WKT is in metres; a file may hold several geometries, one after the other. Its points have\n"
    "two numbers, three behind `Z` or `M`, four behind `ZM`; heights and measures are dropped.\n"
    "GeoJSON may be a geometry, a Feature or a FeatureCollection; a third number of a position,\n"
    "the height, is dropped. A file whose coordinates look\n"
    "like the other unit is refused unless `world.units`, its `crs` or its `throng:projection`\n"
    "names the unit.\n"
    "\n"
    "The property `throng` of a feature gives its role: `obstacle`, `walkable`, `area`,\n"
    "`destination` or `place`. The last three are no walls, but places for `{feature: name}`: an\n"
    "`area` or a `destination` is a polygon with a property `name`, a `place` may also be a line "
    "or\n"
    "a point. Features without the property `throng` have the role `world.geometry_is`. Lines are\n"
    "walls on both sides; points are ignored with a warning. Polygons must be valid: a ring that\n"
    "crosses itself is an error that gives the location, unless `world.repair` is true.\n"
    "Overlapping obstacles are merged. Geometry that is empty or lies outside `world.extent`\n"
    "gives a warning. Lines with the role `street` and points with the role `label` are only "
    "drawn:\n"
    "no wall, extent or result depends on them.\n"
    "\n"
    "The member `bbox` of a GeoJSON file, [x0, y0, x1, y1] in the unit of its coordinates, is part "
    "of\n"
    "the default extent, and the middle of the projection: what is added to the map within its "
    "`bbox`\n"
    "moves nothing. What lies outside widens the extent, but does not move (0, 0) m either. A map\n"
    "without a `bbox` ends at its outermost feature, and its middle is (0, 0) m.\n"
    "\n"
    "Longitude and latitude become metres east and north of the centre (lon0, lat0) by\n"
    "x = N cos(lat0) (lon - lon0), y = M (lat - lat0), where N and M are the WGS84 radii of\n"
    "curvature at lat0, in the prime vertical and in the meridian. At middle latitudes, lengths\n"
    "are accurate to 1e-3 within 10 km of the centre.\n";

static void section_print(const struct option_section *section, FILE *out)
{
  fputs("| option | value | range | default | meaning |\n|---|---|---|---|---|\n", out);
  for (int i = 0; i < section->count; i++)
    option_print(&section->options[i], out);
}

static void scope_print(const struct option_scope_info *scope, FILE *out)
{
  if (scope->title)
    fprintf(out, "\n## %s\n\n%s:\n\n", scope->title, scope->text);
  for (int k = 0; k < scope->section_count; k++) {
    if (scope->sections[k].title)
      fprintf(out, "\n## %s\n\n", scope->sections[k].title);
    section_print(&scope->sections[k], out);
  }
}

void options_reference_print(FILE *out)
{
  fputs(options_reference_head, out);
  for (int scope = SCOPE_FILE; scope < SCOPE_COUNT; scope++)
    scope_print(&option_scopes[scope], out);
  fputs(options_reference_tail, out);
  fputs(options_reference_geometry, out);
}
