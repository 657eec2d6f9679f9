#include "commands.h"

#include "build_info.h"
#include "checkpoint_file.h"
#include "commands_internal.h"
#include "snapshot.h"
#include "usage.h"
#include <stdio.h>
#include <string.h>

static enum exit_code command_info(const struct comm *c, const struct command_line *line)
{
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0)
    code = checkpoint_recognise(line->file) ? checkpoint_describe(line->file)
                                            : snapshot_describe(line->file);
  return comm_agree(c, code);
}

static enum exit_code command_options(const struct comm *c, const struct command_line *line)
{
  (void)line;
  if (c->rank == 0)
    options_reference_print(stdout);
  return EXIT_DONE;
}

// What the commands of usage.h do, in the same order.
static enum exit_code (*const execute[])(const struct comm *c, const struct command_line *line) = {
    command_run, command_check, command_info, command_options};

static int find_command(const char *name) // -1: there is none
{
  for (int k = 0; usage_commands[k].text; k++)
    if (strcmp(name, usage_commands[k].name) == 0)
      return k;
  return -1;
}

static void command_names(char *text, size_t size) // "run, check, ..."
{
  size_t used = 0;
  for (int k = 0; usage_commands[k].text && used < size; k++)
    used +=
        (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", usage_commands[k].name);
}

// The number of the command to execute. -1, with a message: a mistake in the line.
static int check_line(const struct command_line *line, char *message, size_t size)
{
  char names[100];
  const int command = line->command ? find_command(line->command) : -1;
  command_names(names, sizeof names);
  if (line->problem[0])
    snprintf(message, size, "%s", line->problem);
  else if (!line->command)
    snprintf(message, size, "a command is missing: %s", names);
  else if (command < 0)
    snprintf(message, size, "\"%s\" is not a command (%s)", line->command, names);
  else if (usage_commands[command].argument && !line->file)
    snprintf(message, size, "throng %s: a file is missing", line->command);
  else
    return command;
  return -1;
}

enum exit_code commands_execute(const struct comm *c, const struct command_line *line)
{
  char message[400];
  const bool prints = c->rank == 0;
  if (!line->problem[0] && (line->help || line->version)) {
    if (prints && line->help)
      usage_print(stdout);
    else if (prints)
      printf("throng %s\n", build_info_full());
    return EXIT_DONE;
  }
  const int command = check_line(line, message, sizeof message);
  if (command >= 0)
    return execute[command](c, line);
  if (prints)
    fprintf(stderr, "throng: %s (see throng --help)\n", message);
  return EXIT_BAD_INPUT;
}
