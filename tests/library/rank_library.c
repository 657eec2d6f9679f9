// A caller of libthrong that knows nothing but throng.h:
//
//   rank_library steps SCENARIO SEED [FOLDER]     advances in numbers of steps drawn at random;
//                                                 prints the checksum
//   rank_library drive SCENARIO BACKEND [FOLDER]  adds, removes, sends and pushes agents; prints it
//   rank_library laws SCENARIO                    checks what columns and neighbours must fulfil
//   rank_library wrong SCENARIO                   makes mistakes: prints what the library says
//   rank_library locale SCENARIO FOLDER NAME WHEN [PLUGIN]
//                                                 has the locale of this name before throng_create,
//                                                 or after it; prints the checksum
#include "throng.h"

#include <inttypes.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void stop(const char *what)
{
  fprintf(stderr, "%s: %s\n", what, throng_messages());
  exit(1);
}

static void done(int code, const char *what)
{
  if (code != THRONG_DONE)
    stop(what);
}

static void law(bool holds, const char *what)
{
  if (!holds)
    stop(what);
}

static struct throng *begin_with(const char *scenario, const char *backend, const char *folder,
                                 int measures)
{
  struct throng *t;
  struct throng_options options = throng_default_options();
  static const char *const set[] = {"measure.people=true", "measure.grid.every=10"};
  options.path = scenario;
  options.backend = backend;
  options.directory = folder;
  options.threads = 1;
  options.quiet = 1;
  options.set = set;
  options.set_count = measures;
  done(throng_create(&t, &options), "throng_create");
  return t;
}

static struct throng *begin(const char *scenario, const char *backend, const char *folder)
{
  return begin_with(scenario, backend, folder, 0);
}

static struct throng_state state_of(const struct throng *t)
{
  struct throng_state state;
  throng_get_state(t, &state);
  law(state.created == state.agents + state.arrived + state.removed, "agents are conserved");
  return state;
}

static void print_end(struct throng *t)
{
  uint64_t checksum;
  done(throng_checksum(t, &checksum), "throng_checksum");
  const struct throng_state s = state_of(t);
  if (s.rank == 0)
    printf("%016" PRIx64 " after %" PRId64 " steps: %" PRId64 " inside, %" PRId64
           " arrived, %" PRId64 " removed\n",
           checksum, s.step, s.agents, s.arrived, s.removed);
}

static int64_t draw(uint32_t *seed, int64_t below)
{
  *seed = *seed * 1664525u + 1013904223u;
  return (int64_t)(*seed >> 8) % below;
}

static void steps(const char *scenario, uint32_t seed, const char *folder)
{
  struct throng *t = begin(scenario, "auto", folder);
  while (!state_of(t).is_over)
    done(throng_advance(t, 1 + draw(&seed, 60)), "throng_advance");
  done(throng_finish(t), "throng_finish");
  print_end(t);
  throng_destroy(t);
}

// ----------------------------------------------------------------------------- what a caller does

static struct throng_column column_of(struct throng *t, const char *name)
{
  struct throng_column column;
  done(throng_get_column(t, -1, name, &column), name);
  return column;
}

static int find_name(const struct throng *t, enum throng_names of, const char *name)
{
  const char *found;
  for (int k = 0; (found = throng_name(t, of, k)); k++)
    if (strcmp(found, name) == 0)
      return k;
  stop(name);
  return -1;
}

// With nothing else given.
static struct throng_agent agent_at(double x, double y)
{
  return (struct throng_agent){.x = x,
                               .y = y,
                               .goal_x = NAN,
                               .goal_y = NAN,
                               .radius = NAN,
                               .speed = NAN,
                               .source = -1,
                               .profile = -1,
                               .destination = -1,
                               .journey = -1};
}

