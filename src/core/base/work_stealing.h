// A loop whose items the threads of a team share. Each begins with the items that schedule(static)
// would give it: then what it reads and writes is in the caches of its own core, where other loops
// over the same agents have left it. A thread that has done all of its own takes the last items of
// the one with most left.
#pragma once
#include <stdint.h>

struct work_stealing {
  int32_t threads;
  struct work_range *of; // [threads]
};

// items < 2^32, of which no thread has taken one yet. threads: at least those that will call.
struct work_stealing work_stealing_create(int64_t items, int32_t threads);
void work_stealing_destroy(struct work_stealing *s);
// The next item for the calling thread; -1: all have been taken.
int64_t work_stealing_next(const struct work_stealing *s, int32_t thread);
