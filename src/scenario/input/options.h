// The one table of options: it parses, checks, fills in defaults and prints docs/options.md.
#pragma once
#include "config.h"
#include <stdio.h>

enum option_type {
  OPTION_TEXT,                 // char *
  OPTION_NUMBER,               // double
  OPTION_INTEGER,              // double that is a whole number
  OPTION_OPTIONAL,             // struct optional
  OPTION_OPTIONAL_INTEGER,     // struct optional that is a whole number
  OPTION_FLAG,                 // bool
  OPTION_CHOICE,               // int: its place among the words
  OPTION_POINT,                // struct numbers, 2
  OPTION_RECTANGLE,            // struct numbers, 4
  OPTION_PAIRS,                // struct number_list
  OPTION_DISTRIBUTION,         // struct distribution
  OPTION_INTEGER_DISTRIBUTION, // struct distribution of whole numbers
  OPTION_TEXTS,                // struct text_list
  OPTION_AREA,                 // struct area
  OPTION_AREAS,                // struct area_list
  OPTION_SHARES,               // struct shares
  OPTION_LEGS,                 // struct leg_list
  OPTION_POINTS,               // struct number_list: x y of each
  OPTION_TIMETABLE,            // struct number_list: time and people of each
  OPTION_RECORDS               // int count, then a pointer to the records of another scope
};

enum option_scope {
  SCOPE_FILE,
  SCOPE_DESTINATION,
  SCOPE_JOURNEY,
  SCOPE_DOOR,
  SCOPE_EVENT,
  SCOPE_PROFILE,
  SCOPE_SOURCE,
  SCOPE_LINE,
  SCOPE_MEASURED,
  SCOPE_ZONE,
  SCOPE_COUNT
};

struct option {
  enum option_scope scope;
  const char *path; // "avoidance.horizon", inside its scope
  enum option_type type;
  const char *fallback; // the default, as it would be written; NULL none; "!" it must be given
  double min, max;      // of each number
  const char *unit;
  const char *choices;       // allowed ones, "orca|other"
  const char *noun;          // what one of the words is: "a method"
  enum option_scope records; // what OPTION_RECORDS holds
  size_t offset;             // in the struct of its scope
  const char *meaning;
};

extern const struct option options[];
extern const int option_count;

struct option_scope_info {
  const char *prefix;      // "sources[].", of its options in the reference
  const char *path_format; // "sources[%d]", of one record in a complaint
  size_t size;             // of the record's struct
  const char *title, *text;
};
extern const struct option_scope_info option_scopes[SCOPE_COUNT];

// For the pages that are printed from the table: docs/options.md and the manual page.
const char *option_type_text(const struct option *o);
void option_range_print(const struct option *o, FILE *out);
