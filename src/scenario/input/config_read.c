#include "config_read.h"

#include "layers.h"
#include "suggestion.h"
#include "value.h"
#include <string.h>

// ---------------------------------------------------------------------------------- records

static void record_read(enum option_scope scope, const struct node *n, char *record,
                        const char *prefix, struct diagnostics *p);

static void records_read(const struct value *v)
{
  struct destination_list *list = v->target; // all lists of records have this layout
  const struct option_scope_info *about = &option_scopes[v->option->records];
  if (v->node->kind != NODE_LIST) {
    report_type(v, v->node, "a list");
    return;
  }
  char *records = memory_create((size_t)v->node->count, about->size);
  memcpy(&list->records, &records, sizeof list->records);
  for (const struct node *item = v->node->first; item; item = item->next) {
    char *record = records + about->size * (size_t)list->count;
    struct origin *from = (struct origin *)(void *)record; // the first member of every record
    from->node = item;
    snprintf(from->path, sizeof from->path, about->path_format, list->count++);
    if (item->kind == NODE_MAP)
      record_read(v->option->records, item, record, from->path, v->diagnostics);
    else
      diagnostics_error(v->diagnostics, item->at, "%s: a section (key: value) is expected",
                        from->path);
  }
}

// Defaults pass through the same reader as written values. Most are one word: a parser for each of
// them would take longer than all of the rest.
static void fallback_read(const struct option *o, void *target, const char *path,
                          struct diagnostics *p)
{
  const bool word = *o->fallback && !strpbrk(o->fallback, "{[\"'");
  struct node *n = word
                       ? node_create_text(o->fallback, (struct location){"the default", NULL, 1, 1})
                       : yaml_tree_parse(o->fallback, strlen(o->fallback), "the default", NULL, p);
  if (n)
    value_read(&(struct value){o, n, target, path, p});
  node_destroy(n);
}

static void option_read(const struct option *o, const struct node *n, char *record,
                        const char *prefix, struct diagnostics *p)
{
  char path[120];
  snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", o->path);
  const struct node *node = node_at_path(n, o->path);
  const struct value value = {o, node, record + o->offset, path, p};
  if (node && o->type == OPTION_RECORDS)
    records_read(&value);
  else if (node)
    value_read(&value);
  else if (o->fallback && strcmp(o->fallback, "!") == 0)
    diagnostics_error(p, n->at, "%s: %s is missing", *prefix ? prefix : "scenario", o->path);
  else if (o->fallback)
    fallback_read(o, record + o->offset, path, p);
}

// ----------------------------------------------------------------------------- unknown keys

static bool is_section(enum option_scope scope, const char *path)
{
  const size_t length = strlen(path);
  const struct option *o;
  for (int i = 0; (o = option_at(scope, i)); i++)
    if (strncmp(o->path, path, length) == 0 && o->path[length] == '.')
      return true;
  return false;
}

// The option closest to an unknown path, preferably in the same section, or NULL.
static const char *option_near(enum option_scope scope, const char *path)
{
  const char *dot = strrchr(path, '.'), *leaf = dot ? dot + 1 : path, *near = NULL;
  const struct option *o;
  int best = EDIT_FAR;
  for (int i = 0; (o = option_at(scope, i)); i++) {
    const char *option_dot = strrchr(o->path, '.');
    const char *option_leaf = option_dot ? option_dot + 1 : o->path;
    const bool same_section =
        option_leaf - o->path == leaf - path && strncmp(o->path, path, (size_t)(leaf - path)) == 0;
    if (same_section ? edit_is_close(leaf, option_leaf, &best)
                     : edit_is_close(path, o->path, &best) ||
                           (best == EDIT_FAR && strcmp(leaf, option_leaf) == 0))
      near = o->path;
  }
  return near;
}

static const char *section_near(enum option_scope scope, const char *path)
{
  static char section[40];
  char candidate[40];
  const struct option *o;
  int best = EDIT_FAR;
  *section = 0;
  for (int i = 0; (o = option_at(scope, i)); i++)
    for (const char *dot = strchr(o->path, '.'); dot; dot = strchr(dot + 1, '.')) {
      snprintf(candidate, sizeof candidate, "%.*s", (int)(dot - o->path), o->path);
      if (edit_is_close(path, candidate, &best))
        memcpy(section, candidate, sizeof section);
    }
  return *section ? section : NULL;
}

