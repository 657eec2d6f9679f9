// How people find their way in a scenario: fields on a grid, a roadmap, or neither.
#pragma once
#include "build_roadmap.h"
#include "demand.h"
#include "environment.h"

struct live {         // Treuille, Cooper, Popovic 2006, eq. 4: see docs/maps.md
  int64_t period;     // steps; 0: never
  int32_t cell;       // side of the squares that people are counted in, quanta
  float time, length; // weights
  float discomfort;   // m^2
};

// The scenario's parts that navigation reads and makes; they belong to the scenario.
struct navigation_build {
  const char *path, *name; // of the scenario: its file, as given, and its title
  const char *directory;   // where a run keeps its cache; NULL: runs/<name>
  int32_t destination_count;
  struct world *world;
  struct environment *environment;
  struct outlines *grown; // of the roadmap
  struct roadmap_build_info *roadmap;
  struct live *live;
};

// Makes the ground, the zones or the roadmap of the world, by the options of navigation. False when
// there are problems.
bool build_navigation(const struct navigation_build *b, const struct demand_input *in,
                      struct diagnostics *p);
// The fields, if there is a ground for them. Collective over the team.
void build_navigation_fields(const struct navigation_build *b, const struct node_group *node_group,
                             struct diagnostics *p);
