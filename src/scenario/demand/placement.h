// Places for people in an area: on no wall, on nobody else, with a way to where they want to go.
// Everything is integers and counter-based random numbers, so every rank finds the same places.
#pragma once
#include "config.h"
#include "spans.h"
#include "world.h"

// Who stands where already: a hash grid of discs.
struct discs {
  int64_t count, capacity;
  struct point *points;
  int32_t *radii;   // quanta
  int32_t *next;    // [capacity] the next disc of the same bucket; -1: none
  int32_t *heads;   // [buckets]
  uint32_t buckets; // a power of two
  int32_t cell;     // quanta: twice the largest radius there will ever be
};
void discs_create(struct discs *d, int64_t capacity, int32_t largest_radius);
void discs_destroy(struct discs *d);
void discs_add(struct discs *d, struct point p, int32_t radius);
bool discs_touch(const struct discs *d, struct point p, int32_t radius); // overlaps one of them

struct site_constraints { // what a place must be
  const struct world *world;
  const struct obstacles *area; // inside of it; NULL: anywhere
  int32_t stop_count;           // with a way to all of these destinations
  const int32_t *stops;         // [stop_count]
  const struct discs *occupied; // NULL: nobody else
  int32_t radius;               // of who will stand there, quanta
};

enum site { SITE_FREE, SITE_OUTSIDE, SITE_WALL, SITE_UNREACHABLE, SITE_OCCUPIED };
enum site site_classify(const struct site_constraints *check, struct point p);

struct placement {
  struct site_constraints check;
  const struct outlines *outlines; // of the area
  struct box box;                  // round them
  double area;                     // m^2
  int64_t count;                   // wanted; 0: by density or spacing
  double density;                  // people/m^2 of free ground
  bool grid;                       // in rows, not at random
  int32_t spacing;                 // of the grid, quanta; 0: by count or density
  int64_t group_size;              // people who stand in sites that follow each other; 0 is as 1
  int32_t jitter;                  // off the grid's places, either way in x and y, quanta
  uint64_t seed;
  int64_t number; // of the source: its random numbers are its own
};

struct places {
  int64_t count; // as many as wanted, or as many as fit when that is less
  int64_t wanted;
  struct point *points; // memory_destroy it
  double unreached;     // share of the otherwise free ground that no way leads from
};
struct places places_find(const struct placement *placement);
