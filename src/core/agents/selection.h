// Which agents a snapshot holds, and what of them.
#pragma once
#include "agents.h"

// In the order of snapshot_columns (mpi/snapshot_file.h).
enum selection_field {
  SELECT_ID,
  SELECT_VELOCITY,
  SELECT_SPEED,
  SELECT_RADIUS,
  SELECT_DESTINATION,
  SELECT_FIELDS
};
extern const char *const selection_names[SELECT_FIELDS]; // "id", "velocity", ...

struct selection {
  uint32_t fields;   // bit per enum selection_field, besides the position
  int64_t stride;    // agents whose id is a multiple of it
  struct box region; // quanta: those who stand in it
};
extern const struct selection selection_all;

static inline bool selection_has(const struct selection *s, int field)
{
  return s->fields >> field & 1;
}

// The owned agents that are meant, ascending, into rows[a->count]; how many.
int64_t selection_rows(const struct selection *s, const struct agents *a, int32_t *rows);
