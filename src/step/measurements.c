#include "measurements.h"

#include "steps.h"
#include "totals_gather.h"
#include <stdio.h>

void measurements_create(struct measurements *m, const struct scenario *scenario,
                         const struct comm *comm)
{
  *m = (struct measurements){.scenario = scenario, .comm = comm};
  m->crossed = memory_create(2 * (size_t)scenario->measure.line_count, sizeof *m->crossed);
  if (scenario->measure.counts_cells) {
    m->cells = memory_create((size_t)measure_cell_count(&scenario->measure.grid), sizeof *m->cells);
    cell_totals_create(&m->totals, &scenario->measure.grid,
                       (double)frame_quantum(&scenario->world.frame), comm->rank == 0);
  }
  m->sample = steps_period(scenario->grid.sample, scenario->dt);
  m->net_window = steps_period(NET_SPEED_WINDOW, scenario->dt);
  travel_times_create(&m->travel_times, scenario->source_count, scenario->profile_count,
                      scenario->destination_count, scenario->dt, scenario->steps);
  alarms_create(&m->alarms, scenario, comm);
  people_create(&m->people, scenario, comm);
  audit_create(&m->audit);
}

void measurements_destroy(struct measurements *m)
{
  memory_destroy(m->crossed);
  memory_destroy(m->cells);
  memory_destroy(m->shared);
  cell_totals_destroy(&m->totals);
  travel_times_destroy(&m->travel_times);
  alarms_destroy(&m->alarms);
  people_destroy(&m->people);
}

void measurements_record_overlap(struct measurements *m, const struct neighbours *neighbours,
                                 const struct agents *a, int64_t step)
{
  audit_overlap(&m->audit, a, neighbours, frame_quantum(&m->scenario->world.frame), step);
}

void measurements_record_moves(struct measurements *m, const struct box_tree *tree,
                               const struct agents *a)
{
  const struct world *world = &m->scenario->world;
  const double reach = (double)m->audit.fastest * m->scenario->dt;
  if (a->count > 0 && m->scenario->measure.line_count > 0)
    measure_lines(&m->scenario->measure, tree, a, frame_length(&world->frame, 1.001 * reach) + 2,
                  m->crossed);
}

void measurements_record_departure(struct measurements *m, const struct agents *a, int64_t i,
                                   int64_t step)
{
  travel_times_add(&m->travel_times, a->source[i], a->profile[i], agent_target(a, i),
                   step + 1 - a->born[i], a->waited[i]);
  if (m->scenario->measure.lists_people)
    people_add(&m->people, a, i, step + 1, true);
}

void measurements_record_removal(struct measurements *m, const struct agents *a, int64_t i,
                                 int64_t step)
{
  if (m->scenario->measure.lists_people)
    people_add(&m->people, a, i, step, false);
}

bool measurements_window_ends(const struct measurements *m, int64_t step)
{
  return step % m->net_window == 0;
}

struct net_speed_window measurements_window(const struct measurements *m, int64_t step)
{
  const double seconds = (double)m->net_window * m->scenario->dt;
  return (struct net_speed_window){
      step - m->net_window, 1e6 * (double)frame_quantum(&m->scenario->world.frame) / seconds};
}

static bool sample_is_due(const struct measurements *m, int64_t step)
{
  return m->cells && step % m->sample == 0;
}

bool measurements_cells_due(const struct measurements *m, int64_t step)
{
  return sample_is_due(m, step) || alarms_cells_due(&m->alarms, step);
}

// Rank 0 judges the cells that lie across ranks.
static void judge_shared_cells(struct measurements *m, int64_t count)
{
  int64_t bytes;
  if (count > m->shared_capacity) {
    memory_destroy(m->shared);
    m->shared_capacity = 2 * count;
    m->shared = memory_create((size_t)m->shared_capacity, sizeof *m->shared);
  }
  if (count > 0)
    cell_totals_take(&m->totals, m->cells, m->shared);
  struct cell_count *all =
      comm_gather_root(m->comm, m->shared, count * (int64_t)sizeof *all, &bytes);
  cell_totals_judge_counts(&m->totals, all, bytes / (int64_t)sizeof *all);
  memory_destroy(all);
}

