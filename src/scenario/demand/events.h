// Events: actions at a given time, or when the number of agents in an area crosses a threshold.
// Plain data; src/traffic/world_events.c carries them out.
#pragma once
#include "region.h"
#include <stdbool.h>
#include <stdio.h>

struct config;

enum action_kind { ACTION_DOOR, ACTION_EXIT, ACTION_CALL, ACTION_RATE };

struct action {
  enum action_kind kind;
  int32_t what;  // index of the door, destination or source
  int32_t area;  // ACTION_EXIT: index of one area of the destination; -1: all of them
  bool open;     // ACTION_DOOR, ACTION_EXIT: opens, else closes
  double factor; // ACTION_RATE
};

struct event {
  const char *name;
  bool timed;                      // at a time, else on a condition
  double at;                       // s
  struct region region;            // where agents are counted
  bool above, below;               // which of the thresholds is the condition
  double count_above, count_below; // number of agents
  int32_t action_count;
  struct action *actions; // [action_count]
};

struct events {
  int32_t count;
  struct event *events;
};

// Errors go to p; call events_destroy in any case.
void events_create(struct events *e, const struct demand_input *in, struct diagnostics *p);
void events_destroy(struct events *e);
bool events_open_routes(const struct events *e); // whether any event opens a door or an exit
void events_describe(const struct events *e, const struct config *c, FILE *out); // and the doors
