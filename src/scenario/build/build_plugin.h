// Loads the plug-in of a scenario.
#pragma once
#include "config.h"
#include "diagnostics.h"
#include "plugin.h"

// To load a plug-in is to run its code, with the rights of the user.
struct plugin_use {
  bool loads; // false: only its file is looked at (plugin_file.h)
  bool tells; // prints a line before it loads
};

// NULL where the scenario has none, or after an error. One that is not loaded has no name and no
// code.
struct plugin *plugin_create(const struct config *c, struct plugin_use use, struct diagnostics *p);
void plugin_destroy(struct plugin *plugin);
