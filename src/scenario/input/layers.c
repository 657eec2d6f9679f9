#include "layers.h"

#include "options.h"
#include <string.h>

// ------------------------------------------------------------------------------------ lists

static bool has_layers(const struct option *o)
{
  const struct option *of_entry;
  for (int i = 0; (of_entry = option_at(o->records, i)); i++)
    if (of_entry->type == OPTION_FEATURES)
      return true;
  return false;
}

const struct option *layered_next(int *i)
{
  const struct option *o;
  while ((o = option_at(SCOPE_FILE, ++*i)))
    if (o->type == OPTION_RECORDS && has_layers(o))
      return o;
  return NULL;
}

bool node_is_file_name(const struct node *n)
{
  return n && n->kind == NODE_SCALAR && !node_is_empty(n) && *n->text;
}

bool layers_used(const struct config *c)
{
  int i = -1;
  for (const struct option *o; (o = layered_next(&i));) {
    const struct node *list = node_at_path(c->yaml_root, o->path);
    if (node_is_file_name(list))
      return true;
    for (const struct node *item = list ? list->first : NULL; item; item = item->next)
      if (node_item(item, "features"))
        return true;
  }
  return false;
}

// ---------------------------------------------------------------------------------- entries

struct layer { // an entry with `features`
  const struct option *list;
  const struct node *entry; // as written
  const char *path;         // "destinations[0].features"
  struct feature_query query;
  const char *polygons, *lines; // options that they become; NULL: they are not wanted
  struct node *made;            // the entries that replace it
  struct name_table names;      // indices of:
  struct node **records;        // [names.count] the same by name
  int64_t record_capacity;
  struct diagnostics *diagnostics;
};

static const struct option *option_named(enum option_scope scope, const char *path)
{
  const struct option *o;
  for (int i = 0; (o = option_at(scope, i)); i++)
    if (strcmp(o->path, path) == 0)
      return o;
  return NULL;
}

static void node_place(struct node *n, struct location at)
{
  n->at = n->key_at = at;
  for (struct node *item = n->first; item; item = item->next)
    node_place(item, at);
}

// A property as the option that it names. Texts of layers may hold YAML: "{east: 2, west: 1}".
static struct node *property_node(const struct layer *l, const struct option *o, const char *text,
                                  struct location at)
{
  struct node *n = NULL;
  if (*text == '{' || *text == '[')
    n = yaml_tree_parse(text, strlen(text), at.file, NULL, l->diagnostics);
  else if (o->type == OPTION_FLAG && (strcmp(text, "0") == 0 || strcmp(text, "1") == 0))
    n = node_create_text(*text == '1' ? "true" : "false", at); // as many layers have it
  else
    n = node_create_text(text, at);
  if (n)
    node_place(n, at);
  return n;
}

// Options that say where the entry is, or what it is called.
static bool is_reserved(const char *key)
{
  static const char *const keys[] = {"name", "features", "areas", "area",
                                     "line", "from",     "to",    "wkt"};
  for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
    if (strcmp(key, keys[i]) == 0)
      return true;
  return false;
}

static bool nodes_equal(const struct node *a, const struct node *b)
{
  const struct node *x = a->first, *y = b->first;
  if (a->kind != b->kind || a->count != b->count ||
      strcmp(a->text ? a->text : "", b->text ? b->text : "") != 0)
    return false;
  for (; x; x = x->next, y = y->next)
    if (strcmp(x->key ? x->key : "", y->key ? y->key : "") != 0 || !nodes_equal(x, y))
      return false;
  return true;
}

static void property_add(struct layer *l, struct node *record, const struct option *o,
                         const char *text, struct location at)
{
  struct node *value = property_node(l, o, text, at);
  const struct node *before = node_item(record, o->path);
  if (value && !before) {
    node_set(record, o->path, value);
    return;
  }
  if (value && !nodes_equal(value, before))
    diagnostics_error(l->diagnostics, at,
                      "%s: the features of \"%.60s\" differ in their property \"%s\"", l->path,
                      node_item(record, "name")->text, o->path);
  node_destroy(value);
}