static int64_t add_some(struct throng *t, int count)
{
  int64_t first = -1;
  struct throng_agent agents[20];
  for (int k = 0; k < count; k++) {
    agents[k] = agent_at(24.5 + 0.7 * k, 30.5 + 0.1 * k);
    if (k % 4 == 0)
      agents[k].source = find_name(t, THRONG_SOURCES, "early");
    else if (k % 4 == 1)
      agents[k].destination = find_name(t, THRONG_DESTINATIONS, "out");
    else if (k % 4 == 2)
      agents[k].journey = find_name(t, THRONG_JOURNEYS, "travel");
    else
      agents[k].goal_x = 57, agents[k].goal_y = 15;
    if (k == 5) // nobody of the scenario is so wide
      agents[k].radius = 0.6, agents[k].speed = 0.8;
  }
  done(throng_add(t, agents, count, &first), "throng_add");
  return first;
}

static void slow_down(struct throng *t)
{
  const struct throng_column id = column_of(t, "id"), speed = column_of(t, "speed"),
                             x = column_of(t, "x");
  const struct throng_state s = state_of(t);
  for (int64_t i = 0; i < id.count; i++) {
    if (((int64_t *)id.data)[i] % 5 == 0)
      ((float *)speed.data)[i] *= 0.9f;
    const double metres = s.origin_x + s.quantum * ((int32_t *)x.data)[i];
    if (((int64_t *)id.data)[i] % 37 == 3 && metres > 24 && metres < 34) // to another rank
      ((int32_t *)x.data)[i] += (int32_t)(4 / s.quantum);
  }
}

struct pushing {
  struct throng *t;
  int64_t calls;
};

static void push(void *context)
{
  struct pushing *p = context;
  p->calls++;
  const struct throng_column id = column_of(p->t, "id"), x = column_of(p->t, "prefer_x");
  for (int64_t i = 0; i < id.count; i++)
    if (((int64_t *)id.data)[i] % 7 == 0)
      ((float *)x.data)[i] += 0.3f;
}

// Those whom it finds do not depend on the ranks.
static void remove_near(struct throng *t)
{
  const double points[] = {10, 20, 30, 18, 42, 34, 48, 33, 57, 15};
  int64_t ids[15];
  double distances[15];
  done(throng_nearest(t, points, 5, 3, 6, ids, distances), "throng_nearest");
  done(throng_remove(t, ids, 15, NULL), "throng_remove");
}

static void drive(const char *scenario, const char *backend, const char *folder)
{
  struct throng *t = begin_with(scenario, backend, folder, folder ? 2 : 0);
  struct pushing pushing = {t, 0};
  int64_t found;
  int64_t ids[40];
  double goals[80];
  for (int k = 0; k < 40; k++) {
    ids[k] = 3 * (39 - k);
    goals[2 * k] = 26 + 0.2 * k, goals[2 * k + 1] = 28;
  }
  done(throng_advance(t, 150), "before");
  const int64_t first = add_some(t, 20);
  done(throng_advance(t, 10), "after an addition");
  slow_down(t);
  done(throng_advance(t, 50), "after a write");
  done(throng_remove(t, ids, 15, &found), "throng_remove");
  law(found > 0 && state_of(t).removed == found, "who was inside is removed");
  done(throng_advance(t, 50), "after a removal");
  remove_near(t);
  if (folder) // in which they wait to be written to people.csv
    done(throng_checkpoint(t), "throng_checkpoint");
  done(throng_steer(t, ids + 15, goals, 10, &found), "throng_steer");
  done(throng_send(t, ids + 25, 15, find_name(t, THRONG_DESTINATIONS, "gate"), &found), "send");
  done(throng_send(t, &first, 1, find_name(t, THRONG_DESTINATIONS, "gate"), &found), "send");
  done(throng_advance(t, 40), "after sending");
  if (strcmp(backend, "emulated") != 0) {
    done(throng_on_preferred(t, push, &pushing), "throng_on_preferred");
    done(throng_advance(t, 0), "no step");
    law(pushing.calls == 0, "no step, no call");
  }
  done(throng_advance(t, 30), "pushed");
  done(throng_on_preferred(t, NULL, NULL), "throng_on_preferred");
  law(pushing.calls == 30 || strcmp(backend, "emulated") == 0, "a call in every step");
  done(throng_advance(t, 1000000), "to the end");
  law(state_of(t).is_over, "it ends");
  if (folder)
    done(throng_finish(t), "throng_finish");
  print_end(t);
  throng_destroy(t);
}

