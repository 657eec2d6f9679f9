#include "state.h"

#include "hash.h"
#include <assert.h>
#include <float.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define REDUCE_NUMBERS (1 << 24) // numbers per reduction: MPI counts in int

void state_create(struct state *v, const struct comm *comm)
{
  *v = (struct state){.comm = comm};
}

void state_destroy(struct state *v)
{
  memory_destroy(v->names);
  memory_destroy(v->integers.values);
  memory_destroy(v->real.values);
  *v = (struct state){0};
}

static bool pool_is_valid(const struct state_pool *pool, int64_t at)
{
  return at >= 0 && at <= pool->count && (pool->values || pool->count == 0);
}

bool state_is_valid(const struct state *v)
{
  return v->comm && v->name_at >= 0 && v->name_at <= v->names_length &&
         pool_is_valid(&v->integers, v->integer_at) && pool_is_valid(&v->real, v->real_at);
}

uint64_t state_hash(const struct state *v)
{
  uint64_t h = hash_bytes(HASH_START, v->names, (size_t)v->names_length);
  h = hash_bytes(h, v->integers.values, 8 * (size_t)v->integers.count);
  return hash_bytes(h, v->real.values, 8 * (size_t)v->real.count);
}

static void pool_broadcast(const struct comm *c, struct state_pool *pool)
{
  comm_broadcast(c, &pool->count, sizeof pool->count, 0);
  if (c->rank > 0)
    pool->values = memory_create((size_t)pool->count, 8);
  comm_broadcast(c, pool->values, 8 * (size_t)pool->count, 0);
}

void state_broadcast(struct state *v)
{
  comm_broadcast(v->comm, &v->names_length, sizeof v->names_length, 0);
  if (v->comm->rank > 0)
    v->names = memory_create((size_t)v->names_length, 1);
  comm_broadcast(v->comm, v->names, (size_t)v->names_length, 0);
  pool_broadcast(v->comm, &v->integers);
  pool_broadcast(v->comm, &v->real);
  v->reading = true;
}

bool state_is_complete(struct state *v)
{
  if (!v->fault[0] && !v->results_only && v->name_at < v->names_length)
    snprintf(v->fault, sizeof v->fault, "\"%.*s\" is unknown",
             (int)strcspn(v->names + v->name_at, "\n"), v->names + v->name_at);
  return !v->fault[0];
}

// ------------------------------------------------------------------------- numbers of 8 bytes

static bool is_real(enum state_type type)
{
  return type == STATE_F64 || type == STATE_F32;
}

static void number_widen(enum state_type type, const char *from, char *to)
{
  int32_t small;
  float single;
  int64_t integers = 0;
  double real;
  switch (type) {
  case STATE_I64:
  case STATE_F64:
    memcpy(to, from, 8);
    return;
  case STATE_I32:
    memcpy(&small, from, sizeof small);
    integers = small;
    break;
  case STATE_U8:
  case STATE_BOOL:
    integers = *(const unsigned char *)from;
    break;
  case STATE_F32:
    memcpy(&single, from, sizeof single);
    real = (double)single; // exact
    memcpy(to, &real, sizeof real);
    return;
  }
  memcpy(to, &integers, sizeof integers);
}

static void number_narrow(enum state_type type, const char *from, char *to)
{
  int64_t integers;
  double real;
  memcpy(&integers, from, sizeof integers);
  memcpy(&real, from, sizeof real);
  const int32_t small = (int32_t)integers;
  const float single = (float)real;
  switch (type) {
  case STATE_I64:
  case STATE_F64:
    memcpy(to, from, 8);
    return;
  case STATE_I32:
    memcpy(to, &small, sizeof small);
    return;
  case STATE_U8:
    *(unsigned char *)to = (unsigned char)integers;
    return;
  case STATE_BOOL:
    *(bool *)(void *)to = integers != 0;
    return;
  case STATE_F32:
    memcpy(to, &single, sizeof single);
    return;
  }
}

// ---------------------------------------------------------------------------------- writing

static char *reserve(char **bytes, int64_t used, int64_t *capacity, int64_t more, size_t size)
{
  if (!*bytes || used + more > *capacity) {
    const int64_t grown = 2 * *capacity + more + 64;
    *bytes = memory_grow(*bytes, (size_t)used, (size_t)grown, size);
    *capacity = grown;
  }
  return *bytes + (size_t)used * size;
}

static void reduce_ranks(const struct comm *c, enum state_sharing sharing, bool real, char *numbers,
                         int64_t count)
{
  const MPI_Op op = sharing == STATE_SUM ? MPI_SUM : MPI_MAX;
  for (int64_t at = 0; at < count; at += REDUCE_NUMBERS) {
    char *strip = numbers + 8 * at;
    const int n = (int)(count - at < REDUCE_NUMBERS ? count - at : REDUCE_NUMBERS);
    const MPI_Datatype type = real                   ? MPI_DOUBLE
                              : sharing == STATE_SUM ? MPI_UINT64_T // may wrap
                                                     : MPI_INT64_T;
    MPI_Reduce(c->rank == 0 ? MPI_IN_PLACE : strip, strip, n, type, op, 0, c->mpi);
  }
}

static void name_add(struct state *v, const char *name, bool real, int64_t count)
{
  char line[100];
  const int length =
      snprintf(line, sizeof line, "%s %s %" PRId64 "\n", name, real ? "real" : "whole", count);
  char *end = reserve(&v->names, v->names_length, &v->names_capacity, length, 1);
  memcpy(end, line, (size_t)length);
  v->names_length += length;
}

