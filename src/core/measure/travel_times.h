// How long people took: by where they came from, what kind they are and where they arrived.
#pragma once
#include "base.h"

struct travel_times_group {
  int64_t count, steps,
      delay_steps;     // people; steps under way, and held up, of all of them together
  int64_t least, most; // steps; least counts only where somebody is
  int64_t *seconds;    // [bins]: bin k holds times above k - 1 s up to k s; NULL: nobody
};

struct travel_times {
  int32_t sources, profiles, stops;  // groups each way; source 0 and target 0: none (-1)
  int64_t bins;                      // the last holds everything longer, too
  double dt;                         // s, one step
  struct travel_times_group *groups; // [sources * profiles * targets]
};

// Of people from that many sources to that many targets, and from or to none; at most so many
// steps.
void travel_times_create(struct travel_times *t, int32_t sources, int32_t profiles, int32_t stops,
                         double dt, int64_t steps);
void travel_times_destroy(struct travel_times *t);
static inline int64_t travel_times_group_count(const struct travel_times *t)
{
  return (int64_t)t->sources * t->profiles * t->stops;
}

// Somebody of these numbers (-1: none) has arrived after so many steps.
void travel_times_add(struct travel_times *t, int32_t source, int32_t profile, int32_t stop,
                      int64_t steps, int64_t delay_steps);
void travel_times_reserve(const struct travel_times *t, struct travel_times_group *g); // its bins
void travel_times_merge(const struct travel_times *t, struct travel_times_group *into,
                        const struct travel_times_group *g);
// The least whole second by which that share of them had arrived; 0 of nobody.
int64_t travel_times_quantile(const struct travel_times *t, const struct travel_times_group *g,
                              double share);
