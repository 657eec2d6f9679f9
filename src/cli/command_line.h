// The words of the command line: `throng COMMAND [FILE] [options]`; `throng status` takes more
// files.
#pragma once
#include "throng.h"
#include <stdbool.h>

struct command_line {
  const char *command, *file; // NULL: not given
  char **files;               // [file_count] all of them
  int file_count;
  const char **overrides;    // [run.set_count] KEY=VALUE of --set
  double from, to;           // s, of a replay; < 0: not given
  const char *config;        // of a replay; NULL: not given
  struct throng_options run; // its path is the file
  bool watches, json;        // of the status
  bool loads_plugin;         // of check
  double watch;              // s; 0: not given
  bool help, version;
  char problem[300]; // the first mistake; empty: none
};

// Parses argv, whose strings the result refers to. A mistake ends up in `problem`.
void command_line_parse(struct command_line *line, int argc, char **argv);
void command_line_destroy(struct command_line *line);
