#include "fields_update.h"

#include "field_solving.h"
#include <assert.h>
#include <omp.h>
#include <string.h>

// The costs of one route, set square by square where they are needed.
struct route_cost {
  const struct fields_update *update;
  bool live;
  int32_t route;
  uint16_t *cost;  // [cells]
  uint8_t *is_set; // [squares]
};

struct progress { // of a field that is solved in parts
  int64_t whole;  // visits that a whole solution takes
  int64_t left; // visits that this one is expected to take, less those so far; < 0: it was too few
  bool taken;   // by a thread
  bool complete;
};

struct fields_update {
  const struct environment *environment;
  struct world *world;
  struct crowd_cost crowd;        // factors == NULL: none
  struct route_cost *costs;       // [2 * routes] of the ground, of the crowd
  int32_t all;                    // fields
  struct field **followed;        // [all] by agents
  bool spare;                     // solved elsewhere: the k-th in the k-th spare field
  int32_t count;                  // of this process: rank, rank + size, ...
  struct field_task *tasks;       // [count]
  struct field_solving **solving; // [count] or NULL
  struct progress *progress;      // [count]
  double visit_seconds;           // that a visit of a cell took in the last solution
  double seconds;                 // that this one has taken so far, by all threads
  int64_t visits;                 // the same
  int64_t expected;               // visits of the last solution
  int32_t destination_count;
  int32_t *destinations; // [destination_count]
  uint8_t **needed;      // [destination_count][squares]; NULL: solved everywhere
  int32_t *whole;        // [destination_count] solutions everywhere that are still to come
};

static int32_t field_number(const struct fields_update *u, int32_t k) // of the k-th own one
{
  return u->world->node_group->rank + k * u->world->node_group->size;
}

// ----------------------------------------------------------------------------------- costs

static void set_square(const struct route_cost *r, int64_t square)
{
  const struct fields_update *u = r->update;
  const struct nav_grid *g = &u->world->nav_grid;
  const int64_t first = square * CELL_SQUARE_CELLS;
  uint16_t *cost = r->cost + first;
  for (int64_t k = 0; k < CELL_SQUARE_CELLS; k++)
    cost[k] = g->cost ? g->cost[first + k] : FIELD_UNIT;
  if (r->live) {
    float factors[CELL_SQUARE_CELLS];
    u->crowd.factors(u->crowd.context, square, factors);
    for (int64_t k = 0; k < CELL_SQUARE_CELLS; k++) {
      const float raised = factors[k] * (float)cost[k];
      cost[k] = raised < UINT16_MAX ? (uint16_t)raised : UINT16_MAX;
    }
  }
  if (r->route > 0) {
    struct cost_noise noise = u->environment->noise;
    noise.route = r->route;
    cost_noise_add(&noise, g, square, r->cost);
  }
}

static void prepare(void *context, int64_t square)
{
  const struct route_cost *r = context;
  if (__atomic_load_n(&r->is_set[square], __ATOMIC_ACQUIRE))
    return;
#pragma omp critical(route_cost)
  if (!r->is_set[square]) {
    set_square(r, square);
    __atomic_store_n(&r->is_set[square], 1, __ATOMIC_RELEASE);
  }
}

// Forgets what was set for another crowd.
static void reset_costs(struct fields_update *u)
{
  for (int32_t k = 0; k < 2 * u->world->route_count; k++)
    if (u->costs[k].cost && u->costs[k].live)
      memset(u->costs[k].is_set, 0, (size_t)nav_grid_square_count(&u->world->nav_grid));
}

static void set_cost(struct fields_update *u, struct field_task *t, int32_t route, bool live)
{
  const struct nav_grid *g = &u->world->nav_grid;
  t->cost = g->cost;
  t->prepare = NULL;
  if (route == 0 && !live)
    return;
  struct route_cost *r = &u->costs[2 * route + live];
  if (!r->cost)
    *r = (struct route_cost){u, live, route,
                             memory_create((size_t)nav_grid_cell_count(g), sizeof *r->cost),
                             memory_create((size_t)nav_grid_square_count(g), sizeof *r->is_set)};
  t->cost = r->cost;
  t->prepare = prepare;
  t->context = r;
}

