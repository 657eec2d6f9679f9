// Errors and warnings about an input. They are collected, so that one run reports all of them, each
// with its location: "configs/x.yaml:12:8: avoidance.horizon: -1 is out of range (0.01 to 60 s)".
#pragma once
#include "base.h"
#include <stdio.h>

struct diagnostics {
  int count;      // errors; warnings do not count
  int told;       // warnings
  char *text;     // errors, each "file:line:column: key: what is wrong, what would be right\n"
  char *warnings; // lines of the same form that do not prevent a run
};
void diagnostics_destroy(struct diagnostics *p);

#define DIAGNOSTICS_MAX                                                                            \
  50 // errors in the text: a broken table may cause one per row; warnings likewise

// Whether the next error is in the text.
static inline bool diagnostics_shows_more(const struct diagnostics *p)
{
  return p->count < DIAGNOSTICS_MAX;
}

struct location {
  const char *file;     // as the user named it
  const char *override; // the text after --set if the value comes from there, else NULL
  int line, column;     // from 1; line 0: the whole file
};

// The place of `at` in the text of the file; the column counts characters.
struct location text_location(const char *text, const char *at, const char *file);

void diagnostics_error(struct diagnostics *p, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
void diagnostics_warning(struct diagnostics *p, struct location at, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// Every input is checked before a parser sees it: false and an error if the text is not UTF-8.
// at: its file, or the --set that it comes from; the error names the place in the text.
bool diagnostics_check_utf8(struct diagnostics *p, const char *text, size_t length,
                            struct location at);

struct text {  // a growing string; free bytes with memory_destroy
  char *bytes; // NUL-terminated; NULL while empty
  size_t length, capacity;
};
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *t, const char *bytes, size_t length);

char *text_copy(const char *text, size_t length); // free with memory_destroy

// Reads a whole file into a NUL-terminated buffer (free with memory_destroy), without a byte-order
// mark. NULL and an error if
// it cannot be read, is not a regular file, exceeds limit bytes, contains a NUL byte or is not
// UTF-8. option: prefix of the message that names the option, such as "world.geometry: ", or "".
char *file_read(const char *path, size_t limit, const char *option, struct location at,
                size_t *length, struct diagnostics *p);

// Parses all of the text as a finite decimal number, exponent allowed. False: it is none.
bool number_parse(const char *text, double *value);
