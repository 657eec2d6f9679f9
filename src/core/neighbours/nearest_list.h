// The nearest by the total order (distance^2, id), nearest first: the plain twin of the search in
// lanes.
#pragma once
#include "avoidance.h"
#include "portable.h"
#include "position.h"

struct nearest_entry {
  float d2;     // quanta^2
  int32_t item; // an agent's index, or what the caller likes
  int64_t id;
};

struct nearest_list {
  int room, count;
  struct nearest_entry list[NEIGHBOURS_MAX];
};

INLINE bool nearest_entry_before(struct nearest_entry a, struct nearest_entry b)
{
  return a.d2 < b.d2 || (a.d2 == b.d2 && a.id < b.id);
}

INLINE void nearest_list_insert(struct nearest_list *r,
                                struct nearest_entry one) // the furthest falls off a full one
{
  if (r->count == r->room && (r->room == 0 || !nearest_entry_before(one, r->list[r->count - 1])))
    return;
  int at = r->count < r->room ? r->count++ : r->room - 1;
  for (; at > 0 && nearest_entry_before(one, r->list[at - 1]); at--)
    r->list[at] = r->list[at - 1];
  r->list[at] = one;
}

INLINE float float_distance2(struct point p, int32_t x, int32_t y) // quanta^2
{
  const float dx = (float)(x - p.x), dy = (float)(y - p.y);
  return dx * dx + dy * dy;
}

// Who overlaps somebody: closer than the sum of the radii.
struct overlaps {
  int64_t count;
  float deepest; // m
  int64_t with;  // the least id of theirs; INT64_MAX: nobody's
};
