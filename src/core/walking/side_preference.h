// The side preference: agents step aside, all to the same side, when others come towards them.
//
// Over the oncoming agents ahead, within 5 m and up to 2.5 m to either side, P = sum of 1 - s / 5
// m, s their distance ahead, to the right of them if they are on the left or less than 1 m to the
// right, else to the left; clamped to [-1, 1]. The preferred direction turns by up to 30 degrees:
// forward + P tan 30 left. P is summed in integers, so that no order of the agents shows. The form
// is after Zanlungo, Ikeda, Kanda 2012 and Moussaid et al. 2009; the values are ours
// (docs/walking.md).
#pragma once
#include "headway_options.h"
#include "lanes.h"

#define SIDE_REACH    5.0f        // m ahead
#define SIDE_HALF     2.5f        // m to either side
#define SIDE_SHIFT    1.0f        // m: how far an agent on the wrong side may be to be passed there
#define SIDE_TANGENT  0.57735027f // of the largest turn
#define SIDE_OPPOSING (-0.7f)     // cosine between the directions of two that are oncoming
#define SIDE_MEETING  (-0.3f)     // of two that come towards each other, even at an angle
#define SIDE_UNIT     256         // of P

struct side_view { // LANES agents that may have to step aside
  mask active;
  vec2 forward; // unit
  real shift;   // m: SIDE_SHIFT times the preferred side
  ivec push;    // P in SIDE_UNIT; < 0: to the right
  mask meets;   // somebody within the same distances comes towards it, even at an angle
};

// p: of another agent, m; facing: the unit direction in which it wants to walk; 0: nowhere.
INLINE void side_view_add(struct side_view *view, vec2 p, vec2 facing)
{
  const real along = dot(view->forward, p), aside = det(view->forward, p);
  const real zero = splat(0), half = splat(SIDE_HALF), opposing = dot(facing, view->forward);
  const mask meets = view->active & less(opposing, splat(SIDE_MEETING)) & less(zero, along) &
                     less_equal(dot(p, p), splat(SIDE_REACH * SIDE_REACH)) &
                     less_equal(aside, half) & less_equal(-half, aside);
  const mask oncoming = meets & less(opposing, splat(SIDE_OPPOSING));
  const ivec weight = to_ivec((splat(SIDE_REACH) - along) * splat(SIDE_UNIT / SIDE_REACH));
  const real side = aside + view->shift;
  const ivec none = splat_ivec(0);
  view->meets = view->meets | meets;
  view->push = view->push - select_ivec(oncoming & less(zero, side), weight, none) +
               select_ivec(oncoming & less(side, zero), weight, none);
}

// The direction to walk in: unit.
INLINE vec2 side_view_direction(const struct side_view *view)
{
  const real one = splat(1);
  const real push = to_real(view->push) * splat(1.0f / SIDE_UNIT);
  const real turn = splat(SIDE_TANGENT) * max_real(min_real(push, one), -one);
  const vec2 turned = add(view->forward, times(turn, perp(view->forward)));
  return times(one / square_root(dot(turned, turned)), turned);
}
