#include "snapshot_file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#define CACHED_ROWS 4096 // copied by a thread at a time

struct row_source { // of one column
  const struct agents *agents;
  const int32_t *rows;             // the agents to write
  double quantum;                  // m
  const struct agent_field *field; // of fill_field
  int64_t first;                   // the first row of this rank
};

static void fill_points_f32(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct row_source *v = source;
  float(*p)[3] = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    p[i][0] = (float)(v->agents->x[agent] * v->quantum);
    p[i][1] = (float)(v->agents->y[agent] * v->quantum);
    p[i][2] = 0;
  }
}

static void fill_points_f64(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct row_source *v = source;
  double(*p)[3] = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    p[i][0] = v->agents->x[agent] * v->quantum; // exact: a power of two
    p[i][1] = v->agents->y[agent] * v->quantum;
    p[i][2] = 0;
  }
}

static void fill_velocity(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct row_source *v = source;
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
  const struct row_source *v = source;
  float *p = out;
  for (int64_t i = 0; i < count; i++) {
    const int32_t agent = v->rows[begin + i];
    const float vx = v->agents->vx[agent], vy = v->agents->vy[agent];
    p[i] = sqrtf(vx * vx + vy * vy);
  }
}

static void fill_field(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct row_source *v = source;
  const size_t size = v->field->size;
  const char *column = agents_column(v->agents, v->field);
  for (int64_t i = 0; i < count; i++)
    memcpy((char *)out + (size_t)i * size, column + (size_t)v->rows[begin + i] * size, size);
}

static void fill_row_numbers(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct row_source *v = source;
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)out)[i] = v->first + begin + i;
}

static hid_t number_type(enum snapshot_number n)
{
  const hid_t types[] = {H5T_NATIVE_INT32, H5T_NATIVE_INT64, H5T_NATIVE_FLOAT, H5T_NATIVE_DOUBLE};
  return types[n];
}

int32_t snapshot_number_size(enum snapshot_number n)
{
  return n == SNAPSHOT_I32 || n == SNAPSHOT_F32 ? 4 : 8;
}

static const struct snapshot_column points_f32 = {
    "Points",        SNAPSHOT_F32, 3,
    fill_points_f32, "m",          "position relative to the origin (see /throng)"};
static const struct snapshot_column points_f64 = {
    "Points",        SNAPSHOT_F64, 3,
    fill_points_f64, "m",          "position relative to the origin (see /throng), exact"};
static const struct snapshot_column row_numbers = {
    "Connectivity", SNAPSHOT_I64, 1, fill_row_numbers, "1", "every agent is a point of one cell"};
// fill_field copies the agent field of the same name.
const struct snapshot_column snapshot_columns[] = {
    {"id", SNAPSHOT_I64, 1, fill_field, "1", "number of the agent, unique in the run"},
    {"velocity", SNAPSHOT_F32, 3, fill_velocity, "m/s", "velocity of the last step"},
    {"speed", SNAPSHOT_F32, 1, fill_speed, "m/s", "magnitude of the velocity"},
    {"radius", SNAPSHOT_F32, 1, fill_field, "m", "radius of the body"},
    {"destination", SNAPSHOT_I32, 1, fill_field, "1",
     "where to: index of the destination, -1 none"},
};
const int snapshot_column_count = (int)(sizeof snapshot_columns / sizeof snapshot_columns[0]);
_Static_assert(sizeof snapshot_columns / sizeof snapshot_columns[0] == SELECT_FIELDS, "one each");

static const struct agent_field *field_named(const char *name)
{
  for (int i = 0; i < agent_field_count; i++)
    if (strcmp(agent_fields[i].name, name) == 0)
      return &agent_fields[i];
  return NULL;
}

struct snapshot {
  const struct comm *comm;
  struct snapshot_file file;
  struct snapshot_metadata metadata;
  struct partition partition; // rank_count and boxes
  const struct agents *agents;
  struct agents own;           // if detached: the fields of `agents` that are written
  struct box *own_boxes;       // if detached
  int32_t *rows;               // [count] the agents of this rank to write
  int64_t first, count, total; // the file has total rows; this rank writes [first, first + count)
  int64_t *counts;             // [ranks] rows of each rank
};

static struct snapshot_rows column_rows(const struct snapshot *w, const struct snapshot_column *c,
                                        const struct row_source *row_source)
{
  return (struct snapshot_rows){.name = c->name,
                                .unit = c->unit,
                                .description = c->description,
                                .type = number_type(c->number),
                                .width = c->width,
                                .first = w->first,
                                .count = w->count,
                                .total = w->total,
                                .fill = c->fill,
                                .source = row_source};
}

