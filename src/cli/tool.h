// Commands that are programs of their own, in Python: `throng export`.
#pragma once
#include <stdbool.h>

// Whether the command is such a tool.
bool tool_is(const char *command);
// Becomes the tool; arguments: argv from the command on. Returns an exit code, after a
// message, only if it cannot be started. Call it before MPI is started.
int tool_execute(const char *command, char **arguments);
