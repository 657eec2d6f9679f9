// throng: starts MPI and OpenMP, executes one command (cli/commands.c).
#include "command_status.h"
#include "commands.h"
#include "message.h"
#include "process_limits.h"
#include "termination.h"
#include "tool.h"
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

// A closed one would be the number of the next file that is opened, into which messages would go.
static void open_standard_files(void)
{
  for (int file = STDIN_FILENO; file <= STDERR_FILENO; file++)
    if (fcntl(file, F_GETFD) < 0)
      open("/dev/null", O_RDONLY); // gets this number; cannot be written
}

// What the command has printed is part of what was asked for.
static enum exit_code finish_output(const struct comm *c, enum exit_code code)
{
  const enum exit_code own = message_finish_output() ? EXIT_DONE : EXIT_IO;
  return code == EXIT_DONE ? comm_agree(c, own) : code;
}

int main(int argc, char **argv)
{
  struct command_line line;
  open_standard_files();
  process_limits_report_file_size();
  if (argc > 1 && tool_is(argv[1])) {
    const enum exit_code granted = process_limits_check(); // Python would crash, too
    return granted == EXIT_DONE ? tool_execute(argv[1], argv + 1) : (int)granted;
  }
  command_line_parse(&line, argc, argv);
  if (command_status_is(&line)) {
    const enum exit_code code = command_status(&line);
    command_line_destroy(&line);
    return code;
  }
  if (line.command && (strcmp(line.command, "run") == 0 || strcmp(line.command, "replay") == 0))
    termination_catch_signals(); // before MPI, which takes a second to start
  enum exit_code code = (enum exit_code)throng_begin(THRONG_PROGRAM);
  if (code == EXIT_DONE) {
    const struct comm comm = comm_of(MPI_COMM_WORLD);
    code = finish_output(&comm, commands_execute(&comm, &line));
    throng_end();
  }
  command_line_destroy(&line);
  return code;
}
