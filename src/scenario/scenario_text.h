// The text of a scenario for files that keep it, and the options of the command line.
#pragma once
#include "scenario.h"

void overrides_copy(struct scenario *s, const char *const *overrides, int count);
void overrides_destroy(struct scenario *s);

// Does an option, by its path or "path=value", affect agents? Those of output, balance and ranks do
// not.
bool option_reaches_agents(const char *path);

// The YAML as read, followed by the overrides as comments "# --set KEY=VALUE"; agents_only: by
// those that affect agents. Free with memory_destroy.
char *scenario_text(const struct scenario *s, bool agents_only);
