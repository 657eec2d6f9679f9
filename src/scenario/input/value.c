#include "value.h"

#include "value_internal.h"
#include <assert.h>

static const struct {
  void (*read)(const struct value *v);
  void (*destroy)(void *target); // NULL: the target owns no memory
} types[] = {
    [OPTION_TEXT] = {text_read, text_destroy},
    [OPTION_NUMBER] = {number_read, NULL},
    [OPTION_INTEGER] = {integer_read, NULL},
    [OPTION_OPTIONAL] = {optional_read, NULL},
    [OPTION_OPTIONAL_INTEGER] = {optional_integer_read, NULL},
    [OPTION_FLAG] = {flag_read, NULL},
    [OPTION_CHOICE] = {choice_read, NULL},
    [OPTION_POINT] = {point_read, NULL},
    [OPTION_PLACE] = {place_read, place_destroy},
    [OPTION_RECTANGLE] = {rectangle_read, NULL},
    [OPTION_PAIRS] = {pairs_read, number_list_destroy},
    [OPTION_DISTRIBUTION] = {distribution_read, distribution_destroy},
    [OPTION_INTEGER_DISTRIBUTION] = {distribution_read, distribution_destroy},
    [OPTION_TEXTS] = {texts_read, texts_destroy},
    [OPTION_AREA] = {area_read, area_destroy},
    [OPTION_AREAS] = {areas_read, areas_destroy},
    [OPTION_SHARES] = {shares_read, shares_destroy},
    [OPTION_LEGS] = {legs_read, legs_destroy},
    [OPTION_POINTS] = {points_read, number_list_destroy},
    [OPTION_TIMETABLE] = {timetable_read, number_list_destroy},
    [OPTION_FEATURES] = {text_read, text_destroy},
    [OPTION_RECORDS] = {NULL, NULL},
};

void *items_read(const struct value *v, const char *wanted, size_t size,
                 void (*read)(const struct value *v), int *count)
{
  if (v->node->kind != NODE_LIST || v->node->count == 0) {
    report_type(v, v->node, wanted);
    return NULL;
  }
  char *items = memory_create((size_t)v->node->count, size);
  for (const struct node *item = v->node->first; item; item = item->next) {
    char path[120];
    snprintf(path, sizeof path, "%s[%d]", v->path, *count);
    read(&(struct value){v->option, item, items + size * (size_t)(*count)++, path, v->diagnostics});
  }
  return items;
}

void value_read(const struct value *v)
{
  assert(v->option->type != OPTION_RECORDS && v->node && v->target);
  types[v->option->type].read(v);
}

void value_destroy(const struct option *o, void *target)
{
  assert(o->type != OPTION_RECORDS && target);
  if (types[o->type].destroy)
    types[o->type].destroy(target);
}
