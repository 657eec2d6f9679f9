// The CSV of trips: an origin-destination (OD) matrix with one row per flow.
#pragma once
#include "config.h"

struct od_flow {
  int source, destination; // indices in the config
  int64_t people;          // number of agents
  double begin, end;       // s; end < 0: all at begin
  int line;                // of the file
};

struct od_matrix {
  char *path;
  int64_t count;
  struct od_flow *rows; // [count] by source, then in the order of lines
};

// Empty if the scenario names no file. False and errors if the file is bad; call od_matrix_destroy
// in any case.
bool od_matrix_read(struct od_matrix *t, const struct config *c, struct diagnostics *p);
void od_matrix_destroy(struct od_matrix *t);
