#include "inflow_spawner.h"

#include "demand.h"
#include "sampling.h"
#include <string.h>

#define CANDIDATES_PER_STEP_MAX 256 // positions that an inflow tries in a step

void inflow_spawner_create(struct inflow_spawner *n, const struct scenario *s)
{
  const struct demand *d = scenario_demand(s);
  *n =
      (struct inflow_spawner){.inflow_count = demand_inflow_count(d), .next_id = demand_next_id(d)};
  n->states = memory_create((size_t)n->inflow_count, sizeof *n->states);
  for (int i = 0; i < n->inflow_count; i++)
    n->states[i] = (struct inflow_state){.next = -1, .rate_factor = 1};
}

void inflow_spawner_destroy(struct inflow_spawner *n)
{
  memory_destroy(n->states);
  memory_destroy(n->candidates);
  memory_destroy(n->discs);
  memory_destroy(n->occupied);
  *n = (struct inflow_spawner){0};
}

void inflow_spawner_visit(struct inflow_spawner *n, struct state *v)
{
  struct inflow_state *e = n->states;
  const int64_t count = n->inflow_count;
  state_value(v, STATE_SAME, ((struct state_range){0, 0x1p62}), "newcomers.next_id", &n->next_id);
  state_field(v, STATE_SAME, ((struct state_range){-1, 1e15}), e, next, "newcomers.next", count);
  state_field(v, STATE_SAME, STATE_COUNT, e, gaps_drawn, "newcomers.drawn", count);
  state_field(v, STATE_SAME, STATE_COUNT, e, entered, "newcomers.come", count);
  state_field(v, STATE_SAME, STATE_COUNT, e, due, "newcomers.waiting", count);
  state_field(v, STATE_SAME, STATE_COUNT, e, timetable_row, "newcomers.timetable_at", count);
  state_field(v, STATE_SAME, STATE_FINITE, e, rate_factor, "newcomers.factor", count);
}

// ------------------------------------------------------------------------------------ when

// s to the next agent: constant, or exponential by inversion (a Poisson process).
static double headway_draw(const struct inflow *inflow, struct inflow_state *e, uint64_t seed,
                           int inflow_index)
{
  if (!inflow->random)
    return inflow->headway;
  const uint32_t word =
      random_words(seed, ~(int64_t)inflow_index, e->gaps_drawn++, RANDOM_ENTRY).word[0];
  return -inflow->headway * portable_log(((double)word + 0.5) * 0x1p-32);
}

static int64_t spawned_count(const struct inflow_state *e)
{
  return e->entered + e->due;
}

static void spawn_by_timetable(const struct inflow *inflow, struct inflow_state *e, double now)
{
  for (; e->timetable_row < inflow->timetable_count; e->timetable_row++) {
    const double *row = inflow->timetable + 2 * (size_t)e->timetable_row;
    if (row[0] > now)
      return;
    e->due += (int64_t)row[1];
  }
}

static void spawn_by_rate(const struct inflow *inflow, struct inflow_state *e, uint64_t seed,
                          int inflow_index, double now)
{
  if (e->rate_factor <= 0)
    return;
  if (e->next < 0) // at a constant rate the first one comes half a headway after the begin
    e->next =
        inflow->begin + headway_draw(inflow, e, seed, inflow_index) * (inflow->random ? 1 : 0.5);
  for (; e->next <= now && e->next < inflow->end && spawned_count(e) < inflow->most;
       e->next += headway_draw(inflow, e, seed, inflow_index) / e->rate_factor)
    e->due++;
}

static void update_due(const struct inflow *inflow, struct inflow_state *e, uint64_t seed,
                       int inflow_index, double now)
{
  if (inflow->timetable_count)
    spawn_by_timetable(inflow, e, now);
  else if (inflow->headway > 0)
    spawn_by_rate(inflow, e, seed, inflow_index, now);
  else if (now >= inflow->begin)
    e->due = inflow->most - e->entered;
}

void inflow_spawner_scale(struct inflow_spawner *n, const struct scenario *s, int source,
                          double rate_factor, double now)
{
  for (int i = 0; i < n->inflow_count; i++) {
    struct inflow_state *e = &n->states[i];
    if (demand_inflow(scenario_demand(s), i)->source != source)
      continue;
    // The rest of the current headway passes at the new rate.
    if (e->rate_factor <= 0 || e->next < now)
      e->next = e->next < 0 ? e->next : now;
    else if (rate_factor > 0)
      e->next = now + (e->next - now) * e->rate_factor / rate_factor;
    e->rate_factor = rate_factor;
  }
}

static bool inflow_pending(const struct inflow *inflow, const struct inflow_state *e)
{
  if (e->due > 0 || inflow->timetable_count)
    return e->due > 0 || e->timetable_row < inflow->timetable_count;
  return spawned_count(e) < inflow->most && (inflow->headway <= 0 || e->next < inflow->end);
}

