// A street graph from a file of lines: their points are its nodes, their segments its edges. Lines
// that cross without a common point are not connected (bridges).
#pragma once
#include "demand_input.h"

struct street_graph {
  int64_t count;       // of nodes
  struct point *nodes; // [count] quanta, sorted by y, then x
  int64_t *first;      // [count + 1] first edge of each node
  int32_t *to;         // [first[count]] ascending within a node; every edge in both directions
};
bool street_graph_is_valid(const struct street_graph *graph);

// Reads navigation.graph. False if there were errors.
bool street_graph_read(struct street_graph *graph, const struct demand_input *in,
                       struct diagnostics *p);
