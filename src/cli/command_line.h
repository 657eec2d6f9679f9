// The words of the command line: `throng COMMAND [FILE] [options]`.
#pragma once
#include "run.h"

struct command_line {
  const char *command, *file; // NULL: not given
  const char **overrides;     // [override_count] KEY=VALUE of --set
  int override_count;
  const char *backend;
  double from, to; // s, of a replay; to < 0: the end of the run
  struct run_options run;
  bool help, version;
  char problem[300]; // the first mistake; empty: none
};

// Parses argv, whose strings the result refers to. A mistake ends up in `problem`.
void command_line_parse(struct command_line *line, int argc, char **argv);
void command_line_destroy(struct command_line *line);
