// The notations of demand: distributions, shares, legs of journeys, timetables.
#include "value_internal.h"

#include "config.h"
#include <math.h>
#include <string.h>

// ------------------------------------------------------------------------------ distributions

static void report_order(const struct value *v, const struct node *n, double a, double b)
{
  report_value(v, n, "the lower bound %.10g must be below the upper bound %.10g", a, b);
}

// A distribution of whole numbers has whole bounds.
static bool bounds_are_integers(const struct value *v, const struct node *n, double lo, double hi)
{
  if (v->option->type != OPTION_INTEGER_DISTRIBUTION || (lo == floor(lo) && hi == floor(hi)))
    return true;
  report_value(v, n, "%.10g is not a whole number", lo == floor(lo) ? hi : lo);
  return false;
}

static void constant_read(const struct value *v, const struct node *n, struct distribution *d)
{
  double x;
  if (value_number(v, n, &x) && bounds_are_integers(v, n, x, x))
    *d = (struct distribution){.kind = CONSTANT, .mean = x, .lo = x, .hi = x};
}

static void uniform_read(const struct value *v, const struct node *n, struct distribution *d)
{
  double x[2];
  if (!value_numbers(v, n, 2, "[lo, hi]", x))
    return;
  if (!(x[0] < x[1]))
    report_order(v, n, x[0], x[1]);
  bounds_are_integers(v, n, x[0], x[1]);
  *d = (struct distribution){.kind = UNIFORM, .mean = 0.5 * (x[0] + x[1]), .lo = x[0], .hi = x[1]};
}

// [mean, deviation, lo, hi] of a normal, [median, deviation, lo, hi] of a lognormal distribution.
static void normal_read(const struct value *v, const struct node *n, enum distribution_kind kind,
                        struct distribution *d)
{
  double x[4];
  if (!value_numbers(v, n, 4,
                     kind == NORMAL ? "[mean, deviation, lo, hi]"
                                    : "[median, deviation of the logarithm, lo, hi]",
                     x))
    return;
  if (!(x[2] < x[3]))
    report_order(v, n, x[2], x[3]);
  else if (bounds_are_integers(v, n, x[2], x[3]) && !(x[0] >= x[2] && x[0] <= x[3] && x[1] > 0))
    report_value(v, n, "the %s must lie within the bounds, and the deviation must be above 0",
                 kind == NORMAL ? "mean" : "median");
  else if (kind == LOGNORMAL && !(x[0] > 0))
    report_value(v, n, "the median must be above 0");
  *d = (struct distribution){kind, x[0], x[1], x[2], x[3], {0}};
}

// One [value, weight] of a table.
static bool weighted_pair_read(const struct value *v, const struct node *n, double out[2])
{
  if (n->kind != NODE_LIST || n->count != 2) {
    report_type(v, n, "[value, weight]");
    return false;
  }
  if (!value_number(v, n->first, &out[0]) || !bounds_are_integers(v, n->first, out[0], out[0]))
    return false;
  if (n->last->kind == NODE_SCALAR && number_parse(n->last->text, &out[1]) && out[1] > 0)
    return true;
  report_type(v, n->last, "a weight above 0");
  return false;
}

static void table_read(const struct value *v, const struct node *n, struct distribution *d)
{
  if (n->kind != NODE_LIST || n->count == 0) {
    report_type(v, n, "a list of [value, weight]");
    return;
  }
  double *values = memory_create(2 * (size_t)n->count, sizeof *values), total = 0;
  *d = (struct distribution){.kind = TABLE, .lo = INFINITY, .hi = -INFINITY, .table = {0, values}};
  for (const struct node *item = n->first; item; item = item->next) {
    double *pair = values + 2 * d->table.count;
    if (!weighted_pair_read(v, item, pair))
      continue;
    d->table.count++;
    d->lo = fmin(d->lo, pair[0]);
    d->hi = fmax(d->hi, pair[0]);
    d->mean += pair[0] * pair[1];
    total += pair[1];
  }
  d->mean /= total;
}

static void distribution_unknown(const struct value *v)
{
  report_value(
      v, v->node,
      "a number, {uniform: [lo, hi]}, {normal: [mean, deviation, lo, hi]}, {lognormal: "
      "[median, deviation of the logarithm, lo, hi]} or {table: [[value, weight], ...]} is "
      "expected");
}

void distribution_read(const struct value *v)
{
  const struct node *n = v->node, *pair = node_single_pair(n);
  const char *kind = pair ? pair->key : "";
  if (n->kind == NODE_SCALAR)
    constant_read(v, n, v->target);
  else if (strcmp(kind, "uniform") == 0)
    uniform_read(v, pair, v->target);
  else if (strcmp(kind, "normal") == 0)
    normal_read(v, pair, NORMAL, v->target);
  else if (strcmp(kind, "lognormal") == 0)
    normal_read(v, pair, LOGNORMAL, v->target);
  else if (strcmp(kind, "table") == 0)
    table_read(v, pair, v->target);
  else
    distribution_unknown(v);
}

