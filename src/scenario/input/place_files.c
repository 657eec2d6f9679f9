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

// Adds the file that the node names, unless it is known. NULL: the node names none.
static struct place_file *file_note(struct config *c, const struct node *n)
{
  struct place_file *file = node_is_file_name(n) ? file_named(c, n->text) : NULL;
  if (file || !node_is_file_name(n))
    return file; // the reader of the option says what is wrong
  const size_t count = (size_t)c->place_file_count++;
  c->place_files = memory_grow(c->place_files, count, count + 1, sizeof *c->place_files);
  file = &c->place_files[count];
  *file = (struct place_file){.name = text_copy(n->text, strlen(n->text)),
                              .path = path_resolve(c->path, n->text),
                              .at = n->at,
                              .measured = true};
  return file;
}

// option: for the message that the file cannot be read.
static void file_add(struct config *c, const struct node *n, const char *option, bool measured,
                     struct diagnostics *p)
{
  const int count = c->place_file_count;
  struct place_file *file = file_note(c, n);
  char prefix[80];
  if (!file)
    return;
  file->measured = file->measured && measured;
  snprintf(prefix, sizeof prefix, "%s: ", option);
  if (c->place_file_count > count)
    file->text = file_read(file->path, PLACE_FILE_LIMIT, prefix, n->at, &file->length, p);
}

static bool is_map(const struct config *c, const struct node *n)
{
  const struct node *map = node_at_path(c->yaml_root, "world.geometry");
  return node_is_file_name(map) && node_is_file_name(n) && strcmp(map->text, n->text) == 0;
}

// `features: FILE`, `features: {file: FILE}` and `feature: {file: FILE}`, anywhere below the node.
static void files_add_below(struct config *c, const struct node *n, bool measured,
                            struct diagnostics *p)
{
  for (const struct node *item = n->first; item; item = item->next) {
    const char *key = item->key ? item->key : "";
    const bool layer = strcmp(key, "features") == 0;
    const struct node *file = layer || strcmp(key, "feature") == 0 ? node_item(item, "file") : NULL;
    if (layer && item->kind == NODE_SCALAR)
      file = item;
    if (file && !is_map(c, file))
      file_add(c, file, "features (a file, or {property: value})", measured, p);
    files_add_below(c, item, measured, p);
  }
}

// The map counts if it is GeoJSON; geometry_create says what is wrong with it otherwise.
static void map_add(struct config *c)
{
  struct diagnostics quiet = {0};
  const int count = c->place_file_count;
  struct place_file *file = file_note(c, node_at_path(c->yaml_root, "world.geometry"));
  if (c->place_file_count == count)
    return;
  file->map = true;
  file->text = file_read(file->path, PLACE_FILE_LIMIT, "", file->at, &file->length, &quiet);
  if (file->text && file->text[strspn(file->text, " \t\r\n")] != '{') {
    memory_destroy(file->text);
    file->text = NULL;
  }
  diagnostics_destroy(&quiet);
}

bool places_read(struct config *c, struct diagnostics *p)
{
  const int before = p->count;
  const struct node *places = node_at_path(c->yaml_root, "world.places");
  const bool listed = places && places->kind == NODE_LIST;
  for (const struct node *item = listed ? places->first : places; item;
       item = listed ? item->next : NULL)
    file_add(c, item, "world.places", false, p);
  int i = -1;
  for (const struct option *o; (o = layered_next(&i));) {
    const struct node *list = node_at_path(c->yaml_root, o->path);
    if (node_is_file_name(list) && !is_map(c, list))
      file_add(c, list, o->path, strncmp(o->path, "measure.", 8) == 0, p);
  }
  for (const struct node *item = c->yaml_root->first; item; item = item->next)
    files_add_below(c, item, strcmp(item->key, "measure") == 0, p);
  if (layers_used(c))
    map_add(c);
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
