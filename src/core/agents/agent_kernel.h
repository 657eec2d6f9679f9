// Packs, unpacks, copies and moves one agent.
#pragma once
#include "agents.h"

#include <math.h>

// Whether the bits of a type are inverted in memory.
#define INVERTED_int64_t       false
#define INVERTED_int32_t       false
#define INVERTED_float         false
#define INVERTED_int64_or_none true
#define INVERTED_int32_or_none true

// The bits of a value, inverted or not.
INLINE uint64_t field_bits(const void *from, size_t bytes, bool inverted)
{
  const uint64_t bits = agent_bits_read(from, bytes);
  return inverted ? bits ^ (bytes < 8 ? UINT32_MAX : UINT64_MAX) : bits;
}

// Copy a field to and from a record. Fields of a record are aligned to 4 bytes, not to their size.
INLINE void field_pack(void *record, const void *field, size_t bytes, bool inverted)
{
  agent_bits_write(record, field_bits(field, bytes, inverted), bytes);
}

INLINE void field_unpack(void *field, const void *record, size_t bytes, bool inverted)
{
  const uint64_t bits = field_bits(record, bytes, inverted);
  agent_field_set(field, &bits, bytes);
}

// As agents_pack. The table is expanded, not looped over: the compiler sees constant sizes.
INLINE void agent_pack(const struct agents *a, int64_t i, enum agent_scope scope, char *out)
{
#define X(type, name, unit, field_scope)                                                           \
  if (field_scope <= scope) {                                                                      \
    field_pack(out, &a->name[i], sizeof(type), INVERTED_##type);                                   \
    out += sizeof(type);                                                                           \
  }
  AGENT_FIELDS(X)
#undef X
}

INLINE void agent_unpack(struct agents *a, int64_t i, enum agent_scope scope, const char *in)
{
#define X(type, name, unit, field_scope)                                                           \
  if (field_scope <= scope) {                                                                      \
    field_unpack(&a->name[i], in, sizeof(type), INVERTED_##type);                                  \
    in += sizeof(type);                                                                            \
  }
  AGENT_FIELDS(X)
#undef X
}

INLINE void agent_copy(struct agents *a, int64_t to, int64_t from)
{
#define X(type, name, unit, scope) agent_field_set(&a->name[to], &a->name[from], sizeof(type));
  AGENT_FIELDS(X)
#undef X
}

INLINE int64_t agent_speed(const struct agents *a, int64_t i) // um/s
{
  return lrintf(1e6f * sqrtf(a->vx[i] * a->vx[i] + a->vy[i] * a->vy[i]));
}

// As agents_move, for agent i; quanta_per_speed = dt / quantum. Returns whether it was clamped.
// Without branches, for loops of lanes.
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
  return (inside.x != to.x) | (inside.y != to.y);
}
