// The device that kernels run on: a GPU, or, compiled by a C compiler, a loop over its threads in
// an order that a test may change ("emulated"). One text for both:
//
//   KERNEL(name) { ... what thread i does, with *s ... }      LAUNCH(&device, name, s, threads);
//
// ON_DEVICE: a function that kernels call.
// Threads of one kernel may only share what the atomics below keep. Integers, so that the order of
// threads shows in nothing.
#pragma once
#include "backend_gpu.h"
#include "base.h"
#include "text.h"

#include <stdint.h>
#include <string.h>

// What a kernel or a copy took, summed, since it was asked for: backend_gpu.h.
#define DEVICE_TIMES 32
struct device_times {
  bool wanted;
  int count;
  struct kernel_time list[DEVICE_TIMES];
};

static inline void device_took(struct device_times *t, const char *name, double seconds)
{
  int k = 0;
  while (k < t->count && strcmp(t->list[k].name, name) != 0)
    k++;
  if (k == DEVICE_TIMES)
    return;
  if (k == t->count) {
    const struct kernel_time first = {name, 0, 0};
    t->list[t->count++] = first;
  }
  t->list[k].seconds += seconds;
  t->list[k].times++;
}

#ifdef __CUDACC__
#include "device_cuda.h"
#else
#include "device_emulated.h"
#endif
