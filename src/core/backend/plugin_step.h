// The velocities of LANES agents by a plug-in.
#pragma once
#include "next_velocity.h"
#include "throng_plugin.h"

enum { PLUGIN_WIDTH = LANES == 1 ? 0 : LANES == 4 ? 1 : LANES == 8 ? 2 : 3 };

// A velocity of finite length, whatever the function returns. It runs in a thread of OpenMP, which
// has the locale of the caller.
static vec2 plugin_call(plugin_function *function, const struct perception *s,
                        const float *parameters)
{
  const locale_t before = c_locale_begin();
  const vec2 v = ((plugin_velocity *)function)(s, parameters);
  c_locale_end(before);
  const mask number = s->active & equal(v.x - v.x, splat(0)) & equal(v.y - v.y, splat(0));
  return select_vec2(number, v, vec2_of(splat(0), splat(0)));
}

// No faster than max_speed. What the plug-in leaves alone stays to the bit.
static vec2 plugin_preferred(const struct plugin_code *code, const struct perception *s,
                             const float *parameters)
{
  const vec2 old = s->preferred_velocity, v = plugin_call(code->preferred, s, parameters);
  const mask same = equal(v.x, old.x) & equal(v.y, old.y);
  return select_vec2(same, old, disc_closest(vec2_of(splat(0), splat(0)), s->max_speed, v));
}

static void plugin_next_velocity(struct perception *s, const struct block *b, const struct job *job,
                                 const struct next_velocity_queues *queues,
                                 struct next_velocity_counts *counts)
{
  const struct plugin_code *code = job->in->plugin->code[PLUGIN_WIDTH];
  const float *parameters = job->in->plugin->parameters;
  if (code->preferred)
    s->preferred_velocity = plugin_preferred(code, s, parameters);
  if (!code->velocity) {
    next_velocity(job->in->avoidance->method, s, b, job, *queues, counts);
    return;
  }
  const mask passive = apply_steering(s, b, job);
  const vec2 v = admissible_closest(&s->admissible, plugin_call(code->velocity, s, parameters));
  const struct method_result result = {v, mask_none(), mask_none()};
  store_result(s, b, job, passive, &result, b->active, counts);
}
