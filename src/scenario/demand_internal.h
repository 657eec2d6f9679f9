// What the files of demand share.
#pragma once
#include "demand.h"
#include "shape.h"

enum goal_kind { GOAL_FIELD, GOAL_NEAREST, GOAL_POINT, GOAL_AREA, GOAL_OPPOSITE, GOAL_OFFSET };

struct source {
  int64_t first, count; // of its people among all
  const struct source_config *config;
  int *profiles;  // [config->profiles.count] numbers of the shares
  double *bounds; // [same] upper ends of the shares within [0, 1]
  enum goal_kind goal;
  int32_t destination;        // number, or -1
  struct point point;         // the goal, the mirror's centre, or the offset
  struct obstacles goal_area; // the inside of GOAL_AREA
  struct box goal_box;
  double cut_off; // share of its ground that no way leads from
};

struct demand {
  const struct config *config;
  const struct world *world;
  uint64_t seed;
  struct roster roster;
  int64_t count, first_id; // first_id: of the sources' people
  int source_count;
  struct source *sources;
  struct point *places;          // [count - roster.count]
  struct outlines *destinations; // [config->destinations.count] for the nearest point; m
};

// A source's words looked up: its profiles and its goal.
void source_resolve(struct source *s, const struct demand_input *in, struct problems *p);
// Its people put in their places, behind those of the sources before it. taken: everybody else
// who stands somewhere already, told of them too; NULL: nobody, and nobody comes after.
void source_place(struct demand *d, struct source *s, const struct demand_input *in,
                  struct discs *taken, struct problems *p);

// The radius of an agent of the CSV, m.
double row_radius(const struct demand *d, const struct roster_row *row);
