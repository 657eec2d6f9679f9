// The velocities of LANES agents by a plug-in.
#pragma once
#include "next_velocity.h"
#include "throng_plugin.h"

enum { PLUGIN_WIDTH = LANES == 1 ? 0 : LANES == 4 ? 1 : LANES == 8 ? 2 : 3 };

// An admissible velocity, whatever the function returns.
static vec2 plugin_call(plugin_function *function, const struct perception *s,
                        const float *parameters)
{
  const vec2 v = ((plugin_velocity *)function)(s, parameters);
  const mask number = s->active & equal(v.x - v.x, splat(0)) & equal(v.y - v.y, splat(0));
  return admissible_closest(&s->admissible, select_vec2(number, v, vec2_of(splat(0), splat(0))));
}

static void plugin_next_velocity(struct perception *s, const struct block *b, const struct job *job,
                                 const struct next_velocity_queues *queues,
                                 struct next_velocity_counts *counts)
{
  const struct plugin_code *code = job->in->plugin->code[PLUGIN_WIDTH];
  const float *parameters = job->in->plugin->parameters;
  if (code->preferred)
    s->preferred_velocity = plugin_call(code->preferred, s, parameters);
  if (!code->velocity) {
    next_velocity(job->in->avoidance->method, s, b, job, *queues, counts);
    return;
  }
  const mask passive = apply_steering(s, b, job);
  const struct method_result result = {plugin_call(code->velocity, s, parameters), mask_none(),
                                       mask_none()};
  store_result(s, b, job, passive, &result, b->active, counts);
}