static void report_unknown_option(enum option_scope scope, const struct node *item,
                                  const char *prefix, const char *path, struct diagnostics *p)
{
  const bool shown = diagnostics_shows_more(p); // a search for each of many would take long
  const char *near = shown && item->kind == NODE_MAP ? section_near(scope, path) : NULL;
  if (shown && !near)
    near = option_near(scope, path);
  char shown_path[200];
  snprintf(shown_path, sizeof shown_path, "%.80s: ", path);
  if (*prefix)
    snprintf(shown_path, sizeof shown_path, "%s.%.80s: ", prefix, path);
  const bool path_is_shown = item->key_at.override && !*prefix; // by --set
  diagnostics_error(p, item->key_at, "%sunknown option%s%s%s%s%s", path_is_shown ? "" : shown_path,
                    near ? "; did you mean " : "", near && *prefix ? prefix : "",
                    near && *prefix ? "." : "", near ? near : "", near ? "?" : "");
}

static void check_unknown_options(enum option_scope scope, const struct node *n, const char *prefix,
                                  const char *section, struct diagnostics *p)
{
  for (const struct node *item = n->first; item; item = item->next) {
    char path[200];
    snprintf(path, sizeof path, "%s%s%.100s", section, *section ? "." : "", item->key);
    if (is_section(scope, path)) {
      if (item->kind == NODE_MAP)
        check_unknown_options(scope, item, prefix, path, p);
      else if (!node_is_empty(item))
        diagnostics_error(p, item->at, "%s: a section (key: value) is expected", path);
    } else if (!item->used) {
      report_unknown_option(scope, item, prefix, path, p);
    }
  }
}

static void record_read(enum option_scope scope, const struct node *n, char *record,
                        const char *prefix, struct diagnostics *p)
{
  const struct option *o;
  for (int i = 0; (o = option_at(scope, i)); i++)
    option_read(o, n, record, prefix, p);
  check_unknown_options(scope, n, prefix, "", p);
}

// ------------------------------------------------------------------------- the whole scenario

// The profile of an empty record.
static void profile_default(struct config *c, struct diagnostics *p)
{
  c->profiles.count = 1;
  c->profiles.records = memory_create(1, sizeof *c->profiles.records);
  struct profile_config *profile = c->profiles.records;
  snprintf(profile->from.path, sizeof profile->from.path, "profiles");
  const struct option *o;
  for (int i = 0; (o = option_at(SCOPE_PROFILE, i)); i++)
    if (o->fallback && *o->fallback != '!')
      fallback_read(o, (char *)profile + o->offset, o->path, p);
  profile->name = text_copy("person", 6);
}

static void names_fill(struct config *c, struct diagnostics *p)
{
  const char *slash = strrchr(c->path, '/'), *base = slash ? slash + 1 : c->path;
  const char *dot = strrchr(base, '.');
  if (!c->name)
    c->name = text_copy(base, dot && dot > base ? (size_t)(dot - base) : strlen(base));
  if (c->profiles.count == 0)
    profile_default(c, p);
  for (int i = 0; i < c->events.count; i++)
    if (!c->events.records[i].name)
      c->events.records[i].name =
          text_copy(c->events.records[i].from.path, strlen(c->events.records[i].from.path));
  for (int i = 0; i < c->sources.count; i++)
    if (!c->sources.records[i].name)
      c->sources.records[i].name =
          text_copy(c->sources.records[i].from.path, strlen(c->sources.records[i].from.path));
}

#define NAMES_INDEX(list)                                                                          \
  for (int i = 0; i < c->list.count; i++)                                                          \
    if (c->list.records[i].name) /* it may be missing */                                           \
  name_table_add(&c->names.list, c->list.records[i].name, i)

static void names_index(struct config *c)
{
  NAMES_INDEX(destinations);
  NAMES_INDEX(profiles);
  NAMES_INDEX(journeys);
  NAMES_INDEX(doors);
  NAMES_INDEX(sources);
}

static void distribution_fill(struct distribution *d, double value)
{
  if (d->kind == NOT_GIVEN)
    *d = (struct distribution){.kind = CONSTANT, .mean = value, .lo = value, .hi = value};
}

#define HORIZON         2.0  // s
#define HORIZON_HEADWAY 1.5  // agents that keep their distance look less far ahead
#define RADIUS          0.25 // m
#define RADIUS_HEADWAY  0.2  // that of the validation (docs/walking.md)

static double horizon_of(const struct config *c, const struct profile_config *profile)
{
  if (c->avoidance.horizon.given)
    return c->avoidance.horizon.value;
  return profile->walking.model == WALKING_HEADWAY ? HORIZON_HEADWAY : HORIZON;
}

// A density model is a walking model of its own.
static void walking_fill(struct profile_config *profile)
{
  const struct node *n = profile->from.node;
  const bool given = n && node_at_path(n, "walking.model");
  if (!given && profile->density.model != DENSITY_NONE)
    profile->walking.model = WALKING_NONE;
}

