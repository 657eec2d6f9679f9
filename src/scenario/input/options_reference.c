// docs/options.md, printed from the table of options.
#include "options.h"

#include <string.h>

static const char *type_text(const struct option *o)
{
  static const char *const names[] = {
      [OPTION_TEXT] = "text",
      [OPTION_NUMBER] = "number",
      [OPTION_INTEGER] = "whole number",
      [OPTION_OPTIONAL] = "number",
      [OPTION_OPTIONAL_INTEGER] = "whole number",
      [OPTION_FLAG] = "true or false",
      [OPTION_POINT] = "[x, y]",
      [OPTION_RECTANGLE] = "[x0, y0, x1, y1]",
      [OPTION_PAIRS] = "list of [x, y]",
      [OPTION_DISTRIBUTION] = "distribution",
      [OPTION_INTEGER_DISTRIBUTION] = "distribution of whole numbers",
      [OPTION_TEXTS] = "list of texts",
      [OPTION_AREA] = "area",
      [OPTION_AREAS] = "list of areas",
      [OPTION_SHARES] = "name, or shares",
      [OPTION_LEGS] = "list of legs",
      [OPTION_POINTS] = "list of [x, y]",
      [OPTION_TIMETABLE] = "list of [s, people]",
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

static void range_print(const struct option *o, FILE *out)
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
    fputs(type_text(o), out);
  fputs(" | ", out);
  range_print(o, out);
  if (!o->fallback)
    fputs(" | ", out);
  else if (strcmp(o->fallback, "!") == 0)
    fputs(" | must be given", out);
  else
    fprintf(out, " | `%s`", o->fallback);
  fprintf(out, " | %s |\n", o->meaning);
}

static const char options_reference_head[] =
    "# Options of a scenario\n"
    "\n"
    "Made by `throng` from the table that checks them (`src/scenario/options.c`).\n"
    "A scenario is one YAML file. All numbers are SI units; angles, hours and kilometres do not\n"
    "occur. Unknown and repeated keys are errors, like values of the wrong type or out of range.\n"
    "`throng run --set key.path=value` overrides any of them: `--set time.end=60`,\n"
    "`--set sources.0.count=500` by place or `--set sources.west.count=500` by name.\n"
    "\n";

static const char options_reference_tail[] =
    "\n"
    "## Distributions\n"
    "\n"
    "| written | meaning |\n"
    "|---|---|\n"
    "| `1.3` | always the same |\n"
    "| `{uniform: [lo, hi]}` | evenly between lo and hi |\n"
    "| `{normal: [mean, deviation, lo, hi]}` | normal, cut off below lo and above hi |\n"
    "| `{lognormal: [median, deviation, lo, hi]}` | its logarithm is normal with that deviation |\n"
    "| `{table: [[value, weight], ...]}` | one of the values, by weight |\n"
    "\n"
    "Of whole numbers: lo and hi are whole, both ends are drawn, and a normal draw is rounded.\n"
    "\n"
    "Draws depend on the seed and the agent's id only. The normal quantile is Wichura's AS 241\n"
    "(PPND7) with a logarithm made of + - * / alone, so that it is the same everywhere.\n"
    "\n"
    "## Areas\n"
    "\n"
    "| written | meaning |\n"
    "|---|---|\n"
    "| `{rectangle: [x0, y0, x1, y1]}` | between two corners |\n"
    "| `{circle: [x, y, radius]}` | a regular polygon of 64 corners in the circle |\n"
    "| `{polygon: [[x, y], [x, y], ...]}` | without holes |\n"
    "| `{wkt: \"POLYGON (...)\"}` | a polygon or multipolygon, holes too |\n"
    "| `{border: width}` | the ring of that width along the inside of the extent |\n"
    "| `{feature: name}` | polygons of the GeoJSON file of that name |\n"
    "\n"
    "## Geometry\n"
    "\n"
    "WKT is in metres; a file may hold several, one after the other. GeoJSON may be a geometry,\n"
    "a Feature or a FeatureCollection. A feature's property `throng` says what it is: `obstacle`,\n"
    "`walkable`, `area` or `destination` (the last two are areas for `{feature: name}`, with the\n"
    "property `name`); without it `world.geometry_is` says so. Lines are walls both ways, points\n"
    "are ignored with a warning. Polygons must be valid: a ring that crosses itself is an error\n"
    "that names the place, unless `world.repair` is true. Overlapping obstacles are united.\n"
    "\n"
    "Longitude and latitude become metres east and north of the centre (lon0, lat0) by\n"
    "x = N cos(lat0) (lon - lon0), y = M (lat - lat0), with N and M the radii of curvature of the\n"
    "WGS84 ellipsoid at lat0, in the prime vertical and in the meridian. Lengths are right within\n"
    "1e-3 as far as 10 km from the centre at middle latitudes.\n";

static void section_print(const char *section, size_t length, FILE *out)
{
  fprintf(out, "\n## %.*s\n\n", (int)length, section);
  fputs("| option | value | range | default | meaning |\n|---|---|---|---|---|\n", out);
}

static void file_options_print(FILE *out)
{
  const char *section = "General";
  size_t length = strlen(section);
  section_print(section, length, out);
  for (int i = 0; i < option_count && options[i].scope == SCOPE_FILE; i++) {
    const char *dot = strchr(options[i].path, '.');
    const size_t now = dot ? (size_t)(dot - options[i].path) : 0;
    if (dot && (now != length || strncmp(section, options[i].path, now) != 0)) {
      section = options[i].path;
      length = now;
      section_print(section, length, out);
    } else if (!dot && strcmp(options[i].path, "destinations") == 0) {
      section = "Crowd";
      length = strlen(section);
      section_print(section, length, out);
    }
    option_print(&options[i], out);
  }
}

void options_reference_print(FILE *out)
{
  fputs(options_reference_head, out);
  file_options_print(out);
  for (int scope = SCOPE_FILE + 1; scope < SCOPE_COUNT; scope++) {
    fprintf(out, "\n## %s\n\n%s:\n\n", option_scopes[scope].title, option_scopes[scope].text);
    fputs("| option | value | range | default | meaning |\n|---|---|---|---|---|\n", out);
    for (int i = 0; i < option_count; i++)
      if (options[i].scope == (enum option_scope)scope)
        option_print(&options[i], out);
  }
  fputs(options_reference_tail, out);
}
