#include "fixture.h"

#include "backend_gpu.h"
#include "navigation.h"
#include "oracle.h"
#include <criterion/criterion.h>
#include <omp.h>
#include <string.h>

void fixture_create(struct fixture *s, const char *backend)
{
  const char *why;
  *s = (struct fixture){
      .world.frame.exponent = 16,
      .world.bounds = {{-1000 * METRE, -1000 * METRE}, {1000 * METRE, 1000 * METRE}},
      .avoidance = {.method = METHOD_orca,
                    .neighbours = 10,
                    .neighbour_distance = 5,
                    .horizon_walls = 1},
      .backend = backend_named(backend, &why),
      .dt = 0.1f};
  cr_assert_not_null(s->backend);
  agents_create(&s->agents, 16);
  omp_set_num_threads(1); // tests run in parallel
}

void fixture_destroy(struct fixture *s)
{
  agents_destroy(&s->agents);
  neighbours_destroy(&s->neighbours);
  wall_lists_destroy(&s->wall_lists);
  world_destroy(&s->world);
}

void fixture_add_line(struct fixture *s, int count, const int32_t (*corners)[2], bool closed)
{
  for (int i = 0; i < count; i++)
    s->points[s->points_count++] = (struct point){corners[i][0], corners[i][1]};
  s->closed[s->line_count] = closed;
  s->start[++s->line_count] = s->points_count;
}

void fixture_build_walls(struct fixture *s)
{
  const struct outlines lines = {s->line_count, s->start, s->points, s->closed};
  obstacles_create(&s->world.obstacles, &lines, false);
}

int64_t fixture_add_agent(struct fixture *s, int32_t x, int32_t y, int32_t goal_x, int32_t goal_y)
{
  struct agents *a = &s->agents;
  const int64_t i = agents_append(a);
  a->id[i] = i;
  a->x[i] = x;
  a->y[i] = y;
  a->goal_x[i] = goal_x;
  a->goal_y[i] = goal_y;
  agent_set_destination(a, i, -1);
  a->radius[i] = 0.25f;
  a->speed[i] = a->max_speed[i] = 1.3f;
  a->yield[i] = 1;
  a->horizon[i] = 2;
  a->neighbours[i] = s->avoidance.neighbours;
  a->neighbour_distance[i] = s->avoidance.neighbour_distance;
  return i;
}

void fixture_add_crowd(struct fixture *s, uint64_t seed, int count, double side)
{
  const int32_t half = (int32_t)(side / 2 * METRE);
  while (count > 0) {
    const struct point at = {oracle_whole(&seed, -half, half), oracle_whole(&seed, -half, half)};
    const int32_t x = oracle_whole(&seed, -half, half), y = oracle_whole(&seed, -half, half);
    if (obstacles_solid(&s->world.obstacles, at) || obstacles_near(&s->world.obstacles, at, 100))
      continue;
    fixture_add_agent(s, at.x, at.y, x, y);
    count--;
  }
}

static void swap_agents(struct agents *a, int64_t i, int64_t j)
{
  char one[256], other[256];
  cr_assert(agents_packed_size(SCOPE_STEP) <= sizeof one);
  agents_pack(a, i, SCOPE_STEP, one);
  agents_pack(a, j, SCOPE_STEP, other);
  agents_unpack(a, i, SCOPE_STEP, other);
  agents_unpack(a, j, SCOPE_STEP, one);
}

void fixture_shuffle(struct fixture *s, uint64_t seed)
{
  for (int64_t i = s->agents.count - 1; i > 0; i--)
    swap_agents(&s->agents, i, oracle_whole(&seed, 0, (int32_t)i));
}

void fixture_compute_velocities(struct fixture *s)
{
  neighbours_build(&s->neighbours, &s->world.frame, &s->agents);
  fixture_compute_velocities_part(s, PART_ALL, (struct box){{0, 0}, {0, 0}});
}

void fixture_compute_velocities_part(struct fixture *s, enum domain_part part, struct box interior)
{
  const struct next_velocity_input in = {.world = &s->world,
                                         .avoidance = &s->avoidance,
                                         .neighbours = &s->neighbours,
                                         .wall_lists = s->searches_walls ? NULL : &s->wall_lists,
                                         .dt = s->dt,
                                         .seed = 1,
                                         .step = s->step,
                                         .walking = {s->density_speed, s->headway},
                                         .part = part,
                                         .interior = interior};
  s->backend->next_velocities(&in, &s->agents, &s->counts);
}

void fixture_set_preferred(struct fixture *s)
{
  const struct headway_options *h = s->headway;
  const struct navigation_input in = {.dt = s->dt,
                                      .seed = 1,
                                      .step = s->step,
                                      .lanes = s->backend->lanes,
                                      .spread = h ? headway_options_spread(h) : NULL,
                                      .queue = h ? h->queue : NULL,
                                      .look_period = h ? h->look_period : 1,
                                      .all_look = !h || headway_options_all_look(h, s->step)};
  navigation_preferred_velocities(&s->world, &in, &s->agents);
}

void fixture_step(struct fixture *s)
{
  s->counts = (struct next_velocity_counts){0};
  if (s->sorts) {
    s->neighbours.width = 0; // stale: sorted in every step
    s->neighbours.own.count = 0;
    neighbours_sort(&s->neighbours, &s->agents, NULL);
  }
  fixture_set_preferred(s);
  fixture_compute_velocities(s);
  agents_move(&s->agents, &s->world.frame, s->world.bounds, s->dt);
  s->step++;
}

void fixture_copy_agents(struct fixture *to, const struct fixture *from)
{
  char one[256];
  to->agents.count = 0;
  agents_reserve(&to->agents, from->agents.count);
  for (int64_t i = 0; i < from->agents.count; i++) {
    agents_append(&to->agents);
    agents_pack(&from->agents, i, SCOPE_STEP, one);
    agents_unpack(&to->agents, i, SCOPE_STEP, one);
  }
}

int64_t fixture_index(const struct fixture *s, int64_t id)
{
  for (int64_t i = 0; i < s->agents.count; i++)
    if (s->agents.id[i] == id)
      return i;
  cr_assert_fail("no agent has id %lld", (long long)id);
  return -1;
}
