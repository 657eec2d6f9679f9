#include "agent_columns.h"

#include "selection.h"
#include <assert.h>
#include <math.h>
#include <string.h>

#define CACHED_ROWS 4096 // copied by a thread at a time

int32_t number_size(enum number_type n)
{
  return n == NUMBER_I32 || n == NUMBER_F32 ? 4 : 8;
}

// ----------------------------------------------------------------------------------- the values

static void fill_points_f32(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  float(*p)[3] = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    p[i][0] = (float)frame_x(v->frame, v->agents->x[agent]);
    p[i][1] = (float)frame_y(v->frame, v->agents->y[agent]);
    p[i][2] = 0;
  }
}

static void fill_points_f64(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  double(*p)[3] = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    p[i][0] = frame_x(v->frame, v->agents->x[agent]);
    p[i][1] = frame_y(v->frame, v->agents->y[agent]);
    p[i][2] = 0;
  }
}

static void fill_velocity(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  float(*p)[3] = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    p[i][0] = v->agents->vx[agent];
    p[i][1] = v->agents->vy[agent];
    p[i][2] = 0;
  }
}

static void fill_speed(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  float *p = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    const float vx = v->agents->vx[agent], vy = v->agents->vy[agent];
    p[i] = sqrtf(vx * vx + vy * vy);
  }
}

// The values as they are in memory.
static void gather_field(const struct agent_column_source *v, int64_t begin, int64_t count,
                         void *out)
{
  const char *column = agents_column(v->agents, v->field);
  const int32_t *rows = v->rows + begin;
  assert(v->field->size == 4 || v->field->size == 8);
  if (v->field->size == 4) // a constant size makes each copy one move
    for (int64_t i = 0; i < count; i++)
      memcpy((char *)out + 4 * i, column + 4 * (size_t)rows[i], 4);
  else
    for (int64_t i = 0; i < count; i++)
      memcpy((char *)out + 8 * i, column + 8 * (size_t)rows[i], 8);
}

static void fill_field(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  char *bytes = out;
  gather_field(v, begin, count, bytes);
  for (size_t k = 0; v->field->is_inverted && k < (size_t)count * v->field->size; k++)
    bytes[k] = (char)~bytes[k];
}

static void fill_row_numbers(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)out)[i] = v->first + begin + i;
}

void column_archive(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct agent_column_source *v = source;
  const struct agents *a = v->agents;
  struct archive_row *row = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    row[i] = (struct archive_row){.id = a->id[agent],
                                  .frame = v->first,
                                  .x = frame_x(v->frame, a->x[agent]),
                                  .y = frame_y(v->frame, a->y[agent])};
  }
}

// --------------------------------------------------------------------------------- the columns

const struct agent_column points_f32_column = {
    "Points", NUMBER_F32, 3, fill_points_f32, "m", "position in the coordinates of the scenario"};
const struct agent_column points_f64_column = {
    "Points",        NUMBER_F64, 3,
    fill_points_f64, "m",        "position in the coordinates of the scenario, exact"};
const struct agent_column row_number_column = {
    "Connectivity", NUMBER_I64, 1, fill_row_numbers, "1", "every agent is a point of one cell"};

// fill_field copies the agent field of the same name.
const struct agent_column snapshot_columns[] = {
    {"id", NUMBER_I64, 1, fill_field, "1", "number of the agent, unique in the run"},
    {"velocity", NUMBER_F32, 3, fill_velocity, "m/s", "velocity of the last step"},
    {"speed", NUMBER_F32, 1, fill_speed, "m/s", "magnitude of the velocity"},
    {"radius", NUMBER_F32, 1, fill_field, "m", "radius of the body"},
    {"destination", NUMBER_I32, 1, fill_field, "1", "where to: index of the destination, -1 none"},
};
const int snapshot_column_count = (int)(sizeof snapshot_columns / sizeof snapshot_columns[0]);
_Static_assert(sizeof snapshot_columns / sizeof snapshot_columns[0] == SELECT_FIELDS, "one each");

const struct agent_column trajectory_columns[] = {
    {"id", NUMBER_I64, 1, fill_field, "1", "number of the agent; ascends within a frame"},
    {"x", NUMBER_I32, 1, fill_field, "quantum", "position relative to the origin (see /throng)"},
    {"y", NUMBER_I32, 1, fill_field, "quantum", "position relative to the origin (see /throng)"},
    {"vx", NUMBER_F32, 1, fill_field, "m/s", "velocity of the last step"},
    {"vy", NUMBER_F32, 1, fill_field, "m/s", "velocity of the last step"},
    {"speed", NUMBER_F32, 1, fill_speed, "m/s", "magnitude of the velocity"},
    {"radius", NUMBER_F32, 1, fill_field, "m", "radius of the body"},
    {"destination", NUMBER_I32, 1, fill_field, "1", "where to: index of the destination, -1 none"},
};
const int trajectory_column_fields[] = {SELECT_ID,       SELECT_ID,         SELECT_ID,
                                        SELECT_VELOCITY, SELECT_VELOCITY,   SELECT_SPEED,
                                        SELECT_RADIUS,   SELECT_DESTINATION};
const int trajectory_column_count = (int)(sizeof trajectory_columns / sizeof trajectory_columns[0]);

// ----------------------------------------------------------------------------------- the fields

static const struct agent_field *field_named(const char *name)
{
  for (int i = 0; i < agent_field_count; i++)
    if (strcmp(agent_fields[i].name, name) == 0)
      return &agent_fields[i];
  return NULL;
}

struct agent_column_source agent_column_source(const struct agent_column *c, const struct agents *a,
                                               const int32_t *rows, const struct frame *frame)
{
  struct agent_column_source source = {.agents = a, .rows = rows, .frame = frame};
  if (c->fill != fill_field)
    return source;
  source.field = field_named(c->name);
  assert(source.field && (int64_t)source.field->size == number_size(c->number) * c->width);
  return source;
}

bool agent_column_reads(const struct agent_column *c, const struct agent_field *field)
{
  const bool position = strcmp(field->name, "x") == 0 || strcmp(field->name, "y") == 0;
  const bool velocity = strcmp(field->name, "vx") == 0 || strcmp(field->name, "vy") == 0;
  if (c->fill == fill_field)
    return strcmp(field->name, c->name) == 0;
  return c->fill == fill_velocity || c->fill == fill_speed ? velocity
         : c->fill == fill_row_numbers                     ? false
                                                           : position;
}

void *agent_column_copy(const struct agents *a, const int32_t *rows, int64_t count,
                        const struct agent_field *field)
{
  const struct agent_column_source source = {.agents = a, .rows = rows, .field = field};
  char *copy = memory_create((size_t)count, field->size);
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < count; i += CACHED_ROWS)
    gather_field(&source, i, count - i < CACHED_ROWS ? count - i : CACHED_ROWS,
                 copy + (size_t)i * field->size);
  return copy;
}
