// The CSV of trips: an OD matrix, a row for each pair.
#pragma once
#include "config.h"

struct trip {
  int source, destination; // numbers
  int64_t people;
  double begin, end; // s; end < 0: all at begin
  int line;
};

struct trips {
  char *path;
  int64_t count;
  struct trip *rows; // by source, then in the order of lines
};

// Nothing when the scenario names no file. False when there are problems.
bool trips_read(struct trips *t, const struct config *c, struct problems *p);
void trips_destroy(struct trips *t);
