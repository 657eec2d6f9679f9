// Accumulated time of one kernel or kind of copy.
#pragma once
#include <stdint.h>

struct kernel_time {
  const char *name;
  double seconds;
  int64_t times;
};
