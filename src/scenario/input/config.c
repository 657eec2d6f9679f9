#include "config.h"

#include "suggestion.h"
#include <string.h>

char *path_resolve(const char *scenario, const char *file)
{
  const char *slash = strrchr(scenario, '/');
  struct text t = {0};
  if (*file != '/' && slash)
    text_add_bytes(&t, scenario, (size_t)(slash - scenario) + 1);
  text_add(&t, "%s", file);
  return t.bytes;
}

struct location origin_location(const struct config *c, const struct origin *from, const char *key)
{
  const struct node *item = from->node && key ? node_at_path(from->node, key) : NULL;
  if (item)
    return item->at;
  return from->node ? from->node->at : (struct location){c->path, NULL, 0, 0};
}

int config_find_destination(const struct config *c, const char *name, struct location at,
                            const char *what, struct diagnostics *p)
{
  const int found = name_table_find(&c->names.destinations, name);
  if (found != NAME_UNKNOWN)
    return found;
  const struct destination_list *list = &c->destinations;
  struct suggestion near = suggestion_create(name);
  struct text all = {0};
  for (int i = 0; i < list->count && diagnostics_shows_more(p); i++) {
    suggestion_offer(&near, list->records[i].name);
    text_add(&all, "%s%.40s", i ? ", " : "", list->records[i].name);
  }
  diagnostics_error(p, at, "%s: \"%.80s\" is not a destination (%.300s)%s", what, name,
                    all.bytes ? all.bytes : "there is none", near.text);
  memory_destroy(all.bytes);
  return -1;
}
