// `throng status RUN...`, which needs no MPI.
#pragma once
#include "base.h"
#include "command_line.h"

// Whether the line is this command, without a mistake.
bool command_status_is(const struct command_line *line);
enum exit_code command_status(const struct command_line *line);
