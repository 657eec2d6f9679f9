// The ranks of a job, for partition.h: sums and maxima over them and, where they are many, groups
// of ranks that cut the lower levels of the tree each for itself.
#pragma once
#include "comm.h"
#include "partition.h"

#define PARTITION_RANKS_MAX   10000 // that cut all levels together
#define PARTITION_GROUP_RANKS 1024

struct partition_ranks { // neither it nor `all` may move or end while it is in use
  const struct comm *all;
  struct comm group;
  bool has_groups;
  struct partition_groups groups; // if has_groups
};

// group_ranks: the most ranks of a group; 0: no groups. Collective.
void partition_ranks_create(struct partition_ranks *r, const struct comm *all, int32_t group_ranks);
void partition_ranks_destroy(struct partition_ranks *r); // collective
int32_t partition_ranks_choose(int32_t ranks);           // group_ranks for a job of `ranks` ranks

struct partition_reduce partition_ranks_reduce(const struct partition_ranks *r); // over all
// For partition_create and partition_update. NULL: no groups.
const struct partition_groups *partition_ranks_groups(const struct partition_ranks *r);
