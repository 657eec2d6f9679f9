// Finds the cuts of all nodes of one level of a partition's tree at once, along both axes, from a
// few histograms that are summed over the ranks. Private to partition.c.
#pragma once
#include "partition.h"

struct median_search { // for the weighted median of a node along one axis
  int64_t low;         // the median lies in [low, low + 2^bits), quanta
  int32_t bits;        // 0 at the end: a single coordinate
  int64_t below;       // weight below low
  int64_t inside;      // weight in the range
  int64_t halo_weight; // weight within reach of the cut
};

struct node {
  struct rank_span ranks;
  struct box box;
  int32_t cut;                           // its index in partition->cuts
  int64_t weight;                        // of its points; if 0, the members below are undefined
  struct point lo, hi;                   // extent of its points, hi inside
  struct median_search median_search[2]; // along x, along y
};

struct level {
  struct node *nodes;
  int32_t count;
};

struct local_points { // of this rank
  const struct partition_points *of;
  int32_t *node; // [of->count] index in the level; -1: its rank is found
  int32_t reach;
  struct partition_reduce reduce;
};

// Sets weight, lo, hi and median_search of every node. Collective; every rank gets the same.
void bisection_level(struct level *level, const struct local_points *v);
// The cheaper of a node's two cuts; lower and upper are not set. former: the axis of the node's cut
// in the former partition, or -1.
struct partition_cut bisection_cut(const struct node *n, int32_t former);
