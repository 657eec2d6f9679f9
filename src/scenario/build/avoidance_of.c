#include "avoidance_of.h"

static struct steering_options steering_of(const struct config *c)
{
  const double separation = c->avoidance.steering.separation;
  const double alignment = c->avoidance.steering.alignment;
  const double cohesion = c->avoidance.steering.cohesion;
  const double unaligned = c->avoidance.steering.unaligned;
  return (struct steering_options){.on = separation + alignment + cohesion + unaligned > 0,
                                   .separation = (float)separation,
                                   .alignment = (float)alignment,
                                   .cohesion = (float)cohesion,
                                   .unaligned = (float)unaligned,
                                   .separation_distance =
                                       (float)c->avoidance.steering.separation_distance};
}

static void sight_include(struct avoidance *a, double neighbours, double distance)
{
  a->neighbours = (int32_t)neighbours > a->neighbours ? (int32_t)neighbours : a->neighbours;
  a->neighbour_distance =
      (float)distance > a->neighbour_distance ? (float)distance : a->neighbour_distance;
}

// The most that anybody sees: ghosts are shown as far.
static void sight_find(struct avoidance *a, const struct config *c, const struct roster *roster)
{
  for (int i = 0; i < c->profiles.count; i++)
    sight_include(a, c->profiles.records[i].neighbours.hi,
                  c->profiles.records[i].neighbour_distance.hi);
  for (int64_t i = 0; i < roster->count; i++)
    sight_include(a, roster->rows[i].neighbours, (double)roster->rows[i].neighbour_distance);
}

struct avoidance avoidance_of(const struct config *c, const struct roster *roster)
{
  struct avoidance a = {.method = (enum avoidance_method)c->avoidance.method,
                        .horizon_walls = (float)c->avoidance.horizon_walls,
                        .clearpath = {c->avoidance.clearpath.variant == 1},
                        .rvo = {(int32_t)c->avoidance.rvo.samples, (float)c->avoidance.rvo.safety},
                        .directional = {(float)c->avoidance.directional.weight,
                                        (float)c->avoidance.directional.time_cap},
                        .steering = steering_of(c)};
  sight_find(&a, c, roster);
  return a;
}
