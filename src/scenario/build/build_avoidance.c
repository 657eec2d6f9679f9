#include "build_avoidance.h"

#include "build_walking.h"

static struct steering_options build_steering(const struct config *c)
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

static void perception_include(struct avoidance *a, double neighbours, double distance)
{
  a->neighbours = (int32_t)neighbours > a->neighbours ? (int32_t)neighbours : a->neighbours;
  a->neighbour_distance =
      (float)distance > a->neighbour_distance ? (float)distance : a->neighbour_distance;
}

// The maxima over all agents: the halo must be wide enough for every one of them.
static void perception_maximum(struct avoidance *a, const struct config *c,
                               const struct agent_table *agent_table)
{
  for (int i = 0; i < c->profiles.count; i++)
    perception_include(a, c->profiles.records[i].neighbours.hi,
                       c->profiles.records[i].neighbour_distance.hi);
  for (int64_t i = 0; i < agent_table->count; i++)
    perception_include(a, agent_table->rows[i].neighbours,
                       (double)agent_table->rows[i].neighbour_distance);
}

#define HEADWAY_CONTACT 0.8 // share of the sum of two radii: bodies are wider than deep

// A number of the whole scenario: its default is that of its walking model.
double avoidance_contact_of(const struct config *c)
{
  bool headway = false;
  for (int i = 0; i < c->profiles.count; i++)
    headway |= profile_walks_by_headway(&c->profiles.records[i]);
  if (c->avoidance.contact.given)
    return c->avoidance.contact.value;
  return headway ? HEADWAY_CONTACT : 1;
}

struct avoidance build_avoidance(const struct config *c, const struct agent_table *agent_table)
{
  struct avoidance a = {.method = (enum avoidance_method)c->avoidance.method,
                        .horizon_walls = (float)c->avoidance.horizon_walls,
                        .squeeze = (float)(1 - avoidance_contact_of(c)),
                        .clearpath = {c->avoidance.clearpath.variant == 1},
                        .rvo = {(int32_t)c->avoidance.rvo.samples, (float)c->avoidance.rvo.safety},
                        .directional = {(float)c->avoidance.directional.weight,
                                        (float)c->avoidance.directional.time_cap},
                        .steering = build_steering(c)};
  perception_maximum(&a, c, agent_table);
  return a;
}
