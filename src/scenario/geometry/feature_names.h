// Features of maps by their property `name`. A layer becomes one entry for each name, and each
// entry looks for its features.
#pragma once
#include "feature.h"
#include "name_table.h"

struct named_feature {
  const struct feature_set *set;
  int list;
  unsigned shape; // of the list
  int32_t next;   // with the same name, in the order of the maps; -1: none
};
struct feature_names { // zeros: none
  bool made;
  struct named_feature *features;
  int64_t count, capacity;
  struct name_table table; // its values are indices of:
  char **names;            // [table.count] numbers in one form
  int32_t *first;          // [table.count] of features
  int64_t name_capacity, first_capacity;
};

// Adds the features of a set; call it for the last set first.
void feature_names_add(struct feature_names *names, const struct feature_set *set);
void feature_names_destroy(struct feature_names *names);
// The first feature whose name equals this one, as text or as a number; -1: none.
int32_t feature_names_find(const struct feature_names *names, const char *name);
