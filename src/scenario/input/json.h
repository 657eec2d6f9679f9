// A reader that walks over JSON without keeping it: GeoJSON needs a few words and the spans of
// the geometries, whose many numbers are read once, elsewhere.
#pragma once
#include "diagnostics.h"

struct json_span {         // [begin, end) of one value in the text
  const char *begin, *end; // NULL, NULL: not there
};

struct json {
  const char *text, *at, *end;
  const char *error; // what is wrong at `at`, or NULL
};

void json_skip(struct json *j); // over one value; j->error when it is not JSON

// Iterates an object: false at its end or on an error. Start with at behind the '{'
// (json_enter); the key is cut off at size, the value is skipped.
bool json_enter(struct json *j, char bracket);
bool json_member(struct json *j, char *key, size_t size, struct json_span *value);
bool json_element(struct json *j, struct json_span *value); // of an array

// A member of an object by name; a span of NULLs when it is not there or this is no object.
struct json_span json_find(struct json_span object, const char *key);
// Its text without quotes, escapes as they are; "" when it is no text. False: cut off.
bool json_text(struct json_span value, char *out, size_t size);

struct location json_location(const char *text, const char *at, const char *file); // line, column
