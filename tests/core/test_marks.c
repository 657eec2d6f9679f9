#include "marks.h"

#include "oracle.h"
#include <criterion/criterion.h>

#define LONGEST 70

static int64_t next_by_definition(const uint8_t *marks, int64_t from, int64_t end)
{
  while (from < end && !marks[from])
    from++;
  return from;
}

// From every start to every end, wherever the marks lie: a byte after the end is not looked at.
Test(marks, finds_the_next_one)
{
  uint64_t r = 1;
  for (int round = 0; round < 40; round++) {
    uint8_t marks[LONGEST + 1];
    const int32_t rare = oracle_whole(&r, 1, 40);
    for (int k = 0; k < LONGEST; k++)
      marks[k] = oracle_whole(&r, 0, rare) ? 0 : (uint8_t)oracle_whole(&r, 1, 255);
    marks[LONGEST] = 1;
    for (int64_t end = 0; end <= LONGEST; end++)
      for (int64_t from = 0; from <= end; from++)
        cr_assert_eq(marks_next(marks, from, end), next_by_definition(marks, from, end));
  }
}
