// What must hold for every input of a scenario.
#pragma once
#include "diagnostics.h"

// Aborts unless there is a result exactly if there are no errors, and all messages are lines of
// UTF-8 without control characters.
void check_diagnostics(const struct diagnostics *p, bool has_result);

// Does what `throng check` does with the scenario at this path, creates its agents and checks them.
// overrides[count]: as in `--set`.
void check_scenario(const char *path, const char *const *overrides, int count);

// check_scenario of a scenario in which one file is data[size].
void check_scenario_with(const char *yaml, const char *file, const void *data, size_t size);
// Does what `throng check` does with data[size] as a map alone, but for the picture.
void check_map(const void *data, size_t size);
