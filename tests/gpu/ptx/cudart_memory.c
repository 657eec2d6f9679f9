// The CUDA runtime library (version 13): memory, streams, events and graphs.
#include "cudart.h"

#include <stdlib.h>
#include <string.h>

static struct pinned {
  char *memory;
  size_t bytes;
  struct pinned *next;
} * pinned;

// --------------------------------------------------------------------------------------- memory

cudaError_t cudaMalloc(void **memory, size_t bytes)
{
  if (!ptx_begin())
    return ptx_error(cudaErrorNoDevice);
  pthread_mutex_lock(&ptx_lock);
  if (stream_any_captures())
    ptx_fail("cudaMalloc while a stream captures");
  *memory = ptx_fails("cudaMalloc") ? NULL : ptx_memory_allocate(ptx_device, bytes);
  pthread_mutex_unlock(&ptx_lock);
  return *memory ? cudaSuccess : ptx_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaFree(void *memory) // waits for the whole device
{
  if (!memory)
    return cudaSuccess;
  pthread_mutex_lock(&ptx_lock);
  stream_finish_all();
  ptx_memory_free(memory);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaMemGetInfo(size_t *left, size_t *all)
{
  if (!ptx_begin())
    return ptx_error(cudaErrorNoDevice);
  if (ptx_fails("cudaMemGetInfo"))
    return ptx_error(cudaErrorDevicesUnavailable);
  *left = ptx_memory_free_bytes(ptx_device);
  *all = ptx_settings.device_bytes;
  return cudaSuccess;
}

cudaError_t cudaHostAlloc(void **memory, size_t bytes, unsigned flags)
{
  (void)flags;
  struct pinned *p = malloc(sizeof *p);
  *memory = malloc(bytes ? bytes : 1);
  if (!p || !*memory) {
    free(p);
    return ptx_error(cudaErrorMemoryAllocation);
  }
  pthread_mutex_lock(&ptx_lock);
  *p = (struct pinned){*memory, bytes, pinned};
  pinned = p;
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaFreeHost(void *memory)
{
  pthread_mutex_lock(&ptx_lock);
  stream_finish_all();
  for (struct pinned **p = &pinned; *p; p = &(*p)->next)
    if ((*p)->memory == memory) {
      struct pinned *found = *p;
      *p = found->next;
      free(found);
      break;
    }
  pthread_mutex_unlock(&ptx_lock);
  free(memory);
  return cudaSuccess;
}

static bool is_pinned(const void *memory)
{
  for (const struct pinned *p = pinned; p; p = p->next)
    if ((const char *)memory >= p->memory && (const char *)memory < p->memory + p->bytes)
      return true;
  return false;
}

// -------------------------------------------------------------------------- streams and events

// A copy from pageable memory has read it when the call returns, and one to pageable memory has
// ended. Pinned memory is read or written when the stream gets to it: until then a program must
// not change what is read, and finds no values in what is written.
static void append_copy(struct CUstream_st *s, void *to, const void *from, size_t bytes)
{
  const bool up = ptx_memory_device(from) < 0, down = ptx_memory_device(to) < 0;
  struct stream_operation o = {.what = COPY, .to = to, .from = from, .bytes = bytes};
  if ((up || down) && stream_captures(s))
    ptx_fail("a copy to or from the host is not modelled in a graph");
  if (up && !is_pinned(from)) {
    o.owned = malloc(bytes);
    if (!o.owned)
      ptx_fail("out of memory");
    memcpy(o.owned, from, bytes);
    o.from = o.owned;
  } else if (up && stream_is_lazy(s)) {
    o.digest = digest_of(from, bytes);
  }
  if (down && is_pinned(to) && stream_is_lazy(s))
    memset(to, 0xa5, bytes);
  stream_append(s, &o);
  if (down && !is_pinned(to))
    stream_finish(s);
}

cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                            cudaStream_t stream)
{
  const bool up = ptx_memory_device(from) < 0, down = ptx_memory_device(to) < 0;
  const bool wrong = (kind == cudaMemcpyHostToDevice && (!up || down)) ||
                     (kind == cudaMemcpyDeviceToHost && (up || !down)) ||
                     (kind == cudaMemcpyDeviceToDevice && (up || down));
  if (bytes && (wrong || !ptx_begin()))
    return ptx_error(cudaErrorInvalidValue);
  pthread_mutex_lock(&ptx_lock);
  if (bytes && !ptx_dropped("cudaMemcpyAsync"))
    append_copy(ptx_stream_of(stream), to, from, bytes);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaMemsetAsync(void *to, int byte, size_t bytes, cudaStream_t stream)
{
  if (bytes == 0 || ptx_dropped("cudaMemsetAsync"))
    return cudaSuccess;
  if (ptx_memory_device(to) < 0)
    return ptx_error(cudaErrorInvalidValue);
  const struct stream_operation o = {.what = FILL, .to = to, .byte = byte, .bytes = bytes};
  pthread_mutex_lock(&ptx_lock);
  stream_append(ptx_stream_of(stream), &o);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned flags)
{
  (void)flags;
  if (!ptx_begin())
    return ptx_error(cudaErrorNoDevice);
  pthread_mutex_lock(&ptx_lock);
  *stream = stream_create(ptx_device);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
  if (ptx_dropped("cudaStreamSynchronize"))
    return cudaSuccess;
  if (ptx_fails("cudaStreamSynchronize"))
    return ptx_error(cudaErrorLaunchFailure);
  pthread_mutex_lock(&ptx_lock);
  stream_finish(ptx_stream_of(stream));
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned flags)
{
  (void)flags;
  *event = calloc(1, sizeof **event);
  return *event ? cudaSuccess : ptx_error(cudaErrorMemoryAllocation);
}

cudaError_t cudaEventCreate(cudaEvent_t *event)
{
  return cudaEventCreateWithFlags(event, 0);
}

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
  if (ptx_dropped("cudaEventRecord"))
    return cudaSuccess;
  pthread_mutex_lock(&ptx_lock);
  struct CUstream_st *s = ptx_stream_of(stream);
  const struct stream_operation o = {.what = RECORD, .event = event};
  event->stream = s;
  event->number = stream_length(s) + 1;
  stream_append(s, &o);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
  (void)flags;
  if (ptx_dropped("cudaStreamWaitEvent"))
    return cudaSuccess;
  pthread_mutex_lock(&ptx_lock);
  const struct stream_operation o = {
      .what = WAIT, .stream = event->stream, .number = event->number};
  stream_append(ptx_stream_of(stream), &o);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t from, cudaEvent_t to)
{
  *milliseconds = (float)(1e3 * (to->time - from->time));
  return cudaSuccess;
}

// --------------------------------------------------------------------------------------- graphs

struct CUgraph_st { // without branches: what one stream did
  struct operation_list operations;
};

struct CUgraphExec_st {
  struct operation_list operations;
};

cudaError_t cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode)
{
  (void)mode;
  struct CUgraph_st *graph = calloc(1, sizeof *graph);
  if (!graph)
    return ptx_error(cudaErrorMemoryAllocation);
  pthread_mutex_lock(&ptx_lock);
  stream_capture(ptx_stream_of(stream), &graph->operations);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph)
{
  pthread_mutex_lock(&ptx_lock);
  *graph = (struct CUgraph_st *)stream_captures(ptx_stream_of(stream)); // its first member
  stream_capture(ptx_stream_of(stream), NULL);
  pthread_mutex_unlock(&ptx_lock);
  return *graph ? cudaSuccess : ptx_error(cudaErrorIllegalState);
}

cudaError_t cudaGraphInstantiate(cudaGraphExec_t *run, cudaGraph_t graph, unsigned long long flags)
{
  (void)flags;
  *run = calloc(1, sizeof **run);
  if (!*run)
    return ptx_error(cudaErrorMemoryAllocation);
  for (size_t k = 0; k < graph->operations.count; k++)
    operation_list_append(&(*run)->operations, &graph->operations.list[k]);
  return cudaSuccess;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t run, cudaStream_t stream)
{
  if (ptx_dropped("cudaGraphLaunch"))
    return cudaSuccess;
  pthread_mutex_lock(&ptx_lock);
  for (size_t k = 0; k < run->operations.count; k++)
    stream_append(ptx_stream_of(stream), &run->operations.list[k]);
  pthread_mutex_unlock(&ptx_lock);
  return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
  free(graph->operations.list);
  free(graph);
  return cudaSuccess;
}

cudaError_t cudaGraphExecDestroy(cudaGraphExec_t run)
{
  free(run->operations.list);
  free(run);
  return cudaSuccess;
}
