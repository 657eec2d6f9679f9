#include "series.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>

// The columns: name, format, and value of the row r. `contact` and `deepest` are counted later.
// New columns go before imbalance: it alone depends on the partition, so that comparisons of runs
// on different ranks drop the last column.
// clang-format off
#define SERIES_COLUMNS(X)                                                                          \
  X("step", "%" PRId64, r->step)                                                                   \
  X("time_s", "%.6g", r->time)                                                                     \
  X("agents", "%" PRId64, r->last.agents)                                                          \
  X("arrived", "%" PRId64, r->arrived)                                                             \
  X("mean_speed_m_s", "%.6f", r->mean_speed)                                                       \
  X("net_speed_m_s", "%s", net_speed)                                                              \
  X("overlaps", "%" PRId64, counted->overlaps)                                                     \
  X("in_contact", "%" PRId64, counted->in_contact)                                                 \
  X("deepest_overlap_m", "%.6f", deepest)                                                          \
  X("full_neighbourhoods", "%" PRId64, r->last.full_neighbourhoods)                                \
  X("infeasible", "%" PRId64, r->last.infeasible)                                                  \
  X("relaxed", "%" PRId64, r->last.relaxed)                                                        \
  X("wall_stops", "%" PRId64, r->last.wall_stops)                                                  \
  X("agents_in_walls", "%" PRId64, r->agents_in_walls)                                             \
  X("imbalance", "%.4f", r->imbalance)
// clang-format on

#define X(name, format, value) "," name
static const char *const header = &SERIES_COLUMNS(X)[1];
#undef X

bool series_open(struct series *t, const char *directory, bool resuming)
{
  return append_file_open(&t->file, directory, "series.csv", header, resuming);
}

void series_visit(struct series *t, struct state *v)
{
  struct series_row *r = &t->row;
  append_file_visit(&t->file, v, "report.series");
  state_value(v, STATE_SAME, STATE_ANY, "series.begun", &r->begun);
  state_value(v, STATE_SAME, STATE_COUNT, "series.step", &r->step);
  state_value(v, STATE_SAME, STATE_COUNT, "series.arrived", &r->arrived);
  state_value(v, STATE_SAME, STATE_FINITE, "series.time", &r->time);
  state_array(v, STATE_SAME, STATE_COUNT, "series.last", (int64_t *)&r->last,
              (int64_t)(sizeof r->last / sizeof(int64_t)));
  state_value(v, STATE_SAME, STATE_ANY, "series.mean_speed", &r->mean_speed);
  state_value(v, STATE_SAME, STATE_ANY, "series.net_speed", &r->net_speed);
  state_value(v, STATE_SAME, STATE_ANY, "series.imbalance", &r->imbalance);
  state_value(v, STATE_SAME, STATE_COUNT, "series.in_walls", &r->agents_in_walls);
}

void series_begin_row(struct series *t, const struct simulation *s, const struct observables *o)
{
  t->row = (struct series_row){.begun = true,
                               .step = s->step,
                               .arrived = s->all.arrived,
                               .time = simulation_time(s),
                               .last = s->last,
                               .mean_speed = o->mean_speed,
                               .net_speed = o->net_speed,
                               .imbalance = o->imbalance,
                               .agents_in_walls = o->agents_in_walls};
}

static void row_write(FILE *file, const struct series_row *r, const struct step_totals *counted,
                      double deepest)
{
  const char *separator = "";
  char net_speed[24] = ""; // empty before the end of the first window
  if (!isnan(r->net_speed))
    snprintf(net_speed, sizeof net_speed, "%.6f", r->net_speed);
#define X(name, format, value) fprintf(file, "%s" format, separator, value), separator = ",";
  SERIES_COLUMNS(X)
#undef X
  fputc('\n', file);
}

bool series_complete_row(struct series *t, const struct simulation *s)
{
  if (!t->row.begun)
    return true;
  const double deepest = simulation_deepest_in_step(s);
  t->row.begun = false;
  if (s->comm->rank > 0)
    return true;
  row_write(t->file.file, &t->row, &s->last, deepest);
  return append_file_flush(&t->file);
}
