// Destinations as stops, and journeys as chains of legs between them. Plain data: agents travel
// along them in src/traffic/journeys.c.
#pragma once
#include "region.h"

struct config;
struct leg_config;

struct stop {
  bool stays;           // agents on a journey stay for a time at a point of its region
  bool until_called;    // they stay until an event calls them
  struct region region; // if stays, else empty
  int32_t slot_count;   // places in its queue; 0: it has no queue
  struct point *slots;  // [slot_count] from the head
  double flow;          // agents that may leave by it per step; 0: no limit
};

struct leg {
  int choice;      // enum leg_choice
  int32_t count;   // of stops to choose from
  int32_t *places; // [count] indices of stops
  double *bounds;  // [count] cumulative shares, up to 1
  int32_t next;    // index of the following leg; -1: the agent leaves
};

struct itinerary {
  int32_t stop_count, leg_count, journey_count;
  struct stop *stops;              // [stop_count] in the order of the config's destinations
  struct leg *legs;                // [leg_count] of all journeys
  int32_t *journeys;               // [journey_count] first leg of each
  bool needs_stop_counts;          // a leg has LEG_LEAST
  bool has_flow_limit, has_queues; // of any stop
};

// Errors go to p; call itinerary_destroy in any case.
void itinerary_create(struct itinerary *it, const struct demand_input *in, struct diagnostics *p);
void itinerary_destroy(struct itinerary *it);
// Whether all indices of legs and stops are in range.
bool itinerary_is_valid(const struct itinerary *it);

// Looks up the destinations of a leg by name. path: the option, for messages.
void leg_create(struct leg *leg, const struct config *c, const struct leg_config *from,
                const char *path, struct diagnostics *p);
void leg_destroy(struct leg *leg);

// The first index k with unit < bounds[k], or the last one. unit in [0, 1); bounds ascending.
int32_t cumulative_find(const double *bounds, int32_t count, double unit);