static void set_costs(struct fields_update *u, const struct crowd_cost *crowd)
{
  if (u->all > 0 && !u->world->nav_grid.upwind)
    nav_grid_set_upwind(&u->world->nav_grid);
  u->crowd = crowd ? *crowd : (struct crowd_cost){0};
  reset_costs(u);
  for (int32_t k = 0; k < u->count; k++) {
    const int64_t field = u->followed[field_number(u, k)] - u->world->fields;
    const int32_t routes = u->world->route_count;
    const bool live = crowd && u->environment->live[field / routes];
    set_cost(u, &u->tasks[k], (int32_t)(field % routes), live);
  }
}

// ----------------------------------------------------------------------------------- creation

#define VISIT_SECONDS 35e-9 // before any has been measured

// The processes of the node take fields in turns.
struct fields_update *fields_update_create(const struct environment *s, struct world *w,
                                           const int32_t *destinations, int32_t count, bool spare)
{
  const int32_t rank = w->node_group->rank, size = w->node_group->size;
  struct fields_update *u = memory_create(1, sizeof *u);
  *u = (struct fields_update){
      .environment = s, .world = w, .all = count * w->route_count, .spare = spare};
  assert(!spare || u->all <= w->spare_count);
  u->count = u->all > rank ? (u->all - rank - 1) / size + 1 : 0;
  u->costs = memory_create(2 * (size_t)w->route_count, sizeof *u->costs);
  u->followed = memory_create((size_t)u->all, sizeof(struct field *));
  u->tasks = memory_create((size_t)u->count, sizeof *u->tasks);
  u->solving = memory_create((size_t)u->count, sizeof(struct field_solving *));
  u->progress = memory_create((size_t)u->count, sizeof *u->progress);
  u->visit_seconds = VISIT_SECONDS;
  u->destination_count = count;
  u->destinations = memory_create((size_t)count, sizeof *u->destinations);
  u->whole = memory_create((size_t)count, sizeof *u->whole);
  for (int32_t k = 0; k < count; k++)
    u->destinations[k] = destinations[k];
  for (int32_t n = 0; n < u->all; n++)
    u->followed[n] = world_field(w, destinations[n % count], n / count);
  for (int32_t k = 0; k < u->count; k++) {
    const int32_t n = field_number(u, k);
    u->tasks[k] = (struct field_task){.field = spare ? &w->spare_fields[n] : u->followed[n],
                                      .destination = &s->targets[destinations[n % count]],
                                      .near = &s->near[destinations[n % count]]};
    u->solving[k] = spare ? field_solving_create(&w->nav_grid) : NULL;
  }
  return u;
}

// The fields stay, but not what tells of their routes.
static void forget_agents(struct fields_update *u)
{
  for (int32_t k = 0; k < u->count; k++)
    u->followed[k]->routes = u->world->spare_fields[k].routes = NULL;
  for (int32_t k = 0; k < u->destination_count; k++)
    memory_destroy(u->needed[k]);
  memory_destroy(u->needed);
}

void fields_update_destroy(struct fields_update *u)
{
  if (!u)
    return;
  if (u->needed)
    forget_agents(u);
  for (int32_t k = 0; k < 2 * u->world->route_count; k++) {
    memory_destroy(u->costs[k].cost);
    memory_destroy(u->costs[k].is_set);
  }
  for (int32_t k = 0; k < u->count; k++)
    field_solving_destroy(u->solving[k]);
  memory_destroy(u->costs);
  memory_destroy(u->tasks);
  memory_destroy(u->followed);
  memory_destroy(u->solving);
  memory_destroy(u->progress);
  memory_destroy(u->destinations);
  memory_destroy(u->whole);
  memory_destroy(u);
}

