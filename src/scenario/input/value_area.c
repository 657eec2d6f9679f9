// Where something is: [x, y] in metres, {lonlat: [longitude, latitude]} or {feature: name}; and
// areas: {rectangle: [...]}, {circle: [...]}, ...
#include "value_internal.h"

#include "suggestion.h"
#include <string.h>

static const struct node *lonlat_of(const struct node *n)
{
  const struct node *pair = node_single_pair(n);
  return pair && strcmp(pair->key, "lonlat") == 0 ? pair : NULL;
}

static void report_unknown_place(const struct value *v, const struct node *n, bool features)
{
  const struct node *pair = node_single_pair(n);
  const char *words = features ? "{lonlat: ...} or {feature: ...}" : "{lonlat: ...}";
  if (!pair) {
    report_value(v, n, "numbers in m, %s are expected", words);
    return;
  }
  struct suggestion near = suggestion_create(pair->key);
  suggestion_offer(&near, "lonlat");
  if (features)
    suggestion_offer(&near, "feature");
  diagnostics_error(v->diagnostics, pair->key_at,
                    "%s: \"%.60s\" says nothing about a place; numbers in m or %s are "
                    "expected%s",
                    v->path, pair->key, words, near.text);
}

bool value_coordinates(const struct value *v, const struct node *n, int count, const char *wanted,
                       double *out, const struct node **lonlat)
{
  const struct node *degrees = lonlat_of(n);
  if (n->kind == NODE_MAP && !degrees) {
    report_unknown_place(v, n, false);
    return false;
  }
  *lonlat = degrees;
  return value_numbers(v, degrees ? degrees : n, count,
                       degrees && count == 2 ? "[longitude, latitude]" : wanted, out);
}

bool value_feature(const struct value *v, const struct node *n, struct feature_query *q)
{
  if (feature_query_read(q, n, "name"))
    return true;
  report_value(v, n, "a name or at most %d properties {key: value} are expected",
               FEATURE_CONDITIONS_MAX);
  return false;
}

// {feature: ...}; NULL: something else.
static const struct node *feature_of(const struct node *n)
{
  const struct node *pair = node_single_pair(n);
  return pair && strcmp(pair->key, "feature") == 0 ? pair : NULL;
}

void place_read(const struct value *v)
{
  struct numbers *numbers = v->target;
  const struct node *feature = feature_of(v->node);
  if (feature)
    numbers->given = value_feature(v, feature, &numbers->feature);
  else if (v->node->kind == NODE_MAP && !lonlat_of(v->node))
    report_unknown_place(v, v->node, true);
  else
    numbers->given = value_coordinates(v, v->node, 2, "[x, y]", numbers->values, &numbers->lonlat);
}

void place_destroy(void *target)
{
  struct numbers *numbers = target;
  feature_query_destroy(&numbers->feature);
}

void rectangle_read(const struct value *v)
{
  struct numbers *numbers = v->target;
  numbers->given =
      value_coordinates(v, v->node, 4, "[x0, y0, x1, y1]", numbers->values, &numbers->lonlat);
}

void vertices_read(const struct value *v, const struct node *n, int count_min, const char *wanted,
                   struct number_list *list)
{
  const struct node *degrees = lonlat_of(n), *points = degrees ? degrees : n;
  if (points->kind == NODE_MAP) {
    report_unknown_place(v, points, v->option->type == OPTION_POINTS);
    return;
  }
  if (points->kind != NODE_LIST || points->count < count_min) {
    report_type(v, points, wanted);
    return;
  }
  list->values = memory_create(2 * (size_t)points->count, sizeof *list->values);
  list->lonlat = memory_create((size_t)points->count, sizeof *list->lonlat);
  for (const struct node *item = points->first; item; item = item->next) {
    const struct node **lonlat = &list->lonlat[list->count];
    if (value_coordinates(v, item, 2, "[x, y]", list->values + 2 * list->count, lonlat)) {
      *lonlat = degrees ? item : *lonlat;
      list->count++;
    }
  }
}

