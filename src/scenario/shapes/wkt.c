#include "wkt.h"

#include "mending.h"
#include "suggestion.h"
#include <ctype.h>
#include <string.h>

#define NESTING_MAX 32 // parentheses: GEOS parses collections by recursion

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

// ----------------------------------------------------------------------------------- points

// The end of the word or number at c.
static const char *token_end(const char *c, const char *end)
{
  while (c < end && !isspace((unsigned char)*c) && !strchr(",()", *c))
    c++;
  return c;
}

static bool is_number(const char *c)
{
  return isdigit((unsigned char)*c) || strchr("+-.", *c) || strncasecmp(c, "nan", 3) == 0 ||
         strncasecmp(c, "inf", 3) == 0;
}

// "POLYGON" gives its points 2 numbers, "Z" and "M" 3, "ZM" 4; newer versions of GEOS read these as
// an ending as well, "POLYGONZ".
static void word_apply(const char *word, size_t length, struct wkt_long_point *state)
{
  const char last = (char)toupper((unsigned char)word[length - 1]);
  const bool z_before = length > 1 && toupper((unsigned char)word[length - 2]) == 'Z';
  state->expected = last == 'M' && z_before ? 4 : last == 'Z' || last == 'M' ? 3 : 2;
  if (length > 2)
    snprintf(state->type, sizeof state->type, "%.*s", (int)length, word);
}

bool wkt_find_long_point(const char *text, const char *end, struct wkt_long_point *found)
{
  *found = (struct wkt_long_point){.expected = 2};
  for (const char *c = text, *next; c < end; c = next) {
    next = token_end(c, end);
    if (next > c && is_number(c)) {
      found->begin = found->numbers++ ? found->begin : c;
      found->length = (int)(next - found->begin);
      continue;
    }
    if (next > c)
      word_apply(c, (size_t)(next - c), found);
    else if (isspace((unsigned char)*next++))
      continue;
    else if (found->numbers > found->expected)
      return true;
    found->numbers = 0;
  }
  return false;
}

void report_long_point(const struct wkt_long_point *found, struct location at, const char *prefix,
                       struct diagnostics *p)
{
  char hint[80] = "";
  if (found->numbers == 3)
    snprintf(hint, sizeof hint, "; a third number needs %s Z or %s M", found->type, found->type);
  else if (found->numbers == 4)
    snprintf(hint, sizeof hint, "; four numbers need %s ZM", found->type);
  diagnostics_error(
      p, at, "%sthe point \"%.*s\" has %d numbers, not %d: perhaps a comma is missing%s", prefix,
      found->length < 80 ? found->length : 80, found->begin, found->numbers, found->expected, hint);
}

// ---------------------------------------------------------------------------------- geometries

// Shapes of an inline text share its location in the scenario; shapes of a file have their own.
static struct location wkt_location(const struct feature *f, const char *text, const char *at)
{
  return f->at.line == 0 && !f->at.override ? text_location(text, at, f->at.file) : f->at;
}

static void geometry_read(struct feature_set *set, GEOSWKTReader *reader, const char *begin,
                          const char *end, const struct feature *f, struct diagnostics *p)
{
  char *text = text_copy(begin, (size_t)(end - begin));
  int64_t closed = 0;
  set->geos_context.error[0] = 0;
  GEOSGeometry *shape = GEOSWKTReader_read_r(set->geos_context.geos, reader, text);
  char *mended = shape ? NULL : wkt_mend(text, ring_gap(f), &closed);
  if (mended)
    shape = GEOSWKTReader_read_r(set->geos_context.geos, reader, mended);
  set->trifles.rings_closed += shape ? closed : 0;
  memory_destroy(mended);
  memory_destroy(text);
  if (shape)
    feature_add(set, shape, f, p);
  else
    diagnostics_error(p, f->at, "not WKT: %s", geos_context_message(&set->geos_context));
}

// Whether it begins with a type of geometry, or nearly so. The text of what is no WKT is not
// quoted: the file may hold a secret.
static bool is_wkt(const char *at)
{
  static const char *const types[] = {"POINT",        "LINESTRING",        "LINEARRING",
                                      "POLYGON",      "MULTIPOINT",        "MULTILINESTRING",
                                      "MULTIPOLYGON", "GEOMETRYCOLLECTION"};
  char word[24];
  size_t length = 0;
  for (; length + 1 < sizeof word && isalpha((unsigned char)at[length]); length++)
    word[length] = (char)toupper((unsigned char)at[length]);
  word[length] = 0;
  struct suggestion near = suggestion_create(word);
  for (size_t k = 0; k < sizeof types / sizeof *types; k++) {
    if (strncmp(word, types[k], strlen(types[k])) == 0)
      return true;
    suggestion_offer(&near, types[k]);
  }
  return *near.text;
}

void wkt_read(struct feature_set *set, const char *text, struct feature f, struct diagnostics *p)
{
  GEOSWKTReader *reader = GEOSWKTReader_create_r(set->geos_context.geos);
  const struct feature all = f;
  struct wkt_long_point bad;
  for (const char *at = wkt_begin(text); *at;) {
    const char *end = wkt_end(at);
    char prefix[40];
    f.at = wkt_location(&all, text, at);
    snprintf(prefix, sizeof prefix, "feature %lld: ", (long long)++f.number);
    if (!is_wkt(at)) {
      diagnostics_error(p, f.at, "not WKT: a type of geometry is expected, such as POLYGON");
      break;
    }
    if (!end) {
      diagnostics_error(p, f.at, "not WKT: \"%.20s\" has no matching parentheses", at);
      break;
    }
    if (wkt_find_long_point(at, end, &bad))
      report_long_point(&bad, wkt_location(&all, text, bad.begin), prefix, p);
    else
      geometry_read(set, reader, at, end, &f, p);
    at = wkt_begin(end);
  }
  if (f.number == 0)
    diagnostics_error(p, all.at, "contains no WKT geometry");
  GEOSWKTReader_destroy_r(set->geos_context.geos, reader);
}
