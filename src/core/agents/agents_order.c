// Puts the agents into another order in memory.
#include "agents.h"

#include <assert.h>
#include <string.h>

// out[k] = column[from[k]]
static void gather_column(const char *column, size_t size, const int32_t *from, int64_t begin,
                          int64_t end, void *out)
{
  if (size == sizeof(int32_t))
    for (int64_t k = begin; k < end; k++)
      ((int32_t *)out)[k] = ((const int32_t *)column)[from[k]];
  else
    for (int64_t k = begin; k < end; k++)
      ((int64_t *)out)[k] = ((const int64_t *)column)[from[k]];
}

// Whether the values from begin on equal the one before each: any order of these is the same.
static bool all_equal(const char *column, size_t size, int64_t begin, int64_t end)
{
  const char *first = column + (size_t)begin * size;
  return end - begin < 2 || memcmp(first, first + size, (size_t)(end - begin - 1) * size) == 0;
}

#define REORDER_PART 4096 // agents that a thread copies at a time

static int64_t part_end(int64_t first, int64_t count)
{
  return first + REORDER_PART < count ? first + REORDER_PART : count;
}

static void reorder_column(char *column, size_t size, char *scratch, int64_t count,
                           const int32_t *from)
{
  bool equal = true;
#pragma omp parallel if (count > PARALLEL_MIN_ITEMS)
  {
#pragma omp for schedule(static) reduction(&& : equal)
    for (int64_t k = 0; k < count; k += REORDER_PART)
      equal = equal && all_equal(column, size, k, part_end(k + 1, count));
    if (!equal) {
#pragma omp for schedule(static)
      for (int64_t k = 0; k < count; k += REORDER_PART)
        gather_column(column, size, from, k, part_end(k, count), scratch);
#pragma omp for schedule(static)
      for (int64_t k = 0; k < count; k += REORDER_PART)
        memcpy(column + (size_t)k * size, scratch + (size_t)k * size,
               (size_t)(part_end(k, count) - k) * size);
    }
  }
}

void agents_reorder(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                    const int32_t *from, void *scratch)
{
  assert(first >= 0 && count >= 0 && first + count <= a->capacity);
  if (count == 0)
    return; // without capacity there are no columns
  for (int f = 0; f < agent_field_count; f++) {
    const struct agent_field *field = &agent_fields[f];
    if (field->scope <= scope)
      reorder_column(agents_column(a, field) + (size_t)first * field->size, field->size, scratch,
                     count, from);
  }
}

void agents_reorder_run(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                        const int32_t *from)
{
  int64_t scratch[AGENTS_RUN_MAX];
  assert(first >= 0 && count >= 0 && count <= AGENTS_RUN_MAX && first + count <= a->capacity);
  for (int f = 0; f < agent_field_count; f++) {
    const struct agent_field *field = &agent_fields[f];
    char *column = agents_column(a, field) + (size_t)first * field->size;
    if (field->scope > scope || all_equal(column, field->size, 0, count))
      continue;
    gather_column(column, field->size, from, 0, count, scratch);
    memcpy(column, scratch, (size_t)count * field->size);
  }
}
