#include "feature_names.h"

#include "geojson.h"
#include <string.h>

// Owned. Names that are equal as numbers have the same form.
static char *form_create(const char *name)
{
  double number;
  char text[40];
  if (!number_parse(name, &number))
    return text_copy(name, strlen(name));
  snprintf(text, sizeof text, "%.17g", number + 0.0); // -0 is 0
  return text_copy(text, strlen(text));
}

// Takes the form.
static void name_add(struct feature_names *n, char *form, struct named_feature feature)
{
  int32_t at = name_table_find(&n->table, form);
  if (at == NAME_UNKNOWN) {
    at = (int32_t)n->table.count;
    n->names = memory_reserve(n->names, at, &n->name_capacity, sizeof *n->names);
    n->first = memory_reserve(n->first, at, &n->first_capacity, sizeof *n->first);
    n->names[at] = form;
    n->first[at] = -1;
    name_table_add(&n->table, form, at);
  } else {
    memory_destroy(form);
  }
  feature.next = n->first[at];
  n->features = memory_reserve(n->features, n->count, &n->capacity, sizeof *n->features);
  n->features[n->count] = feature;
  n->first[at] = (int32_t)n->count++;
}

// Each is put before those of its name, so the last comes first.
void feature_names_add(struct feature_names *n, const struct feature_set *set)
{
  for (int list = FEATURE_POINTS; list >= FEATURE_AREAS; list--)
    for (unsigned i = set->lists[list].count; i-- > 0;) {
      char *name = geojson_property(feature_set_offer(set, list, i).properties, "name");
      if (name)
        name_add(n, form_create(name), (struct named_feature){set, list, i, -1});
      memory_destroy(name);
    }
}

void feature_names_destroy(struct feature_names *n)
{
  for (int64_t k = 0; k < n->table.count; k++)
    memory_destroy(n->names[k]);
  memory_destroy(n->names);
  memory_destroy(n->first);
  memory_destroy(n->features);
  name_table_destroy(&n->table);
  *n = (struct feature_names){0};
}

int32_t feature_names_find(const struct feature_names *n, const char *name)
{
  char *form = form_create(name);
  const int32_t at = name_table_find(&n->table, form);
  memory_destroy(form);
  return at == NAME_UNKNOWN ? -1 : n->first[at];
}
