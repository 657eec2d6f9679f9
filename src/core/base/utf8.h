// Text in UTF-8, and how any bytes are shown to a user: without control characters.
#pragma once
#include <stddef.h>
#include <stdio.h>

// The bytes up to the first that belongs to no character of UTF-8 (RFC 3629); length if there is
// none.
size_t utf8_valid_length(const char *text, size_t length);

enum utf8_kind {
  UTF8_PRINTABLE, // a character
  UTF8_CONTROL,   // a control character: C0, DEL, or C1, whose code point is *code
  UTF8_INVALID    // one byte that belongs to no character
};
// The kind of what a NUL-terminated text begins with, and its bytes in *length.
enum utf8_kind utf8_next(const char *text, size_t *length, unsigned *code);

// Like snprintf(to, size, "%s", text), but bytes of control characters and bytes that are not UTF-8
// become \xHH, so that they do not reach a terminal. A character is written whole or not at all.
size_t utf8_printable(char *to, size_t size, const char *text);

// The same for an argument of printf: printable(name).text, which lasts to the end of the
// statement. Longer texts are cut off.
struct printable {
  char text[4096];
};
struct printable printable(const char *text);

// Writes a NUL-terminated text as a string of JSON. A byte that is not UTF-8 becomes \\xHH: JSON
// cannot hold it.
void utf8_write_json(const char *text, FILE *out);
