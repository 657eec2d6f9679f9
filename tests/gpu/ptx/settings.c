// How a program runs. Environment variables:
//
//   PTX_FILE    the PTX that runs; without it there is no device
//   PTX_COUNTS  a CSV file to be written: what each kernel cost
//   PTX         words with blanks between them:
//     check                    every access is checked
//     order=reversed           of blocks, warps and lanes of a store: forward, reversed, permuted
//     lanes=alone              together, alone, parts
//     streams=lazy             eager, lazy, first (only the first stream is lazy)
//     devices=2                of this machine
//     mpi=aware                MPI says that it reads device memory, which it does here: staged,
//                              aware
//     memory=4000              of each device, MB
//     drop=cudaMemsetAsync:3   the third such call does nothing: for tests of the checks
//     fail=cudaMalloc:3        the third such call returns an error
#include "cudart.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern bool device_exact_buffers __attribute__((weak)); // of throng, where it is linked

struct ptx_settings ptx_settings = {.devices = 1, .device_bytes = DEVICE_BYTES_MAX};
struct ptx_module ptx_module;
pthread_mutex_t ptx_lock = PTHREAD_MUTEX_INITIALIZER;
_Thread_local int ptx_device;

static pthread_once_t once = PTHREAD_ONCE_INIT;
static struct CUstream_st *default_stream;

_Noreturn void ptx_fail(const char *format, ...)
{
  va_list list;
  va_start(list, format);
  fputs("ptx: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  exit(70);
}

static void print_place(const struct ptx_thread *t)
{
  const struct ptx_instruction *in = t->instruction;
  const struct ptx_kernel *k = t->warp->block->launch->kernel;
  const char *source = in->source_file < ptx_module.source_file_count
                           ? ptx_module.source_files[in->source_file]
                           : NULL;
  fprintf(stderr, "ptx:   %s, block %u thread %u, %s:%d: %.*s\n", k->name, t->warp->block->number,
          t->warp->first_thread + (unsigned)t->lane, ptx_module.file, in->line,
          (int)strcspn(in->text, ";\n"), in->text);
  if (source)
    fprintf(stderr, "ptx:   %s:%d\n", source, in->source_line);
}

_Noreturn void ptx_find(const struct ptx_thread *t, const char *format, ...)
{
  va_list list;
  va_start(list, format);
  fputs("ptx: FOUND: ", stderr);
  vfprintf(stderr, format, list);
  fputc('\n', stderr);
  va_end(list);
  if (t)
    print_place(t);
  abort();
}

bool ptx_is_cub(const struct ptx_kernel *k)
{
  return strncmp(k->name, "_ZN3cub", 7) == 0;
}

// ------------------------------------------------------------------------------------- settings

static int choice(const char *word, const char *value, const char *const *names)
{
  for (int k = 0; names[k]; k++)
    if (strcmp(value, names[k]) == 0)
      return k;
  ptx_fail("PTX: %s=%s is not known", word, value);
}

static struct ptx_call call_of(const char *value)
{
  struct ptx_call c = {.nth = strchr(value, ':') ? atol(strchr(value, ':') + 1) : 0};
  snprintf(c.name, sizeof c.name, "%.*s", (int)strcspn(value, ":"), value);
  return c;
}

static void set(char *word)
{
  static const char *const orders[] = {"forward", "reversed", "permuted", NULL};
  static const char *const policies[] = {"together", "alone", "parts", NULL};
  static const char *const streams[] = {"eager", "lazy", "first", NULL};
  static const char *const messages[] = {"staged", "aware", NULL};
  struct ptx_settings *s = &ptx_settings;
  char *value = strchr(word, '=');
  if (value)
    *value++ = '\0';
  if (strcmp(word, "check") == 0 && !value)
    s->check = true;
  else if (!value)
    ptx_fail("PTX: %s is not known", word);
  else if (strcmp(word, "order") == 0)
    s->order = (enum block_order)choice(word, value, orders);
  else if (strcmp(word, "lanes") == 0)
    s->lanes = (enum lane_policy)choice(word, value, policies);
  else if (strcmp(word, "streams") == 0)
    s->streams = (enum stream_policy)choice(word, value, streams);
  else if (strcmp(word, "mpi") == 0)
    s->mpi_is_aware = choice(word, value, messages) > 0;
  else if (strcmp(word, "devices") == 0)
    s->devices = atoi(value);
  else if (strcmp(word, "memory") == 0)
    s->device_bytes = (size_t)(1e6 * atof(value));
  else if (strcmp(word, "drop") == 0)
    s->drop = call_of(value);
  else if (strcmp(word, "fail") == 0)
    s->fail = call_of(value);
  else
    ptx_fail("PTX: %s is not known", word);
}

static void begin_once(void)
{
  ptx_settings.ptx = getenv("PTX_FILE");
  ptx_settings.counts = getenv("PTX_COUNTS");
  const char *text = getenv("PTX");
  char *copy = text ? strdup(text) : NULL, *rest = NULL; // the settings point into it
  for (char *w = copy ? strtok_r(copy, " ", &rest) : NULL; w; w = strtok_r(NULL, " ", &rest))
    set(w);
  if (!ptx_settings.ptx)
    return;
  ptx_module_read(&ptx_module, ptx_settings.ptx);
  ptx_memory_begin(ptx_settings.devices);
  default_stream = stream_create(0);
  if (&device_exact_buffers)
    device_exact_buffers = ptx_settings.check;
  if (ptx_settings.counts)
    atexit(ptx_count_write);
}

bool ptx_begin(void)
{
  pthread_once(&once, begin_once);
  return ptx_settings.ptx;
}

static bool is_the_one(struct ptx_call *c, const char *call)
{
  return strcmp(c->name, call) == 0 && (++c->count == c->nth || c->nth == 0);
}

bool ptx_dropped(const char *call)
{
  return is_the_one(&ptx_settings.drop, call);
}

bool ptx_fails(const char *call)
{
  return is_the_one(&ptx_settings.fail, call);
}

// A question of Open MPI's, answered in its place.
int MPIX_Query_cuda_support(void);
int MPIX_Query_cuda_support(void)
{
  return ptx_begin() && ptx_settings.mpi_is_aware;
}

struct CUstream_st *ptx_stream_of(cudaStream_t s)
{
  return s ? s : default_stream;
}