static void profiles_fill(struct config *c)
{
  for (int i = 0; i < c->profiles.count; i++) {
    struct profile_config *profile = &c->profiles.records[i];
    walking_fill(profile);
    distribution_fill(&profile->radius,
                      profile->walking.model == WALKING_HEADWAY ? RADIUS_HEADWAY : RADIUS);
    distribution_fill(&profile->horizon, horizon_of(c, profile));
    distribution_fill(&profile->neighbour_distance, c->avoidance.neighbour_distance);
    distribution_fill(&profile->neighbours, c->avoidance.neighbours);
    distribution_fill(&profile->max_acceleration, c->avoidance.max_acceleration);
  }
}

// An index counts the entries as written. A name may be that of an entry made of a feature.
// False: a file of places cannot be read, so its entries are missing.
static bool overrides_apply(struct config *c, const struct config_source *source,
                            struct diagnostics *p)
{
  const int count = source->override_count;
  bool *late = memory_create((size_t)count, sizeof *late);
  const bool layers = layers_used(c);
  for (int i = 0; i < count; i++) {
    late[i] = layers && yaml_tree_lacks_entry(c->yaml_root, source->overrides[i]);
    if (!late[i])
      yaml_tree_override(c->yaml_root, source->overrides[i], p);
  }
  const bool good = places_read(c, p);
  if (good)
    layers_expand(c, p);
  for (int i = 0; i < count; i++)
    if (late[i])
      yaml_tree_override(c->yaml_root, source->overrides[i], p);
  memory_destroy(late);
  return good;
}

bool config_read(struct config *c, const struct config_source *source, struct diagnostics *p)
{
  const int before = p->count;
  c->path = source->path;
  c->yaml_root = yaml_tree_parse(source->text, source->length, source->path, NULL, p);
  if (!c->yaml_root)
    return false;
  c->from.node = c->yaml_root;
  if (c->yaml_root->kind != NODE_MAP) {
    diagnostics_error(p, c->yaml_root->at, "a scenario is a map (key: value), this is %s",
                      c->yaml_root->kind == NODE_LIST ? "a list" : "one word");
    return false;
  }
  if (!overrides_apply(c, source, p))
    return false;
  record_read(SCOPE_FILE, c->yaml_root, (char *)c, "", p);
  names_fill(c, p);
  names_index(c);
  profiles_fill(c);
  return p->count == before;
}

// ------------------------------------------------------------------------------- all values

static void record_visit(enum option_scope scope, char *record, const char *prefix,
                         const struct config_visitor *visitor)
{
  char path[120];
  const struct option *o;
  for (int i = 0; (o = option_at(scope, i)); i++) {
    snprintf(path, sizeof path, "%s%s%s", prefix, *prefix ? "." : "", o->path);
    visitor->visit(visitor->context, o, record + o->offset, path);
    if (o->type != OPTION_RECORDS)
      continue;
    const struct destination_list *list = (const void *)(record + o->offset); // any list
    char *records;
    memcpy(&records, &list->records, sizeof records);
    for (int k = 0; k < list->count; k++) {
      snprintf(path, sizeof path, option_scopes[o->records].path_format, k);
      record_visit(o->records, records + option_scopes[o->records].size * (size_t)k, path, visitor);
    }
  }
}

void config_visit(struct config *c, const struct config_visitor *visitor)
{
  record_visit(SCOPE_FILE, (char *)c, "", visitor);
}

static void record_destroy(enum option_scope scope, char *record);

static void records_destroy(const struct option *o, void *target)
{
  const struct destination_list *list = target; // any list of records
  char *records;
  memcpy(&records, &list->records, sizeof records);
  for (int i = 0; i < list->count; i++)
    record_destroy(o->records, records + option_scopes[o->records].size * (size_t)i);
  memory_destroy(records);
}

static void record_destroy(enum option_scope scope, char *record)
{
  const struct option *o;
  for (int i = 0; (o = option_at(scope, i)); i++)
    (o->type == OPTION_RECORDS ? records_destroy : value_destroy)(o, record + o->offset);
}

void config_destroy(struct config *c)
{
  record_destroy(SCOPE_FILE, (char *)c);
  places_destroy(c);
  name_table_destroy(&c->names.destinations);
  name_table_destroy(&c->names.profiles);
  name_table_destroy(&c->names.journeys);
  name_table_destroy(&c->names.doors);
  name_table_destroy(&c->names.sources);
  node_destroy(c->yaml_root);
  *c = (struct config){0};
}
