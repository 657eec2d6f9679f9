// What demand and the parts of the world are built from.
#pragma once
#include "agent_table.h"
#include "geometry.h"
#include "world.h"

struct demand_input {
  const struct config *config;
  struct geometry *geometry;
  const struct world *world;
  const struct rectangle *extent;
  struct agent_table *agent_table; // demand_create takes its contents
  bool routes_change; // doors or destinations open during the run: unreachable agents are no error
};

static inline struct geometry_context demand_geometry(const struct demand_input *in)
{
  return (struct geometry_context){in->geometry, in->config, &in->world->frame, in->extent};
}

static inline bool demand_outlines(const struct demand_input *in, const struct area *areas,
                                   int count, struct outlines *out, struct diagnostics *p)
{
  const struct geometry_context context = demand_geometry(in);
  return areas_outlines(&context, areas, count, out, p);
}
