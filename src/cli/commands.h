// The commands of the program and their help.
#pragma once
#include "comm.h"
#include "command_line.h"

// Executes the command, or prints help, version or the mistake in the line. Rank 0 prints. Returns
// the same exit code on every rank. Collective.
enum exit_code commands_execute(const struct comm *c, const struct command_line *line);
