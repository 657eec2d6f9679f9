#include "commands.h"

#include "build_info.h"
#include "checkpoint_file.h"
#include "commands_internal.h"
#include "snapshot.h"
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

struct command {
  const char *name, *arguments, *summary;
  bool needs_file;
  enum exit_code (*execute)(const struct comm *c, const struct command_line *line);
};
static const struct command commands[] = {
    {"run", "CONFIG [options]", "simulate; write snapshots, series.csv, summary.json", true,
     command_run},
    {"check", "CONFIG [options]", "read and check everything, print what was found, do not run",
     true, command_check},
    {"info", "FILE", "describe a snapshot, a walls file or a checkpoint", true, command_info},
    {"options", "", "print every option of a CONFIG as Markdown", false, command_options}};
#define COMMANDS (sizeof commands / sizeof *commands)

// The meaning of the exit codes: enum exit_code in base.h.
static const char options_help[] =
    "\n"
    "  -o, --output DIR        where to write (default: runs/NAME)\n"
    "  -s, --set KEY=VALUE     override an option: --set time.end=60 (repeatable)\n"
    "  -n, --steps N           run N steps\n"
    "  -r, --restart auto|FILE continue from this checkpoint; auto: from the newest good one of\n"
    "                          the output directory, or from the start if there is none\n"
    "  -w, --max-wall TIME     end with a checkpoint after this wall time, s or HH:MM:SS\n"
    "  -b, --backend NAME      auto, scalar, simd, simd4, simd8, simd16, emulated, cuda (auto)\n"
    "  -t, --threads N         threads per rank (default: OMP_NUM_THREADS, or the cores of the\n"
    "                          machine divided by its ranks)\n"
    "  -q, --quiet             print errors only\n"
    "  -h, --help              -V, --version\n"
    "\n"
    "  mpirun -n 4 throng run CONFIG   on 4 ranks: the result has the same bits\n"
    "\n"
    "SIGTERM, SIGINT, SIGUSR1 and a file named stop in the output directory end a run after the\n"
    "current step with a checkpoint.\n"
    "\n"
    "Exit codes: 0 done, 64 bad command line or config, 65 damaged file, 70 internal error,\n"
    "74 input/output error, 75 stopped early after a checkpoint: can continue.\n"
    "Documentation: docs/\n";

static void print_help(void)
{
  fputs("throng: a message-passing simulator for massive crowds\n\n", stdout);
  for (size_t k = 0; k < COMMANDS; k++) {
    const int used = printf("  throng %s%s%s", commands[k].name, *commands[k].arguments ? " " : "",
                            commands[k].arguments);
    printf("%*s%s\n", 34 - used, "", commands[k].summary);
  }
  fputs(options_help, stdout);
}

static const struct command *find_command(const char *name)
{
  for (size_t k = 0; k < COMMANDS; k++)
    if (strcmp(name, commands[k].name) == 0)
      return &commands[k];
  return NULL;
}

static const char *command_names(char *text, size_t size) // "run, check, ..."
{
  size_t used = 0;
  for (size_t k = 0; k < COMMANDS && used < size; k++)
    used += (size_t)snprintf(text + used, size - used, "%s%s", k ? ", " : "", commands[k].name);
  return text;
}

// The command to execute. NULL, with a message: a mistake in the line.
static const struct command *check_line(const struct command_line *line, char *message, size_t size)
{
  char names[100];
  const struct command *command = line->command ? find_command(line->command) : NULL;
  command_names(names, sizeof names);
  if (line->problem[0])
    snprintf(message, size, "%s", line->problem);
  else if (!line->command)
    snprintf(message, size, "a command is missing: %s", names);
  else if (!command)
    snprintf(message, size, "\"%s\" is not a command (%s)", line->command, names);
  else if (command->needs_file && !line->file)
    snprintf(message, size, "throng %s: a file is missing", line->command);
  else
    return command;
  return NULL;
}

enum exit_code commands_execute(const struct comm *c, const struct command_line *line)
{
  char message[400];
  const bool prints = c->rank == 0;
  if (!line->problem[0] && (line->help || line->version)) {
    if (prints && line->help)
      print_help();
    else if (prints)
      printf("throng %s\n", build_info_full());
    return EXIT_DONE;
  }
  const struct command *command = check_line(line, message, sizeof message);
  if (command)
    return command->execute(c, line);
  if (prints)
    fprintf(stderr, "throng: %s (see throng --help)\n", message);
  return EXIT_BAD_INPUT;
}
