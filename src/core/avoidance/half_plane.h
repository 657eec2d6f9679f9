// Half-planes of permitted velocities and the 2-D linear programs over them (de Berg et al. 2008,
// ch. 4; van den Berg, Guy, Lin, Manocha 2011, section 5.3), for LANES agents at a time.
//
// A half-plane is n.v >= b with |n| = 1: n points to the permitted side. b n is the point of its
// line closest to the origin; (n.y, -n.x) is the direction of the line, with the permitted side on
// its left.
#pragma once
#include "admissible.h"
#include "avoidance.h"

struct half_plane {
  vec2 n; // unit
  real b; // m/s
};

INLINE real half_plane_violation(struct half_plane h, vec2 v) // > 0: v violates h by this much, m/s
{
  return h.b - dot(h.n, v);
}

INLINE struct half_plane half_plane_select(mask m, struct half_plane yes, struct half_plane no)
{
  return (struct half_plane){select_vec2(m, yes.n, no.n), select_real(m, yes.b, no.b)};
}

INLINE struct half_plane half_plane_always(void) // 0.v >= -1: every velocity
{
  const real zero = splat(0);
  return (struct half_plane){{zero, zero}, splat(-1)};
}

INLINE struct half_plane half_plane_never(void) // 0.v > 1: no velocity
{
  const real zero = splat(0);
  return (struct half_plane){{zero, zero}, splat(1)};
}

#define LP_EPSILON 0x1p-17f // sine of the angle below which two lines count as parallel
// Relative to the speed: a violation within the rounding error is none. Without this tolerance a
// duplicate half-plane, or a third line through one point, would leave no permitted velocity.
#define LP_NOISE    0x1p-19f
#define LP_ROUNDING 0x1p-21f // the same, relative to a violation
#define LP_NEVER    INFINITY // m/s: above any violation

// A linear program adds half-planes one by one and moves to the best velocity on the line of the
// newest, within those added before. The authors add them in random order, or as they are listed.
// Here the next one is that which the velocity violates most, as in the dual simplex method. Few
// are ever violated: of ten, an agent in a dense crowd adds two or three.

#define HALF_PLANES_MAX (WALLS_MAX + NEIGHBOURS_MAX) // of an agent
#define LP_ADDED_MAX    16 // a lane that would have to add more has failed,
#define LP_FORGIVEN     8  // if what it violates exceeds this many times the rounding error

// The half-planes of LANES agents: h[0..hard) of walls, h[hard..count) of agents.
struct lp_constraints {
  const struct half_plane *h;
  int hard, count;
};

// The objective: the admissible velocity closest to opt_velocity or, if `extreme`, furthest along
// the unit vector opt_velocity.
struct lp_goal {
  vec2 opt_velocity;
  bool extreme;
};

// The half-planes that a program has added, h[0..count). lp_none in lanes that were done.
struct lp_added {
  struct half_plane *h; // [LP_ADDED_MAX + 1]
  int count;
};

struct lp_violation {
  struct half_plane line; // lp_none: none
  real by;                // m/s
};

INLINE struct half_plane lp_none(void) // less violated by any velocity than any other half-plane
{
  const real zero = splat(0);
  return (struct half_plane){{zero, zero}, splat(-LP_NEVER)};
}

// The half-plane of h[0..count) that v violates most, the first of equals. `least` where none is
// violated by more.
INLINE struct lp_violation lp_most_violated(const struct half_plane *h, int count, vec2 v,
                                            real least)
{
  vec2 n = lp_none().n;
  real most = least;
  for (int j = 0; j < count; j++) {
    const real by = half_plane_violation(h[j], v);
    n = select_vec2(less(most, by), h[j].n, n);
    most = max_real(most, by);
  }
  const real b = select_real(less(least, most), most + dot(n, v), splat(-LP_NEVER));
  return (struct lp_violation){{n, b}, most};
}

