// Chooses features of maps by their properties: {feature: gate A}, {feature: {kind: exit}}.
#pragma once
#include "geojson.h"
#include "suggestion.h"
#include "yaml_node.h"

#define FEATURE_CONDITIONS_MAX 8

struct feature_condition {
  char *key, *value;
};

struct feature_query {
  const struct node *node; // where it is written; NULL: there is none
  int count;
  struct feature_condition *conditions; // [count] all hold
};

// Reads the node: a text stands for the property `key`, a map for several properties, all of which
// hold. False: it is neither, or has too many. Call feature_query_destroy in any case.
bool feature_query_read(struct feature_query *q, const struct node *n, const char *key);
void feature_query_destroy(struct feature_query *q);
// The value of the condition on a property; NULL: there is none.
const char *feature_query_value(const struct feature_query *q, const char *key);

// A feature to compare with. Its file counts as a property `file`.
struct feature_offer {
  struct json_span properties;
  const char *file; // as the scenario names it
  enum geojson_kind kind;
  struct location at;
};

// A search through all features, which remembers what is close for the message.
struct feature_search {
  const struct feature_query *query;
  enum geojson_kind kinds[2]; // wanted, either of them
  int64_t offered, found;
  bool any_other;             // a feature has the properties, but is of another kind
  struct feature_offer other; // the first of these
  struct {
    bool key_known, value_known; // some feature has the property; and with this value
    struct suggestion key, value;
  } conditions[FEATURE_CONDITIONS_MAX];
};
struct feature_search feature_search_begin(const struct feature_query *q, enum geojson_kind a,
                                           enum geojson_kind b);
bool feature_search_offer(struct feature_search *s, const struct feature_offer *offer);
// The error that nothing was found. path: the option.
void feature_search_report(const struct feature_search *s, const char *path, struct location at,
                           struct diagnostics *p);
