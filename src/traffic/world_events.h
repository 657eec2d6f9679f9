// Changes of the world during a run: events, doors that close once they are clear, and dynamic
// travel times. The same on every rank.
#pragma once
#include "comm.h"
#include "inflow_spawner.h"
#include "journeys.h"
#include "scenario.h"
#include "state.h"

struct crowd_count;

struct world_events {
  int64_t *fired_step;       // [events] step in which it happened; -1: not yet
  bool *armed;               // [events] with a lower bound: the count has reached it before
  bool *door_closing;        // [doors] closes as soon as it is clear
  bool doors_changed;        // the obstacles follow
  bool exits_changed;        // the travel times follow
  int64_t rebuilds;          // of the obstacles and the grid so far
  int64_t replans;           // updates of travel times so far
  struct crowd_count *crowd; // dynamic_travel_times.c; NULL: travel times do not follow the crowd
};

struct world_events_input {
  struct scenario *scenario; // its world changes
  const struct comm *comm;
  struct agents *agents; // a rebuilt roadmap resets their waypoints
  struct inflow_spawner *inflow_spawner;
  struct journeys *journeys;
  int64_t step;
  bool sorts; // a sort of all agents is due
};

void world_events_create(struct world_events *c, struct scenario *s, const struct comm *comm);
void world_events_destroy(struct world_events *c);
// Reads or writes what a checkpoint keeps: from it the grid and the travel times are rebuilt to the
// bit. Collective.
void world_events_visit(struct world_events *c, const struct world_events_input *in,
                        struct state *v);
// Rebuilds the grid and the fields after a visit that read. Collective.
void world_events_restore(struct world_events *c, const struct world_events_input *in);
bool world_events_pending(const struct world_events *c, const struct scenario *s); // timed events

// Whether what may be due before this step reads or changes agents.
bool world_events_need_agents(const struct world_events *c, const struct world_events_input *in);
// Applies what is due before this step. Collective.
void world_events_apply(struct world_events *c, const struct world_events_input *in);
