// ClearPath (Guy et al. 2009): the velocity closest to the preferred one outside of the truncated
// cones of all neighbours.
//
// Relaxed (ClearPath-2): a neighbour forbids a cone truncated at the time window. Guaranteed
// (ClearPath-1): in addition, both agents of a pair pass on the side on which they are already
// moving. Where that leaves no velocity, the window is halved, up to eight times but not below the
// step; then the agent falls back to the relaxed variant. A window shorter than the step would
// promise nothing for the step that follows. Units m and m/s; p = p_B - p_A, D = |p|, R = r_A +
// r_B, w = v_A - v_B.
#pragma once
#include "wall_obstacle.h"

#define CLEARPATH_HALVINGS 8

// m, 4 mm. Agents that just avoid each other graze. Without this margin, rounding would turn the
// contact into an overlap, which changes the obstacle.
#define CLEARPATH_SKIN 0x1p-8f
// m. A smaller overlap counts as contact: the agent may slide on and need not separate first.
#define CLEARPATH_GRAZE 0x1p-12f

// A neighbour and the parts of its cone.
struct clearpath_pair {
  mask overlap;
  vec2 apex;     // m/s: (v_A + v_B) / 2 with equal shares, v_B against a passive neighbour
  vec2 towards;  // unit, to the neighbour
  vec2 n_l, n_r; // inward unit normals of the sides of the cone
  real gap;      // m: D - R
  real sine;     // of half the opening angle: R / D
};

INLINE mask clearpath_overlaps(const struct neighbour *other)
{
  const real deep = max_real(other->R - splat(CLEARPATH_GRAZE), splat(0));
  return less_equal(dot(other->p, other->p), deep * deep);
}

INLINE struct clearpath_pair clearpath_pair_of(const struct neighbour *other, vec2 velocity)
{
  const real one = splat(1), R = other->R + splat(CLEARPATH_SKIN);
  const real d2 = dot(other->p, other->p);
  const mask overlap = clearpath_overlaps(other);
  const real length = square_root(select_real(overlap, one, d2));
  const vec2 towards = times(one / length, other->p);
  const real d = max_real(length, R), over_d = one / d; // within the margin: contact
  const real g = square_root(max_real(d * d - R * R, splat(0)));
  const vec2 p = times(d, towards);
  const vec2 w = minus(velocity, other->v);
  return (struct clearpath_pair){
      .overlap = overlap,
      .apex = minus(velocity, times(other->share, w)),
      .towards = towards,
      .n_l = cone_left_normal(disc_tangent_left(p, R, g, over_d * over_d)),
      .n_r = cone_right_normal(disc_tangent_right(p, R, g, over_d * over_d)),
      .gap = d - R,
      .sine = R * over_d};
}

// Direction to the centre of the forbidden disc when it has none: against the relative motion, else
// against the agreed direction.
INLINE vec2 clearpath_behind(const struct neighbour *other, vec2 velocity)
{
  const real zero = splat(0), one = splat(1);
  const vec2 w = minus(other->v, velocity);
  const real w2 = dot(w, w);
  const mask moves = less(zero, w2);
  return select_vec2(moves, times(one / square_root(select_real(moves, w2, one)), w),
                     times(-one, other->tie_direction));
}

// An overlapping pair (section 3.4). The forbidden velocities lie in the disc (p / dt + v_B, R /
// dt): there the discs still overlap after the step. The obstacle is the half-plane that holds this
// disc, its edge perpendicular to the direction from the centre of the reachable velocities to the
// disc. If it holds every reachable velocity, all but those furthest from the disc's centre are
// forbidden.
INLINE struct half_plane clearpath_overlap(const struct perception *s,
                                           const struct neighbour *other)
{
  const struct admissible *a = &s->admissible;
  const real zero = splat(0), one = splat(1);
  const real inv_horizon = splat(1 / s->step), spare = a->reach - a->speed;
  // Lanes where the acceleration is no limit: the other disc holds the disc of speeds.
  const mask free = less_equal(zero, spare) & less_equal(dot(a->centre, a->centre), spare * spare);
  const vec2 middle = select_vec2(free, vec2_of(zero, zero), a->centre);
  const vec2 way = add(times(inv_horizon, other->p), minus(other->v, middle));
  const real way2 = dot(way, way);
  const mask same = equal(way2, zero);
  const real length = square_root(way2);
  const vec2 n = select_vec2(same, clearpath_behind(other, s->velocity),
                             times(one / select_real(same, one, length), way));
  const struct half_plane h = {n, dot(n, middle) + length - other->R * inv_horizon};
  const mask open = equal(n.x, zero) & equal(n.y, zero);
  return half_plane_select(open, half_plane_never(), half_plane_within_reach(h, a));
}

