// What of the ground changes in a run: doors, which are walls that come and go, and the areas of
// destinations, to which people are led or not. Every rank changes it alike.
#pragma once
#include "world.h"

struct demand_input;
struct diagnostics;

struct door {
  struct outlines shape;
  struct obstacles solid; // of the shape alone, to see who stands in it
  bool closed;
};

struct zone_effect { // how a zone changes the ground
  struct outlines area;
  double speed; // factor
  bool no_go;
  bool one_way; // one way only,
  double x, y;  // towards that direction
};

struct environment {
  struct outlines walls; // without doors; not owned
  bool outside_solid;
  int32_t clearance; // quanta
  int32_t door_count;
  struct door *doors;
  int32_t zone_count;
  struct zone_effect *zones;
  int32_t destination_count;
  int32_t *area_count;     // [destination_count]
  struct outlines **areas; // [destination_count][area_count]
  bool **area_closed;      // [destination_count][area_count]
  bool *live;              // [destination_count] travel times follow the crowd
};

// Puts what it finds wrong into the problems; destroy it in any case.
void environment_create(struct environment *s, const struct demand_input *in,
                        struct diagnostics *p);
void environment_destroy(struct environment *s);

// The walls and the doors that are closed now; destroy them.
struct outlines environment_outlines(const struct environment *s);
// The same as the obstacles of the world.
void environment_build_obstacles(const struct environment *s, struct world *w);
// What the zones do to new ground.
void environment_mark_zones(const struct environment *s, struct nav_grid *g);
// The cells of a destination's open areas: target[cells]. False: none of them is free.
bool environment_mark_destination(const struct environment *s, const struct nav_grid *g,
                                  int32_t destination, uint8_t *target);
// The fields of destinations[count] anew, for cost[cells] of crossing each cell where they follow
// the crowd; else, or when cost is NULL, as the zones say. Every process of the world's team solves
// its share of them together; collective over the team.
void environment_solve_fields(const struct environment *s, struct world *w,
                              const int32_t *destinations, int32_t count, const uint16_t *cost);
// After doors have changed: obstacles, ground and roadmap, in which nobody's aim is known any more.
// The fields are still those of before.
void environment_rebuild(const struct environment *s, struct world *w);
bool environment_is_closed(const struct environment *s, int32_t destination); // all of its areas
// Is p in a door or nearer to it than that (quanta)?
bool door_near(const struct door *d, struct point p, int32_t distance);
