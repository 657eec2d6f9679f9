// What a step sums on its way is what a pass over all agents sums after it, while agents enter,
// leave, stand in walls and go to other ranks: rank_observed SCENARIO
#include "rank_crowd.h"
#include "rank_simulation.h"

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

int main(int argc, char **argv)
{
  struct rank_simulation r;
  struct simulation *s = &r.simulation;
  int64_t in_walls = 0, arrived = 0, entered = 0;
  rank_simulation_begin(&r, argc, argv);
  while (s->step < 300) {
    if (s->step % 10 == 5)
      put_some_into_walls(s);
    s->observed.wanted = s->step % 4 > 0;
    simulation_step(s);
    law(s->observed.known == s->observed.wanted, "step %" PRId64, s->step);
    const struct observables on_the_way = simulation_observe(s);
    s->observed.known = false;
    const struct observables after = simulation_observe(s);
    law(on_the_way.mean_speed == after.mean_speed, "step %" PRId64, s->step);
    law(on_the_way.agents_in_walls == after.agents_in_walls,
        "step %" PRId64 ": %" PRId64 ", %" PRId64, s->step, on_the_way.agents_in_walls,
        after.agents_in_walls);
    in_walls += after.agents_in_walls;
    arrived += s->last.arrived;
    entered += s->last.entered;
  }
  law(in_walls > 0 && arrived > 0 && entered > 0, "%" PRId64 ", %" PRId64 ", %" PRId64, in_walls,
      arrived, entered);
  rank_simulation_end(&r);
  return 0;
}
