// The parts of the world that change during a run: doors, which are walls that come and go, and
// areas of destinations, which open and close. Every rank changes them alike.
#pragma once
#include "cost_noise.h"
#include "world.h"

struct demand_input;
struct diagnostics;

struct door {
  struct outlines shape;
  struct obstacles solid; // of the shape alone, to find agents in it
  bool closed;
};

struct zone_effect { // of a zone on the navigation grid
  struct outlines area;
  double speed; // factor
  bool no_go;
  bool one_way; // only along the direction
  double x, y;
};

struct environment {
  struct outlines walls; // without doors; not owned
  bool outside_solid;
  int32_t clearance; // quanta
  int32_t door_count;
  struct door *doors; // [door_count] in the order of the config
  int32_t zone_count;
  struct zone_effect *zones; // [zone_count]
  int32_t destination_count;
  int32_t *area_count;       // [destination_count]
  struct outlines **areas;   // [destination_count][area_count]
  bool **area_closed;        // [destination_count][area_count]
  struct cell_list *targets; // [destination_count] cells of the navigation grid in its open areas,
                             // which their centres see
  struct cell_list *near;    // [destination_count] cells where agents may touch these areas
  bool *live;                // [destination_count] travel times follow the crowd
  int32_t route_count;       // fields for each destination
  struct cost_noise noise;   // of the costs of all routes but the first
  bool spreads; // agents spread over the width: the grid has gaps, the roadmap passages
};

// Creates doors and areas of destinations; build_zones adds the zones. Errors go to p; call
// environment_destroy in any case.
void environment_create(struct environment *s, const struct demand_input *in,
                        struct diagnostics *p);
void environment_destroy(struct environment *s);

// The walls and the doors that are closed now; free with outlines_destroy.
struct outlines environment_outlines(const struct environment *s);
// Rebuilds the obstacles of the world from these outlines.
void environment_build_obstacles(const struct environment *s, struct world *w);
// Creates the navigation grid of the world, without zones. cell: quanta.
void environment_create_nav_grid(const struct environment *s, struct world *w, int32_t cell);
// Applies the zones to a navigation grid without zones.
void environment_mark_zones(const struct environment *s, struct nav_grid *g);
// The areas of a destination, without union, all or only those that are open.
struct outlines environment_areas(const struct environment *s, int32_t destination, bool open);
// Sets the areas in which agents arrive, after areas have opened or closed.
void environment_set_arrival_areas(const struct environment *s, struct world *w);
// Finds the targets, after the grid is made or the areas are set.
void environment_find_targets(struct environment *s, const struct world *w);
// Whether no target of a destination is free: it could not be reached.
bool environment_is_walled_up(const struct environment *s, const struct nav_grid *g,
                              int32_t destination);
// Rebuilds obstacles, navigation grid and roadmap after doors have changed. Waypoints of agents
// become invalid; fields keep their old values until they are solved (fields_update.h).
void environment_rebuild(const struct environment *s, struct world *w);
// Whether all areas of the destination are closed.
bool environment_is_closed(const struct environment *s, int32_t destination);
// Whether p is in the door or closer to it than distance (quanta).
bool door_near(const struct door *d, struct point p, int32_t distance);
