// The columns that a plain crowd has no use for. Memory that nobody writes costs nothing, so no
// part of a step may write them, not even what is there already: here they can only be read.
#pragma once
#include "agents.h"
#include <criterion/criterion.h>
#include <string.h>
#include <sys/mman.h>

static const char *const blank_columns[] = {
    "group",       "facing_x", "facing_y", "passing", "choice", "turn",  "max_acceleration",
    "destination", "aim",      "profile",  "source",  "born",   "stage", "target",
    "doing",       "until",    "start_x",  "start_y"};
#define BLANK_COLUMNS ((int)(sizeof blank_columns / sizeof *blank_columns))

static inline const struct agent_field *blank_column(int k)
{
  for (int f = 0; f < agent_field_count; f++)
    if (strcmp(agent_fields[f].name, blank_columns[k]) == 0)
      return &agent_fields[f];
  cr_assert_fail("there is no field %s", blank_columns[k]);
  return NULL;
}

// All whole pages of these columns. Writing them then ends the test with a signal.
static inline void blank_columns_protect(const struct agents *a, bool protect)
{
  const uintptr_t page = 4096;
  for (int k = 0; k < BLANK_COLUMNS; k++) {
    const struct agent_field *field = blank_column(k);
    const uintptr_t at = (uintptr_t)agents_column(a, field);
    const uintptr_t first = (at + page - 1) / page * page;
    const uintptr_t end = (at + (size_t)a->capacity * field->size) / page * page;
    cr_assert(end >= first + page, "too few agents to protect %s", field->name);
    cr_assert_eq(mprotect((void *)first, end - first, protect ? PROT_READ : PROT_READ | PROT_WRITE),
                 0);
  }
}
