// A checkpoint whose seal is right, and whose numbers somebody chose. The input is a list of
// changes of 12 bytes to that of a small scene: which column, which of its numbers, and the new
// value. What passes the checks is restored, and makes a few steps.
#include "alarms.h"
#include "backend.h"
#include "files.h"
#include "mpi_begin.h"
#include "people.h"
#include "restored.h"
#include "snapshot_series.h"
#include "state.h"
#include <stdlib.h>
#include <string.h>

#define STEPS_BEFORE 40
#define STEPS_AFTER  3
#define CHANGE       12 // bytes

static const char yaml[] =
    "world: {extent: [0, 0, 24, 12], obstacles: ['LINESTRING (12 0, 12 4)',\n"
    "                                            'LINESTRING (12 8, 12 12)']}\n"
    "navigation: {model: field, cell: 0.5, live: {period: 1}}\n"
    "doors: [{name: door, line: [[12, 4], [12, 8]]}]\n"
    "events: [{at: 2, close: [door]}, {at: 6, open: [door]}]\n"
    "destinations:\n"
    "  - {name: bench, areas: [{rectangle: [2, 2, 5, 5]}], stay: {uniform: [1, 3]}}\n"
    "  - {name: desk, areas: [{rectangle: [8, 8, 10, 10]}],\n"
    "     queue: {line: [[9, 11], [5, 11]], service: 1}}\n"
    "  - {name: out, areas: [{rectangle: [21, 3, 24, 9]}], flow: 1.5}\n"
    "journeys: [{name: trip, via: [bench, desk, {least: [out]}]}]\n"
    "profiles: [{name: a, reaction: {uniform: [0, 2]}}, {name: b, speed: 0.8}]\n"
    "sources:\n"
    "  - {area: {rectangle: [1, 1, 9, 11]}, count: 24, journey: trip, profile: {a: 1, b: 1},\n"
    "     group: {uniform: [1, 2]}}\n"
    "  - {area: {rectangle: [14, 1, 16, 11]}, rate: 2, destination: out}\n"
    "measure: {people: true, grid: {cell: 2, every: 1},\n"
    "          lines: [{name: gate, from: [13, 0], to: [13, 12]}]}\n"
    "alarms: {density: 0.5, jam: 1}\n";

static struct comm self;
static struct agents saved_agents; // after STEPS_BEFORE
static struct state saved;
static int64_t saved_step;

static struct scenario *scenario_make(void)
{
  struct diagnostics p = {0};
  struct scenario *s = scenario_create(files_write_text("x.yaml", yaml), NULL, 0, NULL, &p);
  if (!s) {
    fputs(p.text, stderr);
    abort();
  }
  diagnostics_destroy(&p);
  return s;
}

static void agents_copy(struct agents *to, const struct agents *from)
{
  agents_create(to, from->count);
  to->count = from->count;
  char *values = memory_create((size_t)from->count, sizeof(int64_t));
  for (int f = 0; f < agent_field_count; f++)
    if (agent_scope_is_kept(agent_fields[f].scope)) {
      agents_column_read(from, &agent_fields[f], 0, from->count, values);
      agents_column_write(to, &agent_fields[f], 0, from->count, values);
    }
  memory_destroy(values);
}

static void pool_copy(struct state_pool *to, const struct state_pool *from)
{
  *to = (struct state_pool){.count = from->count, .capacity = from->count};
  to->values = memory_create((size_t)from->count, 8);
  memcpy(to->values, from->values, 8 * (size_t)from->count);
}

static struct state state_copy(void)
{
  struct state v = {.comm = &self, .reading = true, .names_length = saved.names_length};
  v.names = memory_create((size_t)v.names_length, 1);
  memcpy(v.names, saved.names, (size_t)v.names_length);
  pool_copy(&v.integers, &saved.integers);
  pool_copy(&v.real, &saved.real);
  return v;
}

static void visit(struct simulation *s, struct snapshot_series *series, struct state *v)
{
  simulation_visit(s, v);
  snapshot_series_visit(series, v);
}

