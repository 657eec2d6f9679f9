// A CUDA device and a stream of it. Included by device.h alone.
#pragma once
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>

#define BLOCK_THREADS  128
#define DEVICE_THREADS (1 << 18)

#define SPANS_MAX     256
#define STAGING_BYTES (1 << 20) // bytes

struct device_span { // between two events
  const char *name;
  cudaEvent_t begin, end;
};

struct device {
  cudaStream_t stream, copy_stream;
  cudaEvent_t copy_done;
  void *scratch; // of sorting
  size_t scratch_bytes;
  void *sort_spare; // keys and values, sorted
  size_t sort_spare_bytes;
  char *staging; // [STAGED] pinned; so much of it may still be on its way:
  size_t staging_used;
  int device_count; // of this machine; 0: not begun
  struct device_times times;
  int span_count; // not looked at yet
  bool in_span;
  struct device_span spans[SPANS_MAX];
};

static inline void cuda_check(cudaError_t error, const char *what)
{
  if (error == cudaErrorMemoryAllocation)
    fail(EXIT_INTERNAL_ERROR, "CUDA: %s: the GPU has no memory left: use more GPUs", what);
  if (error != cudaSuccess)
    fail(EXIT_INTERNAL_ERROR, "CUDA: %s: %s", what, cudaGetErrorString(error));
}

// By any thread of the host: each has a device of its own at hand.
static inline void device_begin(struct device *d)
{
  int count = d->device_count;
  if (!count)
    cuda_check(cudaGetDeviceCount(&count), "no device");
  cuda_check(cudaSetDevice(backend_gpu_device_number() % count), "the device cannot be taken");
  if (!d->device_count)
    cuda_check(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking), "no stream");
  d->device_count = count;
}

// The work between the two calls is timed, where that is wanted.
static inline void span_begin(struct device *d, const char *name)
{
  if (d->in_span)
    fail(EXIT_INTERNAL_ERROR, "%s is timed within another", name);
  d->in_span = true;
  if (!d->times.enabled || d->span_count == SPANS_MAX)
    return;
  struct device_span *s = &d->spans[d->span_count];
  s->name = name;
  if (!s->begin) {
    cuda_check(cudaEventCreate(&s->begin), "no event");
    cuda_check(cudaEventCreate(&s->end), "no event");
  }
  cuda_check(cudaEventRecord(s->begin, d->stream), "an event");
}

static inline void span_end(struct device *d)
{
  d->in_span = false;
  if (d->times.enabled && d->span_count < SPANS_MAX)
    cuda_check(cudaEventRecord(d->spans[d->span_count++].end, d->stream), "an event");
}

static inline void device_wait(struct device *d) // until all that was asked is done
{
  cuda_check(cudaStreamSynchronize(d->stream), "a kernel failed");
  d->staging_used = 0;
  for (int k = 0; k < d->span_count; k++) {
    float milliseconds = 0;
    cuda_check(cudaEventElapsedTime(&milliseconds, d->spans[k].begin, d->spans[k].end), "an event");
    device_time_add(&d->times, d->spans[k].name, 1e-3 * (double)milliseconds);
  }
  d->span_count = 0;
}

#define KERNEL_OF(type, name)                                                                      \
  static __device__ void name##_thread(const type *s, int64_t i);                                  \
  static __global__ void __launch_bounds__(BLOCK_THREADS) name(const type *s, int64_t threads)     \
  {                                                                                                \
    const int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;                           \
    if (i < threads)                                                                               \
      name##_thread(s, i);                                                                         \
  }                                                                                                \
  static __device__ void name##_thread(const type *s, int64_t i)

#define ON_DEVICE static __device__ __forceinline__

