// Finds starts for the agents of a source: inside its area, off walls, apart from each other, and
// with a route to every stop. Integers and counter-based random numbers only, so that every rank
// finds the same points.
#pragma once
#include "config.h"
#include "spans.h"
#include "world.h"

// Discs of agents placed so far, in a hash grid.
struct discs {
  int64_t count, capacity;
  struct point *points; // [capacity]
  int32_t *radii;       // [capacity] quanta
  int32_t *next;        // [capacity] next disc of the same bucket; -1: none
  int32_t *heads;       // [buckets]
  uint32_t buckets;     // a power of two
  int32_t cell;         // quanta; at least twice the largest radius
};
void discs_create(struct discs *d, int64_t capacity, int32_t largest_radius);
void discs_destroy(struct discs *d);
void discs_add(struct discs *d, struct point p, int32_t radius);
bool discs_touch(const struct discs *d, struct point p, int32_t radius); // overlaps any of them

// What a start must satisfy.
struct site_constraints {
  const struct world *world;
  const struct obstacles *area; // contains it; NULL: anywhere
  int32_t stop_count;
  const int32_t *stops;         // [stop_count] all reachable
  const struct discs *occupied; // overlaps none; NULL: no others
  int32_t radius;               // quanta, of the agent
};

enum site { SITE_FREE, SITE_OUTSIDE, SITE_WALL, SITE_UNREACHABLE, SITE_OCCUPIED };
enum site site_classify(const struct site_constraints *check, struct point p);

struct placement {
  struct site_constraints check;
  const struct outlines *outlines; // of the area
  struct box box;                  // of the outlines
  double area;                     // m^2
  int64_t count;                   // of agents; 0: by density or spacing
  double density;                  // agents/m^2 of free ground
  bool grid;                       // rows and columns, else random points of a triangular lattice
  int32_t spacing;                 // of the grid, quanta; 0: by count or density
  int64_t group_size;              // agents that get consecutive sites; 0 means 1
  int32_t jitter;                  // of grid sites, at most this far in x and y, quanta
  uint64_t seed;
  int64_t number; // of the source; part of the random counters
};
bool placement_is_valid(const struct placement *placement);

struct places {
  int64_t count;        // as many as wanted, or fewer if no more fit
  int64_t wanted;       // by count, density or spacing
  struct point *points; // [count]; free with memory_destroy
  double unreached;     // share of the otherwise free sites without a route
};
struct places places_find(const struct placement *placement);
