// What changes in the world while people walk: events, doors that wait until nobody stands in
// them, and the travel times, which follow the crowd at a lower rate. The same on every rank.
#pragma once
#include "comm.h"
#include "journeys.h"
#include "newcomers.h"
#include "scenario.h"
#include "state.h"

struct changes {
  int64_t *happened;  // [events] in that step; -1: not yet
  bool *armed;        // [events] of few: they have been many before
  bool *door_due;     // [doors] closes as soon as nobody stands in it
  bool doors_changed; // so has the ground
  bool exits_changed; // so have the travel times
  int64_t rebuilds;   // of the ground so far
  int64_t replans;    // travel times worked out anew so far
  int64_t *people;    // [2 * squares] people of each, and the per mille of their speed they have
  uint16_t *cost;     // [cells]
};

struct changes_input {
  struct scenario *scenario; // its world changes
  const struct comm *comm;
  struct agents *agents; // their aims are forgotten with the roadmap
  struct newcomers *newcomers;
  struct journeys *journeys;
  int64_t step;
};

void changes_create(struct changes *c, const struct scenario *s);
void changes_destroy(struct changes *c);
// What a checkpoint keeps. Reading makes the ground and the travel times from it, which are those
// that there were to the bit; the agents' aims stay. Collective.
void changes_visit(struct changes *c, const struct changes_input *in, struct state *v);
// After all was read and found good: the ground and the fields as they were. Collective.
void changes_restore(struct changes *c, const struct changes_input *in);
bool changes_expected(const struct changes *c, const struct scenario *s); // an event by time

// Does what may be due before that step concern the people: are they looked at or changed?
bool changes_concern(const struct changes *c, const struct changes_input *in);
// Lets happen what is due before that step. Collective.
void changes_apply(struct changes *c, const struct changes_input *in);