#define LAUNCH(device, name, what, threads)                                                        \
  do {                                                                                             \
    const auto *const launch_args = (what); /* which may copy, and count time, too */              \
    const int64_t launch_threads = (threads);                                                      \
    const int64_t blocks = (launch_threads + BLOCK_THREADS - 1) / BLOCK_THREADS;                   \
    span_begin(device, #name);                                                                     \
    if (blocks > 0)                                                                                \
      name<<<(unsigned)blocks, BLOCK_THREADS, 0, (device)->stream>>>(launch_args, launch_threads); \
    cuda_check(cudaGetLastError(), #name " did not start");                                        \
    span_end(device);                                                                              \
  } while (0)

ON_DEVICE void atomic_add_int64(int64_t *at, int64_t more)
{
  if (more)
    atomicAdd((unsigned long long *)at, (unsigned long long)more);
}

// The same where all threads of a kernel add to one place: the lanes of a warp that come together
// add up first.
ON_DEVICE void atomic_reduce_add(int64_t *at, int32_t more)
{
  const unsigned lanes = __activemask();
  int32_t sum = 0;
#if __CUDA_ARCH__ >= 800
  sum = __reduce_add_sync(lanes, more);
#else
  for (unsigned left = lanes; left; left &= left - 1)
    sum += __shfl_sync(lanes, more, __ffs((int)left) - 1);
#endif
  if (sum && (int)(threadIdx.x % 32) == __ffs((int)lanes) - 1)
    atomicAdd((unsigned long long *)at, (unsigned long long)(int64_t)sum);
}

// One more at a place of many, some of which many threads share.
ON_DEVICE void atomic_histogram_add(int64_t *at)
{
  const unsigned same = __match_any_sync(__activemask(), (unsigned long long)(uintptr_t)at);
  if ((int)(threadIdx.x % 32) == __ffs((int)same) - 1)
    atomicAdd((unsigned long long *)at, (unsigned long long)__popc(same));
}

// The greatest of all threads.
ON_DEVICE void atomic_reduce_max(int32_t *at, int32_t value)
{
  const unsigned lanes = __activemask();
  int32_t most = value;
#if __CUDA_ARCH__ >= 800
  most = __reduce_max_sync(lanes, value);
#else
  for (unsigned left = lanes; left; left &= left - 1)
    most = max(most, __shfl_sync(lanes, value, __ffs((int)left) - 1));
#endif
  if ((int)(threadIdx.x % 32) == __ffs((int)lanes) - 1 && most > *(volatile int32_t *)at)
    atomicMax(at, most);
}

ON_DEVICE int32_t atomic_increment(int32_t *at)
{
  return atomicAdd(at, 1);
}

ON_DEVICE bool atomic_raise(int32_t *at, int32_t stamp)
{
  return *(volatile int32_t *)at < stamp && atomicMax(at, stamp) < stamp;
}

ON_DEVICE void atomic_min(uint64_t *at, uint64_t value)
{
  if (value < *(volatile uint64_t *)at)
    atomicMin((unsigned long long *)at, (unsigned long long)value);
}

ON_DEVICE void atomic_max(int32_t *at, int32_t value)
{
  if (value > *(volatile int32_t *)at)
    atomicMax(at, value);
}

// ------------------------------------------------------------------------------------ memory

static inline void *device_allocate(size_t bytes)
{
  void *memory = NULL;
  const cudaError_t error = cudaMalloc(&memory, bytes ? bytes : 1);
  size_t left = 0, all = 0;
  if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&left, &all) == cudaSuccess)
    fail(EXIT_INTERNAL_ERROR, "%.1f MB wanted on a GPU with %.1f of %.1f MB free: use more GPUs",
         1e-6 * (double)bytes, 1e-6 * (double)left, 1e-6 * (double)all);
  cuda_check(error, "no memory");
  return memory;
}

static inline size_t device_bytes_free(void)
{
  size_t left = 0, all = 0;
  cuda_check(cudaMemGetInfo(&left, &all), "no memory");
  return left;
}

static inline void device_poison(void *memory, size_t bytes) // the emulated device does
{
  (void)memory, (void)bytes;
}

static inline void device_free(void *memory)
{
  cuda_check(cudaFree(memory), "memory could not be given back");
}

static inline void device_upload(struct device *d, void *to, const void *from, size_t bytes)
{
  d->times.up += d->times.enabled ? (int64_t)bytes : 0;
  span_begin(d, "to the device");
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream), "upload");
  span_end(d);
}

