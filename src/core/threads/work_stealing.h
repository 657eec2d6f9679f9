// A loop whose items the threads of a team share. Each begins with about the items that
// schedule(static) would give it: then what it reads and writes is in the caches of its own core,
// where other loops over the same agents have left it. A thread that has done all of its own takes
// the last items of the one with most left.
#pragma once
#include <stdint.h>

#define WORK_RANGES_MAX 256 // more threads share ranges

struct work_range {           // in a cache line of its own
  _Alignas(64) uint64_t left; // first item << 32 | end
};

struct work_stealing {
  int32_t count;
  struct work_range ranges[WORK_RANGES_MAX]; // [count]
};

// items < 2^32. threads: that will call, or more.
void work_stealing_begin(struct work_stealing *s, int64_t items, int32_t threads);
// The next item for the calling thread, 0 .. threads - 1; -1: all have been taken.
int64_t work_stealing_next(struct work_stealing *s, int32_t thread);
