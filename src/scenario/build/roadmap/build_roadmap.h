// The roadmap of a scenario: from the inflated walls, from its cache, or from a street graph.
#pragma once
#include "demand_input.h"

struct roadmap_build_info { // how the roadmap was obtained
  double seconds;           // wall-clock time
  bool cached;              // read from the cache
  uint64_t hash;            // of its inputs; 0: not to be cached
};

struct roadmap_input {
  const struct demand_input *demand;
  const struct outlines *walls; // of the world's obstacles
  int32_t clearance;            // quanta
  const char *folder;           // of the cache
};

// Builds world->roadmap and creates inflated, for the cache. Errors if a destination lies in walls
// or the street graph is bad.
void build_roadmap(struct world *world, const struct roadmap_input *in, struct outlines *inflated,
                   struct roadmap_build_info *info, struct diagnostics *p);