static struct row_source row_source(const struct snapshot *w, const struct snapshot_column *c)
{
  struct row_source source = {.agents = w->agents,
                              .rows = w->rows,
                              .quantum = ldexp(1, -w->metadata.frame->exponent),
                              .first = w->first};
  if (c->fill != fill_field)
    return source;
  source.field = field_named(c->name);
  assert(source.field && (int64_t)source.field->size == snapshot_number_size(c->number) * c->width);
  return source;
}

static void column_write(struct snapshot *w, hid_t where, const struct snapshot_column *c)
{
  const struct row_source source = row_source(w, c);
  const struct snapshot_rows rows = column_rows(w, c, &source);
  snapshot_rows_write(&w->file, where, &rows);
}

static const struct snapshot_column *points_column(const struct snapshot *w)
{
  return w->metadata.f64 ? &points_f64 : &points_f32;
}

static void polydata_write(struct snapshot *w)
{
  const hid_t polydata = snapshot_polydata_create(&w->file, w->total);
  column_write(w, polydata, points_column(w));
  const int64_t offsets[2] = {0, w->total};
  const struct row_source source = row_source(w, &row_numbers);
  snapshot_cells_write(&w->file, polydata, "Vertices", w->total > 0, offsets,
                       column_rows(w, &row_numbers, &source));
  snapshot_empty_cells_write(&w->file, polydata, "Lines");
  snapshot_empty_cells_write(&w->file, polydata, "Polygons");
  snapshot_empty_cells_write(&w->file, polydata, "Strips");
  const hid_t data = snapshot_group_create(&w->file, polydata, "PointData");
  for (int i = 0; i < snapshot_column_count; i++)
    if (selection_has(&w->metadata.selection, i))
      column_write(w, data, &snapshot_columns[i]);
  snapshot_group_close(&w->file, data);
  snapshot_group_close(&w->file, polydata);
}

static void ranks_write(struct snapshot *w, hid_t throng)
{
  const int32_t size = w->partition.rank_count;
  int64_t *firsts = memory_create((size_t)size, sizeof *firsts);
  for (int32_t r = 1; r < size; r++)
    firsts[r] = firsts[r - 1] + w->counts[r - 1];
  const hid_t ranks = snapshot_group_create(&w->file, throng, "ranks");
  const struct snapshot_array arrays[] = {{"first", H5T_NATIVE_INT64, size, 1, firsts},
                                          {"count", H5T_NATIVE_INT64, size, 1, w->counts},
                                          {"box", H5T_NATIVE_INT32, size, 4, w->partition.boxes}};
  for (int i = 0; i < 3; i++)
    snapshot_array_write(&w->file, ranks, arrays[i]);
  snapshot_attribute_text(
      &w->file, ranks, "description",
      "rank r wrote the rows first[r] to first[r] + count[r]; its box is "
      "x, y of the low corner and of the high one, which is outside, in quanta");
  snapshot_group_close(&w->file, ranks);
  memory_destroy(firsts);
}

static void throng_write(struct snapshot *w)
{
  const struct snapshot_metadata *metadata = &w->metadata;
  const double origin[2] = {metadata->frame->origin_x, metadata->frame->origin_y};
  const double quantum = ldexp(1, -metadata->frame->exponent);
  struct snapshot_file *f = &w->file;
  const hid_t group = snapshot_group_create(f, f->file, "throng");
  snapshot_attribute(f, group, "step", H5T_NATIVE_INT64, 1, &metadata->step);
  snapshot_attribute(f, group, "time", H5T_NATIVE_DOUBLE, 1, &metadata->time);
  snapshot_attribute(f, group, "agents", H5T_NATIVE_INT64, 1, &w->total);
  snapshot_attribute(f, group, "origin", H5T_NATIVE_DOUBLE, 2, origin);
  snapshot_attribute(f, group, "quantum", H5T_NATIVE_DOUBLE, 1, &quantum);
  snapshot_attribute(f, group, "exponent", H5T_NATIVE_INT, 1, &metadata->frame->exponent);
  char checksum[17];
  snprintf(checksum, sizeof checksum, "%016" PRIx64, metadata->checksum);
  snapshot_attribute_text(f, group, "checksum", checksum);
  snapshot_attribute_text(f, group, "version", metadata->version);
  snapshot_attribute_text(f, group, "units", "time: s; origin, quantum: m");
  if (metadata->name)
    snapshot_attribute_text(f, group, "name", metadata->name);
  if (metadata->attribution)
    snapshot_attribute_text(f, group, "attribution", metadata->attribution);
  snapshot_text_write(f, group, "scenario", metadata->scenario_text);
  ranks_write(w, group);
  snapshot_group_close(f, group);
}

