// The table of options. Parsing, checks, defaults and docs/options.md all follow from it.
#pragma once
#include <stddef.h>

enum option_type {
  OPTION_TEXT,                 // char *
  OPTION_NUMBER,               // double
  OPTION_INTEGER,              // double with an integer value
  OPTION_OPTIONAL,             // struct optional
  OPTION_OPTIONAL_INTEGER,     // struct optional with an integer value
  OPTION_FLAG,                 // bool
  OPTION_CHOICE,               // int: index of the word in option.choices
  OPTION_POINT,                // struct numbers, 2
  OPTION_PLACE,                // struct numbers, 2: a point in the world
  OPTION_RECTANGLE,            // struct numbers, 4: in the world
  OPTION_PAIRS,                // struct number_list
  OPTION_DISTRIBUTION,         // struct distribution
  OPTION_INTEGER_DISTRIBUTION, // struct distribution of integers
  OPTION_TEXTS,                // struct text_list
  OPTION_AREA,                 // struct area
  OPTION_AREAS,                // struct area_list
  OPTION_SHARES,               // struct shares
  OPTION_LEGS,                 // struct leg_list
  OPTION_POINTS,               // struct number_list: a line in the world; at least two points
  OPTION_TIMETABLE,            // struct number_list: time, number of agents
  OPTION_FEATURES,             // char *: a file; layers.h
  OPTION_RECORDS               // {int count; struct X_config *records;} of another scope
};

enum option_scope { // the struct that holds the option
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
  const char *path; // within its scope: "avoidance.horizon"
  enum option_type type;
  const char *fallback; // default as YAML; NULL: none; "!": required
  double min, max;      // range of each number
  const char *unit;
  const char *choices;       // of OPTION_CHOICE: "orca|other"
  const char *noun;          // what a choice or share names: "a method"
  enum option_scope records; // scope of the elements of OPTION_RECORDS
  size_t offset;             // of the member in the struct of its scope
  const char *meaning;
};

struct option_section {
  const char *title; // in the reference; NULL: that of the scope
  const struct option *options;
  int count;
};

struct option_scope_info {
  const char *prefix;       // of its options in the reference: "sources[]."
  const char *path_format;  // of one record in messages: "sources[%d]"
  size_t size;              // bytes of a record
  const char *title, *text; // of its section in the reference
  const struct option_section *sections;
  int section_count;
};
extern const struct option_scope_info option_scopes[SCOPE_COUNT];

// The i-th option of the scope, through all of its sections. NULL: it has not so many.
const struct option *option_at(enum option_scope scope, int i);