// FVO_L, FVO_R and FVO_T (section 3.2 and appendix A.1). T truncates the cone where this agent's
// share of the gap closes within the window; the paper omits the factor 1 / window. inv_horizon: 1
// / window, 1/s.
INLINE struct velocity_obstacle clearpath_obstacle(const struct clearpath_pair *pair, real share,
                                                   struct half_plane overlap, real inv_horizon)
{
  const struct half_plane always = half_plane_always();
  const struct half_plane front = {pair->towards, dot(pair->towards, pair->apex) +
                                                      share * pair->gap * inv_horizon};
  const struct half_plane l = {pair->n_l, dot(pair->n_l, pair->apex)};
  const struct half_plane r = {pair->n_r, dot(pair->n_r, pair->apex)};
  return (struct velocity_obstacle){3,
                                    {half_plane_select(pair->overlap, overlap, front),
                                     half_plane_select(pair->overlap, always, l),
                                     half_plane_select(pair->overlap, always, r)}};
}

// The obstacles that keep a pair collision-free if the neighbour does the same (section 3.3): the
// part of the cone on the side of the current motion, and all of the other side, FVO_C. w x p^ = 0
// counts as the left side for both.
//
// The proof in the paper (appendix A.4) has no window. With a window, one agent below its
// truncation and the other just past a leg can collide, because the leg assumes that the first
// stays at the apex. The first approaches by its share of the gap, so the leg moves out by the same
// amount. Then, for s the normal of the leg, (v_A - v_B).s <= 0 holds in this case too, and theorem
// 1 applies.
INLINE void clearpath_obstacles_guaranteed(const struct clearpath_pair *pair, real share,
                                           struct half_plane overlap, vec2 w, real inv_horizon,
                                           struct velocity_obstacle o[2])
{
  const mask right = less(det(pair->towards, w), splat(0));
  const vec2 left_side = perp(pair->towards);
  const vec2 away = select_vec2(right, left_side, times(splat(-1), left_side));
  const vec2 n = select_vec2(right, pair->n_r, pair->n_l);
  const real others = (splat(1) - share) * pair->gap * inv_horizon * pair->sine;
  const struct half_plane front = {pair->towards, dot(pair->towards, pair->apex) +
                                                      share * pair->gap * inv_horizon};
  const struct half_plane leg = {n, dot(n, pair->apex) - others};
  const struct half_plane side = {away, dot(away, pair->apex)};
  o[0] = (struct velocity_obstacle){2,
                                    {half_plane_select(pair->overlap, overlap, front),
                                     half_plane_select(pair->overlap, half_plane_always(), leg)}};
  o[1] =
      (struct velocity_obstacle){1, {half_plane_select(pair->overlap, half_plane_never(), side)}};
}

// The obstacle of an overlapping pair, and one that forbids nothing in the other lanes.
INLINE struct half_plane clearpath_overlap_of(const struct perception *s,
                                              const struct neighbour *other, mask overlap)
{
  return any(other->valid & overlap & s->active) ? clearpath_overlap(s, other) : half_plane_never();
}

// The obstacles of an agent: o[0..hard) of walls, then those of neighbours.
struct clearpath_problem {
  int hard;
  vec2 preferred_velocity; // m/s; zero where the agent overlaps a neighbour (section 3.4)
  struct velocity_obstacle o[VELOCITY_OBSTACLES_MAX];
};

INLINE vec2 clearpath_preferred_velocity(const struct perception *s)
{
  mask touched = mask_none();
  for (int i = 0; i < s->agent_count; i++)
    touched = touched | (s->agents[i].valid & clearpath_overlaps(&s->agents[i]));
  return select_vec2(touched, vec2_of(splat(0), splat(0)), s->preferred_velocity);
}

INLINE void clearpath_problem_begin(struct clearpath_problem *problem, const struct perception *s)
{
  problem->hard = wall_obstacles(s, problem->o);
  problem->preferred_velocity = clearpath_preferred_velocity(s);
}

// The obstacles o[agent_count] of the neighbours in ClearPath-2.
INLINE void clearpath_relaxed_obstacles(const struct perception *s, struct velocity_obstacle *o)
{
  const real inv_horizon = splat(1) / s->horizon;
  for (int i = 0; i < s->agent_count; i++) {
    const struct neighbour *other = &s->agents[i];
    const struct clearpath_pair pair = clearpath_pair_of(other, s->velocity);
    const struct half_plane overlap = clearpath_overlap_of(s, other, pair.overlap);
    o[i] = velocity_obstacle_select(other->valid,
                                    clearpath_obstacle(&pair, other->share, overlap, inv_horizon));
  }
}

