// What the files of demand share.
#pragma once
#include "demand.h"
#include "od_matrix.h"
#include "shape.h"

enum goal_kind {
  GOAL_DESTINATION,
  GOAL_JOURNEY,
  GOAL_POINT,
  GOAL_AREA,
  GOAL_OPPOSITE,
  GOAL_OFFSET
};

struct source {
  int64_t first, count; // of its people among those there at the start
  const struct source_config *config;
  const struct od_flow *od_flow; // of whom it is; NULL: all of the config's
  int number;                    // of the config's source
  int *profiles;                 // [config->profiles.count] numbers of the shares
  double *bounds;                // [same] upper ends of the shares within [0, 1]
  enum goal_kind goal;
  struct leg destinations; // GOAL_DESTINATION: one of them, by share
  int32_t journey;         // its number, or -1
  struct point point;      // the goal, the mirror's centre, or the offset
  struct region goal_area; // of GOAL_AREA
  double unreached;        // share of its ground that no way leads from
  bool has_inflow;         // its people come in the course of time
  struct inflow inflow;    // and how,
  struct region region;    // and where;
  bool region_shared;      // that of the source before
  int32_t stop_count;      // of the destinations that its people must be able to get to,
  int32_t *stops;          // their numbers
};

// The only destination of its people, or -1.
static inline int32_t source_destination(const struct source *s)
{
  return s->destinations.count == 1 ? s->destinations.places[0] : -1;
}

struct demand {
  const struct config *config;
  const struct world *world;
  uint64_t seed;
  struct agent_table agent_table;
  int64_t count, first_id; // first_id: of the sources' people
  int source_count;
  struct source *sources;
  struct point *places;          // [count - roster.count]
  struct outlines *destinations; // [config->destinations.count] for the nearest point
  struct od_matrix od_matrix;
  int inflow_count;
  struct source **inflows; // [inflow_count] the sources whose people come later
  struct itinerary itinerary;
};

struct box outlines_box(const struct outlines *o); // round all of them
// Those of a source who walk together: a pure function of the seed, the source and somebody's
// number in it.
struct group {
  int64_t first; // its first one's number in the source
  int32_t count;
};
struct group group_of_member(const struct demand *d, const struct source *s, int64_t number);

// A source's words looked up: its profiles and its goal.
void source_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p);
// Where its people go to: the places of its destinations or of its journey's legs.
void source_stops(struct source *s, const struct demand_input *in, const struct itinerary *it);
// When they come, if not at the start, and where.
void inflow_resolve(struct source *s, const struct demand_input *in, struct diagnostics *p);
// Is there room for anybody to come?
void inflow_check(const struct demand *d, int inflow, const struct demand_input *in,
                  struct diagnostics *p);
// Its people put in their places, behind those of the sources before it. taken: everybody else
// who stands somewhere already, told of them too; NULL: nobody, and nobody comes after.
void source_place(struct demand *d, struct source *s, const struct demand_input *in,
                  struct discs *occupied, struct diagnostics *p);

double source_largest_radius(const struct config *c, const struct source *s); // m

// The radius of an agent of the CSV, m.
double agent_row_radius(const struct demand *d, const struct agent_row *row);
