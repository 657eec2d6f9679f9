// throng: starts MPI and OpenMP, executes one command (cli/commands.c).
#include "commands.h"
#include "termination.h"
#include "tool.h"
#include <omp.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Divides the cores of this machine among its ranks, unless the user or OMP_NUM_THREADS sets the
// number. A rank that the launcher has bound to cores of its own uses those.
static int threads_per_rank(const struct comm *c, int requested)
{
  if (requested > 0)
    return requested;
  if (getenv("OMP_NUM_THREADS"))
    return omp_get_max_threads();
  const int ranks_on_node = comm_node_size(c), allowed = omp_get_num_procs();
  const bool bound = (long)allowed * ranks_on_node <= sysconf(_SC_NPROCESSORS_ONLN);
  const int threads = bound ? allowed : allowed / ranks_on_node;
  return threads > 0 ? threads : 1;
}

int main(int argc, char **argv)
{
  struct comm comm;
  struct command_line line;
  const double start = clock_seconds();
  if (argc > 1 && tool_is(argv[1]))
    return tool_execute(argv[1], argv + 1);
  command_line_parse(&line, argc, argv);
  if (line.command && (strcmp(line.command, "run") == 0 || strcmp(line.command, "replay") == 0))
    termination_catch_signals(); // before MPI, which takes a second to start
  comm_begin(&comm, &argc, &argv);
  line.run.program_start = start;
  line.run.threads = threads_per_rank(&comm, line.run.threads);
  omp_set_num_threads(line.run.threads);
  const enum exit_code code = commands_execute(&comm, &line);
  command_line_destroy(&line);
  comm_end(&comm);
  return code;
}