static const struct backend *backend(void)
{
  const struct backend *found = backend_find("scalar");
  if (!found)
    abort();
  return found;
}

static void save(void)
{
  struct simulation s;
  struct snapshot_series series = {.directory = "."};
  mpi_begin();
  self = comm_self();
  struct scenario *scenario = scenario_make();
  simulation_create(&s, scenario, &self, backend(), NULL);
  while (s.step < STEPS_BEFORE)
    simulation_step(&s);
  saved_step = s.step;
  state_create(&saved, &self);
  visit(&s, &series, &saved);
  agents_copy(&saved_agents, &s.agents);
  snapshot_series_destroy(&series);
  simulation_destroy(&s);
  scenario_destroy(scenario);
}

// ---------------------------------------------------------------------------------- the changes

struct change {
  uint16_t what, where;
  int64_t value;
};

static void agents_change(struct agents *a, const struct change *c)
{
  const struct agent_field *field = &agent_fields[c->what % agent_field_count];
  double real;
  memcpy(&real, &c->value, sizeof real);
  const float single = (float)(real > 3e38 ? 3e38 : real < -3e38 ? -3e38 : real);
  const int32_t integer = (int32_t)(uint64_t)c->value;
  if (agent_scope_is_kept(field->scope) && a->count > 0)
    agents_column_write(a, field, c->where % a->count, 1,
                        field->is_float    ? (const void *)&single
                        : field->size == 8 ? (const void *)&c->value
                                           : &integer);
}

static void changes_apply(struct agents *a, struct state *v, const uint8_t *data, size_t size)
{
  for (; size >= CHANGE; data += CHANGE, size -= CHANGE) {
    struct change c;
    memcpy(&c.what, data, 2);
    memcpy(&c.where, data + 2, 2);
    memcpy(&c.value, data + 4, 8);
    struct state_pool *pool = c.what & 1 ? &v->integers : &v->real;
    if (c.what < 256)
      agents_change(a, &c);
    else if (c.what < 1024)
      memcpy(pool->values + 8 * (c.where % pool->count), &c.value, 8);
    else
      v->names[c.where % v->names_length] = (char)c.value;
  }
}

// ---------------------------------------------------------------------------------- the restart

// What a run does with its results.
static void results_take(struct simulation *s)
{
  char text[200];
  int64_t count;
  const struct violation first = measurements_first_offender(&s->measurements);
  if (first.step != INT64_MAX)
    offender_text(&first, &s->scenario->world.frame, text, sizeof text);
  (void)simulation_observe(s);
  memory_destroy(people_collect(&s->measurements.people, &count));
  const struct alarm *list = alarms_collect(&s->measurements.alarms, &count);
  for (int64_t i = 0; i < count; i++)
    if (!alarm_names[list[i].kind])
      abort();
  memory_destroy((void *)(uintptr_t)list);
}

static void restart(struct scenario *scenario, struct agents *a, struct state *v)
{
  struct simulation s;
  struct snapshot_series series = {.directory = "."};
  char reason[200];
  if (!restored_agents_check(scenario, a, saved_step, reason, sizeof reason) ||
      !agents_check(a, scenario->world.bounds, reason, sizeof reason))
    return;
  simulation_create(&s, scenario, &self, backend(), a);
  visit(&s, &series, v);
  if (state_is_complete(v) && restored_simulation_check(&s, saved_step, reason, sizeof reason)) {
    simulation_restore(&s);
    for (int k = 0; k < STEPS_AFTER; k++)
      simulation_step(&s);
    results_take(&s);
  }
  snapshot_series_destroy(&series);
  simulation_destroy(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  if (saved_agents.count == 0)
    save();
  struct agents a;
  struct scenario *scenario = scenario_make();
  struct state v = state_copy();
  agents_copy(&a, &saved_agents);
  changes_apply(&a, &v, data, size);
  restart(scenario, &a, &v);
  agents_destroy(&a);
  state_destroy(&v);
  scenario_destroy(scenario);
  return 0;
}
