#include "session.h"

#include "backend_choice.h"
#include "backend_gpu.h"
#include "cpu_quota.h"
#include "hash.h"
#include "message.h"
#include "thread_waits.h"
#include <limits.h>
#include <math.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

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
                                      const struct session_options *options)
{
  struct diagnostics diagnostics = {0};
  const struct plugin_use plugin = {.loads = !options->leaves_plugin,
                                    .tells = options->hints && c->rank == 0};
  const struct scenario_source source = {.path = options->path,
                                         .plugin = plugin,
                                         .text = options->text,
                                         .overrides = options->overrides,
                                         .override_count = options->override_count,
                                         .writes_map = options->writes_map && c->rank == 0};
  struct scenario *s = scenario_create_from(&source, node, &diagnostics);
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

// An OpenMP library may cut such a number off to that of an int: 2^32 + 1 would be 1.
static int threads_of_environment(const char *text)
{
  return strtoll(text, NULL, 10) > INT_MAX ? INT_MAX : omp_get_max_threads();
}

// Divides the cores of this machine among its ranks, unless the caller or OMP_NUM_THREADS sets the
// number. A rank that the launcher has bound to cores of its own uses those. A quota counts for all
// ranks together: threads beyond it would only use it up sooner, and then stand still.
static int threads_per_rank(const struct comm *c, int requested)
{
  if (requested > 0)
    return requested;
  const char *environment = getenv("OMP_NUM_THREADS");
  if (environment)
    return threads_of_environment(environment);
  const int ranks_on_node = comm_node_size(c), allowed = omp_get_num_procs();
  const bool bound = (long)allowed * ranks_on_node <= sysconf(_SC_NPROCESSORS_ONLN);
  const int share = bound ? allowed : allowed / ranks_on_node;
  const double quota = round(cpu_quota() / ranks_on_node);
  const int threads = quota < share ? (int)quota : share;
  return threads < 1 ? 1 : threads > THREADS_MAX ? THREADS_MAX : threads;
}

// Only the environment can ask for that.
static bool has_too_many_threads(const struct session *s)
{
  const int32_t refuser = comm_lowest_rank(s->comm, s->threads > THREADS_MAX);
  if (s->comm->rank == refuser)
    message_print("OMP_NUM_THREADS: at most %d threads are possible, not %s", THREADS_MAX,
                  getenv("OMP_NUM_THREADS"));
  return refuser < s->comm->size;
}

// Plug-ins are compiled for CPUs.
static bool runs_plugin(const struct session *s)
{
  const bool good = !s->scenario->plugin || !s->backend->device_crowd;
  if (!good && s->comm->rank == 0)
    message_print("%s: avoidance.plugin.file: a plug-in needs a CPU backend, not --backend %s",
                  s->scenario->path, s->backend->name);
  return good;
}

enum exit_code session_open(struct session *s, const struct comm *comm,
                            const struct session_options *options)
{
  *s = (struct session){.comm = comm, .threads = threads_per_rank(comm, options->threads)};
  node_memory_create(&s->node, comm);
  if (has_too_many_threads(s))
    return EXIT_BAD_INPUT;
  omp_set_num_threads(s->threads);
  thread_waits_begin();
  backend_gpu_select_device(s->node.node_group.rank); // ranks of a machine take its GPUs in turn
  s->backend = backend_choose(comm, options->backend);
  if (!s->backend)
    return EXIT_BAD_INPUT;
  backend_gpu_solve_fields(s->backend);
  s->scenario = load_scenario(comm, &s->node.node_group, options);
  if (!s->scenario || !runs_plugin(s))
    return EXIT_BAD_INPUT;
  if (options->may_take_gpu && strcmp(options->backend, "auto") == 0) {
    s->backend = backend_choose_gpu(comm, s->scenario, s->backend, !options->hints);
    backend_gpu_solve_fields(s->backend);
  }
  return EXIT_DONE;
}

void session_close(struct session *s)
{
  if (!s->comm) // it was never opened
    return;
  scenario_destroy(s->scenario);
  node_memory_destroy(&s->node);
  *s = (struct session){0};
}

#define MEMORY_ABSURD 2.0 // times the memory of the machine: the estimate is not exact

bool session_fits_memory(const struct session *session)
{
  const struct comm *c = session->comm;
  const struct scenario *s = session->scenario;
  const double here = (double)sysconf(_SC_PHYS_PAGES) * (double)sysconf(_SC_PAGE_SIZE);
  const double needs = scenario_memory_bytes(s, c->size, session->node.node_group.size);
  const bool known = here > 0;
  const int32_t short_of = comm_lowest_rank(c, known && needs > here);
  const int32_t refuser = comm_lowest_rank(c, known && needs > MEMORY_ABSURD * here);
  if (c->rank == (refuser < c->size ? refuser : short_of))
    message_print("%s: about %.3g GB are needed on this machine, which has %.3g GB; fewer agents, "
                  "larger cells or more machines need less",
                  s->path, needs * 1e-9, here * 1e-9);
  return refuser == c->size;
}
