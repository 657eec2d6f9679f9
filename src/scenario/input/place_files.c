// The files of places that a scenario names.
#include "layers.h"

#include "options.h"
#include <string.h>

#define PLACE_FILE_LIMIT ((size_t)1 << 28) // bytes

static struct place_file *file_named(struct config *c, const char *name)
{
  for (int i = 0; i < c->place_file_count; i++)
    if (strcmp(c->place_files[i].name, name) == 0)
      return &c->place_files[i];
  return NULL;
}

static void file_add(struct config *c, const struct node *n, const char *option, bool map,
                     struct diagnostics *p)
{
  const bool measured = strncmp(option, "measure.", 8) == 0;
  if (!node_is_file_name(n))
    return; // the reader of the option says so
  struct place_file *file = file_named(c, n->text);
  if (file) {
    file->measured = file->measured && measured;
    return;
  }
  char prefix[80];
  const int count = c->place_file_count++;
  c->place_files =
      memory_grow(c->place_files, (size_t)count, (size_t)count + 1, sizeof *c->place_files);
  file = &c->place_files[count];
  *file = (struct place_file){.name = text_copy(n->text, strlen(n->text)),
                              .path = path_resolve(c->path, n->text),
                              .at = n->at,
                              .measured = measured,
                              .map = map};
  snprintf(prefix, sizeof prefix, "%s: ", option);
  if (!map)
    file->text = file_read(file->path, PLACE_FILE_LIMIT, prefix, n->at, &file->length, p);
}

// `features: FILE`, `features: {file: FILE}` and `feature: {file: FILE}`, anywhere below the node.
static void files_add_below(struct config *c, const struct node *n, const char *option,
                            struct diagnostics *p)
{
  for (const struct node *item = n->first; item; item = item->next) {
    const char *key = item->key ? item->key : "";
    const bool layer = strcmp(key, "features") == 0;
    const struct node *file = layer || strcmp(key, "feature") == 0 ? node_item(item, "file") : NULL;
    if (layer && item->kind == NODE_SCALAR)
      file = item;
    if (file)
      file_add(c, file, option, false, p);
    files_add_below(c, item, option, p);
  }
}

// The map counts if it is GeoJSON; geometry_create says what is wrong with it otherwise.
static void map_read(struct config *c)
{
  struct diagnostics quiet = {0};
  const struct node *map = node_at_path(c->yaml_root, "world.geometry");
  if (!node_is_file_name(map) || file_named(c, map->text))
    return;
  file_add(c, map, "world.geometry", true, &quiet);
  struct place_file *file = file_named(c, map->text);
  file->text = file_read(file->path, PLACE_FILE_LIMIT, "", file->at, &file->length, &quiet);
  const char *first = file->text ? file->text + strspn(file->text, " \t\r\n") : "";
  if (*first != '{') {
    memory_destroy(file->text);
    file->text = NULL;
  }
  diagnostics_destroy(&quiet);
}

bool places_read(struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  const struct node *places = node_at_path(c->yaml_root, "world.places");
  if (layers_used(c))
    map_read(c);
  if (places)
    file_add(c, places, "world.places", false, p);
  for (const struct node *item = places ? places->first : NULL; item; item = item->next)
    file_add(c, item, "world.places", false, p);
  int i = -1;
  for (const struct option *o; (o = layered_next(&i));) {
    const struct node *list = node_at_path(c->yaml_root, o->path);
    if (node_is_file_name(list))
      file_add(c, list, o->path, false, p);
  }
  for (const struct node *item = c->yaml_root->first; item; item = item->next)
    files_add_below(c, item, strcmp(item->key, "measure") == 0 ? "measure.features" : "features",
                    p);
  return p->count == before;
}

void places_destroy(struct config *c)
{
  for (int i = 0; i < c->place_file_count; i++) {
    memory_destroy(c->place_files[i].name);
    memory_destroy(c->place_files[i].path);
    memory_destroy(c->place_files[i].text);
  }
  memory_destroy(c->place_files);
}
