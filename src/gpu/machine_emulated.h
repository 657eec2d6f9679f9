// A machine made of a loop. Included by machine.h alone.
#pragma once
#include <stdlib.h>

enum thread_order { FORWARD, REVERSED, PERMUTED };

struct machine {
  enum thread_order order;
};

static inline void machine_begin(struct machine *m)
{
  (void)m;
}

static inline void machine_wait(struct machine *m) // until all that was asked is done
{
  (void)m;
}

// The k-th of `threads` to run. A multiple of a prime that does not divide them visits all.
static inline int64_t thread_at(enum thread_order order, int64_t k, int64_t threads)
{
  const int64_t stride = threads % 7919 ? 7919 : 104729;
  return order == FORWARD ? k : order == REVERSED ? threads - 1 - k : (k * stride + 13) % threads;
}

#define KERNEL(name)                                                                               \
  static void name##_thread(const struct scene *s, int64_t i);                                     \
  static void name(enum thread_order order, const struct scene *s, int64_t threads)                \
  {                                                                                                \
    for (int64_t k = 0; k < threads; k++)                                                          \
      name##_thread(s, thread_at(order, k, threads));                                              \
  }                                                                                                \
  static void name##_thread(const struct scene *s, int64_t i)

#define ON_MACHINE INLINE

#define LAUNCH(machine, name, scene, threads) name((machine)->order, scene, threads)

static inline void atomic_count(int64_t *at, int64_t more)
{
  *at += more;
}

static inline int32_t atomic_next(int32_t *at) // what it was before one was added
{
  return (*at)++;
}

static inline void atomic_most(int32_t *at, int32_t value)
{
  *at = value > *at ? value : *at;
}

// ------------------------------------------------------------------------------------ memory

static inline void *machine_memory(size_t bytes)
{
  return memory_create(bytes, 1);
}

static inline void machine_release(void *memory)
{
  memory_destroy(memory);
}

static inline void machine_upload(struct machine *m, void *to, const void *from, size_t bytes)
{
  (void)m;
  memcpy(to, from, bytes);
}

static inline void machine_download(struct machine *m, void *to, const void *from, size_t bytes)
{
  (void)m;
  memcpy(to, from, bytes);
}

static inline void machine_clear(struct machine *m, void *memory, size_t bytes)
{
  (void)m;
  memset(memory, 0, bytes);
}

// ------------------------------------------------------------------------------------ sorting

struct sort_pair {
  uint32_t key;
  int32_t value;
};

static inline int pair_compare(const void *a, const void *b)
{
  const uint32_t x = ((const struct sort_pair *)a)->key, y = ((const struct sort_pair *)b)->key;
  return (x > y) - (x < y);
}

// Ascending by key; who comes first of the same key is open.
static inline void machine_sort(struct machine *m, uint32_t *keys, int32_t *values, int64_t count,
                                uint32_t key_end)
{
  (void)m, (void)key_end;
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
