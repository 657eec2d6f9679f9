// Values of options: one reader for each type of the table.
#pragma once
#include "options.h"

// One value being read: its option, its node, where it goes, and how to name it in complaints.
struct value {
  const struct option *option;
  const struct node *node;
  void *target;
  const char *path; // "sources[0].count"
  struct diagnostics *diagnostics;
};

void value_read(const struct value *v); // anything but records, which are more than a value
void value_destroy(const struct option *o, void *target);
// "... is expected, not ...".
void report_type(const struct value *v, const struct node *n, const char *wanted);
