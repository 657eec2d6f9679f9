// The headway model: from a preferred direction to a preferred velocity.
//
// An agent compares seven directions, up to 45 degrees to either side of the preferred one (after
// Moussaid, Helbing, Theraulaz 2011). In each of them
//
//   speed     v = (h - l) / (T + t_a), with h the least s + t_a v_j over the neighbours that lead,
//             s their distance and v_j their speed along the direction, at least 0. This solves
//             v = (s + t_a (v_j - v) - l) / T: the collision-free speed model (Tordeux, Chraibi,
//             Seyfried 2016) at the distance expected after t_a. At equal speeds v = (s - l) / T.
//             v stays within 0 and the preferred speed. It depends on no speed of the agent's own,
//             so that no disturbance grows from follower to follower.
//   free way  f: how far it could walk at its preferred speed before a collision in the strip, if
//             the others kept their velocity; at most the sight d
//
// and takes the direction of quickest progress, the largest v cos(angle) (1 + f / d).
//
// A neighbour leads if it is ahead in the agent's own strip, is not oncoming, and has the agent
// behind it. Of two agents side by side neither leads, so neither waits for the other. If a wall
// leaves no room to overtake a leader on one side, the agent follows it in the directions to that
// side as well. A neighbour beside the strip whose path crosses the agent's at 45 degrees or more
// also leads, if it is within 1 m of the point where the paths cross, and nearer to it than the
// agent: the nearer one has the right of way. Oncoming neighbours in the strip count as if they
// stood `steps_aside` farther away: they slow the agent down, but do not stop it. Those that stand
// by choice slow nobody down here: avoidance deals with them.
//
// All lengths in m, times in s. Of two equal directions the agent takes that on the side to which
// it moves already or, if it moves straight on, on its preferred side: a mirrored scene gives the
// mirrored velocity.
//
// An agent chooses every HEADWAY_CHOICE, a new one at once, and remembers what it chose (agents.h:
// choice). In between it keeps the angle to the middle direction and the share of its preferred
// speed. Agents that stand by choice keep their last choice until the next one.
#pragma once
#include "headway_options.h"
#include "perception.h"

#define HEADWAY_DIRECTIONS 7    // 0: the middle; then left and right of it by rising angle
#define HEADWAY_NEAR       2.5f // m: neighbours farther away are not looked at
#define HEADWAY_FAR        1e9f // m: nobody ahead
#define HEADWAY_YIELDS     0.5f // share of the room to pass that the neighbour makes
#define HEADWAY_CROSSING   0.7f // least sine of the angle between two paths that cross
#define HEADWAY_CLOSE      1.0f // m: who is farther from the crossing point has no right of way

#define HEADWAY_UNIT (1 << 24) // of the speed in a choice: exact in floats

// Cosine and sine of each direction: 0, 15, 30 and 45 degrees to the left and to the right; the
// other entries pad look_up.
INLINE const float *headway_cosines(void)
{
  static const float cosine[LOOK_UP_STEP] = {1,          0.9659258f, 0.9659258f, 0.8660254f,
                                             0.8660254f, 0.7071068f, 0.7071068f, 1};
  return cosine;
}

INLINE const float *headway_sines(void)
{
  static const float sine[LOOK_UP_STEP] = {0,     0.2588190f, -0.2588190f, 0.5f,
                                           -0.5f, 0.7071068f, -0.7071068f, 0};
  return sine;
}

INLINE float headway_cosine(int k) // of 0, 15, 30 and 45 degrees
{
  return headway_cosines()[2 * k];
}

INLINE float headway_sine(int k)
{
  return k == 0 ? 0 : headway_sines()[2 * k - 1];
}

struct walker {       // LANES agents that choose a direction
  mask active;        // others keep their preferred velocity
  vec2 forward;       // unit: the middle direction
  real speed, radius; // m/s, m
  real v_aside;       // m/s: the present velocity to the left of the middle direction
  real length, rate, anticipation, sight, side, steps_aside; // headway_options.h
};

struct headway_view { // of one neighbour, relative to a direction
  mask valid, leads;  // within HEADWAY_NEAR; and may lead
  mask oncoming;
  real along, aside; // m; aside > 0: on the left
  real v_along, v_aside;
  real f_along, f_aside; // its facing
  real R;                // m, sum of the radii
};

// What the neighbours seen so far leave in a direction.
struct headway_scan {
  real head;     // m: least s + t_a v_j
  real way, per; // free way: way / per
};

// How one direction looks.
struct headway_outlook {
  real speed; // m/s
  real value; // of progress
};

INLINE vec2 headway_direction(vec2 forward, int direction)
{
  const real c = splat(headway_cosines()[direction]), s = splat(headway_sines()[direction]);
  return direction == 0 ? forward : add(times(c, forward), times(s, perp(forward)));
}

