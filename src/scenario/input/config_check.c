#include "config_check.h"

#include "agents.h"
#include "navigation_model.h"
#include <math.h>
#include <string.h>

// References by name must be unambiguous.
#define CHECK_UNIQUE_NAMES(list)                                                                   \
  for (int i = 0, k; i < c->list.count; i++)                                                       \
    if ((k = name_table_find(&c->names.list, c->list.records[i].name)) != i)                       \
  diagnostics_error(p, origin_location(c, &c->list.records[i].from, "name"),                       \
                    #list "[%d].name: " #list "[%d] already has this name", i, k)

void config_check(const struct config *c, struct diagnostics *p)
{
  if (strchr(c->name, '/') || strcmp(c->name, "..") == 0 || strcmp(c->name, ".") == 0)
    diagnostics_error(p, origin_location(c, &c->from, "name"),
                      "name: it names the output folder and must not be . or .. or contain a "
                      "slash");
  CHECK_UNIQUE_NAMES(destinations);
  CHECK_UNIQUE_NAMES(profiles);
  CHECK_UNIQUE_NAMES(journeys);
  CHECK_UNIQUE_NAMES(doors);
  CHECK_UNIQUE_NAMES(sources);
  const struct navigation_model *model = &navigation_models[c->navigation.model];
  if (model->uses_destinations && c->destinations.count == 0)
    diagnostics_error(p, origin_location(c, &c->from, "navigation.model"),
                      "navigation.model: %s needs destinations", model->name);
  if (!model->uses_graph && c->navigation.graph)
    diagnostics_error(p, origin_location(c, &c->from, "navigation.graph"),
                      "navigation.graph: needs navigation.model: roadmap");
  if (model->uses_destinations && c->goal.on_arrival == ARRIVAL_TURN_BACK)
    diagnostics_error(p, origin_location(c, &c->from, "goal.on_arrival"),
                      "goal.on_arrival: turn_back needs navigation.model: direct");
  if (c->avoidance.steering.separation > 0 && c->avoidance.steering.separation_distance <= 0)
    diagnostics_error(
        p, origin_location(c, &c->from, "avoidance.steering.separation"),
        "avoidance.steering.separation: needs avoidance.steering.separation_distance above 0");
  if (c->time.end < c->time.step)
    diagnostics_error(p, origin_location(c, &c->from, "time.end"),
                      "time.end: %.10g s is shorter than one step of %.10g s", c->time.end,
                      c->time.step);
  if (c->time.end / c->time.step > STEP_LIMIT)
    diagnostics_error(p, origin_location(c, &c->from, "time.end"),
                      "time.end: more than %d steps of %.10g s", STEP_LIMIT, c->time.step);
}

int64_t config_checkpoint_keep(const struct config *c, struct diagnostics *p)
{
  double count;
  if (strcmp(c->output.checkpoint_keep, "all") == 0)
    return INT64_MAX;
  if (number_parse(c->output.checkpoint_keep, &count) && count >= 2 && count <= 1e9 &&
      count == floor(count))
    return (int64_t)count;
  diagnostics_error(
      p, origin_location(c, &c->from, "output.checkpoint_keep"),
      "output.checkpoint_keep: \"%.60s\" is neither a number of checkpoints, at least "
      "2, nor all",
      c->output.checkpoint_keep);
  return 2;
}
