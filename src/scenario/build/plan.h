// What of the ground changes in a run: doors, which are walls that come and go, and the areas of
// destinations, to which people are led or not. Every rank changes it alike.
#pragma once
#include "world.h"

struct demand_input;
struct problems;

struct door {
  struct outlines shape;
  struct obstacles solid; // of the shape alone, to see who stands in it
  bool closed;
};

struct zone_rule { // how a zone changes the ground
  struct outlines area;
  double speed; // factor
  bool no_go;
  bool turned; // one way only,
  double x, y; // towards that direction
};

struct plan {
  struct outlines walls; // without doors; not owned
  bool outside_solid;
  int32_t clearance; // quanta
  int32_t door_count;
  struct door *doors;
  int32_t zone_count;
  struct zone_rule *zones;
  int32_t destination_count;
  int32_t *area_count;     // [destination_count]
  struct outlines **areas; // [destination_count][area_count]
  bool **shut;             // [destination_count][area_count]
  bool *live;              // [destination_count] travel times follow the crowd
};

// Puts what it finds wrong into the problems; destroy it in any case.
void plan_create(struct plan *s, const struct demand_input *in, struct problems *p);
void plan_destroy(struct plan *s);

// The walls and the doors that are closed now; destroy them.
struct outlines plan_outlines(const struct plan *s);
// The same as the obstacles of the world.
void plan_build_obstacles(const struct plan *s, struct world *w);
// What the zones do to new ground.
void plan_mark_zones(const struct plan *s, struct ground *g);
// The cells of a destination's open areas: target[cells]. False: none of them is free.
bool plan_target(const struct plan *s, const struct ground *g, int32_t destination,
                 uint8_t *target);
// The fields of destinations[count] anew, for cost[cells] of crossing each cell where they follow
// the crowd; else, or when cost is NULL, as the zones say. Every process of the world's team solves
// its share of them together; collective over the team.
void plan_solve(const struct plan *s, struct world *w, const int32_t *destinations, int32_t count,
                const uint16_t *cost);
// After doors have changed: obstacles, ground and roadmap, in which nobody's aim is known any more.
// The fields are still those of before.
void plan_rebuild(const struct plan *s, struct world *w);
bool plan_is_shut(const struct plan *s, int32_t destination); // all of its areas
// Is p in a door or nearer to it than that (quanta)?
bool door_near(const struct door *d, struct point p, int32_t distance);
