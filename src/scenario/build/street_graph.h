// A street graph from a file of lines: its nodes are their points, its edges their pieces. Lines
// that cross where neither has a point pass over each other.
#pragma once
#include "demand.h"

struct street_graph {
  int64_t count;       // nodes
  struct point *nodes; // [count] quanta
  int64_t *first;      // [count + 1] of a node's edges
  int32_t *to;         // [first[count]], ascending a node; each edge from both its ends
};

// navigation.graph. False when there are problems.
bool street_graph_read(struct street_graph *graph, const struct demand_input *in,
                       struct diagnostics *p);