static void sample_cells(struct measurements *m, const struct cell_source *source, struct box own)
{
  const struct measure_grid *g = &m->totals.grid;
  const struct cell_range all = {0, g->columns, 0, g->rows};
  const bool alone = m->comm->size == 1;
  if (source->agents)
    cell_totals_count(&m->totals, source->agents, m->cells);
  else
    cell_totals_add_people(&m->totals, source->cells, source->cell_count, m->cells);
  const int64_t shared =
      cell_totals_judge(&m->totals, alone ? all : cells_within(g, own), m->cells);
  if (!alone)
    judge_shared_cells(m, shared);
  m->samples++;
}

void measurements_count_cells(struct measurements *m, const struct cell_source *source,
                              struct box own, int64_t step)
{
  if (sample_is_due(m, step))
    sample_cells(m, source, own);
  if (alarms_cells_due(&m->alarms, step))
    alarms_check_cells(&m->alarms, source, step);
}

// ------------------------------------------------------------------------------------ audit

static int64_t min_over_ranks(const struct comm *c, int64_t mine)
{
  comm_min(c, &mine, 1);
  return mine;
}

// The least by (step, kind, id, position, other): a reduction for each part of the key, in which
// ranks that are not least so far take no part.
static struct violation first_over_ranks(const struct comm *c, const struct violation *mine)
{
  struct violation first = {.step = min_over_ranks(c, mine->step)};
  bool in = mine->step == first.step && first.step < INT64_MAX;
  first.kind = min_over_ranks(c, in ? mine->kind : INT64_MAX);
  in = in && mine->kind == first.kind;
  first.id = min_over_ranks(c, in ? mine->id : INT64_MAX);
  in = in && mine->id == first.id;
  first.at.x = (int32_t)min_over_ranks(c, in ? mine->at.x : INT32_MAX);
  first.at.y = (int32_t)min_over_ranks(c, in ? mine->at.y : INT32_MAX);
  first.other = min_over_ranks(c, in ? mine->other : INT64_MAX);
  return first;
}

struct violation measurements_first_offender(const struct measurements *m)
{
  return first_over_ranks(m->comm, &m->audit.first);
}

struct violation measurements_first_overlap(const struct measurements *m)
{
  return first_over_ranks(m->comm, &m->audit.overlap);
}

void offender_text(const struct violation *one, const struct frame *frame, char *text, size_t size)
{
  char other_agent[40] = "";
  if (one->kind == AUDIT_OVERLAP)
    snprintf(other_agent, sizeof other_agent, " agent %lld", (long long)one->other);
  snprintf(text, size, "agent %lld %s%s at (%.3f, %.3f) m in step %lld", (long long)one->id,
           audit_messages[one->kind], other_agent, frame_x(frame, one->at.x),
           frame_y(frame, one->at.y), (long long)one->step);
}

void measurements_check_audit(struct measurements *m, const int64_t *counts)
{
  for (int k = 0; k < AUDIT_KINDS; k++)
    m->audit_totals[k] += counts[k];
  if (counts[AUDIT_NOT_FINITE] == 0 && counts[AUDIT_ESCAPE] == 0)
    return;
  const struct violation first = first_over_ranks(m->comm, &m->audit.fatal);
  char text[200];
  offender_text(&first, &m->scenario->world.frame, text, sizeof text);
  if (m->comm->rank == 0)
    fail(EXIT_INTERNAL_ERROR, "%s", text);
  comm_barrier(m->comm); // until rank 0 aborts the job
}

// ----------------------------------------------------------------------------------- checkpoint

// A minimum may be known on one rank only.
static void minima_visit(struct travel_times *t, struct state *v)
{
  const int64_t groups = travel_times_group_count(t);
  int64_t *least =
      memory_create((size_t)groups, sizeof *least); // negated: the state keeps the maximum
  for (int64_t k = 0; k < groups; k++)
    least[k] = t->groups[k].count ? -t->groups[k].least : -INT64_MAX;
  state_array(v, STATE_MAX, ((struct state_range){-INFINITY, 0}), "travel.least", least, groups);
  for (int64_t k = 0; v->reading && k < groups; k++)
    if (state_require(v, "travel.least", least[k] > INT64_MIN))
      t->groups[k].least = -least[k];
  memory_destroy(least);
}