bool inflow_spawner_pending(const struct inflow_spawner *n, const struct scenario *s)
{
  for (int i = 0; i < n->inflow_count; i++)
    if (inflow_pending(demand_inflow(scenario_demand(s), i), &n->states[i]))
      return true;
  return false;
}

// ----------------------------------------------------------------------------------- where

static void candidates_reserve(struct inflow_spawner *n, int64_t count)
{
  if (count <= n->capacity)
    return;
  const size_t capacity = 2 * (size_t)count;
  n->candidates = memory_grow(n->candidates, (size_t)n->count, capacity, sizeof *n->candidates);
  n->discs = memory_grow(n->discs, (size_t)n->count, capacity, sizeof *n->discs);
  n->occupied = memory_grow(n->occupied, (size_t)n->count, capacity, sizeof *n->occupied);
  n->capacity = (int64_t)capacity;
}

static void draw_candidates(struct inflow_spawner *n, const struct demand *d, int inflow,
                            int64_t step)
{
  const int64_t tries_wanted = 4 * n->states[inflow].due;
  const int64_t tries =
      tries_wanted < CANDIDATES_PER_STEP_MAX ? tries_wanted : CANDIDATES_PER_STEP_MAX;
  candidates_reserve(n, n->count + tries);
  for (int64_t try = 0; try < tries; try++) {
    struct spawned_agent *candidate = &n->candidates[n->count];
    candidate->inflow = inflow;
    n->count += demand_entry_point(d, inflow, step, try, &candidate->at);
  }
}

static void probe_candidates(struct inflow_spawner *n, const struct scenario *s,
                             inflow_probe *probe, void *context)
{
  double radius, speed;
  demand_maxima(scenario_demand(s), &radius, &speed);
  const float per_metre = 1 / frame_quantum(&s->world.frame);
  const float quanta_per_speed = (float)s->dt * per_metre;
  for (int64_t k = 0; k < n->count; k++) {
    const float own = (float)demand_inflow(scenario_demand(s), n->candidates[k].inflow)->radius;
    const float reach = own + (float)radius * per_metre + (float)speed * quanta_per_speed + 4;
    n->discs[k] = (struct disc){n->candidates[k].at, own + 2, reach};
  }
  probe(context, n->discs, n->count, quanta_per_speed, n->occupied);
}

static bool spawned_agents_overlap(const struct inflow_spawner *n, const struct demand *d,
                                   int64_t accepted, const struct spawned_agent *candidate)
{
  for (int64_t k = 0; k < accepted; k++) {
    const struct spawned_agent *other = &n->candidates[k];
    const double dx = (double)other->at.x - candidate->at.x,
                 dy = (double)other->at.y - candidate->at.y;
    const double room = (double)demand_inflow(d, other->inflow)->radius +
                        demand_inflow(d, candidate->inflow)->radius;
    if (dx * dx + dy * dy <= room * room)
      return true;
  }
  return false;
}

static void accept_candidates(struct inflow_spawner *n, const struct demand *d)
{
  int64_t accepted = 0;
  for (int64_t k = 0; k < n->count; k++) {
    struct inflow_state *e = &n->states[n->candidates[k].inflow];
    if (e->due == 0 || n->occupied[k] || spawned_agents_overlap(n, d, accepted, &n->candidates[k]))
      continue;
    e->due--;
    e->entered++;
    n->candidates[accepted] = n->candidates[k];
    n->candidates[accepted++].id = n->next_id++;
  }
  n->count = accepted;
}

void inflow_spawner_place(struct inflow_spawner *n, const struct scenario *s,
                          const struct comm *comm, inflow_probe *probe, void *context, int64_t step)
{
  const struct demand *d = scenario_demand(s);
  const double now = (double)(step + 1) * s->dt;
  n->count = 0;
  for (int i = 0; i < n->inflow_count; i++) {
    update_due(demand_inflow(d, i), &n->states[i], s->seed, i, now);
    draw_candidates(n, d, i, step);
  }
  if (n->count == 0)
    return;
  probe_candidates(n, s, probe, context);
  comm_max(comm, n->occupied, n->count);
  accept_candidates(n, d);
}

int64_t inflow_spawner_insert(struct inflow_spawner *n, const struct scenario *s,
                              const struct partition *partition, int32_t rank, int64_t step,
                              struct agents *a)
{
  for (int64_t k = 0; k < n->count; k++) {
    const struct spawned_agent *candidate = &n->candidates[k];
    if (partition_owner(partition, candidate->at) == rank)
      demand_append_arrival(scenario_demand(s), candidate->inflow, candidate->id, candidate->at,
                            step, a);
  }
  return n->count;
}