// Lanes that the i-th neighbour overlaps or to which it forbids v within the whole horizon.
INLINE mask clearpath_hinders(const struct perception *s, const struct clearpath_options *options,
                              int i, vec2 v, real noise)
{
  const struct neighbour *other = &s->agents[i];
  const struct clearpath_pair pair = clearpath_pair_of(other, s->velocity);
  const real inv_horizon = splat(1) / s->horizon;
  struct velocity_obstacle o[2];
  if (options->guaranteed) {
    clearpath_obstacles_guaranteed(&pair, other->share, half_plane_never(),
                                   minus(s->velocity, other->v),
                                   min_real(inv_horizon, splat(1 / s->step)), o);
    return other->valid & (pair.overlap | velocity_obstacle_holds(&o[0], v, noise) |
                           velocity_obstacle_holds(&o[1], v, noise));
  }
  o[0] = clearpath_obstacle(&pair, other->share, half_plane_never(), inv_horizon);
  return other->valid & (pair.overlap | velocity_obstacle_holds(&o[0], v, noise));
}

// Lanes in which nothing forbids *v, the velocity closest to the preferred one: it is then what
// clearpath_best returns. No obstacle is stored. Lanes that overlap a neighbour are left out.
INLINE mask clearpath_unhindered(const struct perception *s,
                                 const struct clearpath_options *options, vec2 *v)
{
  const real noise = splat(LP_NOISE) * s->admissible.speed;
  *v = admissible_closest(&s->admissible, s->preferred_velocity);
  mask free = wall_obstacles_permit(s, *v, noise);
  for (int i = 0; i < s->agent_count && any(free); i++)
    free = free & not(clearpath_hinders(s, options, i, *v, noise));
  return free;
}

// ClearPath-1 with one window per lane. inv_horizon: 1 / window, 1/s.
INLINE vec2 clearpath_guaranteed(struct clearpath_problem *problem, const struct perception *s,
                                 real inv_horizon, mask lanes, mask *infeasible)
{
  int count = problem->hard;
  for (int i = 0; i < s->agent_count; i++) {
    const struct neighbour *other = &s->agents[i];
    const struct clearpath_pair pair = clearpath_pair_of(other, s->velocity);
    struct velocity_obstacle *o = &problem->o[count];
    clearpath_obstacles_guaranteed(&pair, other->share,
                                   clearpath_overlap_of(s, other, pair.overlap),
                                   minus(s->velocity, other->v), inv_horizon, o);
    o[0] = velocity_obstacle_select(other->valid, o[0]);
    o[1] = velocity_obstacle_select(other->valid, o[1]);
    count += 2;
  }
  return velocity_best(problem->o, count, &s->admissible, problem->preferred_velocity, lanes,
                       infeasible);
}

// ClearPath-2. *infeasible: lanes without a velocity, which is undefined for them.
INLINE vec2 clearpath_relaxed(struct clearpath_problem *problem, const struct perception *s,
                              mask lanes, struct velocity_problem *relaxed, mask *infeasible)
{
  const int count = problem->hard + s->agent_count;
  clearpath_relaxed_obstacles(s, problem->o + problem->hard);
  *relaxed = (struct velocity_problem){problem->o, problem->hard, count, &s->admissible,
                                       problem->preferred_velocity};
  return velocity_best(problem->o, count, &s->admissible, problem->preferred_velocity, lanes,
                       infeasible);
}

// ClearPath-1 with the longest of the windows horizon, horizon / 2, ..., step that leaves a
// velocity. *without: lanes for which none does; their velocity is undefined.
INLINE vec2 clearpath_longest_window(struct clearpath_problem *problem, const struct perception *s,
                                     mask *without)
{
  const real shortest = splat(1 / s->step); // as 1 / window, 1/s
  real inv_horizon = min_real(splat(1) / s->horizon, shortest);
  vec2 v = vec2_of(splat(0), splat(0));
  mask left = s->active;
  *without = mask_none();
  for (int i = 0; i <= CLEARPATH_HALVINGS && any(left); i++) {
    mask lost;
    v = select_vec2(left, clearpath_guaranteed(problem, s, inv_horizon, left, &lost), v);
    *without = *without | (lost & less_equal(shortest, inv_horizon));
    left = lost & less(inv_horizon, shortest);
    inv_horizon = min_real(splat(2) * inv_horizon, shortest);
  }
  *without = *without | left;
  return v;
}

// The best velocity. *relaxed: lanes that asked for the guaranteed velocity and fell back to the
// relaxed one; none if the relaxed variant was chosen. *infeasible: lanes without a velocity, which
// is undefined for them; *problem is then that of the relaxed variant, for velocity_keep_most, in
// memory of *memory.
HOST_DEVICE vec2 clearpath_best(const struct perception *s, const struct clearpath_options *options,
                                struct clearpath_problem *memory, struct velocity_problem *problem,
                                mask *infeasible, mask *relaxed)
{
  vec2 v = vec2_of(splat(0), splat(0));
  mask left = s->active;
  clearpath_problem_begin(memory, s);
  if (options->guaranteed)
    v = clearpath_longest_window(memory, s, &left);
  *relaxed = options->guaranteed ? left : mask_none();
  *infeasible = mask_none();
  if (any(left))
    v = select_vec2(left, clearpath_relaxed(memory, s, left, problem, infeasible), v);
  return v;
}