void distribution_destroy(void *target)
{
  struct distribution *d = target;
  memory_destroy(d->table.values);
}

// ------------------------------------------------------------------------------------ shares

// A name, or {name: share}.
static void shares_from_node(const struct value *v, const struct node *n, const char *wanted,
                             struct shares *s)
{
  if (n->kind == NODE_LIST || (n->kind == NODE_SCALAR && (node_is_empty(n) || !*n->text)) ||
      (n->kind == NODE_MAP && n->count == 0)) {
    report_type(v, n, wanted);
    return;
  }
  s->shares = memory_create(n->kind == NODE_MAP ? (size_t)n->count : 1, sizeof *s->shares);
  if (n->kind == NODE_SCALAR)
    s->shares[s->count++] = (struct share){text_copy(n->text, strlen(n->text)), 1, n};
  for (const struct node *item = n->first; item; item = item->next) {
    double weight = 1;
    value_number(v, item, &weight);
    s->shares[s->count++] = (struct share){text_copy(item->key, strlen(item->key)), weight, item};
  }
}

void shares_read(const struct value *v)
{
  char wanted[100];
  snprintf(wanted, sizeof wanted, "the name of %s or shares {name: share}", v->option->noun);
  shares_from_node(v, v->node, wanted, v->target);
}

void shares_destroy(void *target)
{
  struct shares *s = target;
  for (int i = 0; i < s->count; i++)
    memory_destroy(s->shares[i].name);
  memory_destroy(s->shares);
}

// -------------------------------------------------------------------------------------- legs

static const char *const leg_words[] = {NULL, "random", "least", "nearest"};
static const char leg_wanted[] =
    "the name of a destination, {random: {name: weight}}, {least: [names]} or {nearest: [names]}";

// The names of {least: [...]} or {nearest: [...]}, as shares of equal weight.
static void names_from_node(const struct value *v, const struct node *n, struct shares *s)
{
  if (n->kind != NODE_LIST || n->count == 0) {
    report_type(v, n, "a list of names of destinations");
    return;
  }
  s->shares = memory_create((size_t)n->count, sizeof *s->shares);
  for (const struct node *item = n->first; item; item = item->next) {
    char *name = value_text(v, item);
    if (name)
      s->shares[s->count++] = (struct share){name, 1, item};
  }
}

static void leg_read(const struct value *v)
{
  const struct node *n = v->node;
  struct leg_config *leg = v->target;
  const struct node *pair = node_single_pair(n);
  leg->node = n;
  for (int word = LEG_RANDOM; pair && word <= LEG_NEAREST; word++)
    if (strcmp(pair->key, leg_words[word]) == 0)
      leg->choice = (enum leg_choice)word;
  if (n->kind != NODE_SCALAR && leg->choice == LEG_FIXED)
    report_value(v, n, "%s is expected", leg_wanted);
  else if (leg->choice == LEG_FIXED)
    shares_from_node(v, n, leg_wanted, &leg->places);
  else if (leg->choice == LEG_RANDOM)
    shares_from_node(v, pair, "{name: weight}", &leg->places);
  else
    names_from_node(v, pair, &leg->places);
}

void legs_read(const struct value *v)
{
  struct leg_list *list = v->target;
  list->legs = items_read(v, "a list of legs", sizeof *list->legs, leg_read, &list->count);
}

void legs_destroy(void *target)
{
  struct leg_list *l = target;
  for (int i = 0; i < l->count; i++)
    shares_destroy(&l->legs[i].places);
  memory_destroy(l->legs);
}

// ------------------------------------------------------------------------------ lists of pairs

static void pair_list_read(const struct value *v, int count_min, const char *wanted)
{
  struct number_list *list = v->target;
  const struct node *n = v->node;
  if (n->kind != NODE_LIST || n->count < count_min) {
    report_type(v, n, wanted);
    return;
  }
  list->values = memory_create(2 * (size_t)n->count, sizeof *list->values);
  for (const struct node *item = n->first; item; item = item->next)
    if (value_numbers(v, item, 2, "[x, y]", list->values + 2 * list->count))
      list->count++;
}

void pairs_read(const struct value *v)
{
  pair_list_read(v, 1, "a list of pairs [x, y]");
}

void timetable_read(const struct value *v)
{
  const struct number_list *list = v->target;
  pair_list_read(v, 1, "a list of [time, people]");
  for (int i = 0; i < list->count; i++) {
    const double *pair = list->values + 2 * (size_t)i;
    if (i && !(pair[0] > pair[-2]))
      report_value(v, v->node, "times must increase: %.10g s comes after %.10g s", pair[0],
                   pair[-2]);
    if (pair[1] != floor(pair[1]) || pair[1] < 1)
      report_value(v, v->node, "%.10g is not a whole number of people above 0", pair[1]);
  }
}

void number_list_destroy(void *target)
{
  struct number_list *list = target;
  memory_destroy(list->values);
  memory_destroy(list->lonlat);
  feature_query_destroy(&list->feature);
}
