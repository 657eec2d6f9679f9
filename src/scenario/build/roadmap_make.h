// The roadmap of a scenario: its walls grown by the clearance, or a street graph from a file; made,
// or taken from the cache.
#pragma once
#include "demand.h"

struct roadmap_made { // how the world came to its roadmap
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
void roadmap_make(struct world *world, const struct roadmap_input *in, struct outlines *grown,
                  struct roadmap_made *made, struct problems *p);

// The outlines grown by so many quanta, round which nobody's middle comes nearer; corners are
// mitred: a right one lies sqrt(2) times the clearance off, none farther than twice. False: GEOS
// failed.
bool walls_grow(const struct outlines *walls, bool outside_solid, int32_t clearance,
                struct outlines *grown, char *error, size_t size);
