// Areas of a scenario: {rectangle: [...]}, {circle: [...]}, ...
#include "value_internal.h"

#include "config.h"
#include "suggestion.h"
#include <string.h>

static void polygon_read(const struct value *v, const struct node *n, struct area *area)
{
  if (n->kind != NODE_LIST || n->count < 3) {
    report_type(v, n, "a list of at least three points [x, y]");
    return;
  }
  area->points = memory_create(2 * (size_t)n->count, sizeof *area->points);
  for (const struct node *item = n->first; item; item = item->next)
    value_numbers(v, item, 2, "[x, y]", area->points + 2 * area->point_count++);
}

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

static void area_from_node(const struct value *v, const struct node *n, struct area *area)
{
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
    good = value_numbers(v, pair, 4, "[x0, y0, x1, y1]", area->numbers);
    break;
  case AREA_CIRCLE:
    good = value_numbers(v, pair, 3, "[x, y, radius]", area->numbers);
    break;
  case AREA_BORDER:
    good = value_number(v, pair, area->numbers);
    break;
  case AREA_POLYGON:
    polygon_read(v, pair, area);
    break;
  case AREA_WKT:
  case AREA_FEATURE:
    area->text = value_text(v, pair);
    break;
  }
  if (good)
    area_sizes_check(v, pair, area);
}

void area_read(const struct value *v)
{
  area_from_node(v, v->node, v->target);
}

void areas_read(const struct value *v)
{
  struct area_list *list = v->target;
  const struct node *n = v->node;
  if (n->kind != NODE_LIST || n->count == 0) {
    report_type(v, n, "a list of areas");
    return;
  }
  list->areas = memory_create((size_t)n->count, sizeof *list->areas);
  for (const struct node *item = n->first; item; item = item->next) {
    char path[120];
    struct value element = *v;
    snprintf(path, sizeof path, "%s[%d]", v->path, list->count);
    element.path = path;
    area_from_node(&element, item, &list->areas[list->count++]);
  }
}

void area_destroy(void *target)
{
  struct area *area = target;
  memory_destroy(area->points);
  memory_destroy(area->text);
}

void areas_destroy(void *target)
{
  struct area_list *list = target;
  for (int i = 0; i < list->count; i++)
    area_destroy(&list->areas[i]);
  memory_destroy(list->areas);
}
