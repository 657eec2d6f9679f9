// Shoulders turn in a narrow passage. Where two walls that face each other are w apart, an agent
// between or before them keeps w - `shoulders` from them (headway_options.h), at least
// SHOULDERS_LEAST and at most its radius, so that a door of 0.5 m lets people through one by one,
// as in experiments. docs/walking.md gives the source of the values.
#pragma once
#include "headway_options.h"
#include "perception.h"

#define SHOULDERS_REACH 0.8f  // m: farther walls make no passage
#define SHOULDERS_LEAST 0.04f // m
#define SHOULDERS_FACES 0.05f // m: a wall faces what is farther than that on its free side
#define SHOULDERS_PLANE 1e-3f // m^2, for rounding: both jambs of a door lie in one plane

INLINE vec2 wall_nearest_point(const struct perceived_wall *o) // relative to the agent
{
  const real length = dot(minus(o->b, o->a), o->along);
  const real at = max_real(min_real(-dot(o->a, o->along), length), splat(0));
  return add(o->a, times(at, o->along));
}

// m: from the nearest point of all walls to the nearest one of a wall that faces it and lies no
// farther back; very wide where there is none. Beside a door, that is its other jamb. At a convex
// corner it is no wall: none faces the other.
INLINE real passage_width(const struct perception *s, vec2 nearest)
{
  real width2 = splat(1e12f);
  for (int i = 1; i < s->wall_count; i++) {
    const struct perceived_wall *o = &s->walls[i];
    const vec2 across = minus(wall_nearest_point(o), nearest);
    const mask faces = less(det(o->along, minus(nearest, o->a)), splat(-SHOULDERS_FACES));
    const mask opposite = o->valid & faces & less(dot(across, nearest), splat(SHOULDERS_PLANE));
    width2 = min_where(opposite, width2, dot(across, across));
  }
  return square_root(width2);
}

// Sets the radius that agents keep from walls (s->radius). profile: of each. The radius depends on
// the walls and the profile only, so a device that perceives the walls again gets the same one.
INLINE void turn_shoulders(struct perception *s, const struct headway_options *h, ivec profile)
{
  if (s->wall_count < 2)
    return;
  const vec2 nearest = wall_nearest_point(&s->walls[0]); // they are sorted by distance
  const mask near =
      s->walls[0].valid & less(dot(nearest, nearest), splat(SHOULDERS_REACH * SHOULDERS_REACH));
  if (!any(near))
    return;
  const real shoulders = look_up_one(h->shoulders, h->count, profile);
  const mask turn = near & less(splat(0), shoulders); // 0: also if they do not walk by headway
  const real left = passage_width(s, nearest) - shoulders;
  const real kept = min_real(s->radius, max_real(left, splat(SHOULDERS_LEAST)));
  s->radius = select_real(turn, kept, s->radius);
}