// --------------------------------------------------------------------------- where agents are

void fields_update_keep_to_agents(struct fields_update *u)
{
  assert(u->spare && u->world->node_group->size == 1);
  const size_t squares = (size_t)nav_grid_square_count(&u->world->nav_grid);
  if (!u->needed) {
    u->needed = memory_create((size_t)u->destination_count, sizeof *u->needed);
    for (int32_t k = 0; k < u->destination_count; k++)
      u->needed[k] = memory_create(squares, sizeof **u->needed);
  }
#pragma omp parallel for schedule(dynamic, 1) if (u->count > 1)
  for (int32_t k = 0; k < u->count; k++)
    field_solving_learn(u->solving[k], &u->tasks[k], u->followed[k]);
}

uint8_t *fields_update_needed(struct fields_update *u, int32_t k)
{
  return u->needed ? u->needed[k] : NULL;
}

void fields_update_complete(struct fields_update *u, int32_t k, const struct crowd_cost *crowd)
{
  struct fields_update *one =
      fields_update_create(u->environment, u->world, &u->destinations[k], 1, false);
  fields_update_solve(one, crowd);
  fields_update_destroy(one);
  u->whole[k] = FIELDS_WHOLE;
}

// What the next solution needs.
static void set_needed(struct fields_update *u)
{
  for (int32_t k = 0; k < u->count; k++) {
    const int32_t d = field_number(u, k) % u->destination_count;
    u->tasks[k].needed = u->needed && u->whole[d] == 0 ? u->needed[d] : NULL;
  }
  for (int32_t d = 0; d < u->destination_count; d++)
    u->whole[d] -= u->whole[d] > 0;
}

// ----------------------------------------------------------------------------------- at once

// Every process does so, whoever has solved the fields.
static void renew_versions(struct fields_update *u)
{
  for (int32_t n = 0; n < u->all; n++)
    u->followed[n]->version = world_next_version();
}

void fields_update_solve(struct fields_update *u, const struct crowd_cost *crowd)
{
  const struct node_group *group = u->world->node_group;
  set_costs(u, crowd);
  node_group_all(group, true); // all processes have stopped using the old fields
  fields_solve(u->tasks, u->count);
  node_group_all(group, true); // all new fields are complete
  renew_versions(u);
}

// ---------------------------------------------------------------------------------- in parts

void fields_update_begin(struct fields_update *u, const struct crowd_cost *crowd)
{
  assert(u->spare);
  set_costs(u, crowd);
  set_needed(u);
  u->seconds = 0;
  u->visits = u->expected = 0;
#pragma omp parallel for schedule(dynamic, 1) if (u->count > 1)
  for (int32_t k = 0; k < u->count; k++) {
    field_solving_begin(u->solving[k], &u->tasks[k]);
    const int64_t last = *u->followed[field_number(u, k)]->visits, before = u->progress[k].whole;
    const int64_t whole = last > before ? last : before;
    u->progress[k] =
        (struct progress){.whole = whole, .left = field_solving_expected(u->solving[k], whole)};
  }
  for (int32_t k = 0; k < u->count; k++)
    u->expected += u->progress[k].left;
}

#define SLICE_VISITS 512   // a thread reads the clock after each slice
#define PART_VISITS  1024  // the least that a part has time for
#define OTHER_VISITS 16384 // after these, a thread chooses its field again

// The field of which most is left, for the calling thread alone; -1: none.
static int32_t take_field(struct fields_update *u)
{
  int32_t best = -1;
#pragma omp critical(fields_update)
  {
    for (int32_t k = 0; k < u->count; k++)
      if (!u->progress[k].taken && !u->progress[k].complete &&
          (best < 0 || u->progress[k].left > u->progress[best].left))
        best = k;
    if (best >= 0)
      u->progress[best].taken = true;
  }
  return best;
}

static void give_back(struct fields_update *u, int32_t k, const struct progress *now)
{
#pragma omp critical(fields_update)
  u->progress[k] = *now;
}

