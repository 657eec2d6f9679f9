// How even a partition is, and how large its halos: any number of ranks in one process.
#pragma once
#include <stdint.h>

struct balance_bench {
  int32_t ranks;
  int64_t agents;
  double reach; // of the halo, m
  uint64_t seed;
};

void balance_bench(const struct balance_bench *b); // prints one JSON line
