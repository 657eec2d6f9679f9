// Data and functions that the files of this folder share.
#pragma once
#include "demand.h"
#include "od_matrix.h"
#include "placement.h"
#include "radii.h"

#define MAX_SPEED_FACTOR 1.3 // of the preferred speed, to get out of the way of others

enum goal_kind {
  GOAL_DESTINATION,
  GOAL_JOURNEY,
  GOAL_POINT,
  GOAL_AREA,
  GOAL_OPPOSITE,
  GOAL_OFFSET
};

// A source of the config, or one of its flows in the OD matrix.
struct source {
  int64_t first, count; // of its agents among all agents at the start
  const struct source_config *config;
  const struct od_flow *od_flow; // NULL: all agents of the config's source
  int number;                    // index in the config
  int *profiles;                 // [max(1, config->profiles.count)] indices of profiles
  double *bounds;                // [same] cumulative shares, up to 1
  enum goal_kind goal;
  struct leg destinations; // GOAL_DESTINATION: one of them, by share
  int32_t journey;         // index; -1: none
  struct point point;      // goal, centre of reflection, or offset
  struct region goal_area; // of GOAL_AREA
  double unreached;        // share of its free ground without a route
  bool has_inflow;         // its agents enter during the run
  struct inflow inflow;    // if has_inflow: when,
  struct region region;    // and where
  bool region_shared;      // the region belongs to the source before
  int32_t stop_count;      // of stops that its agents must be able to reach
  int32_t *stops;          // [stop_count]
};

struct demand {
  const struct config *config;
  const struct world *world;
  uint64_t seed;
  struct agent_table agent_table;
  int64_t count;    // of agents at the start
  int64_t first_id; // of the agents of sources
  int source_count;
  struct source *sources;
  struct point *places; // [count - agent_table.count] starts of the agents of sources
  int64_t place_capacity;
  struct outlines *destinations; // [config->destinations.count]; NULL if the world has routes
  struct od_matrix od_matrix;
  int inflow_count;
  struct source **inflows; // [inflow_count] the sources with has_inflow
  struct itinerary itinerary;
};

// The group of the agent with index `number` in its source: a pure function of the seed.
struct group {
  int64_t first; // index in the source of its first member
  int32_t count;
};
struct group group_of_member(const struct demand *d, const struct source *s, int64_t number);

// Looks up the names in the options of a source: its profiles, goal and inflow.
// Its number and its goals are for rows of trips.
bool source_is_of_trips(const struct source_config *c);
void source_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p);
// Finds its stops: its destinations, or those of the legs of its journey.
void source_find_stops(struct source *s, const struct demand_input *in, const struct itinerary *it);
// The point of the closed outlines, and of what they enclose, that is nearest to p.
struct point outlines_nearest(const struct outlines *o, struct point p);

// Where a goal lies to which agents walk straight.
enum goal_place {
  GOAL_FREE,
  GOAL_INSIDE_NEAR, // in a wall, but within goal.radius of free ground, or perhaps behind a door
  GOAL_INSIDE,      // in a wall: no agent arrives
  GOAL_OUTSIDE      // of the extent
};
enum goal_place goal_place(const struct demand_input *in, struct point goal);
enum goal_place goal_place_at(const struct demand_input *in, double x, double y); // m
// Whether agents can arrive at any of many random points of the region. number: of the draws.
bool region_has_goal(const struct demand_input *in, const struct region *r, int64_t number);
// The same for the area of a destination, to whose nearest point agents walk.
bool outlines_have_goal(const struct demand_input *in, const struct outlines *o, int64_t number);
// Errors and warnings about the goal of a source with GOAL_POINT.
void source_check_goal(const struct source *s, const struct demand_input *in,
                       struct diagnostics *p);
// Error if goals of agents with GOAL_OPPOSITE or GOAL_OFFSET that start at starts[count] lie
// outside the extent. They may lie in walls: an offset can mean a direction.
void source_check_relative_goals(const struct source *s, const struct demand_input *in,
                                 const struct point *starts, int64_t count, struct diagnostics *p);

// A warning if agents walk straight to goals that walls hide from them.
void demand_check_goals_in_sight(const struct demand *d, const struct demand_input *in,
                                 struct diagnostics *p);

// Sets has_inflow and inflow.
void source_resolve_inflow(struct source *s, const struct demand_input *in, struct diagnostics *p);
// Error if no agent can ever enter.
void inflow_check(const struct demand *d, int inflow, const struct demand_input *in,
                  struct diagnostics *p);
// Appends the starts of its agents to d->places. occupied: discs of all agents placed before, to
// which those of s are added; NULL: s is the only source.
void source_place(struct demand *d, struct source *s, const struct demand_input *in,
                  struct discs *occupied, struct diagnostics *p);
