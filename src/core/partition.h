// The plane cut into one box a rank by weighted recursive bisection of the integer coordinates.
// Pure: knows neither MPI nor agents. Every rank holds the whole tree of cuts.
#pragma once
#include "position.h"

struct cut {
  int32_t axis;         // 0: x, 1: y
  int32_t at;           // quanta: below goes to the lower side
  int32_t lower, upper; // index of the next cut, or ~rank
};

struct partition {
  int32_t rank_count;
  struct cut *cuts;  // [rank_count - 1]; cuts[0] is the first
  struct box *boxes; // [rank_count]; together they cover the whole plane
};

// How the ranks put their integers together, in place. With NULL functions there is one rank.
struct partition_reduce {
  void (*sum)(void *context, int64_t *values, int64_t count);
  void (*max)(void *context, int64_t *values, int64_t count);
  void *context;
};

// Cuts so that every rank gets an even share of the weights. points[count], weights[count] (NULL:
// 1 each) are this rank's; every rank calls it and gets the same partition.
void partition_create(struct partition *p, int32_t rank_count, int64_t count, const int32_t *x,
                      const int32_t *y, const int32_t *weights, struct partition_reduce reduce);
void partition_destroy(struct partition *p);

int32_t partition_owner(const struct partition *p, struct point at); // rank, no epsilon
