#include "newcomers.h"

#include "demand.h"
#include "draw.h"
#include <string.h>

#define TRIES_MAX 256 // places an inlet looks at in a step

void newcomers_create(struct newcomers *n, const struct scenario *s)
{
  const struct demand *d = scenario_demand(s);
  *n = (struct newcomers){.inlet_count = demand_inlet_count(d), .next_id = demand_next_id(d)};
  n->entries = memory_create((size_t)n->inlet_count, sizeof *n->entries);
  for (int i = 0; i < n->inlet_count; i++)
    n->entries[i] = (struct entry){.next = -1, .factor = 1};
}

void newcomers_destroy(struct newcomers *n)
{
  memory_destroy(n->entries);
  memory_destroy(n->list);
  memory_destroy(n->places);
  memory_destroy(n->blocked);
  *n = (struct newcomers){0};
}

void newcomers_visit(struct newcomers *n, struct state *v)
{
  struct entry *e = n->entries;
  const int64_t count = n->inlet_count;
  state_value(v, STATE_SAME, "newcomers.next_id", &n->next_id);
  state_field(v, STATE_SAME, e, next, "newcomers.next", count);
  state_field(v, STATE_SAME, e, drawn, "newcomers.drawn", count);
  state_field(v, STATE_SAME, e, come, "newcomers.come", count);
  state_field(v, STATE_SAME, e, waiting, "newcomers.waiting", count);
  state_field(v, STATE_SAME, e, timetable_at, "newcomers.timetable_at", count);
  state_field(v, STATE_SAME, e, factor, "newcomers.factor", count);
}

// ---------------------------------------------------------------------------------------- when

// From one to the next: of a Poisson process, by inversion.
static double gap_draw(const struct inlet *inlet, struct entry *e, uint64_t seed, int number)
{
  if (!inlet->random)
    return inlet->gap;
  const uint32_t word = random_words(seed, ~(int64_t)number, e->drawn++, RANDOM_ENTRY).word[0];
  return -inlet->gap * logarithm(((double)word + 0.5) * 0x1p-32);
}

static int64_t so_far(const struct entry *e)
{
  return e->come + e->waiting;
}

static void due_by_timetable(const struct inlet *inlet, struct entry *e, double now)
{
  for (; e->timetable_at < inlet->timetable_count; e->timetable_at++) {
    const double *row = inlet->timetable + 2 * (size_t)e->timetable_at;
    if (row[0] > now)
      return;
    e->waiting += (int64_t)row[1];
  }
}

static void due_by_rate(const struct inlet *inlet, struct entry *e, uint64_t seed, int number,
                        double now)
{
  if (e->factor <= 0)
    return;
  if (e->next < 0) // evenly: each in the middle of its gap
    e->next = inlet->begin + gap_draw(inlet, e, seed, number) * (inlet->random ? 1 : 0.5);
  for (; e->next <= now && e->next < inlet->end && so_far(e) < inlet->most;
       e->next += gap_draw(inlet, e, seed, number) / e->factor)
    e->waiting++;
}

static void due_update(const struct inlet *inlet, struct entry *e, uint64_t seed, int number,
                       double now)
{
  if (inlet->timetable_count)
    due_by_timetable(inlet, e, now);
  else if (inlet->gap > 0)
    due_by_rate(inlet, e, seed, number, now);
  else if (now >= inlet->begin)
    e->waiting = inlet->most - e->come;
}

void newcomers_scale(struct newcomers *n, const struct scenario *s, int source, double factor,
                     double now)
{
  for (int i = 0; i < n->inlet_count; i++) {
    struct entry *e = &n->entries[i];
    if (demand_inlet(scenario_demand(s), i)->source != source)
      continue;
    // What is left of the gap passes at the new rate.
    if (e->factor <= 0 || e->next < now)
      e->next = e->next < 0 ? e->next : now;
    else if (factor > 0)
      e->next = now + (e->next - now) * e->factor / factor;
    e->factor = factor;
  }
}

static bool entry_expects(const struct inlet *inlet, const struct entry *e)
{
  if (e->waiting > 0 || inlet->timetable_count)
    return e->waiting > 0 || e->timetable_at < inlet->timetable_count;
  return so_far(e) < inlet->most && (inlet->gap <= 0 || e->next < inlet->end);
}

