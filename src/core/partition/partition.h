// Partition of the plane into one box per rank by weighted recursive bisection of the integer
// coordinates. Knows neither MPI nor agents. Every rank holds the whole tree of cuts.
//
// A cut lies at the weighted median of its node's points, along the axis that costs less: it weighs
// the imbalance against the points within reach of the cut, which become ghosts. (Berger and
// Bokhari 1987 always cut across the longer side, even through a dense crowd.)
#pragma once
#include "position.h"

struct partition_cut {
  int32_t axis;         // 0: x, 1: y
  int32_t at;           // quanta: coordinates below it belong to the lower side
  int32_t lower, upper; // index of the cut of that side, or ~rank if one rank owns it
};

struct partition {
  int32_t rank_count;
  struct partition_cut *cuts; // [rank_count - 1]; cuts[0] is the root
  struct box *boxes;          // [rank_count]; they tile the plane
};

struct partition_points { // of this rank
  int64_t count;
  const int32_t *x, *y;   // [count] quanta
  const int32_t *weights; // [count], >= 0; NULL: 1 each
};
bool partition_points_is_valid(const struct partition_points *of);

// Element-wise sum and maximum over the ranks, in place. Collective. NULL functions: one rank.
struct partition_reduce {
  void (*sum)(void *context, int64_t *values, int64_t count);
  void (*max)(void *context, int64_t *values, int64_t count);
  void *context;
};

// How many ranks cut a plane: the top levels of the tree together, until a node has at most
// group_ranks ranks. Its points move to them, and they cut the rest of it alone. The partition is
// the same.
struct partition_groups {
  int32_t group_ranks; // at least 1
  int32_t rank;        // this one
  // Sends point i of this rank to rank to[i], which may be itself; -1: to none. Returns those that
  // have arrived here, in any order, in one block: x[*count], y[*count], weights[*count]. The
  // caller frees it by memory_destroy. Collective over all ranks.
  int32_t *(*move)(void *context, const struct partition_points *of, const int32_t *to,
                   int64_t *count);
  void *context;
  struct partition_reduce reduce; // over the ranks of this rank's group
};

struct rank_span { // consecutive ranks
  int32_t first, count;
};
// The group of a rank.
struct rank_span partition_group(int32_t rank_count, int32_t rank, int32_t group_ranks);

bool partition_is_valid(const struct partition *p); // each rank is the leaf of exactly one path

// Cuts the plane such that every rank gets an equal share of the weights. reach: width of the halo,
// quanta. reduce: over all ranks. groups: NULL if all ranks cut all levels together. Collective;
// every rank gets the same partition, and it does not depend on which rank holds which points. A
// level of the tree takes about ten sums of at most 2 MiB each over the ranks that cut it, or of
// 128 B per node if it has more than 16,384 nodes.
void partition_create(struct partition *p, int32_t rank_count, int32_t reach,
                      const struct partition_points *of, struct partition_reduce reduce,
                      const struct partition_groups *groups);
// Repartitions. A cut keeps its axis unless the other one is cheaper by a fifth, so that few agents
// migrate. Collective: every rank passes the same p and gets the same result.
void partition_update(struct partition *p, int32_t reach, const struct partition_points *of,
                      struct partition_reduce reduce, const struct partition_groups *groups);
void partition_destroy(struct partition *p);

int32_t partition_owner(const struct partition *p, struct point at); // rank; exact

// Writes the ranks whose boxes overlap b into ranks[rank_count], ascending; returns their number.
// Visits only the part of the tree that overlaps b.
int32_t partition_overlapping(const struct partition *p, struct box b, int32_t *ranks);
