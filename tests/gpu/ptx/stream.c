#include "stream.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

struct CUstream_st {
  struct operation_list waiting;
  size_t head; // of them: what is before has run
  struct operation_list *captured;
  uint64_t appended, done;
  int number, device;
  struct CUstream_st *next;
};

static struct CUstream_st *streams;
static int stream_count;

static double seconds(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

uint64_t digest_of(const void *memory, size_t bytes) // FNV-1a
{
  uint64_t digest = 0xcbf29ce484222325;
  for (size_t k = 0; k < bytes; k++)
    digest = (digest ^ ((const uint8_t *)memory)[k]) * 0x100000001b3;
  return digest;
}

static void stream_run(struct CUstream_st *s, uint64_t until);

static void copy_run(const struct stream_operation *o)
{
  if (o->digest && digest_of(o->from, o->bytes) != o->digest)
    ptx_find(NULL, "pinned memory was changed before a copy of %zu bytes had read it", o->bytes);
  ptx_memory_copied(o->to, o->from, o->bytes);
  memcpy(o->to, o->from, o->bytes);
  free(o->owned);
}

static void operation_run(const struct stream_operation *o)
{
  switch (o->what) {
  case LAUNCH:
    ptx_launch_run(&o->launch);
    break;
  case COPY:
    copy_run(o);
    break;
  case FILL:
    ptx_memory_written(o->to, o->bytes, "a fill");
    memset(o->to, o->byte, o->bytes);
    break;
  case RECORD:
    o->event->time = seconds();
    break;
  case WAIT:
    if (o->stream)
      stream_run(o->stream, o->number);
    break;
  }
}

static void stream_run(struct CUstream_st *s, uint64_t until)
{
  while (s->done < until) {
    const struct stream_operation o = s->waiting.list[s->head++];
    s->done++;
    operation_run(&o);
  }
  if (s->done == s->appended)
    s->head = s->waiting.count = 0;
}

bool stream_is_lazy(const struct CUstream_st *s)
{
  return ptx_settings.streams == LAZY || (ptx_settings.streams == FIRST_LAZY && s->number == 1);
}

void operation_list_append(struct operation_list *l, const struct stream_operation *o)
{
  if (l->count == l->room) {
    l->room = 2 * l->room + 64;
    l->list = realloc(l->list, l->room * sizeof *l->list);
    if (!l->list)
      ptx_fail("out of memory");
  }
  l->list[l->count++] = *o;
}

void stream_append(struct CUstream_st *s, const struct stream_operation *o)
{
  if (s->captured) {
    operation_list_append(s->captured, o);
    return;
  }
  operation_list_append(&s->waiting, o);
  s->appended++;
  if (!stream_is_lazy(s))
    stream_run(s, s->appended);
}

void stream_capture(struct CUstream_st *s, struct operation_list *to)
{
  s->captured = to;
}

struct operation_list *stream_captures(const struct CUstream_st *s)
{
  return s->captured;
}

bool stream_any_captures(void)
{
  for (const struct CUstream_st *s = streams; s; s = s->next)
    if (s->captured)
      return true;
  return false;
}

void stream_finish(struct CUstream_st *s)
{
  if (s->captured)
    ptx_fail("a stream that captures cannot be waited for");
  stream_run(s, s->appended);
}

void stream_finish_all(void)
{
  for (struct CUstream_st *s = streams; s; s = s->next)
    stream_finish(s);
}

struct CUstream_st *stream_create(int device)
{
  struct CUstream_st *s = calloc(1, sizeof *s);
  if (!s)
    ptx_fail("out of memory");
  s->number = ++stream_count;
  s->device = device;
  s->next = streams;
  streams = s;
  return s;
}

int stream_device(const struct CUstream_st *s)
{
  return s->device;
}

uint64_t stream_length(const struct CUstream_st *s)
{
  return s->appended;
}
