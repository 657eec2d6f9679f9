// Packs, unpacks, copies and moves one agent.
#pragma once
#include "agents.h"

#include <math.h>

// Copies a field of a record. Fields of a record are aligned to 4 bytes, not to their size.
INLINE void field_copy(void *to, const void *from, size_t bytes)
{
  __builtin_memcpy(__builtin_assume_aligned(to, 4), __builtin_assume_aligned(from, 4), bytes);
}

// As agents_pack. The table is expanded, not looped over: the compiler sees constant sizes.
INLINE void agent_pack(const struct agents *a, int64_t i, enum agent_scope scope, char *out)
{
#define X(type, name, unit, field_scope)                                                           \
  if (field_scope <= scope) {                                                                      \
    field_copy(out, &a->name[i], sizeof(type));                                                    \
    out += sizeof(type);                                                                           \
  }
  AGENT_FIELDS(X)
#undef X
}

INLINE void agent_unpack(struct agents *a, int64_t i, enum agent_scope scope, const char *in)
{
#define X(type, name, unit, field_scope)                                                           \
  if (field_scope <= scope) {                                                                      \
    field_copy(&a->name[i], in, sizeof(type));                                                     \
    in += sizeof(type);                                                                            \
  }
  AGENT_FIELDS(X)
#undef X
}

INLINE void agent_copy(struct agents *a, int64_t to, int64_t from)
{
#define X(type, name, unit, scope) a->name[to] = a->name[from];
  AGENT_FIELDS(X)
#undef X
}

INLINE int64_t agent_speed(const struct agents *a, int64_t i) // um/s
{
  return lrintf(1e6f * sqrtf(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]));
}

// As agents_move, for agent i; quanta_per_speed = dt / quantum. Returns whether it was clamped.
INLINE bool agent_move(struct agents *a, int64_t i, struct box bounds, float quanta_per_speed)
{
  const struct point from = {a->x[i], a->y[i]};
  a->vx[i] = a->next_vx[i];
  a->vy[i] = a->next_vy[i];
  a->from_x[i] = from.x;
  a->from_y[i] = from.y;
  const struct point to = position_after(from, a->vx[i], a->vy[i], quanta_per_speed);
  const struct point inside = position_clamped(to, bounds);
  a->x[i] = inside.x;
  a->y[i] = inside.y;
  return inside.x != to.x || inside.y != to.y;
}
