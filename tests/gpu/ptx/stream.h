// Streams and events of the simulated CUDA runtime.
#pragma once
#include "ptx.h"

#include <cuda_runtime_api.h>

struct CUevent_st {
  struct CUstream_st *stream; // that it was recorded in; NULL: never
  uint64_t number;            // of the operation that records it
  double time;
};

struct stream_operation {
  enum { LAUNCH, COPY, FILL, RECORD, WAIT } what;
  struct ptx_launch launch;
  void *to;
  const void *from;
  void *owned;     // a copy of pageable memory, as the driver makes one
  uint64_t digest; // of pinned memory that is to be read: it must not change until then
  size_t bytes;
  int byte;
  struct CUevent_st *event;
  struct CUstream_st *stream;
  uint64_t number;
};

struct operation_list {
  struct stream_operation *list;
  size_t count, room;
};
void operation_list_append(struct operation_list *l, const struct stream_operation *o);

// Appends an operation. With the stream policy EAGER it runs at once; LAZY, when something waits
// for it; FIRST_LAZY makes only the first stream of a program lazy.
void stream_append(struct CUstream_st *s, const struct stream_operation *o);
void stream_finish(struct CUstream_st *s);
void stream_finish_all(void);
struct CUstream_st *stream_create(int device);
int stream_device(const struct CUstream_st *s);
uint64_t stream_length(const struct CUstream_st *s); // operations appended so far
bool stream_is_lazy(const struct CUstream_st *s);
// While a stream captures, its operations go to the list instead: they do not run.
void stream_capture(struct CUstream_st *s, struct operation_list *to); // NULL: ends it
struct operation_list *stream_captures(const struct CUstream_st *s);   // NULL: it does not
bool stream_any_captures(void);
uint64_t digest_of(const void *memory, size_t bytes);