INLINE struct headway_view headway_view_of(const struct walker *w, const struct neighbour *other,
                                           vec2 facing)
{
  const mask near = less_equal(dot(other->p, other->p), splat(HEADWAY_NEAR * HEADWAY_NEAR));
  struct headway_view view;
  view.valid = w->active & other->valid & near;
  view.f_along = dot(w->forward, facing);
  view.f_aside = det(w->forward, facing);
  view.leads = view.valid & less(splat(HEADWAY_OPPOSING), view.f_along) &
               less(splat(0), dot(facing, other->p));
  view.oncoming = view.valid & less(view.f_along, splat(HEADWAY_OPPOSING));
  view.along = dot(w->forward, other->p);
  view.aside = det(w->forward, other->p);
  view.v_along = dot(w->forward, other->v);
  view.v_aside = det(w->forward, other->v);
  view.R = other->R;
  return view;
}

INLINE struct headway_scan headway_scan_begin(const struct walker *w, real head)
{
  return (struct headway_scan){head, w->sight, splat(1)};
}

// The distance at which the neighbour is expected. One that comes towards the agent is expected to
// stay where it is.
INLINE real headway_distance(const struct walker *w, const struct headway_view *o)
{
  return o->along + w->anticipation * max_real(o->v_along, splat(0));
}

// Does the neighbour, whose path crosses the agent's, come to the crossing point first, and soon?
// The neighbour has to go u = |aside| / sine, the agent along + u f_along. Times the sine: no
// division.
INLINE mask headway_goes_first(const struct headway_view *o)
{
  const real sine = magnitude(o->f_aside), aside = magnitude(o->aside);
  return o->valid & less(splat(HEADWAY_CROSSING), sine) &
         less(o->aside * o->f_aside, splat(0)) & // it comes towards the agent's path
         less(aside, splat(HEADWAY_CLOSE) * sine) &
         less(aside * (splat(1) - o->f_along), o->along * sine);
}

// o: relative to the direction. wall: m, distance to the next wall along it.
INLINE void headway_scan_add(struct headway_scan *scan, const struct walker *w,
                             const struct headway_view *o, real wall)
{
  const real zero = splat(0);
  const mask front = o->valid & less(zero, o->along);
  const mask in_strip = less(magnitude(o->aside), w->length);
  const mask leads = (o->leads & in_strip) | (headway_goes_first(o) & not(in_strip));
  scan->head = min_where(front & leads, scan->head, headway_distance(w, o));
  scan->head = min_where(front & in_strip & o->oncoming, scan->head, o->along + w->steps_aside);
  // Where is it when it is caught up with, after t = gap / closing? Times closing: no division.
  const real closing = w->speed - o->v_along, gap = max_real(o->along - o->R, zero);
  const real then = magnitude(o->aside * closing + gap * o->v_aside), way = w->speed * gap;
  const mask hit = front & less_equal(o->along, wall) & // closing > 0 follows from the next line
                   less(then, w->length * closing) & less(way * scan->per, scan->way * closing);
  scan->way = select_real(hit, way, scan->way);
  scan->per = select_real(hit, closing, scan->per);
}

// c: cosine of the direction's angle. most: m, of the free way.
INLINE struct headway_outlook headway_outlook_of(const struct headway_scan *scan,
                                                 const struct walker *w, float c, real most)
{
  const real speed = (scan->head - w->length) * w->rate;
  const real free_way = min_real(scan->way / scan->per, most);
  struct headway_outlook look;
  look.speed = max_real(min_real(speed, w->speed), splat(0));
  look.value = look.speed * splat(c) * (splat(1) + free_way / w->sight);
  return look;
}

// The middle direction, which leads along walls, not into them. head[2]: m, the least s + t_a v_j
// of the leaders that cannot be overtaken on the left and on the right. To overtake, the agent
// needs half of the sideways distance at which the leader is outside its strip; the leader makes
// the rest.
INLINE struct headway_outlook headway_look_ahead(const struct walker *w,
                                                 const struct headway_view *views, int count,
                                                 const real *walls, real *head)
{
  const float sine = headway_sine(HEADWAY_DIRECTIONS / 2);
  const real left = splat(sine) * walls[HEADWAY_DIRECTIONS - 2] - w->radius;
  const real right = splat(sine) * walls[HEADWAY_DIRECTIONS - 1] - w->radius;
  struct headway_scan scan = headway_scan_begin(w, splat(HEADWAY_FAR));
  head[0] = head[1] = splat(HEADWAY_FAR);
  for (int j = 0; j < count; j++) {
    const struct headway_view *o = &views[j];
    headway_scan_add(&scan, w, o, walls[0]);
    const mask leads = o->leads & less(splat(0), o->along) & less(magnitude(o->aside), w->length);
    const real distance = headway_distance(w, o), own = splat(1 - HEADWAY_YIELDS);
    head[0] = min_where(leads & less(left, own * (w->length + o->aside)), head[0], distance);
    head[1] = min_where(leads & less(right, own * (w->length - o->aside)), head[1], distance);
  }
  return headway_outlook_of(&scan, w, 1, w->sight);
}

