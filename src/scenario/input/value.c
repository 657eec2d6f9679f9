#include "value_internal.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void report_value(const struct value *v, const struct node *n, const char *format, ...)
{
  char message[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (n->at.override && !strchr(v->path, '['))
    diagnostics_error(v->diagnostics, n->at, "%s", message); // the path already stands after --set
  else
    diagnostics_error(v->diagnostics, n->at, "%s: %s", v->path, message);
}

void report_type(const struct value *v, const struct node *n, const char *wanted)
{
  if (n->kind == NODE_LIST)
    report_value(v, n, "%s is expected, not a list of %lld", wanted, (long long)n->count);
  else if (n->kind == NODE_MAP)
    report_value(v, n, "%s is expected, not a section", wanted);
  else if (node_is_empty(n))
    report_value(v, n, "%s is expected, nothing is given", wanted);
  else
    report_value(v, n, "\"%.200s\" is not %s", n->text, wanted);
}

// ---------------------------------------------------------------------------- single values

bool value_number(const struct value *v, const struct node *n, double *out)
{
  if (n->kind != NODE_SCALAR || n->quoted || !number_parse(n->text, out)) {
    report_type(v, n, "a number");
    return false;
  }
  const struct option *o = v->option;
  if (*out >= o->min && *out <= o->max)
    return true;
  report_value(v, n, "%s is out of range (%.16g to %.16g%s%s)", n->text, o->min, o->max,
               *o->unit ? " " : "", o->unit);
  return false;
}

bool value_integer(const struct value *v, const struct node *n, double *out)
{
  if (!value_number(v, n, out))
    return false;
  if (*out == floor(*out))
    return true;
  report_value(v, n, "%s is not a whole number", n->text);
  return false;
}

// items[count] numbers of a list.
bool value_numbers(const struct value *v, const struct node *n, int count, const char *wanted,
                   double *out)
{
  if (n->kind != NODE_LIST || n->count != count) {
    report_type(v, n, wanted);
    return false;
  }
  bool good = true;
  for (const struct node *item = n->first; item; item = item->next)
    good = value_number(v, item, out++) && good;
  return good;
}

char *value_text(const struct value *v, const struct node *n)
{
  if (n->kind != NODE_SCALAR || node_is_empty(n) || !*n->text) {
    report_type(v, n, "text");
    return NULL;
  }
  return text_copy(n->text, strlen(n->text));
}

// Word number index of "one|two|three" into out. False: there are not so many.
static bool choice_at(const char *choices, int index, char out[40])
{
  for (; index > 0 && choices; index--)
    choices = strchr(choices, '|') ? strchr(choices, '|') + 1 : NULL;
  if (choices)
    snprintf(out, 40, "%.*s", (int)strcspn(choices, "|"), choices);
  return choices != NULL;
}

static void report_unknown_choice(const struct value *v)
{
  const struct option *o = v->option;
  const struct node *n = v->node;
  struct text all = {0};
  char one[40], near[40] = "";
  int best = 100;
  for (int i = 0; choice_at(o->choices, i, one); i++) {
    text_add(&all, "%s%s", i ? ", " : "", one);
    if (n->kind == NODE_SCALAR && edit_is_close(n->text, one, &best))
      memcpy(near, one, sizeof near);
  }
  if (n->kind != NODE_SCALAR || node_is_empty(n))
    report_value(v, n, "%s (%s) is expected, not %s", o->noun, all.bytes,
                 n->kind == NODE_MAP    ? "a section"
                 : n->kind == NODE_LIST ? "a list"
                                        : "nothing");
  else
    report_value(v, n, "\"%.100s\" is not %s (%s)%s%s%s", n->text, o->noun, all.bytes,
                 *near ? "; did you mean " : "", near, *near ? "?" : "");
  memory_destroy(all.bytes);
}

static void choice_read(const struct value *v)
{
  char one[40];
  for (int i = 0; v->node->kind == NODE_SCALAR && choice_at(v->option->choices, i, one); i++)
    if (strcmp(v->node->text, one) == 0) {
      *(int *)v->target = i;
      return;
    }
  report_unknown_choice(v);
}

static void flag_read(const struct value *v)
{
  const struct node *n = v->node;
  const bool yes = n->kind == NODE_SCALAR && strcmp(n->text, "true") == 0;
  if (!yes && !(n->kind == NODE_SCALAR && strcmp(n->text, "false") == 0))
    report_type(v, n, "true or false");
  *(bool *)v->target = yes;
}

static void texts_read(const struct value *v)
{
  struct text_list *list = v->target;
  const struct node *n = v->node;
  const bool one = n->kind == NODE_SCALAR && !node_is_empty(n);
  if (n->kind != NODE_LIST && !one) {
    report_type(v, n, "a list of texts");
    return;
  }
  const size_t count = one ? 1 : (size_t)n->count;
  list->texts = memory_create(count, sizeof *list->texts);
  list->at = memory_create(count, sizeof *list->at);
  for (const struct node *item = one ? n : n->first; item; item = one ? NULL : item->next) {
    char *text = value_text(v, item);
    if (!text)
      continue;
    list->texts[list->count] = text;
    list->at[list->count++] = item->at;
  }
}

// The single pair of {word: value}, or NULL.
const struct node *node_single_pair(const struct node *n)
{
  return n->kind == NODE_MAP && n->count == 1 ? n->first : NULL;
}

// ------------------------------------------------------------------------------------- all

void value_read(const struct value *v)
{
  struct numbers *numbers = v->target;
  struct optional *optional = v->target;
  switch (v->option->type) {
  case OPTION_TEXT:
    *(char **)v->target = value_text(v, v->node);
    return;
  case OPTION_NUMBER:
    value_number(v, v->node, v->target);
    return;
  case OPTION_INTEGER:
    value_integer(v, v->node, v->target);
    return;
  case OPTION_OPTIONAL:
    optional->given = value_number(v, v->node, &optional->value);
    return;
  case OPTION_OPTIONAL_INTEGER:
    optional->given = value_integer(v, v->node, &optional->value);
    return;
  case OPTION_FLAG:
    flag_read(v);
    return;
  case OPTION_CHOICE:
    choice_read(v);
    return;
  case OPTION_POINT:
    numbers->given = value_numbers(v, v->node, 2, "[x, y]", numbers->values);
    return;
  case OPTION_RECTANGLE:
    numbers->given = value_numbers(v, v->node, 4, "[x0, y0, x1, y1]", numbers->values);
    return;
  case OPTION_PAIRS:
    pairs_read(v, 1, "a list of pairs [x, y]");
    return;
  case OPTION_DISTRIBUTION:
  case OPTION_INTEGER_DISTRIBUTION:
    distribution_read(v);
    return;
  case OPTION_TEXTS:
    texts_read(v);
    return;
  case OPTION_AREA:
    area_read(v, v->node, v->target);
    return;
  case OPTION_AREAS:
    areas_read(v);
    return;
  case OPTION_SHARES:
    shares_read(v);
    return;
  case OPTION_LEGS:
    legs_read(v);
    return;
  case OPTION_POINTS:
    pairs_read(v, 2, "a list of at least two points [x, y]");
    return;
  case OPTION_TIMETABLE:
    timetable_read(v);
    return;
  case OPTION_RECORDS:
    return; // config.c's own
  }
}

void value_destroy(const struct option *o, void *target)
{
  struct text_list *list = target;
  struct number_list *numbers = target;
  switch (o->type) {
  case OPTION_TEXT:
    memory_destroy(*(char **)target);
    return;
  case OPTION_AREA:
    area_destroy(target);
    return;
  case OPTION_AREAS:
    areas_destroy(target);
    return;
  case OPTION_TEXTS:
    for (int i = 0; i < list->count; i++)
      memory_destroy(list->texts[i]);
    memory_destroy(list->texts);
    memory_destroy(list->at);
    return;
  case OPTION_DISTRIBUTION:
  case OPTION_INTEGER_DISTRIBUTION:
    distribution_destroy(target);
    return;
  case OPTION_SHARES:
    shares_destroy(target);
    return;
  case OPTION_LEGS:
    legs_destroy(target);
    return;
  case OPTION_POINTS:
  case OPTION_PAIRS:
  case OPTION_TIMETABLE:
    memory_destroy(numbers->values);
    return;
  default:
    return;
  }
}
