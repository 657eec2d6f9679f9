// The plane cut into one box a rank by weighted recursive bisection of the integer coordinates.
// Pure: knows neither MPI nor agents. Every rank holds the whole tree of cuts.
//
// Each cut is the weighted median along the axis where fewer agents stand within reach of it
// (Berger and Bokhari 1987 cut across the longer side, which is as ready to go through a dense
// crowd as past it).
#pragma once
#include "position.h"

struct partition_cut {
  int32_t axis;         // 0: x, 1: y
  int32_t at;           // quanta: below goes to the lower side
  int32_t lower, upper; // index of the next cut, or ~rank
};

struct partition {
  int32_t rank_count;
  struct partition_cut *cuts; // [rank_count - 1]; cuts[0] is the first
  struct box *boxes;          // [rank_count]; together they cover the whole plane
};

struct partition_points { // this rank's
  int64_t count;
  const int32_t *x, *y;   // [count] quanta
  const int32_t *weights; // [count], >= 0; NULL: 1 each
};

// How the ranks put their integers together, in place. With NULL functions there is one rank.
struct partition_reduce {
  void (*sum)(void *context, int64_t *values, int64_t count);
  void (*max)(void *context, int64_t *values, int64_t count);
  void *context;
};

// Cuts so that every rank gets an even share of the weights. reach: of the halo, quanta. Every rank
// calls it and gets the same partition, whoever holds which points. A level of the tree takes some
// ten sums over the ranks, of 2 MiB each at most, or of 128 B a node where it has over 16,384.
void partition_create(struct partition *p, int32_t rank_count, int32_t reach,
                      const struct partition_points *of, struct partition_reduce reduce);
// The same with p as it is: a cut keeps its axis unless the other one is better by a fifth, so that
// few agents change ranks. Who has the same p gets the same again.
void partition_update(struct partition *p, int32_t reach, const struct partition_points *of,
                      struct partition_reduce reduce);
void partition_destroy(struct partition *p);

int32_t partition_owner(const struct partition *p, struct point at); // rank, no epsilon

// The ranks whose boxes share a place with b, ascending, into ranks[rank_count]; how many. Looks at
// no more of the tree than leads there.
int32_t partition_overlapping(const struct partition *p, struct box b, int32_t *ranks);
