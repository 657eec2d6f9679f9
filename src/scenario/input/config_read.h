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