// --------------------------------------------------------------------------------------- laws

#define NEAR 5

// One rank: all agents are here.
static void check_nearest(struct throng *t)
{
  const struct throng_column id = column_of(t, "id"), x = column_of(t, "x"), y = column_of(t, "y");
  const struct throng_state s = state_of(t);
  for (int trial = 0; trial < 50; trial++) {
    const double at[2] = {1.17 * trial, 0.79 * trial};
    int64_t ids[NEAR];
    double distances[NEAR];
    done(throng_nearest(t, at, 1, NEAR, 12, ids, distances), "throng_nearest");
    int64_t closer = 0;
    for (int64_t i = 0; i < id.count; i++) {
      const double dx = s.origin_x + s.quantum * ((int32_t *)x.data)[i] - at[0];
      const double dy = s.origin_y + s.quantum * ((int32_t *)y.data)[i] - at[1];
      const double d = sqrt(dx * dx + dy * dy);
      closer += d < (ids[NEAR - 1] < 0 ? 12 : distances[NEAR - 1]) - 1e-3;
      for (int k = 0; k < NEAR; k++)
        law(ids[k] != ((int64_t *)id.data)[i] || fabs(d - distances[k]) < 1e-4, "a distance");
    }
    int64_t found = 0;
    while (found < NEAR && ids[found] >= 0)
      found++;
    law(ids[NEAR - 1] < 0 ? closer == found : closer < NEAR, "nobody nearer is left out");
    for (int k = 1; k < NEAR; k++)
      law(distances[k] >= distances[k - 1], "nearest first");
  }
}

static void laws(const char *scenario)
{
  struct throng *t = begin(scenario, "auto", NULL);
  struct throng_column column;
  int count = 0;
  done(throng_advance(t, 100), "throng_advance");
  while (throng_get_column(t, count, NULL, &column) == THRONG_DONE) {
    law(column.count == state_of(t).agents && column.data, column.name);
    count++;
  }
  law(count > 30, "many columns");
  check_nearest(t);
  throng_destroy(t);
}

// ------------------------------------------------------------------------------------ mistakes

static void said(int code)
{
  printf("%d %s", code, throng_messages());
}

// A device holds the agents of one simulation at a time.
static void share_device(const char *scenario)
{
  struct throng *other;
  struct throng_options options = throng_default_options();
  struct throng *t = begin(scenario, "emulated", NULL);
  options.path = scenario;
  options.backend = "emulated";
  said(throng_create(&other, &options));
  law(!other, "a second simulation on a device");
  throng_destroy(t);
  throng_destroy(begin(scenario, "emulated", NULL));
}

// None of them comes to a scenario.
static void refuse_options(void)
{
  static const int threads[] = {-1, -3, INT_MIN, 1025, INT_MAX};
  struct throng *none;
  for (size_t k = 0; k < sizeof threads / sizeof *threads; k++) {
    struct throng_options options = throng_default_options();
    options.threads = threads[k];
    said(throng_create(&none, &options));
  }
  for (int k = 0; k < 4; k++) {
    struct throng_options options = throng_default_options();
    static const char *const set[] = {NULL};
    options.path = k == 0 ? NULL : options.path;
    options.backend = k == 1 ? NULL : options.backend;
    options.set = k == 2 ? set : NULL;
    options.set_count = k == 2 ? 1 : k == 3 ? 5 : 0;
    law(throng_create(&none, &options) == THRONG_BAD_INPUT && !none, "options with NULL");
    law(strstr(throng_messages(), "not NULL") != NULL, "options with NULL");
  }
}

