// Where to cut the nodes of one level of a partition's tree: all of them together, both axes side
// by side, from a few histograms that are summed over the ranks. Private to partition.c.
#pragma once
#include "partition.h"

struct median_search { // the weighted median of a node along one axis
  int64_t low;         // it lies in [low, low + 2^bits), quanta
  int32_t bits;        // in the end 0: on one coordinate
  int64_t below;       // weight before low
  int64_t inside;      // weight in the range
  int64_t halo_weight; // weight within the reach of the cut
};

struct node {
  int32_t first_rank, rank_count;
  struct box box;
  int32_t cut;                           // its index in partition->cuts
  int64_t weight;                        // of its agents; the rest means nothing when it is 0
  struct point lo, hi;                   // of its agents, hi inside
  struct median_search median_search[2]; // along x, along y
};

struct level {
  struct node *nodes;
  int32_t count;
};

struct local_points { // what a rank knows of its own agents
  const struct partition_points *of;
  int32_t *node; // [of->count] index in the level; -1: its rank is known
  int32_t reach;
  struct partition_reduce reduce;
};

// Fills in weight, lo, hi and seek of every node. Every rank calls it and finds the same.
void bisection_level(struct level *level, const struct local_points *v);
// The better one of a node's two cuts; its lower and upper mean nothing yet. former: the axis that
// it was cut along before, or -1.
struct partition_cut bisection_cut(const struct node *n, int32_t former);
