#include "agent_kernel.h"
#include "box_tree.h"
#include "hash.h"

#include "oracle.h"
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

static const struct frame frame = {0, 0, 16};
static const struct box bounds = {{-1000000, -1000000}, {1000000, 1000000}};

static void fill(struct agents *a, uint64_t seed, int count)
{
  agents_create(a, 0);
  for (int i = 0; i < count; i++) {
    agents_append(a);
    a->id[i] = 10 + i * 3;
    a->x[i] = oracle_whole(&seed, -900000, 900000);
    a->y[i] = oracle_whole(&seed, -900000, 900000);
    a->vx[i] = (float)oracle_between(&seed, -2, 2);
    a->vy[i] = (float)oracle_between(&seed, -2, 2);
    a->radius[i] = (float)oracle_between(&seed, 0.1, 0.5);
    a->speed[i] = a->max_speed[i] = 1.3f;
    agent_set_destination(a, i, -1);
    a->goal_x[i] = oracle_whole(&seed, -900000, 900000);
    a->goal_y[i] = oracle_whole(&seed, -900000, 900000);
    a->next_vx[i] = (float)oracle_between(&seed, -2, 2);
    a->next_vy[i] = (float)oracle_between(&seed, -2, 2);
  }
}

static size_t size_up_to(enum agent_scope scope) // directly from the table
{
  size_t size = 0;
#define X(type, name, unit, field_scope) size += (field_scope) <= scope ? sizeof(type) : 0;
  AGENT_FIELDS(X)
#undef X
  return size;
}

Test(agents, unpack_restores_the_packed_fields_only)
{
  for (int scope = SCOPE_GHOST; scope <= SCOPE_STEP; scope++) {
    struct agents a, b;
    char bytes[256];
    fill(&a, 1, 20);
    fill(&b, 2, 20);
    cr_assert_eq(agents_packed_size((enum agent_scope)scope), size_up_to((enum agent_scope)scope));
    agents_pack(&a, 7, (enum agent_scope)scope, bytes);
    agents_unpack(&b, 3, (enum agent_scope)scope, bytes);
    struct agents untouched;
    fill(&untouched, 2, 20);
    for (int f = 0; f < agent_field_count; f++) {
      const struct agent_field *field = &agent_fields[f];
      const char *from = (int)field->scope <= scope
                             ? agents_column(&a, field) + 7 * field->size
                             : agents_column(&untouched, field) + 3 * field->size;
      cr_assert_eq(memcmp(agents_column(&b, field) + 3 * field->size, from, field->size), 0, "%s",
                   field->name);
      for (size_t i = 0; i < 20; i++)
        cr_assert(i == 3 ||
                  memcmp(agents_column(&b, field) + i * field->size,
                         agents_column(&untouched, field) + i * field->size, field->size) == 0);
    }
    agents_destroy(&a);
    agents_destroy(&b);
    agents_destroy(&untouched);
  }
}

Test(agents, reserve_keeps_the_values)
{
  struct agents a;
  fill(&a, 3, 50);
  const uint64_t before = agents_checksum(&a);
  agents_reserve(&a, 5000);
  cr_assert(a.capacity >= 5000 && a.count == 50);
  cr_assert_eq(agents_checksum(&a), before);
  const int64_t capacity = a.capacity;
  agents_reserve(&a, 10);
  cr_assert_eq(a.capacity, capacity);
  for (int f = 0; f < agent_field_count; f++)
    cr_assert_eq((uintptr_t)agents_column(&a, &agent_fields[f]) % 64, 0);
  agents_destroy(&a);
}

Test(agents, reserve_keeps_ghosts_and_append_drops_them)
{
  struct agents a;
  fill(&a, 4, 10);
  a.count = 6;
  a.ghost_count = 4;
  const int64_t last = a.id[9];
  agents_reserve(&a, 1000);
  cr_assert(a.ghost_count == 4 && a.id[9] == last);
  cr_assert_eq(agents_append(&a), 6);
  cr_assert(a.ghost_count == 0 && a.count == 7 && a.id[6] == 0 && a.vx[6] == 0);
  agents_destroy(&a);
}

