// Loops whose items threads share.
#include "work_stealing.h"

#include <criterion/criterion.h>
#include <omp.h>
#include <string.h>
#include <unistd.h>

// Threads take each item once, whatever their number, also where fewer come than could. Alone, a
// thread does its own items in their order, and then the last ones of others.
Test(work_stealing, every_item_is_taken_once)
{
  const int64_t counts[] = {0, 1, 2, 5, 97, 10000};
  static int32_t taken[10000];
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
    for (int32_t threads = 1; threads <= 9; threads += 2)
      for (int32_t team = 1; team <= threads; team += threads - 1 > 0 ? threads - 1 : 1) {
        struct work_stealing work;
        work_stealing_begin(&work, counts[c], threads);
        memset(taken, 0, sizeof taken);
#pragma omp parallel num_threads(team)
        for (int64_t i; (i = work_stealing_next(&work, omp_get_thread_num())) >= 0;) {
          if (i % 7 == omp_get_thread_num())
            usleep(10);
#pragma omp atomic
          taken[i]++;
        }
        for (int64_t i = 0; i < (int64_t)(sizeof taken / sizeof *taken); i++)
          cr_assert_eq(taken[i], i < counts[c], "item %d of %d, %d of %d threads", (int)i,
                       (int)counts[c], (int)team, (int)threads);
      }
}

Test(work_stealing, a_thread_begins_with_its_own_items)
{
  struct work_stealing work;
  work_stealing_begin(&work, 10, 3); // 0 .. 2, 3 .. 5, 6 .. 9
  const int64_t expected[] = {3, 4, 5, 9, 2, 8, 1, 7, 0, 6, -1};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    const int64_t item = work_stealing_next(&work, 1);
    cr_expect(item == expected[k], "%d, not %d", (int)item, (int)expected[k]);
  }
}

// More threads than ranges share these.
Test(work_stealing, many_threads_share_ranges)
{
  struct work_stealing work;
  work_stealing_begin(&work, 1000, 3 * WORK_RANGES_MAX);
  int64_t sum = 0;
  for (int32_t thread = 0; thread < 3 * WORK_RANGES_MAX; thread++) {
    const int64_t item = work_stealing_next(&work, thread);
    cr_assert(item >= 0);
    sum += item;
  }
  for (int64_t item; (item = work_stealing_next(&work, 3 * WORK_RANGES_MAX - 1)) >= 0;)
    sum += item;
  cr_assert_eq(sum, 1000 * 999 / 2);
}