static void column_gather(struct state *v, const struct state_column *c)
{
  const bool is_root = v->comm->rank == 0, real = is_real(c->type);
  if (!is_root && c->sharing <= STATE_ROOT)
    return;
  struct state_pool *pool = real ? &v->real : &v->integers;
  char *numbers = reserve(&pool->values, pool->count, &pool->capacity, c->count, 8);
  for (int64_t i = 0; i < c->count; i++)
    number_widen(c->type, (const char *)c->values + (size_t)i * c->stride, numbers + 8 * i);
  if (c->sharing >= STATE_SUM && v->comm->size > 1)
    reduce_ranks(v->comm, c->sharing, real, numbers, c->count);
  if (!is_root)
    return; // the next column overwrites this one
  pool->count += c->count;
  name_add(v, c->name, real, c->count);
}

// ---------------------------------------------------------------------------------- reading

// Reads the name and count of the next column. False, with a fault: another name or kind.
static bool name_read(struct state *v, const char *name, bool real, int64_t *count)
{
  char line[100], kind[8], found[80];
  const char *at = v->names + v->name_at;
  const int64_t left = v->names_length - v->name_at;
  const char *end = left > 0 ? memchr(at, '\n', (size_t)left) : NULL;
  if (v->fault[0])
    return false;
  snprintf(line, sizeof line, "%.*s", end ? (int)(end - at) : 0, at);
  if (!end || sscanf(line, "%79s %7s %" SCNd64, found, kind, count) != 3 ||
      strcmp(found, name) != 0 || strcmp(kind, real ? "real" : "whole") != 0) {
    snprintf(v->fault, sizeof v->fault, "\"%.50s\" is expected, not \"%.60s\"", name, line);
    return false;
  }
  v->name_at += end - at + 1;
  return true;
}

static struct state_range type_range(enum state_type type)
{
  switch (type) {
  case STATE_I32:
    return (struct state_range){INT32_MIN, INT32_MAX};
  case STATE_U8:
    return (struct state_range){0, UINT8_MAX};
  case STATE_BOOL:
    return (struct state_range){0, 1};
  case STATE_F32:
    return (struct state_range){-FLT_MAX, FLT_MAX};
  case STATE_I64:
  case STATE_F64:
    break;
  }
  return STATE_ANY;
}

static bool is_within(struct state_range range, double value) // false for NaN
{
  return range.least > range.most || (value >= range.least && value <= range.most);
}

static bool number_makes_sense(const struct state_column *c, const char *number)
{
  int64_t integer;
  double real;
  memcpy(&integer, number, sizeof integer);
  memcpy(&real, number, sizeof real);
  const double value = is_real(c->type) ? real : (double)integer;
  const bool fits = is_within(type_range(c->type), value) || !isfinite(value);
  return fits && is_within(c->range, value);
}

// The same on every rank, also of numbers that it does not keep.
static bool column_makes_sense(struct state *v, const struct state_column *c, const char *numbers,
                               int64_t count)
{
  bool sense = true;
  for (int64_t i = 0; i < count && sense; i++)
    sense = number_makes_sense(c, numbers + 8 * i);
  return state_require(v, c->name, sense);
}

static void column_set(struct state *v, const struct state_column *c)
{
  const bool real = is_real(c->type), is_root = v->comm->rank == 0;
  struct state_pool *pool = real ? &v->real : &v->integers;
  int64_t *at = real ? &v->real_at : &v->integer_at, stored;
  static const char none[8];
  if (!name_read(v, c->name, real, &stored))
    return;
  const bool is_read = is_root || c->sharing == STATE_SAME || c->sharing == STATE_MAX;
  if (stored < 0 || stored > pool->count - *at ||
      ((is_root || c->sharing != STATE_ROOT) && stored != c->count)) {
    snprintf(v->fault, sizeof v->fault, "\"%.50s\" has %" PRId64 " values instead of %" PRId64,
             c->name, stored, c->count);
    return;
  }
  if (!column_makes_sense(v, c, pool->values + 8 * *at, stored))
    return;
  for (int64_t i = 0; i < c->count && (is_read || c->sharing == STATE_SUM); i++)
    number_narrow(c->type, is_read ? pool->values + 8 * (*at + i) : none,
                  (char *)c->values + (size_t)i * c->stride);
  *at += stored;
}

void state_visit(struct state *v, struct state_column column)
{
  assert(state_is_valid(v) && column.count >= 0);
  if (v->reading)
    column_set(v, &column);
  else
    column_gather(v, &column);
}

int64_t state_left(const struct state *v)
{
  return v->integers.count - v->integer_at + v->real.count - v->real_at;
}

bool state_require(struct state *v, const char *name, bool sense)
{
  if (v->reading && !v->fault[0] && !sense)
    snprintf(v->fault, sizeof v->fault, "\"%.50s\" has an impossible value", name);
  return !v->fault[0];
}

int64_t state_length(struct state *v, const char *name, int64_t length, int64_t items)
{
  const struct state_range any = {0, INFINITY};
  state_value(v, STATE_SAME, any, name, &length);
  if (v->reading)
    state_require(v, name, length / items <= state_left(v));
  return v->fault[0] ? 0 : length;
}
