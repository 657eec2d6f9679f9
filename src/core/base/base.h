// What every file needs: ending with a clear message, memory that is never NULL, a clock.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// Exit codes of the program; every rank of a job returns the same (docs/formats.md).
enum exit_code {
  EXIT_DONE = 0,
  EXIT_BAD_INPUT = 64,      // command line or config
  EXIT_CORRUPT_DATA = 65,   // an input file of ours that is broken
  EXIT_INTERNAL_ERROR = 70, // a mistake of throng itself
  EXIT_IO = 74,             // the file system
  EXIT_RESUMABLE = 75       // stopped early after a good checkpoint: go on from it
};

// Ends the program with one message. A parallel program sets a handler first, which must not
// return, so that the other ranks end too.
__attribute__((noreturn)) void fail(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void fail_set_handler(void (*handler)(enum exit_code code, const char *message));

// Always on: what the user, the file system or MPI may break. Our own mistakes: assert.
#define require(condition, ...) ((condition) ? (void)0 : fail(EXIT_BAD_INPUT, __VA_ARGS__))

// Memory of count * size bytes, zeroed, aligned to 64 bytes (one vector). Never NULL: a failed
// allocation ends the program with the size it asked for. memory_grow keeps the first old_count.
void *memory_create(size_t count, size_t size);
void *memory_grow(void *memory, size_t old_count, size_t new_count, size_t size);
void memory_destroy(void *memory);

#define PARALLEL_MIN_ITEMS 10000 // items from which waking the threads pays for a light loop

double clock_seconds(void);     // monotonic, s
double clock_cpu_seconds(void); // that this thread has computed, s: neither waiting nor put aside
size_t memory_peak_bytes(void); // the most this process ever held (resident)
