// A CUDA device, used through one stream. Included by device.h only.
#pragma once
#include <cub/device/device_radix_sort.cuh>
#include <cuda_runtime.h>

#define BLOCK_THREADS  128
#define DEVICE_THREADS (1 << 18) // of a kernel that loops over its work

#define SPANS_MAX     32
#define STAGING_BYTES (1 << 20)

struct device_span { // a timed kernel or copy
  const char *name;
  cudaEvent_t begin, end;
};

struct device_sequence { // work that was the same in the last step
  uint64_t key;          // of what it depends on
  cudaGraphExec_t graph; // NULL: not captured
};

struct device {
  cudaStream_t stream, copy_stream;
  struct device_sequence sequences[SEQUENCES];
  bool captures; // what is launched goes into a graph
  cudaEvent_t copy_done;
  void *scratch; // of cub
  size_t scratch_bytes;
  void *sort_spare; // second halves of cub's double buffers: keys, values
  size_t sort_spare_bytes;
  char *staging;       // [STAGING_BYTES] pinned
  size_t staging_used; // bytes that may still be in flight
  int device_count;    // of this machine; 0: device_begin was not called
  struct device_times times;
  int span_count; // whose times were not read yet
  bool in_span;
  struct device_span spans[SPANS_MAX];
};

static inline void cuda_check(cudaError_t error, const char *what)
{
  if (error == cudaErrorMemoryAllocation)
    backend_gpu_fail(EXIT_OUT_OF_MEMORY, "CUDA: %s: the GPU is out of memory: use more GPUs", what);
  if (error != cudaSuccess)
    backend_gpu_fail(EXIT_INTERNAL_ERROR, "CUDA: %s: %s", what, cudaGetErrorString(error));
}

// Selects the device. Required once in every host thread: the current device is per thread.
static inline void device_begin(struct device *d)
{
  int count = d->device_count;
  if (!count)
    cuda_check(cudaGetDeviceCount(&count), "no device");
  cuda_check(cudaSetDevice(backend_gpu_device_number() % count), "the device cannot be selected");
  if (!d->device_count)
    cuda_check(cudaStreamCreateWithFlags(&d->stream, cudaStreamNonBlocking),
               "cannot create a stream");
  d->device_count = count;
}

static inline void spans_read(struct device *d) // waits for all work in the stream
{
  cuda_check(cudaStreamSynchronize(d->stream), "a kernel failed");
  for (int k = 0; k < d->span_count; k++) {
    float milliseconds = 0;
    cuda_check(cudaEventElapsedTime(&milliseconds, d->spans[k].begin, d->spans[k].end),
               "cannot read an event");
    device_time_add(&d->times, d->spans[k].name, 1e-3 * (double)milliseconds);
  }
  d->span_count = 0;
}

// Times the work between the two calls, if times are enabled. Spans must not nest: a span is one
// pair of events on the stream. ClearPath-2 and HRVO launch any number of kernels without a wait.
static inline void span_begin(struct device *d, const char *name)
{
  if (d->in_span)
    fail(EXIT_INTERNAL_ERROR, "%s is timed within another", name);
  d->in_span = true;
  if (!d->times.enabled)
    return;
  if (d->span_count == SPANS_MAX)
    spans_read(d);
  struct device_span *s = &d->spans[d->span_count];
  s->name = name;
  if (!s->begin) {
    cuda_check(cudaEventCreate(&s->begin), "cannot create an event");
    cuda_check(cudaEventCreate(&s->end), "cannot create an event");
  }
  cuda_check(cudaEventRecord(s->begin, d->stream), "cannot record an event");
}

static inline void span_end(struct device *d)
{
  d->in_span = false;
  if (d->times.enabled)
    cuda_check(cudaEventRecord(d->spans[d->span_count++].end, d->stream), "cannot record an event");
}

