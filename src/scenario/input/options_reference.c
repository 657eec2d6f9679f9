// Prints docs/options.md from the table of options.
#include "options.h"

#include <stdbool.h>
#include <stdio.h>
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
      [OPTION_RECTANGLE] = "[x0, y0, x1, y1]",
      [OPTION_PAIRS] = "list of [x, y]",
      [OPTION_DISTRIBUTION] = "distribution",
      [OPTION_INTEGER_DISTRIBUTION] = "distribution of whole numbers",
      [OPTION_TEXTS] = "list of strings",
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
    "| `{feature: name}` | polygons with this name in the GeoJSON file |\n"
    "\n"
    "## Geometry\n"
    "\n"
    "WKT is in metres; a file may hold several geometries, one after the other. Its points have\n"
    "two numbers, three behind `Z` or `M`, four behind `ZM`; heights and measures are dropped.\n"
    "GeoJSON may be a geometry, a Feature or a FeatureCollection. A file whose coordinates look\n"
    "like the other unit is refused unless `world.units`, its `crs` or its `throng:projection`\n"
    "names the unit.\n"
    "\n"
    "The property `throng` of a feature gives its role: `obstacle`, `walkable`, `area` or\n"
    "`destination`. The last two are areas for `{feature: name}`, where `name` is their property\n"
    "`name`. Features without the property `throng` have the role `world.geometry_is`. Lines are\n"
    "walls on both sides; points are ignored with a warning. Polygons must be valid: a ring that\n"
    "crosses itself is an error that gives the location, unless `world.repair` is true.\n"
    "Overlapping obstacles are merged. Geometry that is empty or lies outside `world.extent`\n"
    "gives a warning.\n"
    "\n"
    "Longitude and latitude become metres east and north of the centre (lon0, lat0) by\n"
    "x = N cos(lat0) (lon - lon0), y = M (lat - lat0), where N and M are the WGS84 radii of\n"
    "curvature at lat0, in the prime vertical and in the meridian. At middle latitudes, lengths\n"
    "are accurate to 1e-3 within 10 km of the centre.\n";

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