// A thread's work of a part: slices of fields until the time `end`. Returns its visits.
static int64_t solve_slices(struct fields_update *u, double end)
{
  int64_t all = 0;
  int32_t k;
  while (clock_seconds() < end && (k = take_field(u)) >= 0) {
    struct progress p = u->progress[k];
    const int64_t before = field_solving_visits(u->solving[k]);
    int64_t visits = 0;
    while (!p.complete && visits < OTHER_VISITS && clock_seconds() < end) {
      p.complete = field_solving_continue(u->solving[k], SLICE_VISITS);
      visits = field_solving_visits(u->solving[k]) - before;
    }
    p.left -= visits;
    p.taken = false;
    give_back(u, k, &p);
    all += visits;
  }
  return all;
}

// The length of the next of `parts` parts: their share of the visits that the last solution needed
// and this one has not made, plus a reserve, so that little or nothing is left for the last step. A
// visit is slower at the front's beginning than later, so the mean time of the last solution is
// used, unless this one is more than twice as slow.
static double part_seconds(const struct fields_update *u, int32_t threads, int32_t parts)
{
  const double now = u->visits > 0 ? u->seconds / (double)u->visits : 0;
  int64_t left = 0;
  for (int32_t k = 0; k < u->count; k++)
    left += u->progress[k].left > 0 && !u->progress[k].complete ? u->progress[k].left : 0;
  const int64_t share = (left + u->expected / 16) / parts / threads;
  return (now > 2 * u->visit_seconds ? now : u->visit_seconds) *
         (double)(share > PART_VISITS ? share : PART_VISITS);
}

// The threads that find a field to solve. The team has more, because OpenMP ends the threads that
// a smaller team leaves out, and creates them again for the next loop.
static int32_t solving_threads(const struct fields_update *u)
{
  const int32_t threads = omp_get_max_threads();
  return threads < u->count ? threads : u->count;
}

static bool is_complete(const struct fields_update *u)
{
  bool complete = true;
  for (int32_t k = 0; k < u->count; k++)
    complete = complete && u->progress[k].complete;
  return complete;
}

// A part ends by the clock, because some visits include other work, and the machine may be busy.
// The result does not depend on how far a part gets. A device solves all fields at the end, at
// once.
void fields_update_continue(struct fields_update *u, int32_t parts)
{
  if (field_has_solver() || is_complete(u))
    return;
  const int32_t threads = solving_threads(u);
  const double start = clock_seconds(), end = start + part_seconds(u, threads, parts);
  int64_t visits = 0;
#pragma omp parallel reduction(+ : visits) if (threads > 1)
  visits += solve_slices(u, end);
  u->visits += visits;
  u->seconds += threads * (clock_seconds() - start);
}

// Solves what the parts have left over, and sets the mean time of a visit.
static void complete(struct fields_update *u)
{
  const double start = clock_seconds();
  const bool left = !is_complete(u);
  int64_t visits = 0;
#pragma omp parallel for schedule(dynamic, 1) reduction(+ : visits) if (left && u->count > 1)
  for (int32_t k = 0; k < u->count; k++) {
    field_solving_continue(u->solving[k], INT64_MAX);
    visits += field_solving_visits(u->solving[k]);
  }
  u->seconds += left ? solving_threads(u) * (clock_seconds() - start) : 0;
  if (visits > 0)
    u->visit_seconds = u->seconds / (double)visits;
}

static void exchange_fields(struct fields_update *u)
{
  for (int32_t n = 0; n < u->all; n++) {
    const struct field solved = u->world->spare_fields[n];
    u->world->spare_fields[n] = *u->followed[n];
    *u->followed[n] = solved;
  }
}

void fields_update_end(struct fields_update *u)
{
  if (field_has_solver())
    fields_solve(u->tasks, u->count);
  else
    complete(u);
  node_group_all(u->world->node_group, true); // all processes have stopped using the old fields
  exchange_fields(u);
  renew_versions(u);
}