Test(agents, remove_drops_the_marked_agents_only)
{
  uint64_t r = 5;
  for (int round = 0; round < 200; round++) {
    struct agents a;
    uint8_t gone[40];
    const int count = oracle_whole(&r, 0, 40), odds = oracle_whole(&r, 0, 4);
    uint64_t sum = 0;
    int left = 0;
    fill(&a, (uint64_t)round, count);
    for (int i = 0; i < count; i++) {
      struct agents one;
      char bytes[256];
      gone[i] = odds == 0 || (odds < 4 && oracle_whole(&r, 0, odds) == 0);
      left += !gone[i];
      agents_create(&one, 1);
      agents_append(&one);
      agents_pack(&a, i, SCOPE_STATE, bytes);
      agents_unpack(&one, 0, SCOPE_STATE, bytes);
      sum += gone[i] ? 0 : agents_checksum(&one);
      agents_destroy(&one);
    }
    agents_remove(&a, gone);
    cr_assert_eq(a.count, left);
    cr_assert_eq(agents_checksum(&a), sum); // equals the sum over single agents
    agents_destroy(&a);
  }
}

// Few, many or all agents; with and without a border layer, or one that exceeds the crowd.
Test(agents, ordered_remove_drops_the_same_agents)
{
  static uint8_t gone[700];
  uint64_t r = 6;
  for (int round = 0; round < 200; round++) {
    struct agents a, left;
    const int count = oracle_whole(&r, 0, round % 2 ? 40 : 700);
    const int odds = oracle_whole(&r, 0, 4);
    int64_t border_layer = (int64_t)oracle_whole(&r, 0, count / BOX_TREE_NODE + 1) * BOX_TREE_NODE;
    fill(&a, (uint64_t)round, count);
    fill(&left, (uint64_t)round, count);
    for (int i = 0; i < count; i++)
      gone[i] = odds == 0 || (odds < 4 && oracle_whole(&r, 0, odds) == 0);
    agents_remove(&left, gone);
    agents_remove_ordered(&a, &border_layer, gone);
    cr_assert(border_layer % BOX_TREE_NODE == 0 && border_layer <= a.count);
    cr_assert_eq(a.count, left.count);
    cr_assert_eq(agents_checksum(&a), agents_checksum(&left));
    agents_destroy(&a);
    agents_destroy(&left);
  }
}

// Along a border of 4 km every 90th agent leaves and another one enters a metre from it.
Test(agents, ordered_remove_fills_gaps_with_near_agents)
{
  static uint8_t gone[4040];
  struct agents a;
  agents_create(&a, 4040);
  for (int i = 0; i < 4040; i++) {
    agents_append(&a);
    a.id[i] = i;
    a.y[i] = i < 4000 ? i * 65536
                      : ((4039 - i) * 90 + 1) * 65536; // those that enter are in another order
    gone[i] = i < 3600 && i % 90 == 0;
  }
  int64_t border_layer = 4000 / BOX_TREE_NODE * BOX_TREE_NODE;
  agents_remove_ordered(&a, &border_layer, gone);
  cr_assert_eq(a.count, 4000);
  for (int i = 0; i < 4000; i++)
    cr_expect(llabs((int64_t)a.y[i] - (int64_t)i * 65536) <= 65536, "%d: %d", i, a.y[i]);
  agents_destroy(&a);
}

// A leaf of one cluster with a gap, and a border layer in another one.
Test(agents, ordered_remove_keeps_leaves_together)
{
  static uint8_t gone[2 * BOX_TREE_NODE];
  struct agents a;
  agents_create(&a, 2 * BOX_TREE_NODE);
  for (int i = 0; i < 2 * BOX_TREE_NODE; i++) {
    agents_append(&a);
    a.id[i] = i;
    a.x[i] = i < BOX_TREE_NODE ? i : 1000000 + i;
  }
  gone[37] = 1;
  int64_t border_layer = BOX_TREE_NODE;
  agents_remove_ordered(&a, &border_layer, gone);
  cr_assert_eq(a.count, 2 * BOX_TREE_NODE - 1);
  cr_assert_eq(border_layer, BOX_TREE_NODE);
  for (int64_t leaf = 0; leaf < BOX_TREE_NODE; leaf += BOX_TREE_WIDTH)
    for (int k = 0; k < BOX_TREE_WIDTH; k++)
      cr_assert(llabs((int64_t)a.x[leaf + k] - a.x[leaf]) < BOX_TREE_WIDTH);
  cr_assert(a.x[32] > 1000000);
  agents_destroy(&a);
}