// Whether the entry itself says it, or an alternative of it.
static bool entry_says(const struct layer *l, const char *key)
{
  static const char *const alternatives[] = {" destination journey goal goal_area opposite offset ",
                                             " count density spacing rate timetable "};
  char word[80];
  if (node_item(l->entry, key))
    return true;
  snprintf(word, sizeof word, " %s ", key);
  for (size_t i = 0; i < sizeof alternatives / sizeof *alternatives; i++)
    for (const struct node *item = l->entry->first;
         item && l->list->records == SCOPE_SOURCE && strstr(alternatives[i], word);
         item = item->next) {
      char other[80];
      snprintf(other, sizeof other, " %.70s ", item->key);
      if (strstr(alternatives[i], other))
        return true;
    }
  return false;
}

// What the entry itself says counts more than the properties.
static void properties_add(struct layer *l, struct node *record, const struct geojson_feature *f)
{
  struct json j = {f->properties.begin, f->properties.begin, f->properties.end, NULL};
  struct json_span value;
  char key[64];
  if (!j.at || !json_enter(&j, '{'))
    return;
  while (json_member(&j, key, sizeof key, &value)) {
    const struct option *o = option_named(l->list->records, key);
    char *text =
        o && !is_reserved(key) && !entry_says(l, key) ? geojson_property(f->properties, key) : NULL;
    if (text)
      property_add(l, record, o, text, f->at);
    memory_destroy(text);
  }
}

// {feature: {...}}: the features of the entry that have this name.
static struct node *feature_node(const struct layer *l, const char *name, struct location at)
{
  struct node *outer = node_create(NODE_MAP, at), *inner = node_create(NODE_MAP, at);
  for (int i = 0; i < l->query.count; i++)
    if (!name || strcmp(l->query.conditions[i].key, "name") != 0)
      node_set(inner, l->query.conditions[i].key,
               node_create_text(l->query.conditions[i].value, at));
  if (name)
    node_set(inner, "name", node_create_text(name, at))->quoted = true;
  node_set(outer, "feature", inner);
  return outer;
}

static struct node *record_named(const struct layer *l, const char *name)
{
  const int32_t k = name_table_find(&l->names, name);
  return k == NAME_UNKNOWN ? NULL : l->records[k];
}

static void record_index(struct layer *l, struct node *record)
{
  const int64_t count = l->names.count;
  l->records = memory_reserve(l->records, count, &l->record_capacity, sizeof(struct node *));
  l->records[count] = record;
  name_table_add(&l->names, node_item(record, "name")->text, (int32_t)count);
}

static struct node *record_create(struct layer *l, const char *name, const char *file,
                                  const char *option, struct location at)
{
  struct node *record = node_create(NODE_MAP, at);
  const bool named = node_item(l->entry, "name") != NULL;
  struct node *place = feature_node(l, named ? NULL : name, at);
  node_set(record, "features", node_create_text(file, at))->quoted = true;
  node_set(record, "name", node_create_text(name, at))->quoted = true;
  if (strcmp(option, "areas") == 0) {
    struct node *list = node_create(NODE_LIST, at);
    node_append(list, place);
    place = list;
  }
  node_set(record, option, place);
  for (const struct node *item = l->entry->first; item; item = item->next)
    if (strcmp(item->key, "name") != 0 && strcmp(item->key, "features") != 0) {
      struct node *copy = node_clone(item);
      node_append(record, copy);
    }
  node_append(l->made, record);
  record_index(l, record);
  return record;
}

static void report_nameless(const struct layer *l, const struct geojson_feature *f)
{
  struct suggestion near = suggestion_create("name");
  struct json j = {f->properties.begin, f->properties.begin, f->properties.end, NULL};
  struct json_span value;
  char key[64];
  if (j.at && json_enter(&j, '{'))
    while (json_member(&j, key, sizeof key, &value))
      suggestion_offer(&near, key);
  diagnostics_error(l->diagnostics, f->at,
                    "%s: feature %lld: a property \"name\" is expected, or a name in the entry, "
                    "which then stands for all features%s",
                    l->path, (long long)f->number, near.text);
}

static void feature_use(struct layer *l, const struct geojson_feature *f, const char *file)
{
  const struct node *given = node_item(l->entry, "name");
  const char *option = geojson_kind(f) == GEOJSON_POLYGON ? l->polygons : l->lines;
  char *name = given && given->kind == NODE_SCALAR ? text_copy(given->text, strlen(given->text))
                                                   : geojson_property(f->properties, "name");
  if (!name) {
    report_nameless(l, f);
    return;
  }
  struct node *record = record_named(l, name);
  if (!record)
    record = record_create(l, name, file, option, f->at);
  else if (!node_item(record, option))
    diagnostics_error(l->diagnostics, f->at, "%s: \"%.60s\" is both a line and a polygon", l->path,
                      name);
  properties_add(l, record, f);
  memory_destroy(name);
}