bool newcomers_expected(const struct newcomers *n, const struct scenario *s)
{
  for (int i = 0; i < n->inlet_count; i++)
    if (entry_expects(demand_inlet(scenario_demand(s), i), &n->entries[i]))
      return true;
  return false;
}

// --------------------------------------------------------------------------------------- where

static void list_reserve(struct newcomers *n, int64_t count)
{
  if (count <= n->capacity)
    return;
  const size_t larger = 2 * (size_t)count;
  n->list = memory_grow(n->list, (size_t)n->count, larger, sizeof *n->list);
  n->places = memory_grow(n->places, (size_t)n->count, larger, sizeof *n->places);
  n->blocked = memory_grow(n->blocked, (size_t)n->count, larger, sizeof *n->blocked);
  n->capacity = (int64_t)larger;
}

static void places_look(struct newcomers *n, const struct demand *d, int inlet, int64_t step)
{
  const int64_t wanted = 4 * n->entries[inlet].waiting;
  const int64_t tries = wanted < TRIES_MAX ? wanted : TRIES_MAX;
  list_reserve(n, n->count + tries);
  for (int64_t try = 0; try < tries; try++) {
    struct newcomer *one = &n->list[n->count];
    one->inlet = inlet;
    n->count += demand_entry(d, inlet, step, try, &one->at);
  }
}

static void places_block(struct newcomers *n, const struct scenario *s, newcomers_look *look,
                         void *people)
{
  double radius, speed;
  demand_extremes(scenario_demand(s), &radius, &speed);
  const float per_metre = 1 / frame_quantum(&s->world.frame);
  const float per_speed = (float)s->dt * per_metre;
  for (int64_t k = 0; k < n->count; k++) {
    const float own = (float)demand_inlet(scenario_demand(s), n->list[k].inlet)->radius;
    const float reach = own + (float)radius * per_metre + (float)speed * per_speed + 4;
    n->places[k] = (struct disc){n->list[k].at, own + 2, reach};
  }
  look(people, n->places, n->count, per_speed, n->blocked);
}

static bool newcomers_touch(const struct newcomers *n, const struct demand *d, int64_t accepted,
                            const struct newcomer *one)
{
  for (int64_t k = 0; k < accepted; k++) {
    const struct newcomer *other = &n->list[k];
    const double dx = (double)other->at.x - one->at.x, dy = (double)other->at.y - one->at.y;
    const double room =
        (double)demand_inlet(d, other->inlet)->radius + demand_inlet(d, one->inlet)->radius;
    if (dx * dx + dy * dy <= room * room)
      return true;
  }
  return false;
}

static void places_take(struct newcomers *n, const struct demand *d)
{
  int64_t accepted = 0;
  for (int64_t k = 0; k < n->count; k++) {
    struct entry *e = &n->entries[n->list[k].inlet];
    if (e->waiting == 0 || n->blocked[k] || newcomers_touch(n, d, accepted, &n->list[k]))
      continue;
    e->waiting--;
    e->come++;
    n->list[accepted] = n->list[k];
    n->list[accepted++].id = n->next_id++;
  }
  n->count = accepted;
}

void newcomers_choose(struct newcomers *n, const struct scenario *s, const struct comm *comm,
                      newcomers_look *look, void *people, int64_t step)
{
  const struct demand *d = scenario_demand(s);
  const double now = (double)(step + 1) * s->dt;
  n->count = 0;
  for (int i = 0; i < n->inlet_count; i++) {
    due_update(demand_inlet(d, i), &n->entries[i], s->seed, i, now);
    places_look(n, d, i, step);
  }
  if (n->count == 0)
    return;
  places_block(n, s, look, people);
  comm_max(comm, n->blocked, n->count);
  places_take(n, d);
}

int64_t newcomers_enter(struct newcomers *n, const struct scenario *s,
                        const struct partition *partition, int32_t rank, int64_t step,
                        struct agents *a)
{
  for (int64_t k = 0; k < n->count; k++) {
    const struct newcomer *one = &n->list[k];
    if (partition_owner(partition, one->at) == rank)
      demand_newcomer(scenario_demand(s), one->inlet, one->id, one->at, step, a);
  }
  return n->count;
}
