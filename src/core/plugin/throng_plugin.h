// What a plug-in includes: one's own avoidance method or preferred velocity, for LANES agents at a
// time.
//
//   #include "throng_plugin.h"
//
//   // Away from everybody who is closer than p[0] m.
//   static vec2 shy(const struct perception *s, const float *p)
//   {
//     vec2 v = s->preferred_velocity;
//     for (int i = 0; i < s->agent_count; i++) {
//       const struct neighbour *other = &s->agents[i];
//       const mask close = other->valid & less(dot(other->p, other->p), splat(p[0] * p[0]));
//       v = select_vec2(close, minus(v, other->p), v);
//     }
//     return v;
//   }
//   THRONG_METHOD("shy", shy, {"distance", 1.5f})
//
// `throng-plugin shy.c` compiles it once for each width of the lanes to shy.so, which a scenario
// loads: `avoidance: {plugin: {file: shy.so, parameters: {distance: 2}}}`.
//
// perception.h says what an agent perceives; lanes.h has the arithmetic. The function returns a
// velocity, m/s, in each lane; lanes that are not active may hold anything. throng makes it
// admissible (max_speed, max_acceleration), stops who would walk into a wall, and takes NaN as 0. A
// function that uses these headers only, whose loops end at agent_count and wall_count and look at
// `valid`, gives the same bits at every width and so on any number of ranks: no libm, no memory
// between calls, no comparison of a lane with another one.
#pragma once
#include "perception.h"
#include "plugin.h"

typedef vec2 plugin_velocity(const struct perception *s, const float *parameters);

#define PLUGIN_SYMBOL_OF(lanes) throng_plugin_##lanes
#define PLUGIN_SYMBOL(lanes)    PLUGIN_SYMBOL_OF(lanes)
#define PLUGIN_CODE(title, member, function, ...)                                                  \
  static __attribute__((unused)) plugin_velocity *const plugin_checked_##member = function;        \
  extern __attribute__((visibility("default"))) const struct plugin_code PLUGIN_SYMBOL(LANES);     \
  _Static_assert(sizeof((struct plugin_parameter[]){__VA_ARGS__}) <=                               \
                     PLUGIN_PARAMETERS * sizeof(struct plugin_parameter),                          \
                 "too many parameters");                                                           \
  const struct plugin_code PLUGIN_SYMBOL(LANES) = {.api = PLUGIN_API,                              \
                                                   .lanes = LANES,                                 \
                                                   .perception_bytes = sizeof(struct perception),  \
                                                   .name = title,                                  \
                                                   .member = (plugin_function *)(function),        \
                                                   .parameters = {__VA_ARGS__}};

// The function returns the next velocity. Then follow the parameters, {"name", default}, ..., which
// the function gets in this order.
#define THRONG_METHOD(title, function, ...) PLUGIN_CODE(title, velocity, function, __VA_ARGS__)
// The function returns the velocity that the agent prefers; s->preferred_velocity is that of its
// route. avoidance.method then avoids collisions: for models of speed and steering.
#define THRONG_PREFERENCE(title, function, ...) PLUGIN_CODE(title, preferred, function, __VA_ARGS__)
