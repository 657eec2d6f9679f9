// The kernels of a step besides avoidance, and those that select, pack and write back agents.
#pragma once
#include "agent_kernel.h"
#include "audit_kernel.h"
#include "cell_move_kernel.h"
#include "deadlock_kernel.h"
#include "device_crowd.h"
#include "line_crossing_kernel.h"
#include "line_segment.h"
#include "measure_kernel.h"
#include "net_speed_kernel.h"
#include "preferred_velocity_kernel.h"
#include "velocity_kernels.h"
#include "zones_kernel.h"

struct move_tally {
  int64_t kept; // inside the bounds
  int64_t violations[AUDIT_KINDS];
  uint64_t first[AUDIT_KINDS];  // least ids; UINT64_MAX: none
  struct point at[AUDIT_KINDS]; // their positions: locate_first_violations
  struct box bounds;            // of all agents, hi inside; lo is negated: all four are maxima
};

struct kernel_args {
  struct agents resident; // in memory order
  int64_t own;            // agents
  const struct world *world;
  float dt, quanta_per_speed; // s; quanta a step per m/s
  uint64_t seed;
  int64_t step;
  const float *spread, *queue;         // of struct navigation_input
  int32_t look_period;                 // the same
  bool all_look;                       // the same
  int32_t deadlock_timeout;            // steps
  int32_t peer_count;                  // neighbouring ranks
  struct box interior;                 // no neighbouring rank sees an agent in here
  const struct box *halo_boxes;        // [peer_count]
  int32_t *mirror_counts;              // [peer_count]; then cursors into `records`
  char *records;                       // 4-byte aligned
  struct device_crowd_rule rule;       // of select_agents
  int32_t *selected, *selected_count;  // indices in `resident`, unordered
  const struct line_segment *segments; // [segment_count] of the measurement lines
  int64_t segment_count;
  int64_t *crossed; // [2 * lines] forward, backward
  struct measure_grid grid;
  int64_t *cell_crossed;           // [CELL_SIDES * cells]; NULL: cells are not counted
  struct cell_people *cell_people; // [cells] 0 between samples; its `cell` is not used
  int32_t *occupied_cells, *occupied_count;
  struct cell_people *counted; // [*occupied_count] what take_cell_people takes from cell_people
  const struct measure_area *areas; // [area_count]
  int32_t area_count;
  struct measure_sum *area_sums; // [area_count]
  int64_t *stop_occupancy;       // [stops] agents bound for each
  struct crowd_sums *sums;
  struct net_speed_window net_speed_window;
  struct net_speed *net_speed;
  struct move_tally *tally;
};

INLINE size_t record_bytes(enum agent_scope scope) // as agents_packed_size
{
  size_t bytes = 0;
#define X(type, name, unit, field_scope) bytes += field_scope <= scope ? sizeof(type) : 0;
  AGENT_FIELDS(X)
#undef X
  return bytes;
}

INLINE char *record_at(const struct kernel_args *s, enum agent_scope scope, int64_t k)
{
  return s->records + (size_t)k * record_bytes(scope);
}

INLINE struct agents *agents_of(const struct kernel_args *s)
{
  return (struct agents *)(uintptr_t)&s->resident;
}

// ---------------------------------------------------------------------------------------- halo

KERNEL_OF(struct kernel_args, count_mirrors)
{
  const struct point p = point_of(&s->resident, i);
  for (int32_t k = 0; k < s->peer_count && !box_holds(s->interior, p); k++)
    if (box_holds(s->halo_boxes[k], p))
      atomic_increment(&s->mirror_counts[k]);
}

KERNEL_OF(struct kernel_args, pack_mirror_records)
{
  const struct point p = point_of(&s->resident, i);
  for (int32_t k = 0; k < s->peer_count && !box_holds(s->interior, p); k++)
    if (box_holds(s->halo_boxes[k], p))
      agent_pack(&s->resident, i, SCOPE_GHOST,
                 record_at(s, SCOPE_GHOST, atomic_increment(&s->mirror_counts[k])));
}

KERNEL_OF(struct kernel_args, unpack_ghost_records)
{
  agent_unpack(agents_of(s), s->own + i, SCOPE_GHOST, record_at(s, SCOPE_GHOST, i));
}

// -------------------------------------------------------------------------- preferred velocity

ON_DEVICE void preferred_velocity_agent(enum navigation_kind kind, const struct kernel_args *s,
                                        int64_t i)
{
  struct agents *a = agents_of(s);
  const struct navigation_input in = {s->dt,       s->seed,
                                      s->step,     s->spread,
                                      s->queue,    s->look_period,
                                      s->all_look, s->deadlock_timeout,
                                      NULL,        1};
  const struct deadlock_input deadlock = {s->seed, s->step, s->deadlock_timeout};
  preferred_velocity_set(kind, s->world, &in, a, i);
  spread_by_model(kind, s->world, &in, a, i);
  zone_apply_one(&s->world->zones, a, i);
  deadlock_apply_one(a, &deadlock, i);
}

