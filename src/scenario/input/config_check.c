#include "config_check.h"

#include "agents.h"
#include <string.h>

// Two records of a list with one name: who is meant by it?
#define SAME_NAMES(list)                                                                           \
  for (int i = 1; i < c->list.count; i++)                                                          \
    for (int k = 0; k < i; k++)                                                                    \
      if (strcmp(c->list.records[i].name, c->list.records[k].name) == 0)                           \
  problem_add(p, origin_place(c, &c->list.records[i].from, "name"),                                \
              #list "[%d].name: " #list "[%d] is called so already", i, k)

void config_check(const struct config *c, struct problems *p)
{
  if (strchr(c->name, '/') || strcmp(c->name, "..") == 0 || strcmp(c->name, ".") == 0)
    problem_add(p, origin_place(c, &c->from, "name"),
                "name: it names a folder of results and "
                "cannot hold a slash");
  SAME_NAMES(destinations);
  SAME_NAMES(profiles);
  SAME_NAMES(journeys);
  SAME_NAMES(doors);
  SAME_NAMES(sources);
  if (c->navigation.model != 0 && c->destinations.count == 0)
    problem_add(p, origin_place(c, &c->from, "navigation.model"),
                "navigation.model: %s needs destinations",
                c->navigation.model == 1 ? "field" : "roadmap");
  if (c->navigation.model != 2 && c->navigation.graph)
    problem_add(p, origin_place(c, &c->from, "navigation.graph"),
                "navigation.graph: needs navigation.model: roadmap");
  if (c->navigation.model != 0 && c->goal.on_arrival == ARRIVAL_TURN_BACK)
    problem_add(p, origin_place(c, &c->from, "goal.on_arrival"),
                "goal.on_arrival: turn_back needs navigation.model: direct");
  if (c->avoidance.steering.separation > 0 && c->avoidance.steering.separation_distance <= 0)
    problem_add(p, origin_place(c, &c->from, "avoidance.steering.separation"),
                "avoidance.steering.separation: avoidance.steering.separation_distance above 0 is "
                "expected with it");
  if (c->time.end < c->time.step)
    problem_add(p, origin_place(c, &c->from, "time.end"),
                "time.end: %.10g s is less than one step of %.10g s", c->time.end, c->time.step);
  if (c->time.end / c->time.step > STEP_LIMIT)
    problem_add(p, origin_place(c, &c->from, "time.end"), "time.end: more than %d steps of %.10g s",
                STEP_LIMIT, c->time.step);
}
