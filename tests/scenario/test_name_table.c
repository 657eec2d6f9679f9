#include "name_table.h"

#include <criterion/criterion.h>
#include <stdio.h>

#define NAMES 5000

Test(name_table, finds_what_was_added_first)
{
  static char names[NAMES][12];
  struct name_table t = {0};
  cr_expect(name_table_find(&t, "0") == NAME_UNKNOWN);
  for (int i = 0; i < NAMES; i++) {
    snprintf(names[i], sizeof names[i], "%d", i / 2 * 7); // each one twice
    cr_expect(name_table_add(&t, names[i], i) == (i % 2 ? i - 1 : NAME_UNKNOWN));
  }
  for (int i = 0; i < NAMES; i++)
    cr_expect(name_table_find(&t, names[i]) == i - i % 2, "%s", names[i]);
  cr_expect(name_table_find(&t, "1") == NAME_UNKNOWN);
  cr_expect(name_table_find(&t, "") == NAME_UNKNOWN);
  cr_expect(t.count == NAMES / 2);
  name_table_destroy(&t);
}
