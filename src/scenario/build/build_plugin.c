#include "build_plugin.h"

#include "base.h"
#include "geometry.h"
#include "message.h"
#include "perception.h"
#include "plugin_file.h"
#include "suggestion.h"
#include "yaml_tree.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SYMBOL_LENGTH 40

static const int widths[PLUGIN_WIDTHS] = {1, 4, 8, 16};

static const char *symbol_name(int width, char symbol[SYMBOL_LENGTH])
{
  snprintf(symbol, SYMBOL_LENGTH, "throng_plugin_%d", widths[width]);
  return symbol;
}

// Of the same source.
static bool is_same(const struct plugin_code *a, const struct plugin_code *b)
{
  bool same = strcmp(a->name, b->name) == 0 && !a->velocity == !b->velocity;
  int k = 0;
  for (; same && a->parameters[k].name && b->parameters[k].name; k++)
    same = strcmp(a->parameters[k].name, b->parameters[k].name) == 0 &&
           a->parameters[k].value == b->parameters[k].value;
  return same && !a->parameters[k].name == !b->parameters[k].name;
}

// The shared object's descriptions of itself are of one plug-in, made with these headers.
static const char *code_find(struct plugin *plugin) // returns what is wrong; NULL: nothing
{
  for (int k = 0; k < PLUGIN_WIDTHS; k++) {
    char symbol[SYMBOL_LENGTH];
    const struct plugin_code *code = dlsym(plugin->handle, symbol_name(k, symbol));
    if (!code)
      return "is no plug-in, or was not compiled by throng-plugin";
    if (code->api != PLUGIN_API || code->lanes != widths[k] ||
        (widths[k] == LANES && code->perception_bytes != sizeof(struct perception)))
      return "was compiled for another release of throng: compile it again by throng-plugin";
    if (!code->velocity && !code->preferred)
      return "has neither a method nor a preferred velocity";
    if (code->parameters[PLUGIN_PARAMETERS].name)
      return "has too many parameters";
    if (k > 0 && !is_same(code, plugin->code[0]))
      return "is not the same at every width: compile it again by throng-plugin";
    plugin->code[k] = code;
  }
  plugin->name = plugin->code[0]->name;
  return NULL;
}

static int find_parameter(const struct plugin_code *code, const char *name)
{
  for (int k = 0; code->parameters[k].name; k++)
    if (strcmp(code->parameters[k].name, name) == 0)
      return k;
  return -1;
}

static void report_parameter(const struct plugin_code *code, const struct share *given,
                             struct diagnostics *p)
{
  struct suggestion meant = suggestion_create(given->name);
  char names[300] = "";
  for (int k = 0; code->parameters[k].name; k++) {
    const size_t used = strlen(names);
    snprintf(names + used, sizeof names - used, "%s%s", k ? ", " : "", code->parameters[k].name);
    suggestion_offer(&meant, code->parameters[k].name);
  }
  const struct node *n = given->node;
  diagnostics_error(p, n->key ? n->key_at : n->at,
                    "avoidance.plugin.parameters: \"%s\" is not a parameter of %s (%s)%s",
                    given->name, code->name, *names ? names : "it has none", meant.text);
}

static void parameters_set(struct plugin *plugin, const struct config *c, struct diagnostics *p)
{
  const struct plugin_code *code = plugin->code[0];
  const struct shares *given = &c->avoidance.plugin.parameters;
  for (int k = 0; code->parameters[k].name; k++)
    plugin->parameters[k] = code->parameters[k].value;
  for (int i = 0; i < given->count; i++) {
    const int k = find_parameter(code, given->shares[i].name);
    if (k < 0)
      report_parameter(code, &given->shares[i], p);
    else
      plugin->parameters[k] = (float)given->shares[i].weight;
  }
}

// What is wrong with the file; NULL: nothing. Nothing of it has run.
static const char *file_fault(const char *path)
{
  char texts[PLUGIN_WIDTHS][SYMBOL_LENGTH];
  const char *symbols[PLUGIN_WIDTHS];
  for (int k = 0; k < PLUGIN_WIDTHS; k++)
    symbols[k] = symbol_name(k, texts[k]);
  return plugin_file_fault(path, symbols, PLUGIN_WIDTHS, sizeof(struct plugin_code));
}

static const char *load(struct plugin *plugin, const char *path) // returns what is wrong
{
  plugin->handle = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  return plugin->handle ? code_find(plugin) : dlerror();
}

static bool open_file(struct plugin *plugin, const struct config *c, struct plugin_use use,
                      struct diagnostics *p)
{
  const char *file = c->avoidance.plugin.file;
  char *path = path_resolve(c->path, file), *here = NULL;
  if (asprintf(&here, "%s%s", strchr(path, '/') ? "" : "./", path) < 0) // else it is searched
    memory_fail((double)strlen(path) + 3);
  const char *wrong = file_fault(here);
  if (!wrong && use.tells && use.loads)
    message_print("%s: a plug-in (avoidance.plugin.file): its code is loaded and runs with your "
                  "rights",
                  path);
  if (!wrong && use.loads)
    wrong = load(plugin, here);
  if (wrong)
    diagnostics_error(p, origin_location(c, &c->from, "avoidance.plugin.file"),
                      "avoidance.plugin.file: \"%s\" %s%s", file,
                      plugin->handle ? "" : "cannot be loaded: ", wrong);
  free(here);
  memory_destroy(path);
  return !wrong;
}

struct plugin *plugin_create(const struct config *c, struct plugin_use use, struct diagnostics *p)
{
  if (!c->avoidance.plugin.file) {
    if (c->avoidance.plugin.parameters.count)
      diagnostics_error(p, origin_location(c, &c->from, "avoidance.plugin.parameters"),
                        "avoidance.plugin.parameters: there is no avoidance.plugin.file");
    return NULL;
  }
  struct plugin *plugin = memory_create(1, sizeof *plugin);
  const int before = p->count;
  if (open_file(plugin, c, use, p) && use.loads)
    parameters_set(plugin, c, p);
  if (p->count == before)
    return plugin;
  plugin_destroy(plugin);
  return NULL;
}

void plugin_destroy(struct plugin *plugin)
{
  if (!plugin)
    return;
  if (plugin->handle)
    dlclose(plugin->handle);
  memory_destroy(plugin);
}