// The best velocity on a line, admissible and within all that was added. Lanes of *fits without one
// are cleared and keep v.
INLINE vec2 linear_program_1(struct half_plane line, const struct lp_added *added,
                             const struct admissible *set, struct lp_goal goal, vec2 v, mask *fits)
{
  const vec2 direction = vec2_of(line.n.y, -line.n.x), foot = times(line.b, line.n);
  const real noise = splat(LP_NOISE) * set->speed;
  real low, high; // along the direction from the foot
  mask good = *fits & admissible_chord(set, foot, direction, &low, &high);
  for (int j = 0; j < added->count; j++) {
    const struct half_plane h = added->h[j];
    const real slope = dot(h.n, direction), violation = half_plane_violation(h, foot);
    const mask rises = less(splat(LP_EPSILON), slope);
    const mask falls = less(slope, splat(-LP_EPSILON));
    const real at = violation / slope; // used only where the lines cross
    good = good & (rises | falls | less_equal(violation, noise));
    low = max_where(rises, low, at);
    high = min_where(falls, high, at);
  }
  good = good & less_equal(low, high + noise);
  const real along = dot(direction, goal.opt_velocity);
  const real between = goal.extreme ? select_real(less(splat(0), along), high, low)
                                    : min_real(max_real(along, low), high);
  const real t = select_real(less(high, low), splat(0.5f) * (low + high), between);
  *fits = good;
  return select_vec2(good, add(foot, times(t, direction)), v);
}

// The admissible velocity closest to opt_velocity within h[0..count). *failed: lanes without one; v
// is then the closest within what was added before the last or, at LP_ADDED_MAX, within all of it.
// added: empty.
INLINE vec2 linear_program_2(const struct half_plane *h, int count, const struct admissible *set,
                             vec2 opt_velocity, mask active, struct lp_added *added, mask *failed)
{
  const struct lp_goal goal = {opt_velocity, false};
  const real noise = splat(LP_NOISE) * set->speed, never = splat(LP_NEVER);
  real least = select_real(active, noise, never);
  vec2 v = admissible_closest(set, opt_velocity);
  *failed = mask_none();
  for (;;) {
    const struct lp_violation most = lp_most_violated(h, count, v, least);
    const mask wanted = less(least, most.by);
    if (!any(wanted))
      return v;
    if (added->count == LP_ADDED_MAX) {
      *failed = *failed | (wanted & less(splat(LP_FORGIVEN) * noise, most.by));
      return v;
    }
    mask fits = wanted;
    v = linear_program_1(most.line, added, set, goal, v, &fits);
    added->h[added->count++] = most.line;
    *failed = *failed | (wanted & not(fits));
    least = select_real(fits, least, never);
  }
}

// h[j] is violated no more than h[i] where (n_j - n_i).v >= b_j - b_i: one formula for crossing and
// opposite lines. Equal normals bound nothing; *bounds: the lanes where the normals differ.
INLINE struct half_plane lp_bisector(struct half_plane hj, struct half_plane hi, mask *bounds)
{
  const vec2 n = minus(hj.n, hi.n);
  const real length2 = dot(n, n);
  *bounds = less(splat(LP_EPSILON * LP_EPSILON), length2);
  const real scale = splat(1) / square_root(select_real(*bounds, length2, splat(1)));
  return (struct half_plane){times(scale, n), scale * (hj.b - hi.b)};
}

// A third linear program between two steps. Before the first one it holds what linear_program_2 has
// left: v, which meets all half-planes in `added`, or all but the last.
struct lp_relaxed {
  vec2 v;                // minimises the greatest violation of what is in `added`
  real worst;            // the violation accepted so far, m/s
  struct lp_added added; // walls, too: v violates none, so they bound nothing else
};

// The rounding error of a violation, m/s: b may far exceed the speed.
INLINE real lp_rounding(real violation, const struct admissible *set)
{
  return max_real(splat(LP_NOISE) * set->speed, splat(LP_ROUNDING) * magnitude(violation));
}

// What a violation must exceed to count as greater than this one.
INLINE real lp_more_than(real violation, const struct admissible *set)
{
  return violation + lp_rounding(violation, set);
}

