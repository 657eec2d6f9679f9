// Reads a scenario file into struct config.
#pragma once
#include "config.h"

struct config_source {
  const char *path; // of the file, as the user named it
  const char *text; // [length] its contents
  size_t length;
  const char *const *overrides; // [override_count] "key.path=value"
  int override_count;
};

// c: all bytes zero. False and errors if anything is wrong; call config_destroy in any case.
// c keeps pointers to the path and to the overrides.
bool config_read(struct config *c, const struct config_source *source, struct diagnostics *p);
void config_destroy(struct config *c);

struct option;

struct config_visitor {
  // target: the value of the option, of the type that option_type gives; path: "sources[0].goal"
  void (*visit)(void *context, const struct option *o, void *target, const char *path);
  void *context;
};
// Visits every option of the scenario and of its records, in the order of the table.
void config_visit(struct config *c, const struct config_visitor *visitor);
