// The ground people walk on, the same on every rank.
#pragma once
#include "field.h"
#include "nav_grid.h"
#include "node_group.h"
#include "obstacles.h"
#include "position.h"
#include "roadmap.h"
#include "zones.h"

struct world {
  struct frame frame;
  struct box bounds; // agents are kept inside
  struct obstacles obstacles;
  struct nav_grid nav_grid; // the grid; columns == 0 when nobody needs a field
  int32_t field_count;
  struct field *fields;                // [field_count], one a destination
  const struct node_group *node_group; // who hold the fields' memory together; outlives the world
  void *fields_memory;                 // field_count * field_bytes
  struct roadmap roadmap;              // in place of fields; destination_count == 0: there is none
  struct zones zones;                  // where one walks at another speed
};

void world_destroy(struct world *w);

// Fields on its ground, not solved yet, in memory that the team shares; false: it has to be each
// one's own, and the world's team is only this process. Collective over the team.
bool world_create_fields(struct world *w, int32_t count, const struct node_group *node_group);

// Are people led to destinations? Else they walk straight.
static inline bool world_has_routes(const struct world *w)
{
  return w->field_count > 0 || w->roadmap.destination_count > 0;
}
// What remains of the way from p: units of time along a field, quanta by the roadmap.
int64_t world_cost_to_go(const struct world *w, int32_t destination, struct point p);
bool world_reachable(const struct world *w, int32_t destination,
                     struct point p); // a way leads there