// The admissible velocity within the hard half-planes that violates `line` least and none of
// r->added more than it. Keeps only what bounds it in r->added, and `line`: their optimum is the
// same. *failed: lanes without such a velocity.
INLINE vec2 lp_least_violation(struct half_plane line, struct lp_relaxed *r,
                               const struct lp_constraints *c, const struct admissible *set,
                               mask active, mask *failed)
{
  struct half_plane bounds_h[LP_ADDED_MAX + 1], kept[LP_ADDED_MAX + 1];
  const struct lp_goal goal = {line.n, true};
  const real noise = splat(LP_NOISE) * set->speed, never = splat(LP_NEVER);
  struct lp_added bounds = {bounds_h, 0};
  vec2 v = admissible_furthest(set, line.n);
  *failed = mask_none();
  for (;;) {
    const real own = half_plane_violation(line, v);
    const real least = select_real(active, lp_more_than(own, set), never);
    const struct lp_violation most = lp_most_violated(r->added.h, r->added.count, v, least);
    mask crosses;
    struct half_plane bound = lp_bisector(most.line, line, &crosses);
    mask wanted = less(least, most.by) & crosses;
    real excess = most.by - own, rounding = lp_rounding(own, set);
    kept[bounds.count] = half_plane_select(wanted, most.line, lp_none());
    if (c->hard > 0) {
      const struct lp_violation wall =
          lp_most_violated(c->h, c->hard, v, select_real(active, noise, never));
      const mask at_wall = active & less(noise, wall.by) & not(wanted & less(wall.by, excess));
      kept[bounds.count] = half_plane_select(at_wall, lp_none(), kept[bounds.count]);
      bound = half_plane_select(at_wall, wall.line, bound);
      excess = select_real(at_wall, wall.by, excess);
      rounding = select_real(at_wall, noise, rounding);
      wanted = wanted | at_wall;
    }
    if (!any(wanted))
      break;
    if (bounds.count == LP_ADDED_MAX) {
      *failed = *failed | (wanted & less(splat(LP_FORGIVEN) * rounding, excess));
      break;
    }
    mask fits = wanted;
    v = linear_program_1(bound, &bounds, set, goal, v, &fits);
    bounds.h[bounds.count++] = half_plane_select(wanted, bound, lp_none());
    *failed = *failed | (wanted & not(fits));
    active = fits;
  }
  r->added.count = bounds.count + 1;
  r->added.h[0] = line;
  for (int i = 0; i < bounds.count; i++)
    r->added.h[i + 1] = kept[i];
  return v;
}

// For lanes without a velocity within all half-planes: satisfies the hard ones (walls) as
// linear_program_2 does and minimises the greatest violation of the rest. It goes on where that has
// stopped, r: what it has added, and v. Lanes that violate a wall begin with the walls alone.
INLINE void linear_program_3_begin(struct lp_relaxed *r, const struct lp_constraints *c,
                                   const struct admissible *set, vec2 opt_velocity, mask active)
{
  const real least = select_real(active, splat(LP_NOISE) * set->speed, splat(LP_NEVER));
  const struct lp_violation wall = lp_most_violated(c->h, c->hard, r->v, least);
  const mask again = less(least, wall.by);
  r->worst = splat(0);
  if (!any(again))
    return;
  struct half_plane walls_h[LP_ADDED_MAX + 1];
  struct lp_added walls = {walls_h, 0};
  mask failed;
  const vec2 v = linear_program_2(c->h, c->hard, set, opt_velocity, again, &walls, &failed);
  r->v = select_vec2(again, v, r->v);
  for (int j = 0; j < r->added.count; j++)
    r->added.h[j] = half_plane_select(again, lp_none(), r->added.h[j]);
}

// Adds the half-plane that is violated most. Returns the lanes in which another is violated more.
INLINE mask linear_program_3_step(struct lp_relaxed *r, const struct lp_constraints *c,
                                  const struct admissible *set, mask active)
{
  const struct half_plane *soft = c->h + c->hard;
  const int count = c->count - c->hard;
  const real never = splat(LP_NEVER);
  const real least = select_real(active, lp_more_than(r->worst, set), never);
  const struct lp_violation most = lp_most_violated(soft, count, r->v, least);
  const mask wanted = less(least, most.by);
  if (!any(wanted))
    return wanted;
  mask failed;
  const vec2 better = lp_least_violation(most.line, r, c, set, wanted, &failed);
  r->v = select_vec2(wanted & not(failed), better, r->v);
  r->worst =
      select_real(wanted, max_real(half_plane_violation(most.line, r->v), r->worst), r->worst);
  const real accepted = select_real(wanted, lp_more_than(r->worst, set), never);
  return less(accepted, lp_most_violated(soft, count, r->v, accepted).by);
}

#define LP_STEPS_MAX 32 // of linear_program_3, which rounding could keep going

// All steps, which the queue takes one by one (infeasible.h).
INLINE vec2 linear_program_3(const struct lp_constraints *c, const struct admissible *set,
                             struct lp_relaxed r, vec2 opt_velocity, mask active)
{
  linear_program_3_begin(&r, c, set, opt_velocity, active);
  for (int i = 0; any(active) && i < LP_STEPS_MAX; i++)
    active = linear_program_3_step(&r, c, set, active);
  return r.v;
}
