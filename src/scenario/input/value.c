#include "value_internal.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

void complain(const struct value *v, const struct node *n, const char *format, ...)
{
  char message[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(message, sizeof message, format, arguments);
  va_end(arguments);
  if (n->at.override && !strchr(v->path, '['))
    problem_add(v->problems, n->at, "%s", message); // the path already stands after --set
  else
    problem_add(v->problems, n->at, "%s: %s", v->path, message);
}

void complain_type(const struct value *v, const struct node *n, const char *wanted)
{
  if (n->kind == NODE_LIST)
    complain(v, n, "%s is expected, not a list of %lld", wanted, (long long)n->count);
  else if (n->kind == NODE_MAP)
    complain(v, n, "%s is expected, not a section", wanted);
  else if (node_is_empty(n))
    complain(v, n, "%s is expected, nothing is given", wanted);
  else
    complain(v, n, "\"%.200s\" is not %s", n->text, wanted);
}

// ---------------------------------------------------------------------------- single values

bool number_of(const struct value *v, const struct node *n, double *out)
{
  if (n->kind != NODE_SCALAR || n->quoted || !number_read(n->text, out)) {
    complain_type(v, n, "a number");
    return false;
  }
  const struct option *o = v->option;
  if (*out >= o->min && *out <= o->max)
    return true;
  complain(v, n, "%s is out of range (%.16g to %.16g%s%s)", n->text, o->min, o->max,
           *o->unit ? " " : "", o->unit);
  return false;
}

bool whole_of(const struct value *v, const struct node *n, double *out)
{
  if (!number_of(v, n, out))
    return false;
  if (*out == floor(*out))
    return true;
  complain(v, n, "%s is not a whole number", n->text);
  return false;
}

// items[count] numbers of a list.
bool numbers_of(const struct value *v, const struct node *n, int count, const char *wanted,
                double *out)
{
  if (n->kind != NODE_LIST || n->count != count) {
    complain_type(v, n, wanted);
    return false;
  }
  bool good = true;
  for (const struct node *item = n->first; item; item = item->next)
    good = number_of(v, item, out++) && good;
  return good;
}

char *text_of(const struct value *v, const struct node *n)
{
  if (n->kind != NODE_SCALAR || node_is_empty(n) || !*n->text) {
    complain_type(v, n, "text");
    return NULL;
  }
  return text_copy(n->text, strlen(n->text));
}

// Word number index of "one|two|three" into out. False: there are not so many.
static bool word_of(const char *words, int index, char out[40])
{
  for (; index > 0 && words; index--)
    words = strchr(words, '|') ? strchr(words, '|') + 1 : NULL;
  if (words)
    snprintf(out, 40, "%.*s", (int)strcspn(words, "|"), words);
  return words != NULL;
}

static void word_tell(const struct value *v)
{
  const struct option *o = v->option;
  const struct node *n = v->node;
  struct text all = {0};
  char one[40], near[40] = "";
  int best = 100;
  for (int i = 0; word_of(o->words, i, one); i++) {
    text_add(&all, "%s%s", i ? ", " : "", one);
    if (n->kind == NODE_SCALAR && edit_is_near(n->text, one, &best))
      memcpy(near, one, sizeof near);
  }
  if (n->kind != NODE_SCALAR || node_is_empty(n))
    complain(v, n, "%s (%s) is expected, not %s", o->noun, all.bytes,
             n->kind == NODE_MAP    ? "a section"
             : n->kind == NODE_LIST ? "a list"
                                    : "nothing");
  else
    complain(v, n, "\"%.100s\" is not %s (%s)%s%s%s", n->text, o->noun, all.bytes,
             *near ? "; did you mean " : "", near, *near ? "?" : "");
  memory_destroy(all.bytes);
}

static void word_read(const struct value *v)
{
  char one[40];
  for (int i = 0; v->node->kind == NODE_SCALAR && word_of(v->option->words, i, one); i++)
    if (strcmp(v->node->text, one) == 0) {
      *(int *)v->target = i;
      return;
    }
  word_tell(v);
}

static void flag_read(const struct value *v)
{
  const struct node *n = v->node;
  const bool yes = n->kind == NODE_SCALAR && strcmp(n->text, "true") == 0;
  if (!yes && !(n->kind == NODE_SCALAR && strcmp(n->text, "false") == 0))
    complain_type(v, n, "true or false");
  *(bool *)v->target = yes;
}

static void texts_read(const struct value *v)
{
  struct text_list *list = v->target;
  const struct node *n = v->node;
  const bool one = n->kind == NODE_SCALAR && !node_is_empty(n);
  if (n->kind != NODE_LIST && !one) {
    complain_type(v, n, "a list of texts");
    return;
  }
  const size_t count = one ? 1 : (size_t)n->count;
  list->texts = memory_create(count, sizeof *list->texts);
  list->at = memory_create(count, sizeof *list->at);
  for (const struct node *item = one ? n : n->first; item; item = one ? NULL : item->next) {
    char *text = text_of(v, item);
    if (!text)
      continue;
    list->texts[list->count] = text;
    list->at[list->count++] = item->at;
  }
}

// The single pair of {word: value}, or NULL.
const struct node *pair_of(const struct node *n)
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
    *(char **)v->target = text_of(v, v->node);
    return;
  case OPTION_NUMBER:
    number_of(v, v->node, v->target);
    return;
  case OPTION_WHOLE:
    whole_of(v, v->node, v->target);
    return;
  case OPTION_OPTIONAL:
    optional->given = number_of(v, v->node, &optional->value);
    return;
  case OPTION_COUNT:
    optional->given = whole_of(v, v->node, &optional->value);
    return;
  case OPTION_FLAG:
    flag_read(v);
    return;
  case OPTION_WORD:
    word_read(v);
    return;
  case OPTION_POINT:
    numbers->given = numbers_of(v, v->node, 2, "[x, y]", numbers->values);
    return;
  case OPTION_RECTANGLE:
    numbers->given = numbers_of(v, v->node, 4, "[x0, y0, x1, y1]", numbers->values);
    return;
  case OPTION_PAIRS:
    pairs_read(v, 1, "a list of pairs [x, y]");
    return;
  case OPTION_DISTRIBUTION:
  case OPTION_WHOLES:
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
  case OPTION_WHOLES:
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
