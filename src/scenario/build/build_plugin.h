// Loads the plug-in of a scenario.
#pragma once
#include "config.h"
#include "diagnostics.h"
#include "plugin.h"

// NULL where the scenario has none, or after an error.
struct plugin *plugin_create(const struct config *c, struct diagnostics *p);
void plugin_destroy(struct plugin *plugin);