static inline void device_download(struct device *d, void *to, const void *from, size_t bytes)
{
  d->times.down += d->times.enabled ? (int64_t)bytes : 0;
  span_begin(d, "from the device");
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream), "download");
  span_end(d);
}

// Either here or there.
static inline void device_copy(struct device *d, void *to, const void *from, size_t bytes)
{
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, d->stream), "copying");
}

// To the device, beside what it does; what it is asked for next waits. `to` is not in use.
static inline void device_copy_async(struct device *d, void *to, const void *from, size_t bytes)
{
  if (!d->copy_stream) {
    cuda_check(cudaStreamCreateWithFlags(&d->copy_stream, cudaStreamNonBlocking), "no stream");
    cuda_check(cudaEventCreateWithFlags(&d->copy_done, cudaEventDisableTiming), "no event");
  }
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, d->copy_stream), "copying");
  cuda_check(cudaEventRecord(d->copy_done, d->copy_stream), "an event");
  cuda_check(cudaStreamWaitEvent(d->stream, d->copy_done, 0), "an event");
}

// Memory of the host that a device reaches quickly.
static inline void *pinned_allocate(size_t bytes)
{
  void *memory = NULL;
  cuda_check(cudaHostAlloc(&memory, bytes ? bytes : 1, cudaHostAllocPortable), "no pinned memory");
  return memory;
}

static inline void pinned_free(void *memory)
{
  cuda_check(cudaFreeHost(memory), "pinned memory could not be given back");
}

// What is small and soon forgotten here: it waits in pinned memory until the device has it.
static inline void device_upload_staged(struct device *d, void *to, const void *from, size_t bytes)
{
  const size_t room = (bytes + 63) / 64 * 64;
  if (!d->staging)
    d->staging = (char *)pinned_allocate(STAGING_BYTES);
  if (room > STAGING_BYTES) {
    device_upload(d, to, from, bytes);
    device_wait(d);
    return;
  }
  if (d->staging_used + room > STAGING_BYTES)
    device_wait(d);
  memcpy(d->staging + d->staging_used, from, bytes);
  device_upload(d, to, d->staging + d->staging_used, bytes);
  d->staging_used += room;
}

static inline void device_fill(struct device *d, void *memory, int byte, size_t bytes)
{
  cuda_check(cudaMemsetAsync(memory, byte, bytes, d->stream), "filling");
}

static inline void *device_scratch(void **memory, size_t *have, size_t want)
{
  if (want > *have) {
    device_free(*memory);
    *have = want + want / 8;
    *memory = device_allocate(*have);
  }
  return *memory;
}

// ------------------------------------------------------------------------------------ sorting

static inline void device_sort(struct device *d, uint32_t *keys, int32_t *values, int64_t count,
                               uint32_t key_end)
{
  span_begin(d, "sort");
  int bits = 1;
  while (bits < 32 && key_end >> bits)
    bits++;
  const size_t column = ((size_t)count * sizeof *keys + 255) / 256 * 256;
  char *sort_spare = (char *)device_scratch(&d->sort_spare, &d->sort_spare_bytes, 2 * column);
  cub::DoubleBuffer<uint32_t> k(keys, (uint32_t *)sort_spare);
  cub::DoubleBuffer<int32_t> v(values, (int32_t *)(sort_spare + column));
  size_t bytes = 0;
  cuda_check(cub::DeviceRadixSort::SortPairs(NULL, bytes, k, v, count, 0, bits, d->stream), "sort");
  void *scratch = device_scratch(&d->scratch, &d->scratch_bytes, bytes);
  cuda_check(cub::DeviceRadixSort::SortPairs(scratch, bytes, k, v, count, 0, bits, d->stream),
             "sort");
  if (k.Current() != keys)
    cuda_check(
        cudaMemcpyAsync(keys, k.Current(), (size_t)count * 4, cudaMemcpyDeviceToDevice, d->stream),
        "sort");
  if (v.Current() != values)
    cuda_check(cudaMemcpyAsync(values, v.Current(), (size_t)count * 4, cudaMemcpyDeviceToDevice,
                               d->stream),
               "sort");
  span_end(d);
}
