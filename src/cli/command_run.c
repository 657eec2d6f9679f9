// `throng run` and `throng check`: check prints the scenario instead of running it.
#include "commands_internal.h"

#include "run_cost.h"
#include "session.h"
#include <stdio.h>

enum exit_code command_run(const struct comm *c, const struct command_line *line)
{
  struct throng *t;
  (void)c; // all ranks of the job
  int code = throng_create(&t, &line->run);
  if (code == THRONG_DONE)
    code = throng_advance(t, INT64_MAX);
  if (code == THRONG_DONE)
    code = throng_finish(t);
  throng_destroy(t);
  return (enum exit_code)code;
}

static void describe(const struct scenario *s, const struct backend *backend, int ranks)
{
  const struct run_cost cost = run_cost_estimate(s, backend);
  scenario_describe(s, ranks, stdout);
  run_cost_print(&cost, ranks, stdout);
}

enum exit_code command_check(const struct comm *c, const struct command_line *line)
{
  struct session session;
  const struct session_options options = {.path = line->run.path,
                                          .overrides = line->run.set,
                                          .override_count = line->run.set_count,
                                          .backend = line->run.backend,
                                          .threads = line->run.threads,
                                          .hints = !line->run.quiet,
                                          .leaves_plugin = !line->loads_plugin};
  const enum exit_code code = session_open(&session, c, &options);
  if (code == EXIT_DONE) {
    session_fits_memory(&session); // warns
    if (c->rank == 0)
      describe(session.scenario, session.backend, c->size);
  }
  session_close(&session);
  return code;
}
