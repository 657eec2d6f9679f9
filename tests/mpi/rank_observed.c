// What a step sums on its way is what a pass over all agents sums after it, while agents enter,
// leave, stand in walls and go to other ranks: rank_observed SCENARIO [STEP]
//
// From that step on, the columns of one rank are handed out to a caller, who writes to them. The
// boxes then stay as they are at first, so that the same agents leave that rank in every run.
#include "rank_crowd.h"
#include "rank_simulation.h"
#include "simulation_change.h"
#include <math.h>
#include <stdlib.h>

#define STEPS (SHORT ? 150 : 300)

// The rank whose columns are handed out. People cross the box in the middle from both sides.
static bool is_holder(const struct comm *comm)
{
  return comm->rank == comm->size / 2;
}

// A point just inside solid ground of this rank, by the wall with that number or one after it.
static bool solid_point(const struct simulation *s, int64_t wall, struct point *at)
{
  const struct obstacles *o = &s->scenario->world.obstacles;
  for (int64_t k = 0; k < o->count; k++) {
    const struct wall *w = &o->walls[(wall + k) % o->count];
    const float inside = 0.01f / frame_quantum(&s->scenario->world.frame);
    *at = (struct point){w->a.x + (w->b.x - w->a.x) / 2 - (int32_t)(inside * w->uy),
                         w->a.y + (w->b.y - w->a.y) / 2 + (int32_t)(inside * w->ux)};
    if (box_holds(s->partition.boxes[s->comm->rank], *at) && obstacles_solid(o, *at))
      return true;
  }
  return false;
}

static void put_some_into_walls(struct simulation *s)
{
  struct agents *a = &s->agents;
  struct point at;
  for (int64_t i = 0; i < a->count; i++)
    if (a->id[i] % 17 == s->step % 17 && solid_point(s, a->id[i], &at)) {
      a->x[i] = at.x;
      a->y[i] = at.y;
    }
}

// One agent after the other, each by its definition.
static void check_all_agents(const struct simulation *s, const struct observables *seen)
{
  const struct agents *a = &s->agents;
  const struct obstacles *o = &s->scenario->world.obstacles;
  int64_t sums[] = {0, 0, a->count};
  for (int64_t i = 0; i < a->count; i++) {
    sums[0] += llrint(1e9 * hypot((double)a->vx[i], (double)a->vy[i]));
    sums[1] += obstacles_solid(o, (struct point){a->x[i], a->y[i]});
  }
  comm_sum(s->comm, sums, 3);
  const double mean = sums[2] ? 1e-9 * (double)sums[0] / (double)sums[2] : 0;
  law(fabs(seen->mean_speed - mean) < 2e-6, "step %" PRId64 ": %.7f m/s of %.7f m/s", s->step,
      seen->mean_speed, mean);
  law(seen->agents_in_walls == sums[1], "step %" PRId64 ": %" PRId64 " of %" PRId64, s->step,
      seen->agents_in_walls, sums[1]);
}

// After a step: some of the agents walk faster.
static void write_columns(struct simulation *s)
{
  struct agents *a = &s->agents;
  for (int64_t i = 0; i < a->count; i += 3)
    a->vx[i] *= 1.25f;
}

struct seen {
  int64_t in_walls, arrived, entered, migrants, migrants_while_handed_out;
};

// The ranks whose columns nobody holds know their sums.
static void observe_step(struct simulation *s, struct seen *seen)
{
  const bool holds_columns = s->steering.watched;
  s->observed.wanted = s->step % 4 > 0;
  simulation_step(s);
  law(s->observed.known == s->observed.wanted, "step %" PRId64, s->step);
  if (holds_columns && s->step % 8 == 3)
    write_columns(s);
  const struct observables on_the_way = simulation_observe(s);
  check_all_agents(s, &on_the_way);
  s->observed.known = false;
  const struct observables after = simulation_observe(s);
  law(on_the_way.mean_speed == after.mean_speed, "step %" PRId64, s->step);
  law(on_the_way.agents_in_walls == after.agents_in_walls,
      "step %" PRId64 ": %" PRId64 ", %" PRId64, s->step, on_the_way.agents_in_walls,
      after.agents_in_walls);
  seen->in_walls += after.agents_in_walls;
  seen->arrived += s->last.arrived;
  seen->entered += s->last.entered;
  seen->migrants += s->migrate.sent;
  seen->migrants_while_handed_out += holds_columns ? s->migrate.sent : 0;
}

// What the laws are about has happened.
static void check_seen(const struct simulation *s, struct seen *seen, bool handed_out)
{
  const bool alone = s->comm->size == 1;
  const int64_t of_holder = seen->migrants_while_handed_out;
  law(seen->in_walls > 0 && seen->arrived > 0 && seen->entered > 0,
      "%" PRId64 ", %" PRId64 ", %" PRId64, seen->in_walls, seen->arrived, seen->entered);
  comm_sum(s->comm, &seen->migrants, 1);
  law(alone || seen->migrants > 10, "%" PRId64 " migrants", seen->migrants);
  law(alone || !handed_out || !is_holder(s->comm) || of_holder > 0, "%" PRId64 " left rank %d",
      of_holder, s->comm->rank);
}

int main(int argc, char **argv)
{
  struct rank_simulation r;
  struct simulation *s = &r.simulation;
  struct seen seen = {0};
  rank_simulation_begin(&r, argc, argv);
  const int64_t handed_out = argc > 2 ? atoll(argv[2]) : INT64_MAX;
  if (argc > 2)
    s->load_balance.options.when = BALANCE_NEVER;
  while (s->step < STEPS) {
    if (s->step == handed_out && is_holder(s->comm))
      simulation_hand_out(s);
    if (s->step % 10 == 5)
      put_some_into_walls(s);
    observe_step(s, &seen);
  }
  check_seen(s, &seen, argc > 2);
  rank_simulation_end(&r);
  return 0;
}
