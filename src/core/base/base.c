#include "base.h"

#include "message.h"
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

static void (*fail_handler)(enum exit_code code);

void fail_set_handler(void (*handler)(enum exit_code code))
{
  fail_handler = handler;
}

// The first thread that fails ends the program. Others, which lack memory at the same time, wait
// for that, or until it has recovered.
static atomic_flag failing = ATOMIC_FLAG_INIT;
static _Thread_local bool is_own;

static void wait_if_another_fails(void)
{
  while (!is_own && atomic_flag_test_and_set(&failing))
    usleep(1000);
  is_own = true;
  message_collect(NULL, 0); // nobody may print later what this thread says now
}

// Given back when memory has run out: MPI needs some to end the other ranks, and without it ends
// this one with an exit code of its own.
#define RESERVE (4 << 20) // bytes
static void *reserve;

__attribute__((constructor)) static void reserve_create(void)
{
  reserve = malloc(RESERVE);
}

void fail_recovered(void)
{
  is_own = false;
  atomic_flag_clear(&failing);
  if (!reserve)
    reserve_create();
}

void fail(enum exit_code code, const char *format, ...)
{
  char text[4096];
  c_locale_begin(); // a thread of OpenMP has that of the caller
  wait_if_another_fails();
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  message_print("%s", text);
  free(reserve);
  reserve = NULL;
  if (fail_handler)
    fail_handler(code);
  exit((int)code);
}

static char purpose[400] = "the start of the program"; // of allocations
static const char *purpose_hint = "more memory is needed";

void memory_purpose(const char *hint, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(purpose, sizeof purpose, format, arguments);
  va_end(arguments);
  purpose_hint = hint;
}

void memory_fail(double bytes)
{
  static const char *const units[] = {"bytes", "kB", "MB", "GB", "TB"};
  char size[40] = "memory";
  int k = 0;
  c_locale_begin();
  for (; bytes >= 999.5 && k < 4; k++)
    bytes /= 1000;
  if (bytes > 0)
    snprintf(size, sizeof size, "%.3g %s", bytes, units[k]);
  fail(EXIT_OUT_OF_MEMORY, "out of memory: cannot allocate %s for %s; %s", size, purpose,
       purpose_hint);
}

#define ALIGNMENT 64        // bytes
#define LARGE     (1 << 20) // bytes

struct block { // in front of the memory
  void *start;
};

// The memory in a block that begins at start, with room for the struct in front of it.
static void *block_memory(char *start)
{
  const uintptr_t first = (uintptr_t)start + sizeof(struct block);
  char *memory = start + sizeof(struct block) + (ALIGNMENT - first % ALIGNMENT) % ALIGNMENT;
  ((struct block *)(void *)memory)[-1].start = start;
  return memory;
}

#ifdef __GLIBC__
// Large blocks come from the system and go back to it, however many were freed before. Otherwise
// glibc keeps freed blocks of up to 32 MB, and clears, which is to write, those that it reuses.
__attribute__((constructor)) static void large_from_system(void)
{
  mallopt(M_MMAP_THRESHOLD, LARGE);
}
#endif

// calloc takes a large block from the system, whose pages are zero and need no memory until they
// are written. Of a large array of cells, often only a part is ever used.
static void *block_create(size_t bytes)
{
  const size_t all = bytes + 2 * ALIGNMENT;
  char *start = bytes < LARGE ? aligned_alloc(ALIGNMENT, bytes + ALIGNMENT) : calloc(1, all);
  if (!start)
    return NULL;
  void *memory = block_memory(start);
  return bytes < LARGE ? memset(memory, 0, bytes) : memory;
}

void *memory_create(size_t count, size_t size)
{
  size_t bytes;
  if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX - 4 * ALIGNMENT)
    memory_fail((double)count * (double)size);
  bytes = (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT; // whole vectors; never 0
  void *memory = block_create(bytes);
  if (!memory)
    memory_fail((double)bytes);
  return memory;
}

#define PAGE 4096 // bytes

// to: zero. Pages of zeros are not written, so that they need no memory.
static void copy_pages(char *to, const char *from, size_t bytes)
{
  for (size_t k = 0; k < bytes; k += PAGE) {
    const size_t count = bytes - k < PAGE ? bytes - k : PAGE;
    if (from[k] != 0 || memcmp(from + k, from + k + 1, count - 1) != 0)
      memcpy(to + k, from + k, count);
  }
}

void *memory_grow(void *memory, size_t old_count, size_t new_count, size_t size)
{
  void *grown = memory_create(new_count, size);
  if (memory)
    copy_pages(grown, memory, old_count * size);
  memory_destroy(memory);
  return grown;
}

void *memory_enlarge(void *list, int64_t *capacity, size_t size)
{
  const int64_t more = 2 * *capacity + 64;
  list = memory_grow(list, (size_t)*capacity, (size_t)more, size);
  *capacity = more;
  return list;
}

void memory_destroy(void *memory)
{
  if (memory)
    free(((struct block *)memory)[-1].start);
}

#define LARGE_PAGE ((uintptr_t)2 << 20) // bytes

void memory_prefer_large_pages(void *memory, size_t bytes)
{
#ifdef MADV_HUGEPAGE
  const uintptr_t begin = ((uintptr_t)memory + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
  const uintptr_t end = ((uintptr_t)memory + bytes) / LARGE_PAGE * LARGE_PAGE;
  // Where the system has none, reads are slower.
  if (begin < end)
    (void)madvise((void *)begin, end - begin, MADV_HUGEPAGE);
#else
  (void)memory, (void)bytes;
#endif
}

double clock_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

double clock_cpu_seconds(void)
{
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

size_t memory_peak_bytes(void)
{
  struct rusage usage;
  getrusage(RUSAGE_SELF, &usage);
  return (size_t)usage.ru_maxrss * 1024;
}

static locale_t c_locale;

__attribute__((constructor)) static void c_locale_create(void)
{
  c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0);
}

locale_t c_locale_begin(void)
{
  return uselocale(c_locale);
}

void c_locale_end(locale_t before)
{
  uselocale(before);
}
