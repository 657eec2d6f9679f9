// Checksum and observables: a pass over all agents.
#include "step_parts.h"

#include "marks.h"
#include <math.h>
#include <string.h>

uint64_t simulation_checksum(struct simulation *s)
{
  simulation_sync_to_host(s);
  return comm_sum_wrapping(s->comm, agents_checksum(&s->agents) + s->departure_hash);
}

// Of the agents [first, end), no more than a part. on_free_ground: navigation.h.
static int64_t count_in_walls(const struct simulation *s, int64_t first, int64_t end,
                              const uint16_t *on_free_ground)
{
  const struct agents *a = &s->agents;
  const struct obstacles *o = &s->scenario->world.obstacles;
  int32_t x[AGENTS_PART], y[AGENTS_PART];
  int count = 0;
  if (o->count == 0)
    return 0;
  if (!on_free_ground)
    return obstacles_count_solid(o, a->x + first, a->y + first, end - first);
  for (int64_t block = first; block < end; block += KEPT_BLOCK) {
    const int in_use = end - block < KEPT_BLOCK ? (int)(end - block) : KEPT_BLOCK;
    const uint32_t used = (1u << in_use) - 1;
    for (uint32_t bits = ~(uint32_t)on_free_ground[block / KEPT_BLOCK] & used; bits;
         bits &= bits - 1) {
      const int64_t i = block + lowest_bit(bits);
      x[count] = a->x[i];
      y[count++] = a->y[i];
    }
  }
  return obstacles_count_solid(o, x, y, count);
}

void simulation_sum_part(const struct simulation *s, int64_t first, int64_t end,
                         const uint16_t *on_free_ground, struct crowd_sums *sums)
{
  sums->speed += agents_speed_sum(&s->agents, first, end);
  sums->in_walls += count_in_walls(s, first, end, on_free_ground);
}

static struct crowd_sums sum_agents(const struct simulation *s)
{
  const struct agents *a = &s->agents;
  int64_t speed = 0, in_walls = 0;
#pragma omp parallel for schedule(static) reduction(+ : speed, in_walls)                           \
    if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t first = 0; first < a->count; first += AGENTS_PART) {
    struct crowd_sums part = {0};
    simulation_sum_part(s, first, agents_part_end(a, first), NULL, &part);
    speed += part.speed;
    in_walls += part.in_walls;
  }
  return (struct crowd_sums){speed, in_walls};
}

void simulation_take_out_of_sums(struct simulation *s, const uint8_t *gone)
{
  struct observed_step *o = &s->observed;
  for (int64_t i = 0; o->known && (i = marks_next(gone, i, s->agents.count)) < s->agents.count;
       i++) {
    struct crowd_sums one = {0};
    simulation_sum_part(s, i, i + 1, NULL, &one);
    o->sums.speed -= one.speed;
    o->sums.in_walls -= one.in_walls;
  }
}

// A caller that holds the columns may have written to them.
static bool sums_are_known(const struct simulation *s)
{
  return s->observed.known && !s->steering.watched;
}

void simulation_sum_areas(const struct simulation *s, struct measure_sum *sums)
{
  const struct measure *m = &s->scenario->measure;
  if (!s->host_current)
    s->device_crowd->sum_areas(s->device_crowd->device, sums);
  for (int32_t k = 0; s->host_current && k < m->area_count; k++)
    sums[k] = measure_area_sum(&m->areas[k], &s->agents);
}

struct observables simulation_observe(const struct simulation *s)
{
  // All ranks sum before agents migrate, or all of them after that.
  int64_t most[] = {s->agents.count, (int64_t)memory_peak_bytes(), !sums_are_known(s)};
  comm_max(s->comm, most, 3);
  struct crowd_sums local;
  if (s->host_current)
    local = most[2] ? sum_agents(s) : s->observed.sums;
  else
    s->device_crowd->sums(s->device_crowd->device, &local);
  const struct net_speed *net = &s->measurements.net_speed;
  int64_t sums[] = {local.speed, local.in_walls, s->agents.count, llrint(1e6 * s->ghost_wait),
                    net->speed,  net->agents};
  comm_sum(s->comm, sums, 6);
  const double mean = (double)sums[2] / s->comm->size;
  return (struct observables){.mean_speed = sums[2] ? 1e-6 * (double)sums[0] / (double)sums[2] : 0,
                              .agents_in_walls = sums[1],
                              .net_speed =
                                  sums[5] ? 1e-6 * (double)sums[4] / (double)sums[5] : (double)NAN,
                              .imbalance = sums[2] ? (double)most[0] / mean : 1,
                              .ghost_wait = 1e-6 * (double)sums[3] / s->comm->size,
                              .memory = most[1]};
}

double simulation_deepest_in_step(const struct simulation *s)
{
  int64_t most = lrint(1e9 * (double)s->step_counts.deepest.depth);
  comm_max(s->comm, &most, 1);
  return 1e-9 * (double)most;
}

static int64_t least_over_ranks(const struct comm *c, bool mine, int64_t value)
{
  int64_t least = mine ? value : INT64_MAX;
  comm_min(c, &least, 1);
  return least;
}

// A reduction for each part of the key, in which ranks that are not best so far take no part.
struct overlap_record simulation_deepest(const struct simulation *s)
{
  const struct deepest_overlap *own = &s->deepest;
  int32_t depth_bits; // of a float >= 0, so integer order is float order
  memcpy(&depth_bits, &own->depth, sizeof depth_bits);
  int64_t most = depth_bits;
  comm_max(s->comm, &most, 1);
  bool best = most > 0 && depth_bits == most;
  const int64_t step = least_over_ranks(s->comm, best, s->deepest_step);
  best = best && s->deepest_step == step;
  const int64_t id = least_over_ranks(s->comm, best, own->id);
  best = best && own->id == id;
  struct overlap_record r = {.overlap.id = id, .step = step};
  depth_bits = (int32_t)most;
  memcpy(&r.overlap.depth, &depth_bits, sizeof depth_bits);
  r.overlap.at.x = (int32_t)least_over_ranks(s->comm, best, own->at.x);
  r.overlap.at.y = (int32_t)least_over_ranks(s->comm, best, own->at.y);
  return r;
}