void points_read(const struct value *v)
{
  struct number_list *list = v->target;
  const struct node *feature = feature_of(v->node);
  if (feature)
    value_feature(v, feature, &list->feature);
  else
    vertices_read(v, v->node, 2, "a list of at least two points [x, y]", list);
}

// ----------------------------------------------------------------------------------- areas

static const char *const area_words[] = {NULL,  "rectangle", "circle", "polygon",
                                         "wkt", "border",    "feature"};

static void report_unknown_area(const struct value *v, const struct node *n,
                                const struct node *pair)
{
  if (!pair) {
    report_value(v, n,
                 "one of {rectangle: ...}, {circle: ...}, {polygon: ...}, {wkt: ...}, "
                 "{border: ...} and {feature: ...} is expected");
    return;
  }
  struct suggestion near = suggestion_create(pair->key);
  for (int kind = AREA_RECTANGLE; kind <= AREA_FEATURE; kind++)
    suggestion_offer(&near, area_words[kind]);
  diagnostics_error(v->diagnostics, pair->key_at,
                    "%s: \"%.100s\" is not an area (rectangle, circle, polygon, wkt, border, "
                    "feature)%s",
                    v->path, pair->key, near.text);
}

static void area_sizes_check(const struct value *v, const struct node *n, const struct area *area)
{
  const double *x = area->numbers;
  if (area->kind == AREA_RECTANGLE && !(x[0] < x[2] && x[1] < x[3]))
    report_value(v, n, "x0 < x1 and y0 < y1 are expected in [x0, y0, x1, y1]");
  else if (area->kind == AREA_CIRCLE && !(x[2] > 0))
    report_value(v, n, "the radius %.10g must be above 0", x[2]);
  else if (area->kind == AREA_BORDER && !(x[0] > 0))
    report_value(v, n, "the width %.10g must be above 0", x[0]);
}

static void wkt_area_read(const struct value *v, const struct node *n, struct area *area)
{
  const struct node *pair = node_single_pair(n);
  area->lonlat = pair && strcmp(pair->key, "lonlat") == 0 ? pair : NULL;
  area->text = value_text(v, area->lonlat ? area->lonlat : n);
}

void area_read(const struct value *v)
{
  const struct node *n = v->node;
  struct area *area = v->target;
  const struct node *pair = node_single_pair(n);
  area->from.node = n;
  snprintf(area->from.path, sizeof area->from.path, "%s", v->path);
  for (int kind = AREA_RECTANGLE; pair && kind <= AREA_FEATURE; kind++)
    if (strcmp(pair->key, area_words[kind]) == 0)
      area->kind = (enum area_kind)kind;
  bool good = true;
  switch (area->kind) {
  case AREA_NONE:
    report_unknown_area(v, n, pair);
    return;
  case AREA_RECTANGLE:
    good = value_coordinates(v, pair, 4, "[x0, y0, x1, y1]", area->numbers, &area->lonlat);
    break;
  case AREA_CIRCLE:
    good = value_coordinates(v, pair, 3, "[x, y, radius]", area->numbers, &area->lonlat);
    break;
  case AREA_BORDER:
    good = value_number(v, pair, area->numbers);
    break;
  case AREA_POLYGON:
    vertices_read(v, pair, 3, "a list of at least three points [x, y]", &area->polygon);
    break;
  case AREA_WKT:
    wkt_area_read(v, pair, area);
    break;
  case AREA_FEATURE:
    value_feature(v, pair, &area->feature);
    break;
  }
  if (good)
    area_sizes_check(v, pair, area);
}

void areas_read(const struct value *v)
{
  struct area_list *list = v->target;
  list->areas = items_read(v, "a list of areas", sizeof *list->areas, area_read, &list->count);
}

void area_destroy(void *target)
{
  struct area *area = target;
  number_list_destroy(&area->polygon);
  memory_destroy(area->text);
  feature_query_destroy(&area->feature);
}

void areas_destroy(void *target)
{
  struct area_list *list = target;
  for (int i = 0; i < list->count; i++)
    area_destroy(&list->areas[i]);
  memory_destroy(list->areas);
}
