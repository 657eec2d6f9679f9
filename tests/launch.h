// Starts programs the way a user does, and keeps what they said.
#pragma once
#include <criterion/criterion.h>
#include <stdio.h>

struct launched {
  int code;       // exit code; 124: it had to be stopped; 128 + signal
  double seconds; // wall clock
  char *out, *err;
};

// A shell command, stopped after a minute (ten under a sanitizer).
struct launched launch(const char *format, ...) __attribute__((format(printf, 1, 2)));
// The same on ranks; 0 ranks: without mpirun.
struct launched launch_ranks(int ranks, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void launched_destroy(struct launched *l);

// A fresh folder to work in, as its own working directory; removed when the test program ends.
const char *launch_folder(void);
// The whole file, NUL-terminated (free it); NULL when there is none.
char *launch_read(const char *path);
// How often a text, not empty, stands in another.
int launch_count(const char *text, const char *part);
