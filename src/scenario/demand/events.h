// What happens at a time, or when people have come together: names looked up, numbers checked.
#pragma once
#include "itinerary.h"
#include <stdbool.h>
#include <stdio.h>

enum action_kind { ACTION_DOOR, ACTION_EXIT, ACTION_CALL, ACTION_RATE };

struct action {
  enum action_kind kind;
  int32_t what;  // number of the door, destination or source
  int32_t area;  // of the destination; -1: all of them
  bool open;     // of doors and exits
  double factor; // of a rate
};

struct event {
  const char *name;
  bool timed;
  double at;                       // s
  struct region region;            // where people are counted
  bool above, below;               // than so many
  double count_above, count_below; // people
  int32_t action_count;
  struct action *actions;
};

struct events {
  int32_t count;
  struct event *events;
};

void events_describe(const struct events *e, const struct config *c, FILE *out); // and doors

// Puts what it finds wrong into the problems; destroy it in any case.
void events_create(struct events *e, const struct demand_input *in, struct diagnostics *p);
bool events_open_routes(const struct events *e); // is a door or an exit ever opened?
void events_destroy(struct events *e);