// Work that is often the same from step to step is launched as one CUDA graph:
//
//   if (device_sequence_begin(d, number, key)) {
//     ... // launches, copies and fills; no wait, no allocation
//     device_sequence_end(d, number);
//   }
//
// key: a hash of all that the work depends on, but for the contents of memory. The second time that
// a key comes the work is captured, and from then on begin() launches it and returns false. Not
// while kernels are timed: each of them has its events then.
static inline bool device_sequence_begin(struct device *d, int number, uint64_t key)
{
  struct device_sequence *q = &d->sequences[number];
  if (d->times.enabled)
    return true;
  if (q->graph && q->key == key) {
    cuda_check(cudaGraphLaunch(q->graph, d->stream), "cannot launch a graph");
    return false;
  }
  if (q->graph)
    cuda_check(cudaGraphExecDestroy(q->graph), "cannot free a graph");
  q->graph = NULL;
  d->captures = q->key == key;
  q->key = key;
  if (d->captures)
    cuda_check(cudaStreamBeginCapture(d->stream, cudaStreamCaptureModeThreadLocal),
               "cannot capture a stream");
  return true;
}

static inline void device_sequence_end(struct device *d, int number)
{
  struct device_sequence *q = &d->sequences[number];
  cudaGraph_t graph;
  if (!d->captures)
    return;
  d->captures = false;
  cuda_check(cudaStreamEndCapture(d->stream, &graph), "cannot capture a stream");
  cuda_check(cudaGraphInstantiate(&q->graph, graph, 0), "cannot make a graph");
  cuda_check(cudaGraphDestroy(graph), "cannot free a graph");
  cuda_check(cudaGraphLaunch(q->graph, d->stream), "cannot launch a graph");
}

static inline void device_wait(struct device *d) // for all work in the stream; reads the times
{
  spans_read(d);
  d->staging_used = 0;
}

#define KERNEL_OF(type, name)                                                                      \
  static __device__ __forceinline__ void name##_thread(const type *s, int64_t i);                  \
  static __global__ void __launch_bounds__(BLOCK_THREADS) name(const type *s, int64_t threads)     \
  {                                                                                                \
    const int64_t i = (int64_t)blockIdx.x * BLOCK_THREADS + threadIdx.x;                           \
    if (i < threads)                                                                               \
      name##_thread(s, i);                                                                         \
  }                                                                                                \
  static __device__ __forceinline__ void name##_thread(const type *s, int64_t i)

#define ON_DEVICE static __device__ __forceinline__

#define LAUNCH(device, name, what, threads)                                                        \
  do {                                                                                             \
    const auto *const launch_args =                                                                \
        (what); /* before the span: it may upload, which has its own */                            \
    const int64_t launch_threads = (threads);                                                      \
    const int64_t blocks = (launch_threads + BLOCK_THREADS - 1) / BLOCK_THREADS;                   \
    span_begin(device, #name);                                                                     \
    if (blocks > 0)                                                                                \
      name<<<(unsigned)blocks, BLOCK_THREADS, 0, (device)->stream>>>(launch_args, launch_threads); \
    cuda_check(cudaGetLastError(), #name " did not start");                                        \
    span_end(device);                                                                              \
  } while (0)

#include "atomics_cuda.h"

// -------------------------------------------------------------------------------------- memory

static inline void *device_allocate(size_t bytes)
{
  void *memory = NULL;
  const cudaError_t error = cudaMalloc(&memory, bytes ? bytes : 1);
  size_t left = 0, all = 0;
  if (error == cudaErrorMemoryAllocation && cudaMemGetInfo(&left, &all) == cudaSuccess)
    backend_gpu_fail(
        EXIT_OUT_OF_MEMORY,
        "the GPU is out of memory: %.1f MB needed, %.1f of %.1f MB free: use more GPUs",
        1e-6 * (double)bytes, 1e-6 * (double)left, 1e-6 * (double)all);
  cuda_check(error, "cannot allocate memory");
  return memory;
}

static inline int64_t device_threads_at_once(void)
{
  int device = 0, processors = 0, threads = 0;
  cuda_check(cudaGetDevice(&device), "no device");
  cuda_check(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device),
             "cannot query the device");
  cuda_check(cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device),
             "cannot query the device");
  return (int64_t)processors * threads;
}

