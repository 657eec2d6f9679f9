// Runs programs as a user does and captures their output.
#pragma once
#include <criterion/criterion.h>
#include <stdio.h>

struct launched {
  int code;       // exit code; 124: timed out; 128 + signal
  double seconds; // wall clock
  char *out, *err;
};

// Runs a shell command; the time limit is one minute (ten under a sanitizer).
struct launched launch(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same by mpirun; 0 ranks: without mpirun.
struct launched launch_ranks(int ranks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
// From here on, launched programs are not searched for leaks, which takes longer than most of them
// run. For programs whose code others search.
void launch_without_leaks(void);
void launched_destroy(struct launched *l);

// Creates a temporary folder and makes it the working directory. It is removed when the test
// program ends.
const char *launch_folder(void);
// Reads a file; NUL-terminated, the caller frees it. NULL: no such file.
char *launch_read(const char *path);
// Counts the occurrences of part, which is not empty.
int launch_count(const char *text, const char *part);
