// Load balance and halo size of a partition, for any number of ranks in one process.
#pragma once
#include <stdint.h>

struct partition_bench {
  int32_t ranks;
  int64_t agents;
  double reach; // width of the halo, m
  uint64_t seed;
};

void partition_bench(const struct partition_bench *b); // prints one JSON line