// A feature of world.geometry counts if it is an area or a place.
static bool is_place(const struct config *c, const struct place_file *file,
                     const struct geojson_feature *f)
{
  char *role = file->map ? geojson_property(f->properties, "throng") : NULL;
  const struct node *fallback = node_at_path(c->yaml_root, "world.geometry_is");
  const char *word = role ? role : fallback && fallback->text ? fallback->text : "obstacles";
  const bool place =
      !file->map || (strncmp(word, "obstacle", 8) != 0 && strcmp(word, "walkable") != 0);
  memory_destroy(role);
  return place;
}

static void features_use(struct layer *l, const struct config *c)
{
  struct feature_search search =
      feature_search_begin(&l->query, l->polygons ? GEOJSON_POLYGON : GEOJSON_LINE,
                           l->lines ? GEOJSON_LINE : GEOJSON_POLYGON);
  for (int i = 0; i < c->place_file_count; i++) {
    const struct place_file *file = &c->place_files[i];
    struct diagnostics quiet = {0}; // geometry_create reads it again and says what is wrong
    struct geojson json;
    struct geojson_feature f;
    if (file->text && geojson_begin(&json, file->text, file->length, file->path, &quiet))
      while (geojson_next(&json, &f)) {
        const struct feature_offer offer = {f.properties, file->name, geojson_kind(&f), f.at};
        if (is_place(c, file, &f) && feature_search_offer(&search, &offer))
          feature_use(l, &f, file->name);
      }
    diagnostics_destroy(&quiet);
  }
  if (search.found == 0)
    feature_search_report(&search, l->path, l->query.node->at, l->diagnostics);
}

// Moves the entries that replace the entry to the list.
static void entry_expand(const struct config *c, const struct option *o, const struct node *entry,
                         int number, struct node *list, struct diagnostics *p)
{
  char path[80];
  snprintf(path, sizeof path, "%s[%d].features", o->path, number);
  const struct option *areas = option_named(o->records, "areas");
  const struct option *area = areas ? areas : option_named(o->records, "area");
  const struct option *line = option_named(o->records, "line");
  struct layer l = {.list = o,
                    .entry = entry,
                    .path = path,
                    .polygons = area ? area->path : NULL,
                    .lines = line ? line->path : NULL,
                    .made = node_create(NODE_LIST, entry->at),
                    .diagnostics = p};
  const struct node *features = node_item(entry, "features");
  if (feature_query_read(&l.query, features, "file"))
    features_use(&l, c);
  else
    diagnostics_error(p, features->at,
                      "%s: a file or at most %d properties {key: value} are expected", path,
                      FEATURE_CONDITIONS_MAX);
  for (struct node *made; (made = node_take_first(l.made));)
    node_append(list, made);
  node_destroy(l.made);
  name_table_destroy(&l.names);
  memory_destroy(l.records);
  feature_query_destroy(&l.query);
}

static void list_expand(const struct config *c, const struct option *o, struct node *list,
                        struct diagnostics *p)
{
  struct node *entries = node_create(NODE_LIST, list->at);
  for (struct node *item; (item = node_take_first(list));)
    node_append(entries, item);
  int number = 0;
  for (struct node *item; (item = node_take_first(entries)); number++)
    if (node_item(item, "features")) {
      entry_expand(c, o, item, number, list, p);
      node_destroy(item);
    } else {
      node_append(list, item);
    }
  node_destroy(entries);
}

// `destinations: exits.geojson` is [{features: exits.geojson}].
static void list_of_file(struct node *n)
{
  struct node *entry = node_create(NODE_MAP, n->at);
  node_set(entry, "features", node_create_text(n->text, n->at));
  memory_destroy(n->text);
  n->text = NULL;
  n->kind = NODE_LIST;
  node_append(n, entry);
}

void layers_expand(struct config *c, struct diagnostics *p)
{
  int i = -1;
  for (const struct option *o; (o = layered_next(&i));) {
    struct node *list = node_at_path(c->yaml_root, o->path);
    if (node_is_file_name(list))
      list_of_file(list);
    if (list && list->kind == NODE_LIST)
      list_expand(c, o, list, p);
  }
}
