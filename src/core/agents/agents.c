#include "agent_kernel.h"

#include "hash.h"
#include <assert.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FLOAT_int64_t       false
#define FLOAT_int32_t       false
#define FLOAT_int64_or_none false
#define FLOAT_int32_or_none false
#define FLOAT_float         true
#define X(type, name, unit, scope)                                                                 \
  {#name, unit, scope, sizeof(type), offsetof(struct agents, name), FLOAT_##type, INVERTED_##type},
const struct agent_field agent_fields[] = {AGENT_FIELDS(X)};
#undef X
const int agent_field_count = sizeof agent_fields / sizeof agent_fields[0];

bool agents_is_valid(const struct agents *a)
{
  bool allocated = true;
#define X(type, name, unit, scope) allocated = allocated && a->name;
  AGENT_FIELDS(X)
#undef X
  return a->count >= 0 && a->ghost_count >= 0 && a->count + a->ghost_count <= a->capacity &&
         (a->capacity == 0 || allocated);
}

void agents_create(struct agents *a, int64_t capacity)
{
  memset(a, 0, sizeof *a);
  agents_reserve(a, capacity);
}

void agents_destroy(struct agents *a)
{
#define X(type, name, unit, scope)                                                                 \
  if (scope != SCOPE_STEP)                                                                         \
    memory_destroy(a->name);
  AGENT_FIELDS(X)
#undef X
  memory_destroy(a->step_memory);
  for (int i = 0; i < a->old_count; i++)
    memory_destroy(a->old[i]);
  memory_destroy(a->old);
  memset(a, 0, sizeof *a);
}

static void keep_old(struct agents *a, void *memory)
{
  a->old = memory_grow(a->old, (size_t)a->old_count, (size_t)a->old_count + 1, sizeof *a->old);
  a->old[a->old_count++] = memory;
}

static void *column_grow(struct agents *a, void *column, size_t used, size_t room, size_t size)
{
  if (!a->keeps_old || !column)
    return memory_grow(column, used, room, size);
  void *grown = memory_create(room, size);
  memcpy(grown, column, used * size);
  keep_old(a, column);
  return grown;
}

enum {
  STEP_BYTES = 0 // per agent
#define X(type, name, unit, scope) +(scope == SCOPE_STEP ? sizeof(type) : 0)
  AGENT_FIELDS(X)
#undef X
};
_Static_assert(STEP_BYTES >= AGENTS_SPARE, "agents_spare");

// One block for all columns of SCOPE_STEP. room: elements of each, a multiple of AGENT_PADDING.
static void step_columns_grow(struct agents *a, size_t used, size_t room)
{
  char *memory = memory_create(room, STEP_BYTES), *next = memory;
#define X(type, name, unit, scope)                                                                 \
  if (scope == SCOPE_STEP) {                                                                       \
    if (used)                                                                                      \
      memcpy(next, a->name, used * sizeof(type));                                                  \
    a->name = (void *)next;                                                                        \
    next += room * sizeof(type);                                                                   \
  }
  AGENT_FIELDS(X)
#undef X
  if (a->keeps_old && a->step_memory)
    keep_old(a, a->step_memory);
  else
    memory_destroy(a->step_memory);
  a->step_memory = memory;
}

void *agents_spare(const struct agents *a)
{
  return a->step_memory;
}

void agents_reserve(struct agents *a, int64_t capacity)
{
  if (capacity <= a->capacity)
    return;
  // An eighth more than asked for: appending agents one by one copies them O(log n) times. All that
  // is kept is no more than there is.
  const size_t used = (size_t)(a->count + a->ghost_count);
  const int64_t more = a->keeps_old ? capacity : capacity / 8;
  const size_t grown = (size_t)(capacity + more + 64) / AGENT_PADDING * AGENT_PADDING;
#define X(type, name, unit, scope)                                                                 \
  if (scope != SCOPE_STEP)                                                                         \
    a->name = column_grow(a, a->name, used, grown + AGENT_PADDING, sizeof(type));
  AGENT_FIELDS(X)
#undef X
  step_columns_grow(a, used, grown + AGENT_PADDING);
  a->capacity = (int64_t)grown;
}

int64_t agents_append(struct agents *a)
{
  assert(agents_is_valid(a));
  a->ghost_count = 0;
  agents_reserve(a, a->count + 1);
  const int64_t i = a->count++;
  static const int64_t zero;
#define X(type, name, unit, scope) agent_field_set(&a->name[i], &zero, sizeof(type));
  AGENT_FIELDS(X)
#undef X
  return i;
}

void agents_column_read(const struct agents *a, const struct agent_field *field, int64_t first,
                        int64_t count, void *values)
{
  const size_t size = field->size, bytes = (size_t)count * size;
  const char *from = agents_column(a, field) + (size_t)first * size;
  char *to = values;
  if (!field->is_inverted) {
    memcpy(to, from, bytes);
    return;
  }
  for (size_t k = 0; k < bytes; k++)
    to[k] = (char)~from[k];
}

#define WRITTEN 512 // rows compared at a time: at most a page

void agents_column_write(struct agents *a, const struct agent_field *field, int64_t first,
                         int64_t count, const void *values)
{
  for (int64_t k = 0; k < count; k += WRITTEN) {
    char row[WRITTEN * sizeof(int64_t)];
    const int64_t rows = count - k < WRITTEN ? count - k : WRITTEN;
    const size_t bytes = (size_t)rows * field->size;
    memcpy(row, (const char *)values + (size_t)k * field->size, bytes);
    for (size_t b = 0; field->is_inverted && b < bytes; b++)
      row[b] = (char)~row[b];
    char *to = agents_column(a, field) + (size_t)(first + k) * field->size;
    if (memcmp(to, row, bytes) != 0)
      memcpy(to, row, bytes);
  }
}

size_t agents_packed_size(enum agent_scope scope)
{
  size_t size = 0;
  for (int f = 0; f < agent_field_count; f++)
    if (agent_fields[f].scope <= scope)
      size += agent_fields[f].size;
  return size;
}

void agents_pack(const struct agents *a, int64_t i, enum agent_scope scope, char *out)
{
  agent_pack(a, i, scope, out);
}

void agents_unpack(struct agents *a, int64_t i, enum agent_scope scope, const char *in)
{
  agent_unpack(a, i, scope, in);
}

int64_t agents_move_part(struct agents *a, int64_t first, int64_t end, const struct frame *frame,
                         struct box bounds, float dt)
{
  const float quanta_per_speed = dt / frame_quantum(frame);
  struct agents columns = *a; // a copy: the compiler sees that no column overwrites its pointers
  int32_t clamped = 0;
#pragma omp simd reduction(+ : clamped)
  for (int64_t i = first; i < end; i++)
    clamped += agent_move(&columns, i, bounds, quanta_per_speed);
  return clamped;
}

int64_t agents_move(struct agents *a, const struct frame *frame, struct box bounds, float dt)
{
  int64_t clamped = 0;
  assert(agents_is_valid(a) && dt > 0);
  a->ghost_count = 0;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : clamped)
  for (int64_t first = 0; first < a->count; first += AGENTS_PART)
    clamped += agents_move_part(a, first, agents_part_end(a, first), frame, bounds, dt);
  return clamped;
}

