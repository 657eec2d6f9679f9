// The world in which agents walk, the same on every rank: walls, navigation and zones.
#pragma once
#include "field.h"
#include "nav_grid.h"
#include "navigation_model.h"
#include "node_group.h"
#include "obstacles.h"
#include "position.h"
#include "roadmap.h"
#include "zones.h"

// A change of the world or of a field gives it a new version, a number that this process has never
// used before, greater than all others. Whoever keeps a copy, or what follows from it, keeps the
// version too, and nobody has to tell what has changed.
uint64_t world_next_version(void);

// Where agents arrive: the open areas of a destination.
struct arrival_area {
  struct obstacles outlines; // agents inside have arrived
  struct box box;            // around them
};

struct world {
  uint64_t version; // of all but the fields; 0: of a world that may change at any time
  struct frame frame;
  struct box bounds; // agents stay inside
  struct obstacles obstacles;
  enum navigation_kind navigation;
  struct nav_grid nav_grid;  // columns == 0: no model needs a grid
  int32_t destination_count; // 0: no fields
  int32_t route_count;       // fields for each of them
  struct field *fields;      // [destination_count * route_count]
  int32_t spare_count;
  struct field *spare_fields;          // [spare_count] in which new travel times are solved
  const struct node_group *node_group; // shares fields_memory; outlives the world
  void *fields_memory;                 // of all fields
  struct roadmap roadmap;              // destination_count == 0: none
  int32_t arrival_count;
  struct arrival_area *arrival_areas; // [arrival_count] of the destinations
  int32_t arrival_reach; // quanta: an agent touches an area at its radius, at most at this one
  int32_t meeting_reach; // quanta: whoever makes no progress closer to the goal rests; 0: nobody
  struct zones zones;    // areas that change the preferred speed
  bool facings;          // agents show where they want to walk (agents.h)
};

void world_destroy(struct world *w);
bool world_is_valid(
    const struct world *w); // its navigation has the data that it needs; for asserts

// Creates unsolved fields for `count` destinations, `routes` for each, and `spare` more, on the
// world's grid, in memory that the node group shares. Returns false when there is too little shared
// memory: each process then has memory of its own, and the world's node group is this process.
// Collective over the node group. With count > 0 the world navigates by fields.
bool world_create_fields(struct world *w, int32_t count, int32_t routes, int32_t spare,
                         const struct node_group *node_group);

// A field of a destination. Route 0 is the best one; the others differ from it (cost_noise.h).
INLINE struct field *world_field(const struct world *w, int32_t destination, int32_t route)
{
  return &w->fields[destination * w->route_count + route];
}

// The field that a person follows all the way, by a hash (Knuth: multiplicative). party:
// agents_party.
INLINE const struct field *world_field_of(const struct world *w, int32_t destination, int64_t party)
{
  const uint64_t hash = (uint64_t)party * 0x9e3779b97f4a7c15u >> 32;
  return world_field(w, destination, (int32_t)(hash * (uint64_t)w->route_count >> 32));
}

uint64_t
world_fields_version(const struct world *w); // another one if any field that agents follow has
// Replaces the areas of the destinations: outlines[count]. The world has another version then.
void world_set_arrival_areas(struct world *w, const struct outlines *outlines, int32_t count);

// Measures the passages of the roadmap, so that agents can spread along it.
void world_measure_passages(struct world *w);

// Do agents head for destinations? Else they walk straight to their goals.
static inline bool world_has_routes(const struct world *w)
{
  return navigation_models[w->navigation].uses_destinations;
}
// For a world with routes: the cost of the way from p, in units of time along a field, in quanta
// along a roadmap; and whether there is a way from p.
int64_t world_cost_to_go(const struct world *w, int32_t destination, struct point p);
bool world_reachable(const struct world *w, int32_t destination, struct point p);
