// The nearest agents by the total order (distance^2, id), nearest first: the scalar reference of
// the search in lanes (nearest.h).
#pragma once
#include "avoidance.h"
#include "portable.h"
#include "position.h"

struct nearest_entry {
  float d2;     // quanta^2
  int32_t item; // an agent's index, or any number of the caller
  int64_t id;
};

struct nearest_list {
  int room, count; // 0 <= count <= room <= NEIGHBOURS_MAX
  struct nearest_entry list[NEIGHBOURS_MAX];
};

INLINE bool nearest_entry_before(struct nearest_entry a, struct nearest_entry b)
{
  return a.d2 < b.d2 || (a.d2 == b.d2 && a.id < b.id);
}

// Drops the farthest entry of a full list, which may be the new one.
INLINE void nearest_list_insert(struct nearest_list *r, struct nearest_entry entry)
{
  if (r->count == r->room && (r->room == 0 || !nearest_entry_before(entry, r->list[r->count - 1])))
    return;
  int at = r->count < r->room ? r->count++ : r->room - 1;
  for (; at > 0 && nearest_entry_before(entry, r->list[at - 1]); at--)
    r->list[at] = r->list[at - 1];
  r->list[at] = entry;
}

INLINE float float_distance2(struct point p, int32_t x, int32_t y) // quanta^2
{
  const float dx = (float)(x - p.x), dy = (float)(y - p.y);
  return dx * dx + dy * dy;
}

// Overlaps of one agent: other agents closer than the sum of the radii.
struct overlaps {
  int64_t count;
  float deepest; // m
  int64_t with;  // least id among them; INT64_MAX: no overlap
};
