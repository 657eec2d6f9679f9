// The device that runs kernels: a CUDA GPU, or, with a C compiler, an emulation that loops over the
// threads in one of several orders. The kernels are one text for both:
//
//   KERNEL(name) { ... }             body of thread i; *s is a const struct kernel_input
//   KERNEL_OF(type, name) { ... }    the same; *s is a const of that type
//   LAUNCH(&device, name, s, threads)
//   ON_DEVICE                        a function that kernels call
//
// Threads of one kernel share data only through the atomics declared here. These work on integers,
// so the order of threads cannot change a result.
#pragma once
#include "base.h"
#include "hash.h"
#include "kernel_time.h"
#include "portable.h"

#include <assert.h>
#include <stdint.h>
#include <string.h>

#define DEVICE_TIMES 64 // distinct names; further ones are not recorded
struct device_times {
  bool enabled;
  int count;
  struct kernel_time list[DEVICE_TIMES];
  int64_t up, down; // bytes to and from the device
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

// Work that is often the same from step to step: device_sequence_begin.
enum device_sequence_number { SEQUENCE_INDEX, SEQUENCE_VELOCITIES, SEQUENCES };

static inline int device_sort_bits(uint32_t key_end) // of keys up to that
{
  int bits = 1;
  while (bits < 32 && key_end >> bits)
    bits++;
  return bits;
}

#ifdef __CUDACC__
#include "device_cuda.h"
#else
#include "device_emulated.h"
#endif

// For tests (backend_gpu.c): buffers are exactly as large as asked for, so that an access beyond
// one can be found. Otherwise they are larger, and seldom allocated again.
#ifdef __cplusplus
extern "C" bool device_exact_buffers;
#else
extern bool device_exact_buffers;
#endif

#define KERNEL(name) KERNEL_OF(struct kernel_input, name)

struct device_buffer { // memory that is reused from step to step
  void *memory;
  size_t bytes;
};

static inline bool buffer_is_short(const struct device_buffer *b, size_t bytes)
{
  return bytes > b->bytes || !b->memory || (device_exact_buffers && bytes != b->bytes);
}

static inline size_t buffer_size(size_t bytes)
{
  return bytes + (device_exact_buffers ? 0 : bytes / 8 + 64);
}

// At least that many bytes of device memory; the contents are lost.
static inline void *device_reserve(struct device_buffer *b, size_t bytes)
{
  if (buffer_is_short(b, bytes)) {
    device_free(b->memory);
    b->bytes = buffer_size(bytes);
    b->memory = device_allocate(b->bytes);
  }
  device_poison(b->memory, b->bytes);
  return b->memory;
}

// The same, of pinned memory of the host.
static inline void *pinned_reserve(struct device_buffer *b, size_t bytes)
{
  if (buffer_is_short(b, bytes)) {
    pinned_free(b->memory);
    b->bytes = buffer_size(bytes);
    b->memory = pinned_allocate(b->bytes);
  }
  device_poison(b->memory, b->bytes);
  return b->memory;
}

// The same, but keeps the first `used` bytes.
static inline void *device_grow(struct device *d, struct device_buffer *b, size_t used,
                                size_t bytes)
{
  assert(used <= bytes && (used == 0 || used <= b->bytes));
  if (bytes > b->bytes || !b->memory) {
    struct device_buffer larger = {NULL, 0};
    device_reserve(&larger, bytes);
    if (used)
      device_copy(d, larger.memory, b->memory, used);
    device_wait(d);
    device_free(b->memory);
    *b = larger;
  }
  device_poison((char *)b->memory + used, b->bytes - used);
  return b->memory;
}

static inline void *device_upload_to(struct device *d, struct device_buffer *b, const void *from,
                                     size_t bytes)
{
  void *to = device_reserve(b, bytes);
  if (bytes)
    device_upload(d, to, from, bytes);
  return to;
}

struct device_arena { // arrays that are released together
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

static inline void arena_reset(struct device_arena *a) // keeps the memory for reuse
{
  a->count = 0;
}
