// Agents in another order keep all their fields, and fields that nobody set take no memory.
#include "deadlock.h"
#include "neighbours.h"

#include "blank_columns.h"
#include "oracle.h"
#include <stdio.h>

static const struct frame frame = {0, 0, 16};
static const struct box bounds = {{-90000000, -90000000}, {90000000, 90000000}};

// Fields of all kinds: different values, one value, or one value in some runs.
static void fill(struct agents *a, uint64_t seed, int64_t count)
{
  agents_create(a, count);
  for (int64_t i = 0; i < count; i++)
    agents_append(a);
  for (int f = 0; f < agent_field_count; f++)
    for (int64_t i = 0; i < count; i++) {
      uint64_t bits = f % 3 == 0 || (f % 3 == 1 && i / 1024 % 2) ? oracle_word(&seed) : 7;
      memcpy(agents_column(a, &agent_fields[f]) + (size_t)i * agent_fields[f].size, &bits,
             agent_fields[f].size);
    }
}

// A permutation of each run of `run`.
static void shuffle(int32_t *from, int64_t count, int64_t run, uint64_t seed)
{
  for (int64_t k = 0; k < count; k++)
    from[k] = (int32_t)k;
  for (int64_t k = 0; k < count; k++) {
    const int64_t end = k / run * run + run < count ? k / run * run + run : count;
    const int64_t with = oracle_whole(&seed, (int32_t)k, (int32_t)end - 1);
    const int32_t swap = from[k];
    from[k] = from[with];
    from[with] = swap;
  }
}

static void expect_order(const struct agents *after, const struct agents *before, int64_t first,
                         int64_t count, const int32_t *from)
{
  for (int f = 0; f < agent_field_count; f++) {
    const struct agent_field *field = &agent_fields[f];
    for (int64_t i = 0; i < before->count; i++) {
      const bool moves = i >= first && i < first + count && field->scope <= SCOPE_STATE;
      const int64_t was = moves ? first + from[i - first] : i;
      cr_assert_eq(memcmp(agents_column(after, field) + (size_t)i * field->size,
                          agents_column(before, field) + (size_t)was * field->size, field->size),
                   0, "%s of agent %lld", field->name, (long long)i);
    }
  }
}

static void reorder_run(struct agents *a, int64_t first, int64_t count, const int32_t *from)
{
  int32_t within[AGENTS_RUN_MAX];
  for (int64_t k = 0; k < count; k++)
    within[k] = from[first + k] - (int32_t)first;
  agents_reorder_run(a, first, count, SCOPE_STATE, within);
}

Test(agents_order, every_field_of_the_state_moves_along)
{
  static const int64_t counts[] = {1, 2, 40, 1024, 5000, 30000};
  for (int k = 0; k < 6; k++) {
    const int64_t count = counts[k], first = k % 2 ? 1 : 0, moved = count - first;
    struct agents before, after;
    int32_t *from = memory_create((size_t)count, sizeof *from);
    void *scratch = memory_create((size_t)count, sizeof(int64_t));
    fill(&before, 1, count);
    fill(&after, 1, count);
    shuffle(from, moved, moved, 2);
    agents_reorder(&after, first, moved, SCOPE_STATE, from, scratch);
    expect_order(&after, &before, first, moved, from);
    agents_destroy(&after);
    fill(&after, 1, count);
    shuffle(from, count, AGENTS_RUN_MAX, 3);
    for (int64_t run = 0; run < count; run += AGENTS_RUN_MAX)
      reorder_run(&after, run, count - run < AGENTS_RUN_MAX ? count - run : AGENTS_RUN_MAX, from);
    expect_order(&after, &before, 0, count, from);
    agents_destroy(&before);
    agents_destroy(&after);
    memory_destroy(from);
    memory_destroy(scratch);
  }
}

Test(agents_order, columns_are_read_and_written_by_value)
{
  struct agents a, b;
  fill(&a, 4, 2000);
  fill(&b, 5, 2000);
  int32_t values[1500];
  for (int f = 0; f < agent_field_count; f++)
    if (strcmp(agent_fields[f].name, "stage") == 0) {
      agents_column_read(&a, &agent_fields[f], 100, 1500, values);
      agents_column_write(&b, &agent_fields[f], 200, 1500, values);
    }
  for (int64_t i = 0; i < 1500; i++)
    cr_assert(values[i] == agent_stage(&a, 100 + i) && values[i] == agent_stage(&b, 200 + i));
  agents_destroy(&a);
  agents_destroy(&b);
}

// ------------------------------------------------------------------------------------ memory

#define PLAIN 20000

