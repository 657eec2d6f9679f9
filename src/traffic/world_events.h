// What changes in the world while people walk: events, doors that wait until nobody stands in
// them, and the travel times, which follow the crowd at a lower rate. The same on every rank.
#pragma once
#include "comm.h"
#include "inflow_spawner.h"
#include "journeys.h"
#include "scenario.h"
#include "state.h"

struct world_events {
  int64_t *fired_step;  // [events] in that step; -1: not yet
  bool *armed;          // [events] of few: they have been many before
  bool *door_closing;   // [doors] closes as soon as nobody stands in it
  bool doors_changed;   // so has the ground
  bool exits_changed;   // so have the travel times
  int64_t rebuilds;     // of the ground so far
  int64_t replans;      // travel times worked out anew so far
  int64_t *coarse_sums; // [2 * squares] people of each, and the per mille of their speed they have
  uint16_t *cost;       // [cells]
};

struct world_events_input {
  struct scenario *scenario; // its world changes
  const struct comm *comm;
  struct agents *agents; // their aims are forgotten with the roadmap
  struct inflow_spawner *inflow_spawner;
  struct journeys *journeys;
  int64_t step;
};

void world_events_create(struct world_events *c, const struct scenario *s);
void world_events_destroy(struct world_events *c);
// What a checkpoint keeps. Reading makes the ground and the travel times from it, which are those
// that there were to the bit; the agents' aims stay. Collective.
void world_events_visit(struct world_events *c, const struct world_events_input *in,
                        struct state *v);
// After all was read and found good: the ground and the fields as they were. Collective.
void world_events_restore(struct world_events *c, const struct world_events_input *in);
bool world_events_pending(const struct world_events *c,
                          const struct scenario *s); // an event by time

// Does what may be due before that step concern the people: are they looked at or changed?
bool world_events_need_agents(const struct world_events *c, const struct world_events_input *in);
// Lets happen what is due before that step. Collective.
void world_events_apply(struct world_events *c, const struct world_events_input *in);
