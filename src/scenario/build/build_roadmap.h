// The roadmap of a scenario: its walls grown by the clearance, or a street graph from a file; made,
// or taken from the cache.
#pragma once
#include "demand.h"

struct roadmap_build_info { // how the world came to its roadmap
  double seconds;
  bool cached;
  uint64_t hash; // of the ground it follows from; 0: nothing to cache
};

struct roadmap_input {
  const struct demand_input *demand;
  const struct outlines *walls; // those of the world's obstacles
  int32_t clearance;            // quanta
  const char *folder;           // where a run keeps its cache
};

// Makes world->roadmap and says in made how; grown is created, for the cache. Problems when a
// destination lies in walls, or the graph makes no sense.
void build_roadmap(struct world *world, const struct roadmap_input *in, struct outlines *inflated,
                   struct roadmap_build_info *info, struct diagnostics *p);

// The outlines grown by so many quanta, round which nobody's middle comes nearer; corners are
// mitred: a right one lies sqrt(2) times the clearance off, none farther than twice. False: GEOS
// failed.
bool inflate_walls(const struct outlines *walls, bool outside_solid, int32_t clearance,
                   struct outlines *inflated, char *error, size_t size);
