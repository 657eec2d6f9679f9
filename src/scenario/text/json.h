// Scans JSON without building a tree. GeoJSON needs only a few strings and the spans of the
// geometries, whose coordinates GEOS parses.
#pragma once
#include "diagnostics.h"

struct json_span {         // [begin, end) of one value in the text
  const char *begin, *end; // NULL, NULL: missing
};

struct json {
  const char *text, *at, *end;
  const char *error; // what is wrong at `at`, or NULL
};

void json_skip(struct json *j); // skips one value; sets j->error if it is not JSON

// Iteration over an object or an array. json_enter skips the opening bracket; false: the next value
// is something else. json_member and json_element return false at the end and on errors.
bool json_enter(struct json *j, char bracket);
bool json_member(struct json *j, char *key, size_t size, struct json_span *value); // key: truncated
bool json_element(struct json *j, struct json_span *value);

// A member of an object by name; NULLs if it is missing or the span is not an object.
struct json_span json_find(struct json_span object, const char *key);
// Copies a string without quotes, escapes unchanged; "" if it is not a string. False: truncated.
bool json_text(struct json_span value, char *out, size_t size);
// A string without quotes and escapes. U+0000 and halves of surrogate pairs become U+FFFD. Free
// with memory_destroy.
char *json_decode(struct json_span string);
