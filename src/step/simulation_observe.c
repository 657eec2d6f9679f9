// Checksum and observables: a pass over all agents.
#include "simulation.h"

#include "agent_kernel.h"
#include <math.h>

uint64_t simulation_checksum(struct simulation *s)
{
  simulation_sync_to_host(s);
  return comm_sum_wrapping(s->comm, agents_checksum(&s->agents) + s->departure_hash);
}

static struct device_crowd_sums host_sums(const struct simulation *s)
{
  const struct agents *a = &s->agents;
  const struct obstacles *o = &s->scenario->world.obstacles;
  int64_t speed = 0, in_walls = 0;
#pragma omp parallel for schedule(static) reduction(+ : speed, in_walls)
  for (int64_t i = 0; i < a->count; i++) {
    speed += agent_speed(a, i);
    in_walls += obstacles_solid(o, (struct point){a->x[i], a->y[i]});
  }
  return (struct device_crowd_sums){speed, in_walls};
}

struct observables simulation_observe(const struct simulation *s)
{
  struct device_crowd_sums local;
  if (s->host_current)
    local = host_sums(s);
  else
    s->device_crowd->sums(s->device_crowd->device, &local);
  int64_t sums[] = {local.speed, local.in_walls, s->agents.count, llrint(1e6 * s->ghost_wait)};
  int64_t most[] = {lrint(1e9 * s->deepest_overlap), s->agents.count, (int64_t)memory_peak_bytes(),
                    lrint(1e9 * s->step_counts.deepest_overlap)};
  comm_sum(s->comm, sums, 4);
  comm_max(s->comm, most, 4);
  const double mean = (double)sums[2] / s->comm->size;
  return (struct observables){.mean_speed = sums[2] ? 1e-6 * (double)sums[0] / (double)sums[2] : 0,
                              .agents_in_walls = sums[1],
                              .deepest_overlap = 1e-9 * (double)most[0],
                              .deepest_in_step = 1e-9 * (double)most[3],
                              .imbalance = sums[2] ? (double)most[1] / mean : 1,
                              .ghost_wait = 1e-6 * (double)sums[3] / s->comm->size,
                              .memory = most[2]};
}