Test(agents, speeds_are_summed_as_they_are_rounded)
{
  struct agents a;
  uint64_t r = 7;
  fill(&a, 3, 500);
  for (int i = 0; i < 100; i++) { // halves of a micrometre per second are among them
    a.vx[i] = (float)oracle_whole(&r, 0, 1 << 20) * 0x1p-21f;
    a.vy[i] = 0;
  }
  for (int64_t first = 0; first < 70; first += 3)
    for (int64_t end = first; end <= a.count; end += 1 + end / 30) {
      int64_t sum = 0;
      for (int64_t i = first; i < end; i++)
        sum += agent_speed(&a, i);
      cr_assert_eq(agents_speed_sum(&a, first, end), sum);
    }
  agents_destroy(&a);
}

Test(agents, checksum_covers_every_bit_of_the_state_only)
{
  struct agents a;
  fill(&a, 6, 30);
  const uint64_t before = agents_checksum(&a);
  for (int f = 0; f < agent_field_count; f++)
    for (size_t bit = 0; bit < 8 * agent_fields[f].size; bit++) {
      char *byte = agents_column(&a, &agent_fields[f]) + 11 * agent_fields[f].size + bit / 8;
      *byte = (char)(*byte ^ (1 << bit % 8));
      cr_assert_eq(agents_checksum(&a) != before, agent_scope_is_state(agent_fields[f].scope),
                   "%s, bit %zu", agent_fields[f].name, bit);
      *byte = (char)(*byte ^ (1 << bit % 8));
    }
  agents_destroy(&a);
}

// The bits that the hash and every record have for a field that nobody set: written out, because
// old checkpoints have them.
static uint64_t none_of(const char *name, size_t size)
{
  static const char *const none[] = {"group", "destination", "aim", "stage", "target"};
  for (size_t k = 0; k < sizeof none / sizeof *none; k++)
    if (strcmp(name, none[k]) == 0)
      return size == 8 ? UINT64_MAX : UINT32_MAX;
  return 0;
}

