// Where people go and what they do there: the destinations as stops, the journeys as chains of
// legs. Plain numbers; what happens on the way is src/journeys.c.
#pragma once
#include "obstacles.h"

struct config;
struct demand_input;
struct diagnostics;

struct region { // an area to draw points of
  struct obstacles inside;
  struct box box; // round it
};

struct stop {
  bool stays;           // whoever comes on a journey stays a while, somewhere in its region
  bool until_called;    // they stay until an event calls
  struct region region; // empty where nobody stays
  int32_t slot_count;   // of its queue; 0: it has none
  struct point *slots;  // [slot_count] from the head
  double flow;          // so many may leave by it in a step; 0: without limit
};

struct leg {
  int choice;      // enum leg_choice
  int32_t count;   // of places to choose from
  int32_t *places; // [count]
  double *bounds;  // [count] upper ends of their shares within [0, 1]
  int32_t next;    // leg; -1: one leaves
};

struct itinerary {
  int32_t stop_count, leg_count, journey_count;
  struct stop *stops;
  struct leg *legs;                // of all journeys
  int32_t *journeys;               // [journey_count] their first legs
  bool needs_stop_counts;          // somebody asks how many are on the way to a place
  bool has_flow_limit, has_queues; // a place has a greatest flow, a queue
};

// Puts what it finds wrong into the problems; destroy it in any case.
void itinerary_create(struct itinerary *it, const struct demand_input *in, struct diagnostics *p);
void itinerary_destroy(struct itinerary *it);

// The share of [0, 1) that unit falls into.
int32_t cumulative_find(const double *bounds, int32_t count, double unit);

// The region of areas of the config. False when there are problems.
struct area;
struct config;
struct leg_config;
// A leg's places looked up by name; what is wrong with them begins with `path`.
void leg_create(struct leg *leg, const struct config *c, const struct leg_config *from,
                const char *path, struct diagnostics *p);
void leg_destroy(struct leg *leg);

bool region_create(struct region *r, const struct demand_input *in, const struct area *areas,
                   int count, struct diagnostics *p);
void region_destroy(struct region *r);
// A point of its box by two random words; whether it lies in the region and in no wall is asked.
struct point region_point(const struct region *r, uint32_t word_x, uint32_t word_y);