// A run of another length has another number of bins; the last bin holds all longer times.
static void histogram_visit(const struct travel_times *t, struct travel_times_group *g,
                            int64_t length, struct state *v)
{
  int64_t *bins = memory_create((size_t)length, sizeof *bins);
  for (int64_t k = 0; !v->reading && g->seconds && k < length; k++)
    bins[k] = g->seconds[k];
  state_array(v, STATE_SUM, STATE_COUNT, "travel.seconds", bins, length);
  if (v->reading)
    travel_times_reserve(t, g);
  for (int64_t k = 0; v->reading && k < length; k++)
    g->seconds[k < t->bins ? k : t->bins - 1] += bins[k];
  memory_destroy(bins);
}

// Only groups with arrivals on any rank, and no more bins than are in use.
static void histograms_visit(struct travel_times *t, const struct comm *c, struct state *v)
{
  const int64_t groups = travel_times_group_count(t);
  int64_t *length = memory_create((size_t)groups, sizeof *length);
  for (int64_t g = 0; !v->reading && g < groups; g++)
    for (int64_t k = 0; t->groups[g].seconds && k < t->bins; k++)
      if (t->groups[g].seconds[k])
        length[g] = k + 1;
  if (!v->reading)
    comm_max(c, length, groups);
  state_array(v, STATE_SAME, STATE_COUNT, "travel.length", length, groups);
  for (int64_t g = 0; g < groups && !v->fault[0]; g++)
    if (length[g] && (!v->reading || state_require(v, "travel.length", length[g] <= state_left(v))))
      histogram_visit(t, &t->groups[g], length[g], v);
  memory_destroy(length);
}

static void travel_visit(struct travel_times *t, const struct comm *c, struct state *v)
{
  const int64_t groups = travel_times_group_count(t);
  struct travel_times_group *g = t->groups;
  minima_visit(t, v);
  state_field(v, STATE_SUM, STATE_COUNT, g, count, "travel.count", groups);
  state_field(v, STATE_SUM, STATE_COUNT, g, steps, "travel.steps", groups);
  state_field(v, STATE_SUM, STATE_COUNT, g, delay_steps, "travel.waited", groups);
  state_field(v, STATE_MAX, STATE_COUNT, g, most, "travel.most", groups);
  histograms_visit(t, c, v);
}

static void offender_visit(struct violation *one, struct state *v)
{
  state_value(v, STATE_SAME, ((struct state_range){0, INFINITY}), "audit.step", &one->step);
  state_value(v, STATE_SAME, STATE_ANY, "audit.kind", &one->kind);
  state_value(v, STATE_SAME, STATE_ANY, "audit.id", &one->id);
  state_value(v, STATE_SAME, STATE_ANY, "audit.x", &one->at.x);
  state_value(v, STATE_SAME, STATE_ANY, "audit.y", &one->at.y);
  state_value(v, STATE_SAME, STATE_ANY, "audit.other", &one->other);
  state_require(v, "audit.kind",
                one->step == INT64_MAX || (one->kind >= 0 && one->kind <= AUDIT_KINDS));
}

void measurements_visit(struct measurements *m, struct state *v)
{
  const struct measure *config = &m->scenario->measure;
  state_array(v, STATE_SUM, STATE_COUNT, "measuring.crossed", m->crossed,
              2 * (int64_t)config->line_count);
  if (m->cells)
    totals_visit(m, v);
  state_value(v, STATE_SAME, STATE_COUNT, "measuring.samples", &m->samples);
  state_array(v, STATE_SAME, STATE_COUNT, "measuring.found", m->audit_totals, AUDIT_KINDS);
  state_value(v, STATE_SAME, ((struct state_range){-1, 0x1p53}), "measuring.last_arrival",
              &m->last_arrival);
  state_value(v, STATE_SUM, STATE_COUNT, "measuring.net_speed", &m->net_speed.speed);
  state_value(v, STATE_SUM, STATE_COUNT, "measuring.net_agents", &m->net_speed.agents);
  travel_visit(&m->travel_times, m->comm, v);
  alarms_visit(&m->alarms, v);
  if (m->scenario->measure.lists_people)
    people_visit(&m->people, v);
  if (!v->reading) { // the first violation of all ranks
    m->audit.first = measurements_first_offender(m);
    m->audit.overlap = measurements_first_overlap(m);
  }
  offender_visit(&m->audit.first, v);
  offender_visit(&m->audit.overlap, v);
}
