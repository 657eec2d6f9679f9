#include "value.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void complain(const struct value *v, const struct node *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
static void complain(const struct value *v, const struct node *n, const char *format, ...)
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

static bool number_of(const struct value *v, const struct node *n, double *out)
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

static bool whole_of(const struct value *v, const struct node *n, double *out)
{
  if (!number_of(v, n, out))
    return false;
  if (*out == floor(*out))
    return true;
  complain(v, n, "%s is not a whole number", n->text);
  return false;
}

// items[count] numbers of a list.
static bool numbers_of(const struct value *v, const struct node *n, int count, const char *wanted,
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

static char *text_of(const struct value *v, const struct node *n)
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
static const struct node *pair_of(const struct node *n)
{
  return n->kind == NODE_MAP && n->count == 1 ? n->first : NULL;
}

static void complain_order(const struct value *v, const struct node *n, double a, double b)
{
  complain(v, n, "the lower end %.10g is not below the upper end %.10g", a, b);
}

// Ends of a distribution of whole numbers are whole themselves.
static bool ends_right(const struct value *v, const struct node *n, const double *lo,
                       const double *hi)
{
  if (v->option->type != OPTION_WHOLES || (*lo == floor(*lo) && *hi == floor(*hi)))
    return true;
  complain(v, n, "%.10g is not a whole number", *lo == floor(*lo) ? *hi : *lo);
  return false;
}

static void distribution_read(const struct value *v)
{
  struct distribution *d = v->target;
  const struct node *n = v->node, *pair = pair_of(n);
  double x[4] = {0};
  if (n->kind == NODE_SCALAR && number_of(v, n, x)) {
    ends_right(v, n, x, x);
    *d = (struct distribution){CONSTANT, x[0], 0, x[0], x[0]};
  } else if (pair && strcmp(pair->key, "uniform") == 0) {
    if (!numbers_of(v, pair, 2, "[lo, hi]", x))
      return;
    if (!(x[0] < x[1]))
      complain_order(v, pair, x[0], x[1]);
    ends_right(v, pair, x, x + 1);
    *d = (struct distribution){UNIFORM, 0.5 * (x[0] + x[1]), 0, x[0], x[1]};
  } else if (pair && strcmp(pair->key, "normal") == 0) {
    if (!numbers_of(v, pair, 4, "[mean, deviation, lo, hi]", x))
      return;
    if (!(x[2] < x[3]))
      complain_order(v, pair, x[2], x[3]);
    else if (ends_right(v, pair, x + 2, x + 3) && !(x[0] >= x[2] && x[0] <= x[3] && x[1] > 0))
      complain(v, pair, "the mean must lie between the ends and the deviation above 0");
    *d = (struct distribution){NORMAL, x[0], x[1], x[2], x[3]};
  } else if (n->kind != NODE_SCALAR) {
    complain(v, n,
             "a number, {uniform: [lo, hi]} or {normal: [mean, deviation, lo, hi]} is "
             "expected");
  }
}

static void shares_read(const struct value *v)
{
  struct shares *s = v->target;
  const struct node *n = v->node;
  if (n->kind == NODE_LIST || (n->kind == NODE_SCALAR && (node_is_empty(n) || !*n->text)) ||
      (n->kind == NODE_MAP && n->count == 0)) {
    complain_type(v, n, "a profile's name or shares {name: share}");
    return;
  }
  s->shares = memory_create(n->kind == NODE_MAP ? (size_t)n->count : 1, sizeof *s->shares);
  if (n->kind == NODE_SCALAR)
    s->shares[s->count++] = (struct share){text_copy(n->text, strlen(n->text)), 1, n};
  for (const struct node *item = n->first; item; item = item->next) {
    double weight = 1;
    number_of(v, item, &weight);
    s->shares[s->count++] = (struct share){text_copy(item->key, strlen(item->key)), weight, item};
  }
}

// ------------------------------------------------------------------------------------ areas

static void polygon_read(const struct value *v, const struct node *n, struct area *area)
{
  if (n->kind != NODE_LIST || n->count < 3) {
    complain_type(v, n, "a list of at least three points [x, y]");
    return;
  }
  area->points = memory_create(2 * (size_t)n->count, sizeof *area->points);
  for (const struct node *item = n->first; item; item = item->next)
    numbers_of(v, item, 2, "[x, y]", area->points + 2 * area->point_count++);
}

static const char *const area_words[] = {NULL,  "rectangle", "circle", "polygon",
                                         "wkt", "border",    "feature"};

static void area_unknown(const struct value *v, const struct node *n, const struct node *pair)
{
  const char *near = NULL;
  int best = 100;
  for (int kind = AREA_RECTANGLE; pair && kind <= AREA_FEATURE; kind++)
    if (edit_is_near(pair->key, area_words[kind], &best))
      near = area_words[kind];
  if (pair)
    problem_add(v->problems, pair->key_at,
                "%s: \"%.100s\" is not an area (rectangle, circle, "
                "polygon, wkt, border, feature)%s%s%s",
                v->path, pair->key, near ? "; did you mean " : "", near ? near : "",
                near ? "?" : "");
  else
    complain(v, n,
             "one of {rectangle: ...}, {circle: ...}, {polygon: ...}, {wkt: ...}, "
             "{border: ...} and {feature: ...} is expected");
}

static bool area_sizes_right(const struct value *v, const struct node *n, const struct area *area)
{
  const double *x = area->numbers;
  if (area->kind == AREA_RECTANGLE && !(x[0] < x[2] && x[1] < x[3]))
    complain(v, n, "x0 < x1 and y0 < y1 are expected in [x0, y0, x1, y1]");
  else if (area->kind == AREA_CIRCLE && !(x[2] > 0))
    complain(v, n, "the radius %.10g is not above 0", x[2]);
  else if (area->kind == AREA_BORDER && !(x[0] > 0))
    complain(v, n, "the width %.10g is not above 0", x[0]);
  else
    return true;
  return false;
}

static void area_of(const struct value *v, const struct node *n, struct area *area)
{
  const struct node *pair = pair_of(n);
  area->from.node = n;
  snprintf(area->from.path, sizeof area->from.path, "%s", v->path);
  for (int kind = AREA_RECTANGLE; pair && kind <= AREA_FEATURE; kind++)
    if (strcmp(pair->key, area_words[kind]) == 0)
      area->kind = (enum area_kind)kind;
  bool good = true;
  switch (area->kind) {
  case AREA_NONE:
    area_unknown(v, n, pair);
    return;
  case AREA_RECTANGLE:
    good = numbers_of(v, pair, 4, "[x0, y0, x1, y1]", area->numbers);
    break;
  case AREA_CIRCLE:
    good = numbers_of(v, pair, 3, "[x, y, radius]", area->numbers);
    break;
  case AREA_BORDER:
    good = number_of(v, pair, area->numbers);
    break;
  case AREA_POLYGON:
    polygon_read(v, pair, area);
    break;
  case AREA_WKT:
  case AREA_FEATURE:
    area->text = text_of(v, pair);
    break;
  }
  if (good)
    area_sizes_right(v, pair, area);
}

static void areas_read(const struct value *v)
{
  struct area_list *list = v->target;
  const struct node *n = v->node;
  if (n->kind != NODE_LIST || n->count == 0) {
    complain_type(v, n, "a list of areas");
    return;
  }
  list->areas = memory_create((size_t)n->count, sizeof *list->areas);
  for (const struct node *item = n->first; item; item = item->next) {
    char path[120];
    struct value one = *v;
    snprintf(path, sizeof path, "%s[%d]", v->path, list->count);
    one.path = path;
    area_of(&one, item, &list->areas[list->count++]);
  }
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
  case OPTION_DISTRIBUTION:
  case OPTION_WHOLES:
    distribution_read(v);
    return;
  case OPTION_TEXTS:
    texts_read(v);
    return;
  case OPTION_AREA:
    area_of(v, v->node, v->target);
    return;
  case OPTION_AREAS:
    areas_read(v);
    return;
  case OPTION_SHARES:
    shares_read(v);
    return;
  case OPTION_RECORDS:
    return; // config.c's own
  }
}

static void area_destroy(struct area *area)
{
  memory_destroy(area->points);
  memory_destroy(area->text);
}

void value_destroy(const struct option *o, void *target)
{
  if (o->type == OPTION_TEXT) {
    memory_destroy(*(char **)target);
  } else if (o->type == OPTION_AREA) {
    area_destroy(target);
  } else if (o->type == OPTION_AREAS) {
    struct area_list *list = target;
    for (int i = 0; i < list->count; i++)
      area_destroy(&list->areas[i]);
    memory_destroy(list->areas);
  } else if (o->type == OPTION_TEXTS) {
    struct text_list *list = target;
    for (int i = 0; i < list->count; i++)
      memory_destroy(list->texts[i]);
    memory_destroy(list->texts);
    memory_destroy(list->at);
  } else if (o->type == OPTION_SHARES) {
    struct shares *s = target;
    for (int i = 0; i < s->count; i++)
      memory_destroy(s->shares[i].name);
    memory_destroy(s->shares);
  }
}