static void plain_append(struct agents *a, int64_t id, uint64_t *seed)
{
  const int64_t i = agents_append(a);
  a->id[i] = id;
  a->x[i] = oracle_whole(seed, -9000000, 9000000);
  a->y[i] = oracle_whole(seed, -9000000, 9000000);
  a->radius[i] = 0.25f;
  a->speed[i] = a->max_speed[i] = 1.3f;
  a->yield[i] = 1;
}

// The values of a column, as a checkpoint has them, written back.
static void rewrite_columns(struct agents *a)
{
  void *values = memory_create((size_t)a->count, sizeof(int64_t));
  for (int f = 0; f < agent_field_count; f++) {
    agents_column_read(a, &agent_fields[f], 0, a->count, values);
    agents_column_write(a, &agent_fields[f], 0, a->count, values);
  }
  memory_destroy(values);
}

// Leave and enter again, through records: as agents that migrate.
static void migrate_some(struct agents *a)
{
  uint8_t *gone = memory_create(PLAIN + 1, 1);
  char *records = memory_create(100, agents_packed_size(SCOPE_STATE));
  for (int64_t k = 0; k < 100; k++) {
    agents_pack(a, 7 * k, SCOPE_STATE, records + (size_t)k * agents_packed_size(SCOPE_STATE));
    gone[7 * k] = 1;
  }
  int64_t border_layer = PLAIN / 2 / BOX_TREE_NODE * BOX_TREE_NODE;
  agents_remove_ordered(a, &border_layer, gone);
  for (int64_t k = 0; k < 100; k++)
    agents_unpack(a, agents_append(a), SCOPE_STATE,
                  records + (size_t)k * agents_packed_size(SCOPE_STATE));
  memory_destroy(gone);
  memory_destroy(records);
}

static void set_velocities(struct agents *a, uint64_t *seed)
{
  for (int64_t i = 0; i < a->count; i++) {
    a->next_vx[i] = (float)oracle_between(seed, -1, 1);
    a->next_vy[i] = (float)oracle_between(seed, -1, 1);
  }
}

Test(agents_order, fields_that_nobody_set_are_never_written)
{
  uint64_t seed = 6;
  struct agents a;
  struct neighbours n = {0};
  agents_create(&a, PLAIN);
  blank_columns_protect(&a, true);
  for (int64_t id = 0; id < PLAIN; id++)
    plain_append(&a, id, &seed);
  for (int step = 0; step < 12; step++) { // sorts all, and runs later
    neighbours_sort(&n, &a, NULL);
    deadlock_apply(&a, 0, a.count, &(struct deadlock_input){1, step, 3});
    a.ghost_count = 50; // sorted, too
    for (int64_t i = a.count; i < a.count + a.ghost_count; i++)
      a.id[i] = PLAIN + i, a.x[i] = (int32_t)(7919 * i % 10007);
    neighbours_build(&n, &frame, &a);
    set_velocities(&a, &seed);
    agents_move(&a, &frame, bounds, 1);
    migrate_some(&a);
  }
  rewrite_columns(&a);
  for (int64_t i = 0; i < a.count; i++)
    cr_assert(agent_group(&a, i) == -1 && agent_stage(&a, i) == -1 && agent_aim(&a, i) == -1 &&
              agent_target(&a, i) == -1 && agent_destination(&a, i) == -1);
  blank_columns_protect(&a, false);
  neighbours_destroy(&n);
  agents_destroy(&a);
}

#ifndef SANITIZED // which has memory of its own

static double resident_bytes(void)
{
  long size = 0, resident = 0;
  FILE *f = fopen("/proc/self/statm", "r");
  cr_assert(f && fscanf(f, "%ld %ld", &size, &resident) == 2);
  fclose(f);
  return 4096.0 * (double)resident;
}

Test(agents_order, fields_that_nobody_set_take_no_memory_when_arrays_grow)
{
  uint64_t seed = 8;
  struct agents a;
  const double before = resident_bytes();
  agents_create(&a, 400000);
  for (int64_t id = 0; id < 400000; id++)
    plain_append(&a, id, &seed);
  memset(agents_spare(&a), 1, 400000 * AGENTS_SPARE); // as a step leaves it
  const double plain = (resident_bytes() - before) / 400000;
  agents_reserve(&a, 600000);
  const double grown = (resident_bytes() - before) / 400000;
  cr_log_info("%.1f bytes per agent, %.1f after growth\n", plain, grown);
  // id, x, y, radius, speeds, yield: 32 bytes. Fields of a step: 24, which growth moves.
  cr_expect(plain > 55 && plain < 62, "%g", plain);
  cr_expect(grown < 62, "%g", grown);
  agents_destroy(&a);
  cr_expect(resident_bytes() - before < 4e6);
}
#endif
