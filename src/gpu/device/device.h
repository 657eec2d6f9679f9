// The device that kernels run on: a GPU, or, compiled by a C compiler, a loop over its threads in
// an order that a test may change ("emulated"). One text for both:
//
//   KERNEL(name) { ... what thread i does, with *s ... }      LAUNCH(&device, name, s, threads);
//
// KERNEL_OF(type, name): *s is of that type; else a struct scene. ON_DEVICE: a function that
// kernels call. Threads of one kernel may only share what the atomics below keep. Integers, so that
// the order of threads shows in nothing.
#pragma once
#include "base.h"
#include "kernel_time.h"
#include "portable.h"

#include <stdint.h>
#include <string.h>

// What a kernel or a copy took, summed, since it was asked for: backend_gpu.h.
#define DEVICE_TIMES 64
struct device_times {
  bool enabled;
  int count;
  struct kernel_time list[DEVICE_TIMES];
  int64_t up, down; // bytes that crossed the bus
};

static inline void device_time_add(struct device_times *t, const char *name, double seconds)
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

#define KERNEL(name) KERNEL_OF(struct kernel_input, name)

struct device_buffer { // of a device, kept from step to step
  void *memory;
  size_t bytes;
};

// At least so many bytes. What was in it is lost.
static inline void *device_reserve(struct device_buffer *b, size_t bytes)
{
  if (bytes > b->bytes || !b->memory) {
    device_free(b->memory);
    b->bytes = bytes + bytes / 8 + 64;
    b->memory = device_allocate(b->bytes);
  }
  device_poison(b->memory, b->bytes);
  return b->memory;
}

// The same, but the first `used` bytes stay.
static inline void *device_grow(struct device *d, struct device_buffer *b, size_t used,
                                size_t bytes)
{
  if (bytes > b->bytes || !b->memory) {
    struct device_buffer max_real = {NULL, 0};
    device_reserve(&max_real, bytes);
    if (used)
      device_copy(d, max_real.memory, b->memory, used);
    device_wait(d);
    device_free(b->memory);
    *b = max_real;
  }
  device_poison((char *)b->memory + used, b->bytes - used);
  return b->memory;
}

// The same with a copy of what is there.
static inline void *device_upload_to(struct device *d, struct device_buffer *b, const void *from,
                                     size_t bytes)
{
  void *to = device_reserve(b, bytes);
  if (bytes)
    device_upload(d, to, from, bytes);
  return to;
}

// Many arrays that live and go together.
struct device_arena {
  struct device_buffer *list;
  int count, capacity;
};

static inline void *arena_allocate(struct device_arena *a, size_t bytes)
{
  if (a->count == a->capacity) {
    const int more = 2 * a->capacity + 64;
    a->list = (struct device_buffer *)memory_grow(a->list, (size_t)a->count, (size_t)more,
                                                  sizeof *a->list);
    a->capacity = more;
  }
  return device_reserve(&a->list[a->count++], bytes);
}

static inline void arena_reset(struct device_arena *a) // the memory is kept for the next
{
  a->count = 0;
}