// A double of this size is a whole number, which its low bits hold: adding it rounds as lrintf
// does, for several agents at a time.
#define WHOLE      0x1.8p52
#define WHOLE_BITS 0x4338000000000000

int64_t agents_speed_sum(const struct agents *a, int64_t first, int64_t end)
{
  const float *vx = a->vx, *vy = a->vy;
  int64_t sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int64_t i = first; i < end; i++) {
    const double speed = (double)(1e6f * sqrtf(vx[i] * vx[i] + vy[i] * vy[i])) + WHOLE;
    int64_t bits;
    memcpy(&bits, &speed, sizeof bits);
    sum += bits - WHOLE_BITS;
  }
  return sum;
}

void agents_clear_preferred(struct agents *a)
{
  for (int64_t i = 0; i < a->count; i++)
    a->prefer_x[i] = a->prefer_y[i] = 0;
}

// Agents at a time: their hashes do not wait for each other, and each column is read in long
// pieces, which the processor prefetches.
#define HASHED 64

// h[k]: of agent first + k.
static void hash_agents(const struct agents *a, int64_t first, int64_t count, uint64_t *h)
{
  for (int64_t k = 0; k < count; k++)
    h[k] = 0;
#define X(type, name, unit, scope)                                                                 \
  for (int64_t k = 0; agent_scope_is_state(scope) && k < count; k++) {                             \
    const uint64_t bits = field_bits(&a->name[first + k], sizeof(type), INVERTED_##type);          \
    if (scope != SCOPE_MEMORY || bits != 0)                                                        \
      h[k] = hash_mixed(h[k] + 0x9e3779b97f4a7c15u + bits);                                        \
  }
  AGENT_FIELDS(X)
#undef X
}

uint64_t agents_checksum(const struct agents *a)
{
  uint64_t sum = 0;
#pragma omp parallel for schedule(static) if (a->count > PARALLEL_MIN_ITEMS) reduction(+ : sum)
  for (int64_t first = 0; first < a->count; first += HASHED) {
    uint64_t h[HASHED];
    const int64_t count = a->count - first < HASHED ? a->count - first : HASHED;
    hash_agents(a, first, count, h);
    for (int64_t k = 0; k < count; k++)
      sum += h[k];
  }
  return sum;
}

uint64_t agents_departure_hash(int64_t id, int64_t step)
{
  return hash_mixed(hash_mixed((uint64_t)id + 0x9e3779b97f4a7c15u) + (uint64_t)step);
}

static int compare_ids(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x > y) - (x < y);
}

static int64_t duplicate_id(const struct agents *a) // -1: ids are unique
{
  if (a->count == 0)
    return -1;
  int64_t *ids = memory_create((size_t)a->count, sizeof *ids);
  memcpy(ids, a->id, (size_t)a->count * sizeof *ids);
  qsort(ids, (size_t)a->count, sizeof *ids, compare_ids);
  int64_t found = -1;
  for (int64_t i = 1; i < a->count && found < 0; i++)
    if (ids[i] == ids[i - 1])
      found = ids[i];
  memory_destroy(ids);
  return found;
}

static bool finite_speed(float x, float y)
{
  return x * x + y * y <= AGENT_SPEED_MAX * AGENT_SPEED_MAX; // false for NaN too
}

bool agents_check(const struct agents *a, struct box bounds, char *message, size_t size)
{
  for (int64_t i = 0; i < a->count; i++) {
    const char *wrong = !box_holds(bounds, (struct point){a->x[i], a->y[i]})
                            ? "is outside the world"
                        : !finite_speed(a->vx[i], a->vy[i]) ? "has an impossible velocity"
                                                            : NULL;
    if (!wrong)
      continue;
    snprintf(message, size, "agent %lld %s", (long long)a->id[i], wrong);
    return false;
  }
  const int64_t twice = duplicate_id(a);
  if (twice >= 0)
    snprintf(message, size, "agent id %lld is used twice", (long long)twice);
  return twice < 0;
}
