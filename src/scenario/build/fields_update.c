#include "fields_update.h"

#include "field_solving.h"
#include <assert.h>
#include <string.h>

// The costs of one route, set square by square where they are needed.
struct route_cost {
  const struct fields_update *update;
  bool live;
  int32_t route;
  uint16_t *cost;  // [cells]
  uint8_t *is_set; // [squares]
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
  for (int32_t n = 0; n < u->all; n++)
    u->followed[n] = world_field(w, destinations[n % count], n / count);
  for (int32_t k = 0; k < u->count; k++) {
    const int32_t n = field_number(u, k);
    u->tasks[k] = (struct field_task){.field = spare ? &w->spare_fields[n] : u->followed[n],
                                      .destination = &s->targets[destinations[n % count]]};
    u->solving[k] = spare ? field_solving_create(&w->nav_grid) : NULL;
  }
  return u;
}

void fields_update_destroy(struct fields_update *u)
{
  if (!u)
    return;
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
  memory_destroy(u);
}

// ----------------------------------------------------------------------------------- at once

void fields_update_solve(struct fields_update *u, const struct crowd_cost *crowd)
{
  const struct node_group *group = u->world->node_group;
  set_costs(u, crowd);
  node_group_all(group, true); // all processes have stopped using the old fields
  fields_solve(u->tasks, u->count);
  node_group_all(group, true); // all new fields are complete
}

// ---------------------------------------------------------------------------------- in parts

void fields_update_begin(struct fields_update *u, const struct crowd_cost *crowd)
{
  assert(u->spare);
  set_costs(u, crowd);
#pragma omp parallel for schedule(dynamic, 1) if (u->count > 1)
  for (int32_t k = 0; k < u->count; k++)
    field_solving_begin(u->solving[k], &u->tasks[k]);
}

#define PART_VISITS_MIN 1024

// Of one of as many parts: as the last solution took, and a little more, so that the last part is
// none of those that are larger.
static int64_t part_visits(const struct fields_update *u, int32_t k, int32_t parts)
{
  const int64_t last = *u->followed[field_number(u, k)]->visits;
  return last / parts + last / parts / 16 + PART_VISITS_MIN;
}

// A device solves all of them at the end, in one go.
void fields_update_continue(struct fields_update *u, int32_t parts)
{
  if (field_has_solver())
    return;
#pragma omp parallel for schedule(dynamic, 1) if (u->count > 1)
  for (int32_t k = 0; k < u->count; k++)
    field_solving_continue(u->solving[k], part_visits(u, k, parts));
}

static void complete(struct fields_update *u)
{
#pragma omp parallel for schedule(dynamic, 1) if (u->count > 1)
  for (int32_t k = 0; k < u->count; k++)
    field_solving_continue(u->solving[k], INT64_MAX);
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
}
