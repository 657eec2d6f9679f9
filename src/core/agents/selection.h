// Which agents and which of their fields a snapshot contains.
#pragma once
#include "agents.h"

// In the order of snapshot_columns (mpi/io/agent_columns.h).
enum selection_field {
  SELECT_ID,
  SELECT_VELOCITY,
  SELECT_SPEED,
  SELECT_RADIUS,
  SELECT_DESTINATION,
  SELECT_FIELDS
};
// The layouts of trajectory.h5 (docs/formats.md).
enum trajectory_layout {
  TRAJECTORY_COMPACT, // a dataset for each column; positions in quanta
  TRAJECTORY_ARCHIVE  // one table, as in the Pedestrian Dynamics Data Archive, which PedPy loads
};

// Snapshots of more agents are written while the steps wait; of others a copy is made, 36 bytes per
// agent at most, and written beside the steps.
#define SNAPSHOT_COPIED_MAX (1 << 24)

extern const char *const selection_names[SELECT_FIELDS]; // "id", "velocity", ...

struct selection {
  uint32_t fields;   // one bit per enum selection_field; the position is always written
  int64_t stride;    // >= 1: only agents whose id is a multiple of it
  struct box region; // quanta: only agents inside
};
extern const struct selection selection_all;

static inline bool selection_has(const struct selection *s, int field)
{
  return s->fields >> field & 1;
}

// Writes the indices of the selected owned agents into rows[a->count], ascending; returns their
// number.
int64_t selection_rows(const struct selection *s, const struct agents *a, int32_t *rows);
