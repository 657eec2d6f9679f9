// The headway model: from a preferred direction to a preferred velocity.
//
// An agent compares seven directions, up to 45 degrees to either side of the preferred one (after
// Moussaid, Helbing, Theraulaz 2011). In each of them
//
//   speed     u = (h - l) / T with h the least s + t_a (v_j - v_i) over the neighbours ahead in
//             the agent's own strip that walk the same way: s is their distance along the
//             direction, v_j and v_i their speed and the agent's along it. The agent closes 0.9 of
//             the difference between u and v_i in a step, and stays within [least, 1] of its
//             preferred speed. In equilibrium v = (s - l) / T, the collision-free speed model
//             (Tordeux, Chraibi, Seyfried 2016); t_a anticipates the neighbour's motion, without
//             which a queue starts person by person. An error in the speed is multiplied by
//             1 - 0.9 (1 + t_a / T) in every step: by -0.8 with the defaults. Closing the whole
//             difference would make that -1, which never decays.
//   free way  f: how far it could walk at its preferred speed before a collision in the strip, if
//             the others kept their velocity; at most the sight d
//
// and takes the direction of quickest progress, the largest v cos(angle) (1 + f / d). Oncoming
// neighbours and those that stand by choice slow nobody down here: avoidance deals with them.
//
// All lengths in m, times in s. Of two equal directions the agent takes that on its preferred side
// or, without one, on the side to which it moves already: a mirrored scene gives the mirrored
// velocity.
#pragma once
#include "perception.h"

#define HEADWAY_DIRECTIONS 7    // 0: the middle; then left and right of it by rising angle
#define HEADWAY_NEAR       2.5f // m: neighbours farther away are not looked at
#define HEADWAY_FAR        1e9f // m: nobody ahead

INLINE float headway_cosine(int k) // of 0, 15, 30 and 45 degrees
{
  static const float cosine[4] = {1, 0.9659258f, 0.8660254f, 0.7071068f};
  return cosine[k];
}

INLINE float headway_sine(int k)
{
  static const float sine[4] = {0, 0.2588190f, 0.5f, 0.7071068f};
  return sine[k];
}

struct walker {          // LANES agents that choose a direction
  mask active;           // others keep their preferred velocity
  vec2 forward;          // unit: the middle direction
  real speed, radius;    // m/s, m
  real v_along, v_aside; // m/s: the present velocity along the middle direction and to its left
  real length, rate, damping, anticipation, sight, least, side; // headway_options.h
};

struct headway_view { // of one neighbour, relative to the middle direction
  mask valid, leads;  // within HEADWAY_NEAR; and walks the same way
  real along, aside;  // m; aside > 0: on the left
  real v_along, v_aside;
  real R; // m, sum of the radii
};

// How one direction looks.
struct headway_outlook {
  real speed; // m/s
  real value; // of progress
};

INLINE vec2 headway_direction(vec2 forward, int direction)
{
  const int k = (direction + 1) / 2;
  const real c = splat(headway_cosine(k));
  const real s = splat(direction & 1 ? headway_sine(k) : -headway_sine(k));
  return direction == 0 ? forward : add(times(c, forward), times(s, perp(forward)));
}

INLINE struct headway_view headway_view_of(const struct walker *w, const struct neighbour *other,
                                           vec2 facing)
{
  const mask near = less_equal(dot(other->p, other->p), splat(HEADWAY_NEAR * HEADWAY_NEAR));
  struct headway_view view;
  view.valid = w->active & other->valid & near;
  view.leads = view.valid & less(splat(0), dot(facing, w->forward));
  view.along = dot(w->forward, other->p);
  view.aside = det(w->forward, other->p);
  view.v_along = dot(w->forward, other->v);
  view.v_aside = det(w->forward, other->v);
  view.R = other->R;
  return view;
}