// Upper bound of the uncompressed file size.
static int64_t bytes_max(const struct snapshot *w)
{
  const struct snapshot_column *points = points_column(w);
  int64_t row = snapshot_number_size(row_numbers.number);
  row += snapshot_number_size(points->number) * points->width;
  for (int i = 0; i < snapshot_column_count; i++)
    row += snapshot_number_size(snapshot_columns[i].number) * snapshot_columns[i].width;
  const int64_t aligned =
      w->total * row > (16 << 20) ? (int64_t)(snapshot_column_count + 2) << 20 : 0;
  return w->total * row + 64 * (int64_t)w->partition.rank_count +
         (int64_t)strlen(w->metadata.scenario_text) + aligned + (64 << 10);
}

static void select_agents(struct snapshot *w, const struct comm *c)
{
  w->rows = memory_create((size_t)w->agents->count, sizeof *w->rows);
  w->count = selection_rows(&w->metadata.selection, w->agents, w->rows);
  comm_gather_i64(c, w->count, w->counts);
  for (int32_t r = 0; r < c->size; r++) {
    w->first += r < c->rank ? w->counts[r] : 0;
    w->total += w->counts[r];
  }
}

struct snapshot *snapshot_begin(const struct comm *c, const struct snapshot_metadata *metadata,
                                const struct partition *partition, const struct agents *a)
{
  assert(comm_is_valid(c) && partition->rank_count == c->size && metadata->scenario_text);
  struct snapshot *w = memory_create(1, sizeof *w);
  *w = (struct snapshot){.comm = c, .metadata = *metadata, .partition = *partition, .agents = a};
  w->counts = memory_create((size_t)c->size, sizeof *w->counts);
  select_agents(w, c);
  return w;
}

int64_t snapshot_agent_count(const struct snapshot *w)
{
  return w->total;
}

// The fields that the columns read, besides those of fill_field.
static bool is_written(const struct snapshot *w, const struct agent_field *field)
{
  const char *const always[] = {"x", "y", "vx", "vy"};
  for (size_t i = 0; i < sizeof always / sizeof *always; i++)
    if (strcmp(field->name, always[i]) == 0)
      return true;
  for (int i = 0; i < snapshot_column_count; i++)
    if (selection_has(&w->metadata.selection, i) && snapshot_columns[i].fill == fill_field &&
        strcmp(field->name, snapshot_columns[i].name) == 0)
      return true;
  return false;
}

static void *column_copy(const struct snapshot *w, const struct agent_field *field)
{
  const struct row_source source = {.agents = w->agents, .rows = w->rows, .field = field};
  char *copy = memory_create((size_t)w->count, field->size);
#pragma omp parallel for schedule(static) if (w->count > PARALLEL_MIN_ITEMS)
  for (int64_t i = 0; i < w->count; i += CACHED_ROWS)
    fill_field(&source, i, w->count - i < CACHED_ROWS ? w->count - i : CACHED_ROWS,
               copy + (size_t)i * field->size);
  return copy;
}

void snapshot_detach(struct snapshot *w)
{
  for (int f = 0; f < agent_field_count; f++)
    if (is_written(w, &agent_fields[f]))
      *(void **)((char *)&w->own + agent_fields[f].offset) = column_copy(w, &agent_fields[f]);
  w->own.count = w->own.capacity = w->count;
  w->agents = &w->own;
  for (int64_t i = 0; i < w->count; i++)
    w->rows[i] = (int32_t)i;
  const size_t boxes = (size_t)w->partition.rank_count;
  w->own_boxes = memory_create(boxes, sizeof *w->own_boxes);
  memcpy(w->own_boxes, w->partition.boxes, boxes * sizeof *w->own_boxes);
  w->partition.boxes = w->own_boxes;
}

static void snapshot_destroy(struct snapshot *w)
{
  agents_destroy(&w->own);
  memory_destroy(w->own_boxes);
  memory_destroy(w->rows);
  memory_destroy(w->counts);
  memory_destroy(w);
}

enum snapshot_result snapshot_end(struct snapshot *w, const char *path)
{
  enum snapshot_result result =
      snapshot_file_create(&w->file, w->comm, path, bytes_max(w), w->metadata.compression, false);
  if (result == SNAPSHOT_WRITTEN) {
    polydata_write(w);
    throng_write(w);
    result = snapshot_file_publish(&w->file);
  }
  snapshot_destroy(w);
  return result;
}

enum snapshot_result snapshot_write(const struct comm *c, const char *path,
                                    const struct snapshot_metadata *metadata,
                                    const struct partition *partition, const struct agents *a)
{
  return snapshot_end(snapshot_begin(c, metadata, partition, a), path);
}
