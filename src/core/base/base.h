// What every file needs: fatal errors with a message, allocation that never returns NULL, clocks.
#pragma once
#include <locale.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#ifdef __APPLE__
#include <xlocale.h>
#endif

// Exit codes of the program. Every rank of a job returns the same one (docs/formats.md).
enum exit_code {
  EXIT_DONE = 0,
  EXIT_BAD_INPUT = 64,      // command line or config
  EXIT_CORRUPT_DATA = 65,   // a file that throng wrote is damaged
  EXIT_INTERNAL_ERROR = 70, // a bug in throng
  EXIT_OUT_OF_MEMORY = 71,  // the system has no more memory, or no more threads
  EXIT_IO = 74,             // the file system failed
  EXIT_RESUMABLE = 75       // stopped early after a complete checkpoint: the run can be resumed
};

// Prints the message (message.h) and ends the program. A parallel program first sets a handler,
// which ends the other ranks too and must not return.
__attribute__((noreturn)) void fail(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fail_set_handler(void (*handler)(enum exit_code code));
// A handler has jumped back instead: from now on another failure counts as the first one.
void fail_recovered(void);

// Checks what the user, the file system or MPI can break; also in release builds. For programming
// errors use assert.
#define require(condition, ...) ((condition) ? (void)0 : fail(EXIT_BAD_INPUT, __VA_ARGS__))

// count * size bytes, zeroed, aligned to 64 bytes (one AVX-512 vector). Never NULL: a failed
// allocation ends the program as memory_fail does. memory_grow moves the first old_count items to a
// new allocation. A large array takes memory only where something other than 0 was written.
void *memory_create(size_t count, size_t size);
void *memory_grow(void *memory, size_t old_count, size_t new_count, size_t size);
void memory_destroy(void *memory);
// Asks for large pages, so that random reads wait less for addresses. The first write to a large
// page takes memory for all of it.
void memory_prefer_large_pages(void *memory, size_t bytes);

// A full list, moved to an allocation of more than twice its capacity.
void *memory_enlarge(void *list, int64_t *capacity, size_t size);
// list[count] with room for another item; capacity 0: NULL.
static inline void *memory_reserve(void *list, int64_t count, int64_t *capacity, size_t size)
{
  return count < *capacity ? list : memory_enlarge(list, capacity, size);
}

// What is allocated from here on, by whatever function: "the map". Set by the thread that starts
// the phases of the program, one after the other. hint: what would need less.
void memory_purpose(const char *hint, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// Ends the program: EXIT_OUT_OF_MEMORY, with the size, the purpose and the hint. 0 bytes: unknown.
__attribute__((noreturn)) void memory_fail(double bytes);

// Numbers have a decimal point and messages are in English, whatever locale the caller of the
// library has set: around every call, in the threads of throng, and around the code of plug-ins.
// Concerns the calling thread alone. c_locale_begin returns what the thread had.
locale_t c_locale_begin(void);
void c_locale_end(locale_t before);

#define PARALLEL_MIN_ITEMS 10000 // below it, waking the threads costs more than a light loop saves

double clock_seconds(void);     // monotonic, s
double clock_cpu_seconds(void); // CPU time of this thread, s
size_t memory_peak_bytes(void); // peak resident set size of this process
