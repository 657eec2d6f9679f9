// What files hold of each agent: columns of numbers, computed from the fields of the agents.
#pragma once
#include "agents.h"
#include "position.h"

enum number_type { NUMBER_I32, NUMBER_I64, NUMBER_F32, NUMBER_F64 };
int32_t number_size(enum number_type n); // bytes

struct agent_column_source { // of one column
  const struct agents *agents;
  const int32_t *rows;             // the agents of the file's rows
  const struct frame *frame;       // of their positions
  const struct agent_field *field; // that column_field copies
  int64_t first;                   // number of the first row, or of the frame of a trajectory
};

struct agent_column { // PointData in VTKHDF, an Attribute in XDMF, a dataset of a trajectory
  const char *name;
  enum number_type number;
  int32_t width; // numbers per row
  // Writes the rows [begin, begin + count) of a struct agent_column_source to out[count * width].
  void (*fill)(const void *source, int64_t begin, int64_t count, void *out);
  const char *unit, *description;
};

// The columns of a snapshot: its points, the numbers of its rows, and one for each
// selection_field in the order of these.
extern const struct agent_column points_f32_column, points_f64_column, row_number_column;
extern const struct agent_column snapshot_columns[];
extern const int snapshot_column_count;

// The columns of a trajectory: id, x and y always, the others if their selection_field is chosen.
extern const struct agent_column trajectory_columns[];
extern const int trajectory_column_fields[]; // selection_field of each; SELECT_ID: always
extern const int trajectory_column_count;

// A row of the Pedestrian Dynamics Data Archive: metres in the coordinates of the scenario.
struct archive_row {
  int64_t id, frame;
  double x, y, z;
};
void column_archive(const void *source, int64_t begin, int64_t count, void *out);

// The source of a column, whose field it finds.
struct agent_column_source agent_column_source(const struct agent_column *c, const struct agents *a,
                                               const int32_t *rows, const struct frame *frame);

// Does the column read that field of the agents?
bool agent_column_reads(const struct agent_column *c, const struct agent_field *field);

// Copies a field of the agents rows[count], as it is in memory: for a struct agents. Free with
// memory_destroy.
void *agent_column_copy(const struct agents *a, const int32_t *rows, int64_t count,
                        const struct agent_field *field);
