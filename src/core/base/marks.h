// Marks: one byte for each item, most of them 0.
#pragma once
#include <stdint.h>
#include <string.h>

// The first index in [from, end) whose mark is not 0, or end. Looks at eight marks at a time.
static inline int64_t marks_next(const uint8_t *marks, int64_t from, int64_t end)
{
  for (uint64_t eight; from + 8 <= end; from += 8) {
    memcpy(&eight, marks + from, sizeof eight);
    if (eight == 0)
      continue;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return from + __builtin_ctzll(eight) / 8;
#else
    break;
#endif
  }
  while (from < end && !marks[from])
    from++;
  return from;
}
