// Which of many entries has a name, without a look at all of them. Names are borrowed; the first
// entry of a name counts.
#pragma once
#include <stdint.h>

struct name_slot {
  const char *name; // NULL: free
  int32_t value;
};
struct name_table { // zeros: empty
  struct name_slot *slots;
  int64_t capacity, count; // capacity: 0 or a power of 2
};

#define NAME_UNKNOWN (-1)

int32_t name_table_find(const struct name_table *t, const char *name); // its value, or NAME_UNKNOWN
// Returns the value that the name has already, or NAME_UNKNOWN after adding it.
int32_t name_table_add(struct name_table *t, const char *name, int32_t value);
void name_table_destroy(struct name_table *t);