// c, s: cosine and sine of the direction's angle; wall: m, distance to the next wall along it.
INLINE struct headway_outlook headway_look(const struct walker *w, const struct headway_view *views,
                                           int count, float c, float s, real wall)
{
  const real zero = splat(0), cosine = splat(c), sine = splat(s);
  real head = splat(HEADWAY_FAR), way = w->sight, per = splat(1); // free way: way / per
  for (int j = 0; j < count; j++) {
    const struct headway_view *o = &views[j];
    const real along = cosine * o->along + sine * o->aside;
    const real aside = cosine * o->aside - sine * o->along;
    const real v_along = cosine * o->v_along + sine * o->v_aside;
    const real v_aside = cosine * o->v_aside - sine * o->v_along;
    const mask front = o->valid & less(zero, along), ahead = front & less_equal(along, wall);
    head = min_where(front & o->leads & less(magnitude(aside), w->length), head,
                     along + w->anticipation * v_along);
    // Where is it when it is caught up with, after t = gap / closing? Times closing: no division.
    const real closing = w->speed - v_along, gap = max_real(along - o->R, zero);
    const real then = magnitude(aside * closing + gap * v_aside), way_j = w->speed * gap;
    const mask hit = ahead & less(zero, closing) & less(then, w->length * closing) &
                     less(way_j * per, way * closing);
    way = select_real(hit, way_j, way);
    per = select_real(hit, closing, per);
  }
  real free_way = way / per;
  if (s != 0) // the middle leads along walls, not into them
    free_way = min_real(free_way, max_real(wall - w->radius, zero));
  struct headway_outlook look;
  const real own = cosine * w->v_along + sine * w->v_aside;
  const real speed = (head - w->length) * w->rate - w->damping * own;
  look.speed = max_real(min_real(speed, w->speed), w->least * w->speed);
  look.value = look.speed * cosine * (splat(1) + free_way / w->sight);
  return look;
}

INLINE void headway_take(mask better, const struct headway_outlook *look, vec2 direction,
                         struct headway_outlook *best, vec2 *chosen)
{
  best->value = select_real(better, look->value, best->value);
  best->speed = select_real(better, look->speed, best->speed);
  *chosen = select_vec2(better, direction, *chosen);
}

// facing[s->agent_count]: unit directions in which the neighbours want to walk; 0: nowhere.
// walls[HEADWAY_DIRECTIONS]: m, the distance to the next wall in each direction.
HOST_DEVICE vec2 headway_velocity(const struct perception *s, const struct walker *w,
                                  const vec2 *facing, const real *walls)
{
  struct headway_view views[NEIGHBOURS_MAX];
  for (int j = 0; j < s->agent_count; j++)
    views[j] = headway_view_of(w, &s->agents[j], facing[j]);
  const real side = select_real(equal(w->side, splat(0)), -w->v_aside, w->side);
  vec2 chosen = w->forward;
  struct headway_outlook best = headway_look(w, views, s->agent_count, 1, 0, walls[0]);
  for (int k = 1; 2 * k < HEADWAY_DIRECTIONS; k++) {
    const struct headway_outlook left = headway_look(w, views, s->agent_count, headway_cosine(k),
                                                     headway_sine(k), walls[2 * k - 1]);
    const struct headway_outlook right =
        headway_look(w, views, s->agent_count, headway_cosine(k), -headway_sine(k), walls[2 * k]);
    const mask to_left =
        less(right.value, left.value) | (equal(right.value, left.value) & less(side, splat(0)));
    const mask to_right =
        less(left.value, right.value) | (equal(right.value, left.value) & less(splat(0), side));
    const real before = best.value;
    headway_take(to_left & less(before, left.value), &left,
                 headway_direction(w->forward, 2 * k - 1), &best, &chosen);
    headway_take(to_right & less(before, right.value), &right, headway_direction(w->forward, 2 * k),
                 &best, &chosen);
  }
  return select_vec2(w->active, times(best.speed, chosen), s->preferred_velocity);
}
