// The command line of throng as tables. `throng --help`, the manual page and the shell completions
// are printed from them, so they agree.
#pragma once
#include <stdio.h>

enum usage_value { // what a shell may complete an option's value with
  USAGE_NO_VALUE,
  USAGE_NUMBER, // nothing to offer
  USAGE_CHOICE,
  USAGE_DIRECTORY,
  USAGE_SCENARIO, // a YAML file
  USAGE_OVERRIDE, // KEY=VALUE of a scenario
  USAGE_RESTART   // choices, or a checkpoint
};

struct usage_command {
  const char *name;
  const char *argument; // NULL: none
  const char *files;    // glob patterns of the argument, separated by spaces; NULL: none
  int takes_options;
  const char *text;
};

struct usage_option {
  char letter;
  const char *name;  // without the dashes
  const char *value; // name of the value; NULL: none
  enum usage_value kind;
  const char *choices; // "auto|scalar"; NULL: none
  const char *text;
};

struct usage_exit_code {
  int code;
  const char *text;
};

// Each ends with an entry whose text is NULL.
extern const struct usage_command usage_commands[];
extern const struct usage_option usage_options[];
extern const struct usage_exit_code usage_exit_codes[];

extern const char usage_title[], usage_stop[];

const struct usage_command *usage_command_find(const char *name); // NULL: no such command

// Writes text in lines of at most 100 columns. The first begins at `column`, which the caller has
// already reached; the others are indented by `indent`. Returns the column after the last word.
int usage_wrap(FILE *out, const char *text, int column, int indent);

void usage_print(FILE *out); // throng --help
