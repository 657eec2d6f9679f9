// Shared by the rank programs: crowds that are a function of the agent ids, and laws that end the
// job when they are broken.
#pragma once
#include "../extent.h"
#include "agents.h"
#include "comm.h"
#include "partition_ranks.h"
#include "random.h"
#include <inttypes.h>
#include <stdio.h>

#define law(condition, format, ...)                                                                \
  ((condition) ? (void)0                                                                           \
               : fail(EXIT_INTERNAL_ERROR, "law \"%s\": " format, #condition, __VA_ARGS__))

struct crowd {
  const char *name;
  int64_t count;
  int32_t spread_x, spread_y; // quanta to either side of the centre
  int32_t clusters;           // 0: uniform
};

#define MANY (SHORT ? 1200 : 4000)

static const struct crowd crowds[] = {{"even", MANY, 1 << 22, 1 << 22, 0},
                                      {"clustered", MANY, 1 << 22, 1 << 22, 9},
                                      {"in a line", 1500, 1 << 22, 0, 0},
                                      {"in one spot", 600, 0, 0, 0},
                                      {"a few", 5, 1 << 22, 1 << 22, 0},
                                      {"one", 1, 1 << 10, 1 << 10, 0},
                                      {"nobody", 0, 1 << 22, 1 << 22, 0},
                                      {"world-wide", 900, POSITION_LIMIT, POSITION_LIMIT, 0},
                                      {"in four spots", 800, 1 << 22, 1 << 22, 4}};
#define CROWDS (sizeof crowds / sizeof *crowds)

static inline int32_t crowd_within(uint32_t word, int32_t spread)
{
  return (int32_t)((int64_t)(word % (2 * (uint64_t)spread + 1)) - spread);
}

static inline struct point crowd_place(const struct crowd *crowd, int64_t id)
{
  const struct random4 r = random_words(7, id, 0, RANDOM_TEST);
  if (crowd->clusters == 0)
    return (struct point){crowd_within(r.word[0], crowd->spread_x),
                          crowd_within(r.word[1], crowd->spread_y)};
  const int64_t cluster = id % crowd->clusters;
  const struct random4 middle = random_words(8, cluster, 0, RANDOM_TEST);
  const int32_t size = crowd->clusters == 4 ? 0 : 1 << (10 + cluster);
  return (struct point){
      crowd_within(middle.word[0], crowd->spread_x) + crowd_within(r.word[0], size),
      crowd_within(middle.word[1], crowd->spread_y) + crowd_within(r.word[1], size)};
}

// Appends the agent with that id; every field is a function of the id.
static inline void crowd_agent(const struct crowd *crowd, int64_t id, struct agents *a)
{
  const int64_t i = agents_append(a);
  const struct point at = crowd_place(crowd, id);
  a->id[i] = id;
  a->x[i] = at.x;
  a->y[i] = at.y;
  a->vx[i] = (float)id;
  a->vy[i] = (float)-id;
  a->radius[i] = (float)id + 0.25f;
  a->speed[i] = (float)id + 0.5f;
  a->max_speed[i] = (float)id + 0.75f;
  agent_set_destination(a, i, (int32_t)id % 5 - 1);
  a->goal_x[i] = (int32_t)id + 1;
  a->goal_y[i] = (int32_t)id + 2;
}

static inline void crowd_check_fields(const struct agents *a, int64_t i)
{
  const int64_t id = a->id[i];
  law(a->vx[i] == (float)id && a->vy[i] == (float)-id && a->radius[i] == (float)id + 0.25f,
      "agent %" PRId64, id);
  law(a->speed[i] == (float)id + 0.5f && a->max_speed[i] == (float)id + 0.75f &&
          agent_destination(a, i) == (int32_t)id % 5 - 1 && a->goal_x[i] == (int32_t)id + 1 &&
          a->goal_y[i] == (int32_t)id + 2,
      "agent %" PRId64, id);
}

// The share of this rank by id, independent of the positions.
static inline void crowd_share(const struct crowd *crowd, const struct comm *c, struct agents *a)
{
  agents_create(a, 1);
  for (int64_t id = c->rank; id < crowd->count; id += c->size)
    crowd_agent(crowd, id, a);
}

static inline void crowd_partition(struct comm *c, const struct agents *a, struct partition *p)
{
  const struct partition_points points = {a->count, a->x, a->y, NULL};
  struct partition_ranks ranks;
  partition_ranks_create(&ranks, c, 0);
  partition_create(p, c->size, 1 << 16, &points, partition_ranks_reduce(&ranks), NULL);
  partition_ranks_destroy(&ranks);
}

static inline int64_t crowd_id_sum(const struct agents *a)
{
  int64_t sum = 0;
  for (int64_t i = 0; i < a->count; i++)
    sum += a->id[i];
  return sum;
}

// Every agent is inside the box of its rank and unchanged.
static inline void crowd_check_ownership(const struct comm *c, const struct partition *p,
                                         const struct agents *a, int64_t step)
{
  for (int64_t i = 0; i < a->count; i++) {
    law(box_holds(p->boxes[c->rank], (struct point){a->x[i], a->y[i]}),
        "step %" PRId64 ", agent %" PRId64, step, a->id[i]);
    crowd_check_fields(a, i);
  }
  law(a->ghost_count == 0, "step %" PRId64 ": %" PRId64 " ghosts are left", step, a->ghost_count);
}

// all: the whole crowd, on every rank.
static inline void crowd_check_whole(const struct comm *c, const struct agents *a,
                                     const struct agents *all, int64_t step)
{
  int64_t sums[] = {a->count, crowd_id_sum(a), (int64_t)(agents_checksum(a) & 0xffffffff),
                    (int64_t)(agents_checksum(a) >> 32)};
  comm_sum(c, sums, 4);
  const uint64_t checksum = (uint64_t)sums[2] + ((uint64_t)sums[3] << 32);
  law(sums[0] == all->count, "step %" PRId64 ": %" PRId64, step, sums[0]);
  law(sums[1] == crowd_id_sum(all), "step %" PRId64, step);
  law(checksum == agents_checksum(all), "step %" PRId64, step);
}
