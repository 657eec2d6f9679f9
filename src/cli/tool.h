// Programs in Python that throng starts: commands, such as `throng export`, and tools of commands.
#pragma once
#include <stdbool.h>
#include <stdio.h>

// Whether the command is such a tool.
bool tool_is(const char *command);
// Becomes the tool; arguments: argv from the command on. Returns an exit code, after a
// message, only if it cannot be started. Call it before MPI is started.
int tool_execute(const char *command, char **arguments);

// Runs a tool to its end, with the file as its standard input. arguments[0] is filled in. False,
// and errno: it cannot be started.
bool tool_run(const char *name, char **arguments, FILE *input);