// The view relative to a direction at an angle to that of the view; s > 0: to the left.
INLINE struct headway_view headway_view_turned(const struct headway_view *o, real c, real s)
{
  struct headway_view turned = *o;
  turned.along = c * o->along + s * o->aside;
  turned.aside = c * o->aside - s * o->along;
  turned.v_along = c * o->v_along + s * o->v_aside;
  turned.v_aside = c * o->v_aside - s * o->v_along;
  turned.f_along = c * o->f_along + s * o->f_aside;
  turned.f_aside = c * o->f_aside - s * o->f_along;
  return turned;
}

// The directions at angle k to both sides: looks[0] left, looks[1] right. head: as above.
INLINE void headway_look_aside(const struct walker *w, const struct headway_view *views, int count,
                               int k, const real *walls, const real *head,
                               struct headway_outlook *looks)
{
  const real c = splat(headway_cosine(k)), s = splat(headway_sine(k)), zero = splat(0);
  const real *wall = walls + 2 * k - 1;
  struct headway_scan left = headway_scan_begin(w, head[0]);
  struct headway_scan right = headway_scan_begin(w, head[1]);
  for (int j = 0; j < count; j++) {
    const struct headway_view o = headway_view_turned(&views[j], c, s);
    headway_scan_add(&left, w, &o, wall[0]);
    const struct headway_view p = headway_view_turned(&views[j], c, -s);
    headway_scan_add(&right, w, &p, wall[1]);
  }
  const float cosine = headway_cosine(k);
  looks[0] = headway_outlook_of(&left, w, cosine, max_real(wall[0] - w->radius, zero));
  looks[1] = headway_outlook_of(&right, w, cosine, max_real(wall[1] - w->radius, zero));
}

// Can a direction at angle k or more still be better for any agent? The most that is possible
// there: the preferred speed and a free way. Rounding keeps the order of the values.
INLINE bool headway_goes_on(const struct walker *w, int k, real best)
{
  const real most = w->speed * splat(headway_cosine(k)) * splat(2);
  return any(w->active & less(best, most));
}

INLINE void headway_take(mask better, const struct headway_outlook *look, int direction,
                         struct headway_outlook *best, ivec *chosen)
{
  best->value = select_real(better, look->value, best->value);
  best->speed = select_real(better, look->speed, best->speed);
  *chosen = select_ivec(better, splat_ivec(direction), *chosen);
}

// A choice is one number, never 0: the direction, and the share of the preferred speed.
INLINE ivec headway_choice_of(const struct walker *w, ivec direction, real speed)
{
  const real share = speed / select_real(w->active, w->speed, splat(1));
  return ((to_ivec(share * splat((float)HEADWAY_UNIT)) + splat_ivec(1)) << 3) + direction;
}

// facing[s->agent_count]: unit directions in which the neighbours want to walk; 0: nowhere.
// walls[HEADWAY_DIRECTIONS]: m, the distance to the next wall in each direction.
HOST_DEVICE ivec headway_choose(const struct perception *s, const struct walker *w,
                                const vec2 *facing, const real *walls)
{
  struct headway_view views[NEIGHBOURS_MAX];
  for (int j = 0; j < s->agent_count; j++)
    views[j] = headway_view_of(w, &s->agents[j], facing[j]);
  const real side = select_real(equal(w->v_aside, splat(0)), w->side, -w->v_aside);
  real head[2];
  ivec chosen = splat_ivec(0);
  struct headway_outlook best = headway_look_ahead(w, views, s->agent_count, walls, head);
  for (int k = 1; 2 * k < HEADWAY_DIRECTIONS && headway_goes_on(w, k, best.value); k++) {
    struct headway_outlook looks[2];
    headway_look_aside(w, views, s->agent_count, k, walls, head, looks);
    const real left = looks[0].value, right = looks[1].value, before = best.value;
    const mask even = equal(left, right);
    const mask to_left = less(right, left) | (even & less(side, splat(0)));
    const mask to_right = less(left, right) | (even & less(splat(0), side));
    headway_take(to_left & less(before, left), &looks[0], 2 * k - 1, &best, &chosen);
    headway_take(to_right & less(before, right), &looks[1], 2 * k, &best, &chosen);
  }
  return headway_choice_of(w, chosen, best.speed);
}

// The velocity by a choice; of agents that are not active: the preferred one.
HOST_DEVICE vec2 headway_velocity(const struct perception *s, const struct walker *w, ivec choice)
{
  const real share = to_real((choice >> 3) - splat_ivec(1)) * splat(1.0f / (float)HEADWAY_UNIT);
  const ivec direction = choice & splat_ivec(7);
  const float *const tables[] = {headway_cosines(), headway_sines()};
  real of[2];
  look_up(of, tables, 2, 8, direction);
  const vec2 way = add(times(of[0], w->forward), times(of[1], perp(w->forward)));
  return select_vec2(w->active, times(share * w->speed, way), s->preferred_velocity);
}
