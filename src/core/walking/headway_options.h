// How pedestrians walk in a crowd: options by profile.
//
// Navigation gives each agent a direction; the headway model makes a preferred velocity of it
// (headway.h), which avoidance then changes as little as possible. docs/walking.md describes the
// model, the source of every value, and where it is valid.
#pragma once
#include "portable.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// m: no agent farther away matters. The halo must be at least as wide.
#define HEADWAY_RANGE 5.0f

#define HEADWAY_LOOK   0.5 // s between two looks at what lies ahead: a person's reaction time
#define HEADWAY_CHOICE 0.3 // s between two choices of direction and speed

#define HEADWAY_OPPOSING (-0.7f) // cosine between the directions of two that are oncoming

enum side_preference { SIDE_LEFT = -1, SIDE_NONE = 0, SIDE_RIGHT = 1 };

struct headway_profile {
  double time_gap;     // s, between an agent and the one that it follows
  double length;       // m, distance at which it stops behind another one; half the strip's width
  double anticipation; // s, for which it expects others to keep their velocity
  double sight;        // m, how far ahead it looks for collisions
  enum side_preference side;
  double spread;      // share of the width of the route that it uses; 0: its middle line only
  double queue;       // share of the way to the middle of a narrow place for which it queues
  double shoulders;   // m, their width: what it needs of a narrow passage; 0: it does not turn
  double steps_aside; // m, by which an oncoming agent counts as farther away
};

struct headway_options {
  bool on;               // some profile walks by headway
  bool spreads;          // some profile spreads
  int32_t count;         // profiles
  int32_t look_period;   // steps between two looks for oncoming agents and for the line to walk on
  int32_t choice_period; // steps between two choices; each happens in multiples of its period
  // Tables for look_up:
  float *length;       // [count] m; 0: the profile does not walk by headway
  float *rate;         // [count] 1/s: 1 / (time gap + anticipation)
  float *anticipation; // [count] s
  float *sight;        // [count] m
  float *side;         // [count] enum side_preference
  float *spread;       // [count] (spreading_kernel.h); 0: the profile does not spread
  float *queue;        // [count] (spreading_section_kernel.h)
  float *shoulders;    // [count] m (shoulders.h)
  float *steps_aside;  // [count] m
};

void headway_options_create(struct headway_options *h, int32_t profiles); // none walks by headway
void headway_options_destroy(struct headway_options *h);
void headway_options_set(struct headway_options *h, int32_t profile,
                         const struct headway_profile *of);
// Sets the periods: dt, s, is one step.
void headway_options_set_step(struct headway_options *h, double dt);
// Do all agents look in this step?
INLINE bool headway_options_all_look(const struct headway_options *h, int64_t step)
{
  return step % h->look_period == 0;
}
// For navigation: spread[count]; NULL if no profile spreads.
static inline const float *headway_options_spread(const struct headway_options *h)
{
  return h->spreads ? h->spread : NULL;
}
