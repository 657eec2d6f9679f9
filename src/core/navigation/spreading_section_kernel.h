// The section ahead: where the route comes nearest to a wall, everybody has a place of their own.
//
// A field leads everybody through one point there: close to the inner side of a corner, or beside
// an opening to its nearer edge. Real people use the width of a corner, and a crowd closes in on an
// opening from all sides: 3 m before an opening of 3 m (HERMES, ao-300), people fill twice its
// width, and a person who stands 1 m from its axis passes it 0.3 m from the axis.
//
// An agent follows its route for a few steps, each as long as the wall is far, and finds the place
// p with the least gap g. If that is less than its own gap, it heads for p + d n, where n leads
// across the way and t n from p to the middle between the walls (t > 0 towards it):
//
//     walking    d = a - g + k u (a - margin),  a = min(|t| + g, SECTION_HALF)
//     queueing   d = `queue` t, at most what the gap narrows (headway_options.h)
//
// with k u as in spreading_kernel.h, and in between in proportion to its speed. Of a wide section
// it uses the part nearest to the route. Below half of its speed it queues, where nobody moves
// aside in a corridor of one width. Others keep the turn that spreading gives them.
#pragma once
#include "spreading_kernel.h"

#define SECTION_STEPS   4      // along the route
#define SECTION_STRIDE  0.5f   // m, the shortest step
#define SECTION_LEAP    4.0f   // m, the longest one
#define SECTION_REACH   8.0f   // m, along the route
#define SECTION_NARROWS 0.25f  // m: less changes nothing
#define SECTION_BESIDE  0.5f   // m: where the gap is compared to find the nearer wall
#define SECTION_EVEN    0.125f // m: by so much gaps that should be equal may differ
#define SECTION_TRIALS  5      // of a distance to the middle, each at most twice as far
#define SECTION_WIDTH   5.0f   // m, the farthest one
#define SECTION_HALF    3.0f   // m: half of what is used of a wide one

struct section {     // of the routes of LANES agents
  mask found, opens; // it opens again: the gap grows behind it
  real x, y, gap;    // m, from the agents
  vec2 way;          // unit: direction of the route there
};

HOST_DEVICE struct section section_look(const struct spreaders *s,
                                        const struct spreading_place *from, mask look)
{
  const struct nav_grid *g = from->grid->g;
  const real quanta = splat(from->grid->quanta), zero = splat(0);
  const real here = spreading_gap(from, zero, zero);
  struct section best = {mask_none(), mask_none(), zero, zero, here, s->facing};
  real x = zero, y = zero, gap = here, walked = zero;
  vec2 way = s->facing;
  mask open = look;
  for (int k = 0; k < SECTION_STEPS; k++) {
    const real leap = spreading_least(gap, splat(SECTION_LEAP));
    const real step = spreading_most(splat(SECTION_STRIDE), leap);
    walked = walked + step;
    open = open & less_equal(walked, splat(SECTION_REACH));
    if (!any(open))
      break;
    x = select_real(open, x + step * way.x, x);
    y = select_real(open, y + step * way.y, y);
    gap = spreading_gap(from, x, y);
    const struct lane_point q = {s->at.x + to_ivec(x * quanta), s->at.y + to_ivec(y * quanta)};
    const struct field_stencil at = field_stencil_of(g, q);
    const struct field_corners square = field_corners_read(s->field, &at, open);
    const vec2 v = field_directions(s->field, g, q, &at, &square, open);
    open = open & less(splat(0.5f), dot(v, v)); // else there is no route
    way = select_vec2(open, v, way);
    const mask narrower = open & less(gap + splat(SECTION_NARROWS), best.gap);
    const mask wider = best.found & open & less(best.gap + splat(SECTION_NARROWS), gap);
    best.found = best.found | narrower;
    best.opens = not(narrower) & (best.opens | wider);
    best.gap = select_real(narrower, gap, best.gap);
    best.x = select_real(narrower, x, best.x);
    best.y = select_real(narrower, y, best.y);
    best.way = select_vec2(narrower, way, best.way);
  }
  return best;
}

// m: from the place to the middle between the walls, > 0: to the left. In a passage of width W the
// gap at a distance d across is g + d before the middle and W - g - d beyond it, where d + gap is
// W - g. From a place before the middle, the gap is as far as the next one may lie.
INLINE real section_middle(const struct spreading_place *from, const struct section *p)
{
  const vec2 n = perp(p->way);
  const real zero = splat(0), beside = splat(SECTION_BESIDE);
  const real left = spreading_gap(from, p->x + beside * n.x, p->y + beside * n.y);
  const real right = spreading_gap(from, p->x - beside * n.x, p->y - beside * n.y);
  const real side = select_real(less(left, right), splat(-1), splat(1));
  real across = p->gap, found = zero;
  mask open = p->found;
  for (int k = 0; k < SECTION_TRIALS && any(open); k++) {
    const real gap = spreading_gap(from, p->x + side * across * n.x, p->y + side * across * n.y);
    const mask beyond = less(gap + splat(2 * from->grid->rounding), p->gap + across);
    const real middle = splat(0.5f) * (gap + across - p->gap);
    found = select_real(open, select_real(beyond, spreading_most(middle, zero), across), found);
    open = open & not(beyond) & less(across, splat(SECTION_WIDTH));
    across = spreading_least(across + gap, splat(SECTION_WIDTH));
  }
  const mask even = less_equal(magnitude(left - right), splat(SECTION_EVEN));
  return select_real(even, zero, side * found);
}

// m: d, > 0: to the left of the route. narrows: m, by how much the gap does.
INLINE real section_displacement(const struct spreaders *s, const struct spreading_line *l,
                                 const struct section *p, real narrows)
{
  const real zero = splat(0), middle = section_middle(&l->place, p);
  const real queued = max_real(min_real(s->queue * middle, narrows), -narrows);
  const real half = min_real(magnitude(middle) + p->gap, splat(SECTION_HALF));
  const real aside = max_real(half - p->gap, zero), room = max_real(half - l->place.margin, zero);
  const real walking = select_real(less(middle, zero), -aside, aside) + s->share * l->side * room;
  const real fade = spreading_fades(s->velocity, s->slow * s->speed);
  return queued + fade * (walking - queued);
}

// Turns the agents in `those` towards the sections that they see; all others keep `turns`.
HOST_DEVICE ivec section_turns(const struct spreaders *s, const struct spreading_line *l,
                               const struct section *p, mask those, ivec turns)
{
  const mask see = p->found & those;
  if (!any(see))
    return turns;
  const real zero = splat(0), here = spreading_gap(&l->place, zero, zero);
  const real d = section_displacement(s, l, p, here - p->gap);
  const vec2 aim = {p->x - d * p->way.y, p->y + d * p->way.x};
  const mask aims = see & not(equal(d, zero)) &
                    less(splat(SPREADING_TURN) * square_root(dot(aim, aim)), dot(aim, s->facing));
  return select_ivec(aims, spreading_turn_towards(s, select_vec2(aims, aim, s->facing)), turns);
}
