// A CUDA device and a stream of it. Included by machine.h alone.
#pragma once
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>

#define THREADS_OF_BLOCK 128

struct machine {
  cudaStream_t stream;
  void *scratch; // of sorting
  size_t scratch_bytes;
  void *spare; // keys and values, sorted
  size_t spare_bytes;
  bool begun;
};

static inline void cuda_check(cudaError_t error, const char *what)
{
  if (error != cudaSuccess)
    fail(EXIT_OUR_FAULT, "CUDA: %s: %s", what, cudaGetErrorString(error));
}

static inline void machine_begin(struct machine *m)
{
  if (!m->begun)
    cuda_check(cudaStreamCreate(&m->stream), "no stream");
  m->begun = true;
}

static inline void machine_wait(struct machine *m)
{
  cuda_check(cudaStreamSynchronize(m->stream), "a kernel failed");
}

#define KERNEL(name)                                                                               \
  static __device__ void name##_thread(const struct scene *s, int64_t i);                          \
  static __global__ void __launch_bounds__(THREADS_OF_BLOCK)                                       \
      name(const struct scene *s, int64_t threads)                                                 \
  {                                                                                                \
    const int64_t i = (int64_t)blockIdx.x * THREADS_OF_BLOCK + threadIdx.x;                        \
    if (i < threads)                                                                               \
      name##_thread(s, i);                                                                         \
  }                                                                                                \
  static __device__ void name##_thread(const struct scene *s, int64_t i)

#define ON_MACHINE static __device__ __forceinline__

#define LAUNCH(machine, name, scene, threads)                                                      \
  do {                                                                                             \
    const int64_t blocks = ((threads) + THREADS_OF_BLOCK - 1) / THREADS_OF_BLOCK;                  \
    if (blocks > 0)                                                                                \
      name<<<(unsigned)blocks, THREADS_OF_BLOCK, 0, (machine)->stream>>>(scene, threads);          \
    cuda_check(cudaGetLastError(), #name " did not start");                                        \
  } while (0)

ON_MACHINE void atomic_count(int64_t *at, int64_t more)
{
  if (more)
    atomicAdd((unsigned long long *)at, (unsigned long long)more);
}

ON_MACHINE int32_t atomic_next(int32_t *at)
{
  return atomicAdd(at, 1);
}

ON_MACHINE void atomic_most(int32_t *at, int32_t value)
{
  if (value > *(volatile int32_t *)at)
    atomicMax(at, value);
}

// ------------------------------------------------------------------------------------ memory

static inline void *machine_memory(size_t bytes)
{
  void *memory = NULL;
  cuda_check(cudaMalloc(&memory, bytes ? bytes : 1), "no memory");
  return memory;
}

static inline void machine_release(void *memory)
{
  cuda_check(cudaFree(memory), "memory could not be given back");
}

static inline void machine_upload(struct machine *m, void *to, const void *from, size_t bytes)
{
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, m->stream), "upload");
}

static inline void machine_download(struct machine *m, void *to, const void *from, size_t bytes)
{
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, m->stream), "download");
}

static inline void machine_clear(struct machine *m, void *memory, size_t bytes)
{
  cuda_check(cudaMemsetAsync(memory, 0, bytes, m->stream), "clearing");
}

static inline void *machine_scratch(void **memory, size_t *have, size_t want)
{
  if (want > *have) {
    machine_release(*memory);
    *have = want + want / 8;
    *memory = machine_memory(*have);
  }
  return *memory;
}

// ------------------------------------------------------------------------------------ sorting

static inline void machine_sort(struct machine *m, uint32_t *keys, int32_t *values, int64_t count,
                                uint32_t key_end)
{
  int bits = 1;
  while (bits < 32 && key_end >> bits)
    bits++;
  const size_t column = (size_t)count * sizeof *keys;
  char *spare = (char *)machine_scratch(&m->spare, &m->spare_bytes, 2 * column + 256);
  cub::DoubleBuffer<uint32_t> k(keys, (uint32_t *)spare);
  cub::DoubleBuffer<int32_t> v(values, (int32_t *)(spare + column));
  size_t bytes = 0;
  cuda_check(cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, count, 0, bits, m->stream), "sort");
  void *scratch = machine_scratch(&m->scratch, &m->scratch_bytes, bytes);
  cuda_check(cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, count, 0, bits, m->stream),
             "sort");
  if (k.Current() == keys)
    return;
  cuda_check(cudaMemcpyAsync(keys, k.Current(), column, cudaMemcpyDeviceToDevice, m->stream),
             "sort");
  cuda_check(cudaMemcpyAsync(values, v.Current(), column, cudaMemcpyDeviceToDevice, m->stream),
             "sort");
}
