#include "commands.h"

#include "build_info.h"
#include "checkpoint_file.h"
#include "commands_internal.h"
#include "file_info.h"
#include "map.h"
#include "message.h"
#include "options_reference.h"
#include "scenario.h"
#include "usage.h"
#include <stdio.h>
#include <string.h>

static enum exit_code command_info(const struct comm *c, const struct command_line *line)
{
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0)
    code = checkpoint_recognise(line->file) && !trajectory_recognise(line->file)
               ? checkpoint_describe(line->file)
               : file_describe(line->file);
  return comm_agree(c, code);
}

static enum exit_code command_options(const struct comm *c, const struct command_line *line)
{
  (void)line;
  if (c->rank == 0)
    options_reference_print(stdout);
  return EXIT_DONE;
}

static enum exit_code command_check_file(const struct comm *c, const struct command_line *line)
{
  return (map_recognise(line->file) ? command_check_map : command_check)(c, line);
}

static const struct {
  const char *name; // of usage_commands, which has the help
  enum exit_code (*execute)(const struct comm *c, const struct command_line *line);
} commands[] = {{"run", command_run},
                {"replay", command_replay},
                {"check", command_check_file},
                {"info", command_info},
                {"options", command_options}};
#define COMMANDS (sizeof commands / sizeof *commands)

static void command_names(char *text, size_t size) // "run, check, ..."
{
  size_t used = 0;
  for (const struct usage_command *c = usage_commands; c->text && used < size; c++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", used ? ", " : "", c->name);
}

// Writes the mistake in the line, or an empty message.
static void check_line(const struct command_line *line, char *message, size_t size)
{
  char names[100];
  const struct usage_command *command = line->command ? usage_command_find(line->command) : NULL;
  command_names(names, sizeof names);
  *message = 0;
  if (line->problem[0])
    snprintf(message, size, "%s", line->problem);
  else if (!line->command)
    snprintf(message, size, "a command is missing: %s", names);
  else if (!command)
    snprintf(message, size, "\"%s\" is not a command (%s)", line->command, names);
  else if (command->argument && !line->file)
    snprintf(message, size, "throng %s: a file is missing", line->command);
  else if (line->watches || line->json)
    snprintf(message, size, "throng %s takes neither --watch nor --json", line->command);
  else if (strcmp(line->command, "check") != 0 && line->loads_plugin)
    snprintf(message, size, "throng %s does not take --load-plugin; throng check does",
             line->command);
  else if (strcmp(line->command, "replay") != 0 &&
           (line->from >= 0 || line->to >= 0 || line->config))
    snprintf(message, size, "throng %s takes none of --from, --to and --config; throng replay does",
             line->command);
  else if (strcmp(line->command, "run") == 0 && map_recognise(line->file))
    snprintf(
        message, size,
        "%.200s: this is a map, not a scenario: world.geometry names it, throng check shows it",
        line->file);
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
  check_line(line, message, sizeof message);
  for (size_t k = 0; k < COMMANDS && !*message; k++)
    if (strcmp(line->command, commands[k].name) == 0)
      return commands[k].execute(c, line);
  if (prints)
    message_print("%s (see throng --help)", message);
  return EXIT_BAD_INPUT;
}
