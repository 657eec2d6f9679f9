// Plug-ins: avoidance methods and preferred velocities compiled outside of throng. A plug-in is a
// shared object that holds one text (throng_plugin.h) compiled for each width of the lanes.
#pragma once
#include <stddef.h>

#define PLUGIN_API        1 // changes when plug-ins have to be compiled again
#define PLUGIN_PARAMETERS 16
#define PLUGIN_WIDTHS     4

struct plugin_parameter {
  const char *name; // NULL: the list ends
  float value;      // the default
};

typedef void plugin_function(void); // vec2 (*)(const struct perception *, const float *parameters)

// What a plug-in says of itself for one width: its symbol throng_plugin_WIDTH.
struct plugin_code {
  int api, lanes;
  size_t perception_bytes; // sizeof(struct perception)
  const char *name;
  plugin_function *velocity;  // the method; NULL: that of avoidance.method
  plugin_function *preferred; // changes the preferred velocity first; NULL: not
  struct plugin_parameter parameters[PLUGIN_PARAMETERS + 1];
};

struct plugin {
  const char *name;
  const struct plugin_code *code[PLUGIN_WIDTHS]; // of 1, 4, 8 and 16 lanes
  float parameters[PLUGIN_PARAMETERS];
  void *handle; // of the loader
};
