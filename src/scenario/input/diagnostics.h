// What is wrong with an input, collected so that one run tells all of it, each with its place:
// "configs/x.yaml:12:8: avoidance.horizon: -1 is out of range (0.01 to 60 s)".
#pragma once
#include "base.h"
#include <stdio.h>

struct diagnostics {
  int count;      // errors; warnings do not count
  char *text;     // lines, each "file:line:column: key: what is wrong, what would be right\n"
  char *warnings; // lines of the same form that do not stop a run
};
void diagnostics_destroy(struct diagnostics *p);

#define DIAGNOSTICS_MAX 50 // told of each kind; a broken file of a million rows has a million

// Where something stands in an input. line 0: the whole file.
struct location {
  const char *file;     // as the user named it
  const char *override; // the text after --set when it came from there, else NULL
  int line, column;     // from 1
};

void diagnostics_error(struct diagnostics *p, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diagnostics_warning(struct diagnostics *p, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Text that grows.
struct text {
  char *bytes; // NUL-terminated, NULL while empty
  size_t length, capacity;
};
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *t, const char *bytes, size_t length);

char *text_copy(const char *text, size_t length); // memory_destroy it

// A whole file. NULL and a problem when it cannot be read, is no regular file, is longer than
// limit bytes or holds a NUL byte. option: what names it there, "world.geometry: ", or "".
char *file_read(const char *path, size_t limit, const char *option, struct location at,
                size_t *length, struct diagnostics *p);

// How many letters must be changed, added, dropped or swapped to make b of a.
int edit_distance(const char *a, const char *b);
// Is b near enough to a to ask "did you mean b?"
bool edit_is_close(const char *a, const char *b, int *best); // and nearer than *best: then set

// The whole text as a finite decimal number ("1e3" too), or false.
bool number_parse(const char *text, double *value);
