// The CSV of trips: an OD matrix, a row for each pair.
#pragma once
#include "config.h"

struct od_flow {
  int source, destination; // numbers
  int64_t people;
  double begin, end; // s; end < 0: all at begin
  int line;
};

struct od_matrix {
  char *path;
  int64_t count;
  struct od_flow *rows; // by source, then in the order of lines
};

// Nothing when the scenario names no file. False when there are problems.
bool od_matrix_read(struct od_matrix *t, const struct config *c, struct diagnostics *p);
void od_matrix_destroy(struct od_matrix *t);
