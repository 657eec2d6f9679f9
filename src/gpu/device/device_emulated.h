// Emulates a device with a loop over its threads. Included by device.h only.
#pragma once
#include <stdlib.h>

enum thread_order { FORWARD, REVERSED, PERMUTED };

#define DEVICE_THREADS 64 // of a kernel that loops over its work

struct device {
  enum thread_order order;
  struct device_times times;
  bool in_span; // a timed kernel or copy is running
};

static inline void device_begin(struct device *d)
{
  (void)d;
}

// Every sequence is new: device_cuda.h.
static inline bool device_sequence_begin(struct device *d, int number, uint64_t key)
{
  (void)d, (void)number, (void)key;
  return true;
}

static inline void device_sequence_end(struct device *d, int number)
{
  (void)d, (void)number;
}

static inline uint64_t device_sort_key(const struct device *d, uint64_t hash)
{
  (void)d;
  return hash;
}

static inline void device_wait(struct device *d)
{
  (void)d;
}

// The k-th thread to run. A stride that is prime to the number of threads visits all of them.
static inline int64_t thread_at(enum thread_order order, int64_t k, int64_t threads)
{
  const int64_t stride = threads % 7919 ? 7919 : 104729;
  return order == FORWARD ? k : order == REVERSED ? threads - 1 - k : (k * stride + 13) % threads;
}

#define KERNEL_OF(type, name)                                                                      \
  static void name##_thread(const type *s, int64_t i);                                             \
  static void name(enum thread_order order, const type *s, int64_t threads)                        \
  {                                                                                                \
    for (int64_t k = 0; k < threads; k++)                                                          \
      name##_thread(s, thread_at(order, k, threads));                                              \
  }                                                                                                \
  static void name##_thread(const type *s, int64_t i)

#define ON_DEVICE INLINE

// Spans must not nest, as on a GPU: device_cuda.h.
static inline void span_begin(struct device *d)
{
  if (d->in_span)
    fail(EXIT_INTERNAL_ERROR, "a kernel or copy is timed within another");
  d->in_span = true;
}

#define LAUNCH(device, name, what, threads)                                                        \
  do {                                                                                             \
    const void *const launch_args = (what);                                                        \
    const int64_t launch_threads = (threads);                                                      \
    const double start = (device)->times.enabled ? clock_seconds() : 0;                            \
    span_begin(device);                                                                            \
    name((device)->order, launch_args, launch_threads);                                            \
    (device)->in_span = false;                                                                     \
    if ((device)->times.enabled)                                                                   \
      device_time_add(&(device)->times, #name, clock_seconds() - start);                           \
  } while (0)

static inline void atomic_add_int64(int64_t *at, int64_t more)
{
  *at += more;
}

static inline void atomic_reduce_add(int64_t *at, int32_t more)
{
  *at += more;
}

static inline void atomic_histogram_add(int64_t *at)
{
  ++*at;
}

static inline void atomic_reduce_max(int32_t *at, int32_t value)
{
  *at = value > *at ? value : *at;
}

static inline int32_t atomic_add(int32_t *at, int32_t more) // returns the old value
{
  *at += more;
  return *at - more;
}

static inline uint64_t atomic_read(const uint64_t *at)
{
  return *at;
}

static inline int32_t atomic_increment(int32_t *at) // returns the old value
{
  return (*at)++;
}

static inline bool atomic_raise(int32_t *at, int32_t stamp) // did this thread raise it?
{
  const bool raised = *at < stamp;
  *at = raised ? stamp : *at;
  return raised;
}

static inline void atomic_min(uint64_t *at, uint64_t value)
{
  *at = value < *at ? value : *at;
}

static inline void atomic_max(int32_t *at, int32_t value)
{
  *at = value > *at ? value : *at;
}

// -------------------------------------------------------------------------------------- memory

static inline void *device_allocate(size_t bytes)
{
  return memory_create(bytes, 1);
}

// Small, so that tests solve fields in several batches.
static inline size_t device_bytes_free(void)
{
  return 256 << 10;
}

// A read of memory that was not written shows in the results.
static inline void device_poison(void *memory, size_t bytes)
{
  memset(memory, 0xa5, bytes);
}

static inline void device_free(void *memory)
{
  memory_destroy(memory);
}

static inline void device_upload(struct device *d, void *to, const void *from, size_t bytes)
{
  d->times.up += d->times.enabled ? (int64_t)bytes : 0;
  span_begin(d);
  if (bytes)
    memcpy(to, from, bytes);
  d->in_span = false;
}

static inline void device_download(struct device *d, void *to, const void *from, size_t bytes)
{
  d->times.down += d->times.enabled ? (int64_t)bytes : 0;
  span_begin(d);
  if (bytes)
    memcpy(to, from, bytes);
  d->in_span = false;
}

static inline void device_copy(struct device *d, void *to, const void *from, size_t bytes)
{
  (void)d;
  if (bytes)
    memcpy(to, from, bytes);
}

static inline void device_copy_async(struct device *d, void *to, const void *from, size_t bytes)
{
  device_copy(d, to, from, bytes);
}

static inline void device_upload_staged(struct device *d, void *to, const void *from, size_t bytes)
{
  device_upload(d, to, from, bytes);
}

static inline void *pinned_allocate(size_t bytes)
{
  return memory_create(bytes, 1);
}

static inline void pinned_free(void *memory)
{
  memory_destroy(memory);
}

static inline void device_fill(struct device *d, void *memory, int byte, size_t bytes)
{
  (void)d;
  memset(memory, byte, bytes);
}

// ------------------------------------------------------------------------------------- sorting

struct sort_pair {
  uint32_t key;
  int32_t value;
};

static inline int pair_compare(const void *a, const void *b)
{
  const uint32_t x = ((const struct sort_pair *)a)->key, y = ((const struct sort_pair *)b)->key;
  return (x > y) - (x < y);
}

// By key, ascending; the order of equal keys is unspecified.
static inline void device_sort(struct device *d, uint32_t *keys, int32_t *values, int64_t count,
                               uint32_t key_end)
{
  (void)d, (void)key_end;
  struct sort_pair *pairs = (struct sort_pair *)memory_create((size_t)count, sizeof *pairs);
  for (int64_t i = 0; i < count; i++)
    pairs[i] = (struct sort_pair){keys[i], values[i]};
  qsort(pairs, (size_t)count, sizeof *pairs, pair_compare);
  for (int64_t i = 0; i < count; i++) {
    keys[i] = pairs[i].key;
    values[i] = pairs[i].value;
  }
  memory_destroy(pairs);
}