static void wrong(const char *scenario)
{
  struct throng *t, *other;
  struct throng_column column;
  struct throng_options options = throng_default_options();
  struct throng_agent agent = agent_at(21, 5);
  int64_t id = 0;
  const double outside[2] = {1e4, 3};
  double distance;
  options.path = "x.yaml";
  options.text = "world: {extent: [0, 0, 9, 9]}\nsourcs: []\n";
  said(throng_create(&other, &options));
  options.replay = "runs/station";
  said(throng_create(&other, &options));
  refuse_options();
  t = begin(scenario, "auto", NULL);
  said(throng_get_column(t, -1, "speeed", &column));
  said(throng_add(t, &agent, 1, &id));
  agent.x = -3;
  said(throng_add(t, &agent, 1, &id));
  agent.x = 10, agent.profile = 99;
  said(throng_add(t, &agent, 1, &id));
  said(throng_steer(t, &id, outside, 1, NULL));
  said(throng_nearest(t, outside, 1, 1, 5, &id, &distance));
  said(throng_nearest(t, outside, 1, 100, 5, &id, &distance));
  said(throng_send(t, &id, 1, 77, NULL));
  said(throng_checkpoint(t));
  column = column_of(t, "vx");
  const float before = ((float *)column.data)[4];
  ((float *)column.data)[4] = NAN;
  said(throng_advance(t, 1));
  column = column_of(t, "vx");
  ((float *)column.data)[4] = before;
  said(throng_advance(t, 1));
  throng_destroy(t);
  share_device(scenario);
}

// ----------------------------------------------------------------------------------- the locale

// The caller's locale is its own, also in its function of a step.
static void expect_locale(void *name)
{
  law(strcmp(setlocale(LC_ALL, NULL), name) == 0, "setlocale");
  law((*localeconv()->decimal_point == '.') == (strcmp(name, "C") == 0), "the decimal point");
}

static void with_locale(int argc, char **argv)
{
  struct throng *t;
  struct throng_options options = throng_default_options();
  char plugin[300], *name = argv[4];
  const char *set[] = {"seed=7", "avoidance.horizon=2.5", plugin};
  const int before = strcmp(argv[5], "before") == 0;
  snprintf(plugin, sizeof plugin, "avoidance.plugin.file=%s", argc > 6 ? argv[6] : "");
  options.path = argv[2];
  options.directory = argv[3];
  options.threads = 2;
  options.set = set;
  options.set_count = argc > 6 ? 3 : 2;
  law(!before || setlocale(LC_ALL, name), name);
  done(throng_create(&t, &options), "throng_create");
  law(before || setlocale(LC_ALL, name), name);
  done(throng_on_preferred(t, expect_locale, name), "throng_on_preferred");
  while (!state_of(t).is_over) {
    done(throng_advance(t, 10), "throng_advance");
    expect_locale(name);
  }
  done(throng_checkpoint(t), "throng_checkpoint");
  done(throng_finish(t), "throng_finish");
  print_end(t);
  throng_destroy(t);
  expect_locale(name);
}

int main(int argc, char **argv)
{
  law(argc >= 3, "usage");
  done(throng_begin(THRONG_EMBEDDED), "throng_begin");
  law(throng_api() == THRONG_API, "throng_api");
  if (strcmp(argv[1], "steps") == 0)
    steps(argv[2], (uint32_t)atoi(argv[3]), argc > 4 ? argv[4] : NULL);
  else if (strcmp(argv[1], "drive") == 0)
    drive(argv[2], argv[3], argc > 4 ? argv[4] : NULL);
  else if (strcmp(argv[1], "laws") == 0)
    laws(argv[2]);
  else if (strcmp(argv[1], "locale") == 0)
    with_locale(argc, argv);
  else
    wrong(argv[2]);
  throng_end();
  return 0;
}
