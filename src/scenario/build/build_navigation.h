// Navigation of a scenario: fields on a grid, a roadmap, or neither.
#pragma once
#include "build_roadmap.h"
#include "environment.h"

// Travel times that follow the crowd: Treuille, Cooper and Popovic 2006, eq. 4; see docs/maps.md.
struct live {
  int64_t period;     // steps between two counts of the crowd; 0: never
  int64_t delay;      // steps from a count until agents follow its travel times, <= period
  int32_t cell;       // quanta, side of the cells in which agents are counted
  float time, length; // weights
  float discomfort;   // m^2, weight
};

// The parts of a scenario that navigation reads and fills in. Not owned.
struct navigation_build {
  const char *path, *name; // of the scenario: its file as given, and its title
  const char *directory;   // output folder, with the roadmap cache; NULL: runs/<name>
  int32_t destination_count;
  struct world *world;
  struct environment *environment;
  struct outlines *inflated; // inflated walls of the roadmap
  struct roadmap_build_info *roadmap;
  struct live *live;
};

// Builds the navigation grid, zones and roadmap of the world. False if there were errors.
bool build_navigation(const struct navigation_build *b, const struct demand_input *in,
                      struct diagnostics *p);
// Creates and solves the fields if there is a navigation grid. Collective over node_group.
void build_navigation_fields(const struct navigation_build *b, const struct node_group *node_group,
                             struct diagnostics *p);
