#include "feature_query.h"

#include <string.h>

// --------------------------------------------------------------------------------- queries

static void condition_add(struct feature_query *q, const char *key, const char *value)
{
  q->conditions[q->count++] =
      (struct feature_condition){text_copy(key, strlen(key)), text_copy(value, strlen(value))};
}

bool feature_query_read(struct feature_query *q, const struct node *n, const char *key)
{
  *q = (struct feature_query){.node = n};
  if (n->kind == NODE_LIST || (n->kind == NODE_SCALAR && node_is_empty(n)) ||
      n->count > FEATURE_CONDITIONS_MAX)
    return false;
  q->conditions = memory_create(FEATURE_CONDITIONS_MAX, sizeof *q->conditions);
  if (n->kind == NODE_SCALAR)
    condition_add(q, key, n->text);
  for (const struct node *item = n->first; item; item = item->next) {
    if (item->kind != NODE_SCALAR || node_is_empty(item))
      return false;
    condition_add(q, item->key, item->text);
  }
  return true;
}

void feature_query_destroy(struct feature_query *q)
{
  for (int i = 0; i < q->count; i++) {
    memory_destroy(q->conditions[i].key);
    memory_destroy(q->conditions[i].value);
  }
  memory_destroy(q->conditions);
  *q = (struct feature_query){0};
}

const char *feature_query_value(const struct feature_query *q, const char *key)
{
  for (int i = 0; i < q->count; i++)
    if (strcmp(q->conditions[i].key, key) == 0)
      return q->conditions[i].value;
  return NULL;
}

// ---------------------------------------------------------------------------------- search

struct feature_search feature_search_begin(const struct feature_query *q, enum geojson_kind a,
                                           enum geojson_kind b)
{
  struct feature_search s = {.query = q, .kinds = {a, b}};
  for (int i = 0; i < q->count; i++) {
    s.conditions[i].key = suggestion_create(q->conditions[i].key);
    s.conditions[i].value = suggestion_create(q->conditions[i].value);
  }
  return s;
}

// 1 and 1.0 are the same.
static bool values_equal(const char *a, const char *b)
{
  double x, y;
  return strcmp(a, b) == 0 || (number_parse(a, &x) && number_parse(b, &y) && x == y);
}

static void offer_keys(struct suggestion *near, struct json_span properties)
{
  struct json j = {properties.begin, properties.begin, properties.end, NULL};
  struct json_span value;
  char key[64];
  if (properties.begin && json_enter(&j, '{'))
    while (json_member(&j, key, sizeof key, &value))
      suggestion_offer(near, key);
}

static bool condition_holds(struct feature_search *s, int i, const struct feature_offer *offer)
{
  const struct feature_condition *c = &s->query->conditions[i];
  const bool file = strcmp(c->key, "file") == 0;
  char *value = file ? text_copy(offer->file, strlen(offer->file))
                     : geojson_property(offer->properties, c->key);
  const bool holds = value && values_equal(value, c->value);
  s->conditions[i].key_known |= value != NULL;
  s->conditions[i].value_known |= holds;
  if (value && !holds)
    suggestion_offer(&s->conditions[i].value, value);
  else if (!value)
    offer_keys(&s->conditions[i].key, offer->properties);
  memory_destroy(value);
  return holds;
}

bool feature_search_offer(struct feature_search *s, const struct feature_offer *offer)
{
  bool match = true;
  s->offered++;
  for (int i = 0; i < s->query->count; i++)
    match = condition_holds(s, i, offer) && match;
  if (!match)
    return false;
  const bool wanted = offer->kind == s->kinds[0] || offer->kind == s->kinds[1];
  if (!wanted && !s->any_other)
    s->other = *offer;
  s->any_other |= !wanted;
  s->found += wanted;
  return wanted;
}

static void report_condition(const struct feature_search *s, int i, const char *path,
                             struct location at, struct diagnostics *p)
{
  const struct feature_condition *c = &s->query->conditions[i];
  if (!s->conditions[i].key_known)
    diagnostics_error(p, at, "%s: no feature has a property \"%.60s\"%s", path, c->key,
                      s->conditions[i].key.text);
  else if (strcmp(c->key, "name") == 0)
    diagnostics_error(p, at, "%s: no feature is named \"%.80s\"%s", path, c->value,
                      s->conditions[i].value.text);
  else
    diagnostics_error(p, at, "%s: no feature has %.60s: \"%.80s\"%s", path, c->key, c->value,
                      s->conditions[i].value.text);
}

void feature_search_report(const struct feature_search *s, const char *path, struct location at,
                           struct diagnostics *p)
{
  if (s->offered == 0) {
    diagnostics_error(p, at,
                      "%s: there is no map with named features: world.places gives one, or "
                      "world.geometry with features whose property throng is area",
                      path);
    return;
  }
  if (s->any_other) {
    diagnostics_error(p, at, "%s: a %s is expected, but %s:%d:%d is a %s", path,
                      geojson_kind_name(s->kinds[0]), s->other.at.file, s->other.at.line,
                      s->other.at.column, geojson_kind_name(s->other.kind));
    return;
  }
  for (int i = 0; i < s->query->count; i++)
    if (!s->conditions[i].value_known) {
      report_condition(s, i, path, at, p);
      return;
    }
  diagnostics_error(p, at, "%s: no feature %s", path,
                    s->query->count ? "has all of these properties" : "can be found");
}
