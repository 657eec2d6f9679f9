#include "agent_columns.h"
#include "snapshot_file.h"
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

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

static struct snapshot_rows column_rows(const struct snapshot *w, const struct agent_column *c,
                                        const struct agent_column_source *source)
{
  return (struct snapshot_rows){.name = c->name,
                                .unit = c->unit,
                                .description = c->description,
                                .type = snapshot_number_type(c->number),
                                .width = c->width,
                                .first = w->first,
                                .count = w->count,
                                .total = w->total,
                                .fill = c->fill,
                                .source = source};
}

static struct agent_column_source source_of(const struct snapshot *w, const struct agent_column *c)
{
  struct agent_column_source source = agent_column_source(c, w->agents, w->rows, w->metadata.frame);
  source.first = w->first;
  return source;
}

static void column_write(struct snapshot *w, hid_t where, const struct agent_column *c)
{
  const struct agent_column_source source = source_of(w, c);
  const struct snapshot_rows rows = column_rows(w, c, &source);
  snapshot_rows_write(&w->file, where, &rows);
}

static const struct agent_column *points_column(const struct snapshot *w)
{
  return w->metadata.f64 ? &points_f64_column : &points_f32_column;
}

static void polydata_write(struct snapshot *w)
{
  const hid_t polydata = snapshot_polydata_create(&w->file, w->total);
  column_write(w, polydata, points_column(w));
  const int64_t offsets[2] = {0, w->total};
  const struct agent_column_source source = source_of(w, &row_number_column);
  snapshot_cells_write(&w->file, polydata, "Vertices", w->total > 0, offsets,
                       column_rows(w, &row_number_column, &source));
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
  struct snapshot_file *f = &w->file;
  const hid_t group = snapshot_group_create(f, f->file, "throng");
  snapshot_attribute(f, group, "step", H5T_NATIVE_INT64, 1, &metadata->step);
  snapshot_attribute(f, group, "time", H5T_NATIVE_DOUBLE, 1, &metadata->time);
  snapshot_attribute(f, group, "agents", H5T_NATIVE_INT64, 1, &w->total);
  snapshot_points_frame_write(f, group, metadata->frame);
  snapshot_attribute(f, group, "exponent", H5T_NATIVE_INT, 1, &metadata->frame->exponent);
  char checksum[17];
  snprintf(checksum, sizeof checksum, "%016" PRIx64, metadata->checksum);
  snapshot_attribute_text(f, group, "checksum", checksum);
  snapshot_attribute_text(f, group, "units", "time: s; origin, frame_origin, quantum: m");
  snapshot_provenance_write(f, group, metadata);
  snapshot_text_write(f, group, "scenario", metadata->scenario_text);
  ranks_write(w, group);
  snapshot_group_close(f, group);
}

// Upper bound of the uncompressed file size.
static int64_t bytes_max(const struct snapshot *w)
{
  const struct agent_column *points = points_column(w);
  int64_t row = number_size(row_number_column.number);
  row += number_size(points->number) * points->width;
  for (int i = 0; i < snapshot_column_count; i++)
    row += number_size(snapshot_columns[i].number) * snapshot_columns[i].width;
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

static bool is_written(const struct snapshot *w, const struct agent_field *field)
{
  bool written = agent_column_reads(points_column(w), field);
  for (int i = 0; i < snapshot_column_count; i++)
    written = written || (selection_has(&w->metadata.selection, i) &&
                          agent_column_reads(&snapshot_columns[i], field));
  return written;
}

void snapshot_detach(struct snapshot *w)
{
  for (int f = 0; f < agent_field_count; f++)
    if (is_written(w, &agent_fields[f]))
      *(void **)((char *)&w->own + agent_fields[f].offset) =
          agent_column_copy(w->agents, w->rows, w->count, &agent_fields[f]);
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