// The bits of a state without memory are those from before there was any.
Test(agents, what_nobody_remembers_is_not_hashed)
{
  struct agents a;
  agents_create(&a, 1);
  const int64_t i = agents_append(&a);
  uint64_t h = 0;
#define X(type, name, unit, scope)                                                                 \
  if (agent_scope_is_state(scope) && scope != SCOPE_MEMORY)                                        \
    h = hash_mixed(h + 0x9e3779b97f4a7c15u + none_of(#name, sizeof(type)));
  AGENT_FIELDS(X)
#undef X
  cr_assert_eq(agents_checksum(&a), h);
  a.passing[i] = 1;
  cr_assert_neq(agents_checksum(&a), h);
  agents_destroy(&a);
}

Test(agents, checksum_ignores_the_order_but_not_the_ids)
{
  struct agents a, b;
  char one[256], other[256];
  fill(&a, 7, 2);
  fill(&b, 7, 2);
  agents_pack(&a, 0, SCOPE_STATE, one);
  agents_pack(&a, 1, SCOPE_STATE, other);
  agents_unpack(&b, 0, SCOPE_STATE, other);
  agents_unpack(&b, 1, SCOPE_STATE, one);
  cr_assert_eq(agents_checksum(&a), agents_checksum(&b));
  const int64_t id = b.id[0]; // two agents swap ids
  b.id[0] = b.id[1];
  b.id[1] = id;
  cr_assert_neq(agents_checksum(&a), agents_checksum(&b));
  agents_destroy(&a);
  agents_destroy(&b);
}

Test(agents, checksum_excludes_ghosts)
{
  struct agents a;
  fill(&a, 8, 10);
  a.count = 8;
  const uint64_t before = agents_checksum(&a);
  a.ghost_count = 2;
  cr_assert_eq(agents_checksum(&a), before);
  agents_destroy(&a);
}

Test(agents, departure_hash_depends_on_id_and_step)
{
  cr_assert_neq(agents_departure_hash(1, 2), agents_departure_hash(2, 1));
  cr_assert_neq(agents_departure_hash(1, 2), agents_departure_hash(1, 3));
  cr_assert_neq(agents_departure_hash(0, 0), 0);
}

Test(agents, opposite_moves_cancel)
{
  struct agents a;
  fill(&a, 9, 500);
  const uint64_t start = agents_checksum(&a);
  float *vx = memory_create(500, sizeof *vx);
  memcpy(vx, a.vx, 500 * sizeof *vx);
  const struct box open = {{-2000000, -2000000}, {2000000, 2000000}};
  cr_assert_eq(agents_move(&a, &frame, open, 0.1f), 0);
  cr_assert_neq(agents_checksum(&a), start);
  for (int i = 0; i < 500; i++) {
    cr_assert(a.vx[i] == a.next_vx[i] && a.vy[i] == a.next_vy[i]);
    a.next_vx[i] = -a.next_vx[i];
    a.next_vy[i] = -a.next_vy[i];
  }
  agents_move(&a, &frame, open, 0.1f);
  struct agents b;
  fill(&b, 9, 500);
  for (int i = 0; i < 500; i++)
    cr_assert(a.x[i] == b.x[i] && a.y[i] == b.y[i]);
  memory_destroy(vx);
  agents_destroy(&a);
  agents_destroy(&b);
}

Test(agents, below_half_a_quantum_per_step_agents_stand)
{
  struct agents a;
  const float half = 0.5f * 0x1p-16f / 0.125f;
  fill(&a, 10, 4);
  const float speeds[] = {half, -half, half * 1.01f, -half * 1.01f};
  const int32_t steps[] = {0, 0, 1, -1};
  int32_t x[4];
  for (int i = 0; i < 4; i++) {
    a.next_vx[i] = speeds[i];
    a.next_vy[i] = 0;
    x[i] = a.x[i];
  }
  agents_move(&a, &frame, bounds, 0.125f);
  for (int i = 0; i < 4; i++)
    cr_assert_eq(a.x[i] - x[i], steps[i]);
  agents_destroy(&a);
}

Test(agents, move_clamps_to_the_bounds_and_counts)
{
  struct agents a;
  fill(&a, 11, 6);
  const struct point at[] = {{999999, 0},   {-1000000, 0}, {0, 999999},
                             {0, -1000000}, {0, 0},        {999999, 999999}};
  const float v[][2] = {{60, 0}, {-60, 0}, {0, 60}, {0, -60}, {1, 1}, {60, 60}};
  for (int i = 0; i < 6; i++) {
    a.x[i] = at[i].x, a.y[i] = at[i].y;
    a.next_vx[i] = v[i][0], a.next_vy[i] = v[i][1];
  }
  cr_assert_eq(agents_move(&a, &frame, bounds, 0.1f), 5);
  for (int i = 0; i < 6; i++)
    cr_assert(box_holds(bounds, (struct point){a.x[i], a.y[i]}));
  agents_destroy(&a);
}

Test(agents, check_reports_what_is_wrong)
{
  const float bad[] = {NAN, INFINITY, -INFINITY, 64.1f};
  char message[200];
  struct agents a;
  fill(&a, 12, 30);
  cr_assert(agents_check(&a, bounds, message, sizeof message));
  for (int i = 0; i < 8; i++) {
    float *v = i % 2 ? &a.vx[4] : &a.vy[4];
    const float good = *v;
    *v = bad[i / 2];
    cr_assert_not(agents_check(&a, bounds, message, sizeof message));
    cr_assert(strstr(message, "22") && strstr(message, "velocity"), "%s", message);
    *v = good;
  }
  const int32_t x = a.x[7];
  a.x[7] = bounds.hi.x;
  cr_assert_not(agents_check(&a, bounds, message, sizeof message));
  cr_assert(strstr(message, "31") && strstr(message, "outside"), "%s", message);
  a.x[7] = x;
  a.id[29] = a.id[0];
  cr_assert_not(agents_check(&a, bounds, message, sizeof message));
  cr_assert(strstr(message, "10") && strstr(message, "twice"), "%s", message);
  agents_destroy(&a);
}
