// Travel times of arrived agents, by source, profile and final stop.
#pragma once
#include "base.h"

struct travel_times_group {
  int64_t count;              // agents
  int64_t steps, delay_steps; // sums over them: travel time, and blocked steps
  int64_t least, most;        // steps; undefined if count is 0
  int64_t *seconds;           // [bins] histogram: bin k counts times in (k - 1, k] s; NULL: empty
};

struct travel_times {
  int32_t sources, profiles, stops;  // extents of groups; source 0 and stop 0 mean none (-1)
  int64_t bins;                      // the last bin also counts all longer times
  double dt;                         // s
  struct travel_times_group *groups; // [sources * profiles * stops]
};

// sources, stops: their numbers without `none`. steps: of the longest travel time.
void travel_times_create(struct travel_times *t, int32_t sources, int32_t profiles, int32_t stops,
                         double dt, int64_t steps);
void travel_times_destroy(struct travel_times *t);
static inline int64_t travel_times_group_count(const struct travel_times *t)
{
  return (int64_t)t->sources * t->profiles * t->stops;
}

// Adds one arrival after `steps` steps, delay_steps of them blocked. source, stop: index or -1.
void travel_times_add(struct travel_times *t, int32_t source, int32_t profile, int32_t stop,
                      int64_t steps, int64_t delay_steps);
// Allocates the bins of g if it has none.
void travel_times_reserve(const struct travel_times *t, struct travel_times_group *g);
void travel_times_merge(const struct travel_times *t, struct travel_times_group *into,
                        const struct travel_times_group *g);
// The least whole number of seconds within which at least `share` of the group arrived; 0 if empty.
int64_t travel_times_quantile(const struct travel_times *t, const struct travel_times_group *g,
                              double share);