static inline size_t device_bytes_free(void)
{
  size_t left = 0, all = 0;
  cuda_check(cudaMemGetInfo(&left, &all), "cannot query the free memory");
  return left;
}

static inline void device_poison(void *memory, size_t bytes) // only the emulated device does it
{
  (void)memory, (void)bytes;
}

static inline void device_free(void *memory)
{
  cuda_check(cudaFree(memory), "cannot free memory");
}

static inline void device_upload(struct device *d, void *to, const void *from, size_t bytes)
{
  d->times.up += d->times.enabled ? (int64_t)bytes : 0;
  span_begin(d, "upload");
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyHostToDevice, d->stream), "upload");
  span_end(d);
}

static inline void device_download(struct device *d, void *to, const void *from, size_t bytes)
{
  d->times.down += d->times.enabled ? (int64_t)bytes : 0;
  span_begin(d, "download");
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToHost, d->stream), "download");
  span_end(d);
}

// Both addresses may be of the host or of the device.
static inline void device_copy(struct device *d, void *to, const void *from, size_t bytes)
{
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, d->stream), "copy");
}

// Copies concurrently with running kernels; later work in the stream waits for it. No running
// kernel may use `to`.
static inline void device_copy_async(struct device *d, void *to, const void *from, size_t bytes)
{
  if (!d->copy_stream) {
    cuda_check(cudaStreamCreateWithFlags(&d->copy_stream, cudaStreamNonBlocking),
               "cannot create a stream");
    cuda_check(cudaEventCreateWithFlags(&d->copy_done, cudaEventDisableTiming),
               "cannot create an event");
  }
  cuda_check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, d->copy_stream), "copy");
  cuda_check(cudaEventRecord(d->copy_done, d->copy_stream), "cannot record an event");
  cuda_check(cudaStreamWaitEvent(d->stream, d->copy_done, 0), "cannot wait for an event");
}

// Page-locked host memory, which copies need to be fast and asynchronous.
static inline void *pinned_allocate(size_t bytes)
{
  void *memory = NULL;
  cuda_check(cudaHostAlloc(&memory, bytes ? bytes : 1, cudaHostAllocPortable),
             "cannot allocate pinned memory");
  return memory;
}

static inline void pinned_free(void *memory)
{
  cuda_check(cudaFreeHost(memory), "cannot free pinned memory");
}

// For small data: copies it to pinned memory first, so the caller may change it at once.
static inline void device_upload_staged(struct device *d, void *to, const void *from, size_t bytes)
{
  const size_t padded = (bytes + 63) / 64 * 64;
  if (!d->staging)
    d->staging = (char *)pinned_allocate(STAGING_BYTES);
  if (padded > STAGING_BYTES) {
    device_upload(d, to, from, bytes);
    device_wait(d);
    return;
  }
  if (d->staging_used + padded > STAGING_BYTES)
    device_wait(d);
  memcpy(d->staging + d->staging_used, from, bytes);
  device_upload(d, to, d->staging + d->staging_used, bytes);
  d->staging_used += padded;
}

static inline void device_fill(struct device *d, void *memory, int byte, size_t bytes)
{
  cuda_check(cudaMemsetAsync(memory, byte, bytes, d->stream), "fill");
}

// What device_sort uses beside its arguments, for keys of sequences.
static inline uint64_t device_sort_key(const struct device *d, uint64_t hash)
{
  const void *const used[] = {d->scratch, d->sort_spare};
  return hash_bytes(hash, used, sizeof used);
}

static inline void *device_scratch(void **memory, size_t *capacity, size_t bytes)
{
  if (bytes > *capacity) {
    device_free(*memory);
    *capacity = bytes + bytes / 8;
    *memory = device_allocate(*capacity);
  }
  return *memory;
}

// ------------------------------------------------------------------------------------- sorting

// Sorts by key, ascending; the order of equal keys is unspecified. key_end: no key is greater.
static inline void device_sort(struct device *d, uint32_t *keys, int32_t *values, int64_t count,
                               uint32_t key_end)
{
  const int bits = device_sort_bits(key_end);
  span_begin(d, "sort");
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