#define X(name)                                                                                    \
  KERNEL_OF(struct kernel_args, preferred_velocity_##name)                                         \
  {                                                                                                \
    preferred_velocity_agent(NAVIGATION_##name, s, i);                                             \
  }
NAVIGATION_MODELS(X)
#undef X

// -------------------------------------------------------------------------------- memory order

struct permutation_args { // one column of the agents
  const void *column;
  void *to;
  const int32_t *from;
};

KERNEL_OF(struct permutation_args, permute_column_32bit)
{
  ((uint32_t *)s->to)[i] = ((const uint32_t *)s->column)[s->from[i]];
}

KERNEL_OF(struct permutation_args, permute_column_64bit)
{
  ((uint64_t *)s->to)[i] = ((const uint64_t *)s->column)[s->from[i]];
}

KERNEL_OF(struct permutation_args, set_identity_permutation)
{
  ((int32_t *)s->to)[i] = (int32_t)i;
}

// -------------------------------------------------------------------------------------- inflow

struct probe_args {
  const struct kernel_input *kernel_input; // after build_index
  const struct disc *discs;
  float quanta_per_speed; // quanta a step per m/s
  int64_t *occupied;
};

KERNEL_OF(struct probe_args, test_discs_occupied)
{
  const struct kernel_input *in = s->kernel_input;
  const struct agents *a = &in->sorted;
  const struct grid *g = &in->grids[0];
  const struct disc disc = s->discs[i];
  const int64_t far = (int64_t)disc.reach + 2;
  const int32_t west = grid_column(g, disc.at.x - far), east = grid_column(g, disc.at.x + far);
  bool occupied = false;
  for (int32_t row = grid_row(g, disc.at.y - far); row <= grid_row(g, disc.at.y + far); row++)
    for (int64_t k = grid_cell_begin(g, row, west); k < grid_cell_begin(g, row, east + 1); k++) {
      const float clearance =
          disc.radius + a->radius[k] * (1 / in->quantum) + a->max_speed[k] * s->quanta_per_speed;
      occupied = occupied || float_distance2(disc.at, a->x[k], a->y[k]) < clearance * clearance;
    }
  s->occupied[i] = occupied;
}

// ---------------------------------------------------------------------------------------- move

ON_DEVICE void record_violation(const struct kernel_args *s, enum audit_kind kind, int64_t i)
{
  atomic_add_int64(&s->tally->violations[kind], 1);
  atomic_min(&s->tally->first[kind], (uint64_t)s->resident.id[i]);
}

ON_DEVICE void check_velocity(const struct kernel_args *s, struct agents *a, int64_t i)
{
  if (!agent_inside(a, i, s->world->bounds))
    record_violation(s, AUDIT_ESCAPE, i);
  if (!velocity_finite(a, i)) {
    record_violation(s, AUDIT_NOT_FINITE, i);
    a->next_vx[i] = a->next_vy[i] = 0;
  } else if (!velocity_within_limit(a, i)) {
    record_violation(s, AUDIT_TOO_FAST, i);
  }
}

ON_DEVICE void count_crossings(const struct kernel_args *s, int64_t i)
{
  const struct point from = {s->resident.from_x[i], s->resident.from_y[i]},
                     to = point_of(&s->resident, i);
  const struct box path = segment_box(from, to);
  for (int64_t k = 0; k < s->segment_count; k++) {
    const struct line_segment *segment = &s->segments[k];
    if (!box_overlaps_closed(path, segment->box))
      continue;
    const int side = line_crossing(segment->a, segment->b, from, to);
    if (side)
      atomic_add_int64(&s->crossed[2 * segment->line + (side < 0)], 1);
  }
}

ON_DEVICE void count_cell_crossings(const struct kernel_args *s, int64_t i)
{
  const struct point from = {s->resident.from_x[i], s->resident.from_y[i]};
  struct cell_move m = cell_move_of(&s->grid, from, point_of(&s->resident, i));
  for (int64_t edge; (edge = cell_move_next(&s->grid, &m)) >= 0;)
    atomic_add_int64(&s->cell_crossed[edge], 1);
}

KERNEL_OF(struct kernel_args, move_and_audit)
{
  struct agents *a = agents_of(s);
  check_velocity(s, a, i);
  atomic_reduce_add(&s->tally->kept, agent_move(a, i, s->world->bounds, s->quanta_per_speed));
  if (s->world->obstacles.count && move_is_tested(a, i, s->step) &&
      move_crosses_wall(a, i, &s->world->obstacles))
    record_violation(s, AUDIT_WALL, i);
  count_crossings(s, i);
  if (s->cell_crossed)
    count_cell_crossings(s, i);
  atomic_reduce_max(&s->tally->bounds.lo.x, -a->x[i]);
  atomic_reduce_max(&s->tally->bounds.lo.y, -a->y[i]);
  atomic_reduce_max(&s->tally->bounds.hi.x, a->x[i]);
  atomic_reduce_max(&s->tally->bounds.hi.y, a->y[i]);
}

// Positions of the first violations: for AUDIT_WALL after the move, else before it.
KERNEL_OF(struct kernel_args, locate_first_violations)
{
  const struct agents *a = &s->resident;
  const struct point from = {a->from_x[i], a->from_y[i]};
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    if (s->tally->first[kind] == (uint64_t)a->id[i])
      s->tally->at[kind] = kind == AUDIT_WALL ? point_of(a, i) : from;
}

static_assert((int)AGENT_SPEED_MAX <= INT32_MAX / 32 / 1000000, "um/s of a warp, in 32 bits");

KERNEL_OF(struct kernel_args, sum_observables)
{
  atomic_reduce_add(&s->sums->speed, (int32_t)agent_speed(&s->resident, i));
  atomic_reduce_add(&s->sums->in_walls,
                    obstacles_inside(&s->world->obstacles, point_of(&s->resident, i)));
}

// Threads of an area: one for each agent, in whole warps. So all lanes of a warp add to one
// address, however they part and meet.
INLINE int64_t area_threads(int64_t agents)
{
  return (agents + 31) / 32 * 32;
}

KERNEL_OF(struct kernel_args, sum_area_people)
{
  int64_t area = 0, agent = i; // a loop takes fewer registers than a division
  for (const int64_t threads = area_threads(s->own); agent >= threads; agent -= threads)
    area++;
  struct measure_sum *sum = &s->area_sums[area];
  if (agent >= s->own || !measure_inside(&s->areas[area], point_of(&s->resident, agent)))
    return;
  atomic_reduce_add(&sum->people, 1);
  atomic_reduce_add(&sum->speed, (int32_t)agent_speed(&s->resident, agent));
}

KERNEL_OF(struct kernel_args, count_cell_people)
{
  const struct agents *a = &s->resident;
  const int64_t speed = agent_speed(a, i);
  const int64_t cell = measure_cell_of(&s->grid, point_of(a, i));
  struct cell_people *people = &s->cell_people[cell];
  if (atomic_increment(&people->agents) == 0)
    s->occupied_cells[atomic_increment(s->occupied_count)] = (int32_t)cell;
  atomic_add_int64(&people->speed, speed);
  atomic_add_int64(&people->delay, agent_delay(a, i, speed));
}

KERNEL_OF(struct kernel_args, take_cell_people) // the i-th that holds agents
{
  const int32_t cell = s->occupied_cells[i];
  struct cell_people *people = &s->cell_people[cell];
  const struct cell_people one = {cell, people->agents, people->speed, people->delay};
  const struct cell_people none = {0, 0, 0, 0};
  s->counted[i] = one;
  *people = none;
}

KERNEL_OF(struct kernel_args, mark_positions)
{
  const struct net_speed one = net_speed_mark_agent(agents_of(s), i, &s->net_speed_window);
  atomic_reduce_add(&s->net_speed->speed, (int32_t)one.speed);
  atomic_reduce_add(&s->net_speed->agents, (int32_t)one.agents);
}

KERNEL_OF(struct kernel_args, count_stop_occupancy)
{
  if (agent_target(&s->resident, i) >= 0)
    atomic_histogram_add(&s->stop_occupancy[agent_target(&s->resident, i)]);
}

// ----------------------------------------------------------------------------------- selection

ON_DEVICE bool may_transition(const struct kernel_args *s, int64_t i)
{
  const bool arrived = has_arrived(s->world, s->rule.goal_radius, &s->resident, i);
  return transition_filter_matches(&s->rule.transition_filter, &s->resident, i, arrived);
}

ON_DEVICE bool matches_rule(const struct kernel_args *s, int64_t i)
{
  switch (s->rule.criterion) {
  case DEVICE_CROWD_OUTSIDE:
    return !box_holds(s->rule.box, point_of(&s->resident, i));
  case DEVICE_CROWD_BLOCKED:
    return s->resident.held[i] == s->rule.steps;
  default:
    return may_transition(s, i);
  }
}

KERNEL_OF(struct kernel_args, list_selected)
{
  if (matches_rule(s, i))
    s->selected[atomic_increment(s->selected_count)] = (int32_t)i;
}

KERNEL_OF(struct kernel_args, pack_selected)
{
  agent_pack(&s->resident, s->selected[i], SCOPE_STATE, record_at(s, SCOPE_STATE, i));
}

KERNEL_OF(struct kernel_args, unpack_selected)
{
  agent_unpack(agents_of(s), s->selected[i], SCOPE_STATE, record_at(s, SCOPE_STATE, i));
}

KERNEL_OF(struct kernel_args, unpack_appended)
{
  struct agents *a = agents_of(s);
  agent_unpack(a, s->own + i, SCOPE_STATE, record_at(s, SCOPE_STATE, i));
  a->prefer_x[s->own + i] = a->prefer_y[s->own + i] = 0; // may be gathered before a step sets them
}

// selected: pairs of a gap and the agent that fills it.
KERNEL_OF(struct kernel_args, fill_gaps)
{
  agent_copy(agents_of(s), s->selected[2 * i], s->selected[2 * i + 1]);
}
