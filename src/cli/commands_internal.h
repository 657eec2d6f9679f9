// The commands that need more than a line. Collective; every rank returns the same.
#pragma once
#include "comm.h"
#include "command_line.h"

enum exit_code command_run(const struct comm *c, const struct command_line *line);
enum exit_code command_replay(const struct comm *c, const struct command_line *line);
enum exit_code command_check(const struct comm *c, const struct command_line *line);
// `throng check` of a map instead of a scenario.
enum exit_code command_check_map(const struct comm *c, const struct command_line *line);
