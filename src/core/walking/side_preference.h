// The side preference: agents step aside, all to the same side, when others come towards them.
//
// Over the oncoming agents ahead, within 5 m and up to 2.5 m to either side, P = sum of 1 - s / 5
// m, s their distance ahead, to the right of them if they are on the left or less than 1 m to the
// right, else to the left; clamped to [-1, 1]. The preferred direction turns by up to 30 degrees:
// forward + P tan 30 left. P is summed in integers, so that no order of the agents shows. The form
// is after Zanlungo, Ikeda, Kanda 2012 and Moussaid et al. 2009; the values are ours
// (docs/walking.md). An agent looks every HEADWAY_LOOK and remembers what it saw (agents.h:
// passing): the look takes longer than the rest of the step.
#pragma once
#include "headway_options.h"
#include "lanes.h"

#define SIDE_REACH   5.0f        // m ahead
#define SIDE_HALF    2.5f        // m to either side
#define SIDE_SHIFT   1.0f        // m: how far an agent on the wrong side may be to be passed there
#define SIDE_TANGENT 0.57735027f // of the largest turn
#define SIDE_MEETING (-0.3f)     // of two that come towards each other, even at an angle
#define SIDE_UNIT    256         // of P

struct side_view { // LANES agents that look for oncoming ones
  mask active;
  vec2 forward; // unit
  real shift;   // m: SIDE_SHIFT times the preferred side
  real push;    // P SIDE_UNIT: whole numbers, so that no order of the agents shows; < 0: right
  mask meets;   // somebody within the same distances comes towards it, even at an angle
};

// p: of another agent, m; facing: the unit direction in which it wants to walk; 0: nowhere.
INLINE void side_view_add(struct side_view *view, vec2 p, vec2 facing)
{
  const real along = dot(view->forward, p), aside = det(view->forward, p);
  const real zero = splat(0), half = splat(SIDE_HALF), opposing = dot(facing, view->forward);
  const mask meets = view->active & less(opposing, splat(SIDE_MEETING)) & less(zero, along) &
                     less_equal(dot(p, p), splat(SIDE_REACH * SIDE_REACH)) &
                     less_equal(magnitude(aside), half);
  const mask oncoming = meets & less(opposing, splat(HEADWAY_OPPOSING));
  const real distance = splat(SIDE_REACH) - along, side = aside + view->shift;
  const real weight = to_real(to_ivec(distance * splat(SIDE_UNIT / SIDE_REACH)));
  view->meets = view->meets | meets;
  view->push = select_real(oncoming & less(zero, side), view->push - weight, view->push);
  view->push = select_real(oncoming & less(side, zero), view->push + weight, view->push);
}

// What an agent remembers: 2 P SIDE_UNIT and, as the last bit, whether it meets somebody.
INLINE ivec side_view_memory(const struct side_view *view)
{
  const real most = splat(SIDE_UNIT);
  const ivec push = to_ivec(max_real(min_real(view->push, most), -most));
  return push + push + select_ivec(view->meets, splat_ivec(1), splat_ivec(0));
}

INLINE mask side_meets(ivec passing)
{
  return ivec_equal(passing & splat_ivec(1), splat_ivec(1));
}

// The direction to walk in by what the agent remembers: unit.
INLINE vec2 side_direction(vec2 forward, ivec passing)
{
  const real push = to_real(passing >> 1) * splat(1.0f / SIDE_UNIT);
  const vec2 turned = add(forward, times(splat(SIDE_TANGENT) * push, perp(forward)));
  return times(splat(1) / square_root(dot(turned, turned)), turned);
}
