// `throng run` and `throng check`: both read the scenario; check prints it instead of running it.
#include "commands_internal.h"

#include "backend_gpu.h"
#include "hash.h"
#include "message.h"
#include "node_memory.h"
#include "run_cost.h"
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const struct backend *find_backend(const char *name, char *problem, size_t size)
{
  const char *why;
  const struct backend *backend = backend_named(name, &why);
  if (!backend && strcmp(name, "cuda") == 0)
    snprintf(problem, size, "--backend cuda: %s", why);
  else if (!backend)
    snprintf(problem, size, "--backend %s: not one of %s that this machine can run", name,
             backend_names());
  return backend;
}

// NULL on every rank if any rank lacks the backend; the lowest such rank prints why.
static const struct backend *agree_backend(const struct comm *c, const char *name)
{
  char problem[300] = "";
  const struct backend *backend = find_backend(name, problem, sizeof problem);
  const int32_t reporter = comm_lowest_rank(c, !backend);
  if (reporter == c->rank)
    message_print("%s", problem);
  return reporter < c->size ? NULL : backend;
}

static void hint_unused_gpu(const struct comm *c, const struct command_line *line)
{
  if (c->rank == 0 && !line->run.quiet && strcmp(line->backend, "auto") == 0 &&
      backend_gpu_available())
    message_print("this machine has a GPU; --backend cuda uses it (docs/gpu.md)");
}

// Ranks may read different worlds in a mixed cluster, or if a file changes meanwhile.
static void require_same_world(const struct comm *c, const struct scenario *s)
{
  const struct outlines *walls = &s->walls;
  const size_t points = walls->count ? (size_t)walls->start[walls->count] : 0;
  uint64_t h = hash_bytes(HASH_START, s->text, strlen(s->text));
  h = hash_bytes(h, walls->points, points * sizeof *walls->points);
  h = hash_bytes(h, &s->agent_count, sizeof s->agent_count);
  int64_t extremes[2] = {(int64_t)(h >> 1), -(int64_t)(h >> 1)};
  comm_max(c, extremes, 2);
  if (extremes[0] != -extremes[1] && c->rank == 0)
    fail(EXIT_BAD_INPUT,
         "%s: the ranks read different worlds; are their files and libraries the same?", s->path);
}

// Every rank reads the scenario itself. NULL on every rank if any rank fails; the lowest such
// rank prints the errors.
static struct scenario *load_scenario(const struct comm *c, const struct node_group *node,
                                      const struct command_line *line)
{
  struct diagnostics diagnostics = {0};
  struct scenario *s =
      scenario_create(line->file, line->overrides, line->override_count, node, &diagnostics);
  const int32_t failed = comm_lowest_rank(c, diagnostics.count > 0);
  const bool reports = c->rank == (failed < c->size ? failed : 0);
  if (reports && diagnostics.warnings)
    message_print_lines(diagnostics.warnings);
  if (reports && diagnostics.text)
    message_print_lines(diagnostics.text);
  diagnostics_destroy(&diagnostics);
  if (failed < c->size) {
    scenario_destroy(s);
    return NULL;
  }
  if (s)
    require_same_world(c, s);
  return s;
}

static void describe(const struct scenario *s, const struct backend *backend, int ranks)
{
  const struct run_cost cost = run_cost_estimate(s, backend);
  scenario_describe(s, ranks, stdout);
  run_cost_print(&cost, ranks, stdout);
}

#define MEMORY_ABSURD 2.0 // times the memory of the machine: the estimate is not exact

// Warns of a run that needs more memory than the machine has; false: so much more that it is
// refused. Collective.
static bool fits_memory(const struct comm *c, const struct node_group *node,
                        const struct scenario *s, bool runs)
{
  const double here = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
  const double needs = scenario_memory_bytes(s, c->size, node->size);
  const bool known = here > 0;
  const int32_t short_of = comm_lowest_rank(c, known && needs > here);
  const int32_t refuser = comm_lowest_rank(c, known && runs && needs > MEMORY_ABSURD * here);
  if (c->rank == (refuser < c->size ? refuser : short_of))
    message_print("%s: about %.3g GB are needed on this machine, which has %.3g GB; fewer agents, "
                  "larger cells or more machines need less",
                  s->path, needs * 1e-9, here * 1e-9);
  return refuser == c->size;
}

static enum exit_code execute_on(const struct comm *c, const struct node_group *node,
                                 const struct command_line *line, bool runs)
{
  const struct backend *backend = agree_backend(c, line->backend);
  if (!backend)
    return EXIT_BAD_INPUT;
  hint_unused_gpu(c, line);
  backend_gpu_solve_fields(backend);
  struct scenario *s = load_scenario(c, node, line);
  enum exit_code code = s ? EXIT_DONE : EXIT_BAD_INPUT;
  if (s && !fits_memory(c, node, s, runs))
    code = EXIT_OUT_OF_MEMORY;
  else if (s && runs)
    code = run(c, s, backend, &line->run);
  else if (s && c->rank == 0)
    describe(s, backend, c->size);
  scenario_destroy(s);
  return code;
}

static enum exit_code execute(const struct comm *c, const struct command_line *line, bool runs)
{
  struct node_memory node;
  node_memory_create(&node, c);
  backend_gpu_select_device(node.node_group.rank); // ranks of a machine take its GPUs in turn
  const enum exit_code code = execute_on(c, &node.node_group, line, runs);
  node_memory_destroy(&node);
  return code;
}

enum exit_code command_run(const struct comm *c, const struct command_line *line)
{
  return execute(c, line, true);
}

enum exit_code command_check(const struct comm *c, const struct command_line *line)
{
  return execute(c, line, false);
}
