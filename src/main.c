// throng: starts MPI and OpenMP, executes one command (cli/commands.c).
#include "command_status.h"
#include "commands.h"
#include "termination.h"
#include "tool.h"
#include <string.h>

int main(int argc, char **argv)
{
  struct command_line line;
  if (argc > 1 && tool_is(argv[1]))
    return tool_execute(argv[1], argv + 1);
  command_line_parse(&line, argc, argv);
  if (command_status_is(&line)) {
    const enum exit_code code = command_status(&line);
    command_line_destroy(&line);
    return code;
  }
  if (line.command && (strcmp(line.command, "run") == 0 || strcmp(line.command, "replay") == 0))
    termination_catch_signals(); // before MPI, which takes a second to start
  throng_begin(THRONG_PROGRAM);
  const struct comm comm = comm_of(MPI_COMM_WORLD);
  const enum exit_code code = commands_execute(&comm, &line);
  command_line_destroy(&line);
  throng_end();
  return code;
}
