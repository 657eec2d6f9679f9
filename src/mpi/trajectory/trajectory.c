#include "trajectory.h"

#include "chunk_compression.h"
#include <assert.h>
#include <string.h>

#define FILLED_ROWS 4096 // by a thread at a time

struct trajectory_frame {
  int64_t step, count;
  struct agents
      agents;    // the fields that are written, of count agents: on rank 0 those of all ranks
  int32_t *rows; // [count] by ascending id
};

void trajectory_create(struct trajectory *t, const struct comm *c, const char *path,
                       const struct trajectory_options *options)
{
  const struct trajectory_format format =
      trajectory_format(options->layout, &options->selection, options->compression);
  *t = (struct trajectory){.comm = c, .options = *options};
  t->file.format = format;
  t->file.path = memory_create(strlen(path) + 1, 1);
  memcpy(t->file.path, path, strlen(path));
  t->frame_capacity = t->file.chunk_capacity = 1; // never NULL, which has no fields
  t->frames = memory_create(1, sizeof *t->frames);
  t->file.chunks = memory_create(1, sizeof *t->file.chunks);
  for (int i = 0; i < format.dataset_count && c->rank == 0; i++)
    t->tail[i] = memory_create((size_t)format.chunk_rows, (size_t)format.datasets[i].size);
}

void trajectory_destroy(struct trajectory *t)
{
  for (int i = 0; i < TRAJECTORY_DATASETS; i++)
    memory_destroy(t->tail[i]);
  for (int64_t i = 0; i < t->chunk_count; i++)
    memory_destroy(t->chunks[i].bytes);
  memory_destroy(t->frames);
  memory_destroy(t->chunks);
  memory_destroy(t->saved.image);
  memory_destroy(t->saved.tail);
  trajectory_file_destroy(&t->file);
  *t = (struct trajectory){0};
}

bool trajectory_is_valid(const struct trajectory *t)
{
  const int64_t chunk = t->file.format.chunk_rows;
  return t->comm && chunk > 0 && t->rows % chunk == 0 && t->tail_count >= 0 &&
         t->tail_count < chunk && t->frame_first >= 0;
}

static enum exit_code agree(const struct trajectory *t, bool good)
{
  return comm_agree(t->comm, good ? EXIT_DONE : EXIT_IO);
}

enum exit_code trajectory_begin(struct trajectory *t, const struct trajectory_description *d)
{
  t->rows = t->tail_count = t->frame_first = t->frame_count = 0;
  return agree(t, t->comm->rank > 0 || trajectory_file_create(&t->file, d));
}

// -------------------------------------------------------------------------------- taking a frame

static bool is_written(const struct trajectory_format *f, const struct agent_field *field)
{
  bool written = f->layout == TRAJECTORY_ARCHIVE &&
                 (strcmp(field->name, "id") == 0 || strcmp(field->name, "x") == 0 ||
                  strcmp(field->name, "y") == 0);
  for (int i = 0; i < f->dataset_count; i++)
    written =
        written || (f->datasets[i].column && agent_column_reads(f->datasets[i].column, field));
  return written;
}

// Moves the column of every rank to rank 0. The own one is freed.
static void *column_gather(const struct comm *c, void *own, int64_t count, size_t size)
{
  int64_t total;
  if (c->size == 1)
    return own;
  void *all = comm_gather_root(c, own, count * (int64_t)size, &total);
  memory_destroy(own);
  return all;
}

static struct trajectory_frame frame_take(struct trajectory *t, int64_t step,
                                          const struct agents *a)
{
  int32_t *rows = memory_create((size_t)a->count, sizeof *rows);
  const int64_t own = selection_rows(&t->options.selection, a, rows);
  struct trajectory_frame frame = {.step = step, .count = own};
  for (int f = 0; f < agent_field_count; f++)
    if (is_written(&t->file.format, &agent_fields[f]))
      *(void **)((char *)&frame.agents + agent_fields[f].offset) = column_gather(
          t->comm, agent_column_copy(a, rows, own, &agent_fields[f]), own, agent_fields[f].size);
  memory_destroy(rows);
  comm_sum(t->comm, &frame.count, 1);
  require(frame.count <= INT32_MAX,
          "%lld agents in a frame of the trajectory, which holds at most %d: set "
          "output.trajectory.stride or output.trajectory.region",
          (long long)frame.count, INT32_MAX);
  return frame;
}

static void frame_destroy(struct trajectory_frame *frame)
{
  agents_destroy(&frame->agents);
  memory_destroy(frame->rows);
}

// ------------------------------------------------------------------------------------- sorting

#define DIGIT_BITS 11
#define DIGITS     (1 << DIGIT_BITS)

// One pass of a radix sort: by the digit at `shift`, equal ones in their order.
static void sort_by_digit(const int64_t *id, int shift, const int32_t *from, int32_t *to, int64_t n)
{
  int64_t place[DIGITS] = {0}, next = 0;
  for (int64_t i = 0; i < n; i++)
    place[id[i] >> shift & (DIGITS - 1)]++;
  for (int digit = 0; digit < DIGITS; digit++) {
    const int64_t count = place[digit];
    place[digit] = next;
    next += count;
  }
  for (int64_t i = 0; i < n; i++)
    to[place[id[from[i]] >> shift & (DIGITS - 1)]++] = from[i];
}

// The numbers 0 to n - 1 by ascending id. Free with memory_destroy.
static int32_t *rows_by_id(const int64_t *id, int64_t n)
{
  int32_t *rows = memory_create((size_t)n, sizeof *rows);
  int32_t *other = memory_create((size_t)n, sizeof *other);
  int64_t bits = 0;
  for (int64_t i = 0; i < n; i++) {
    rows[i] = (int32_t)i;
    bits |= id[i];
  }
  for (int shift = 0; shift < 63 && bits >> shift; shift += DIGIT_BITS) {
    sort_by_digit(id, shift, rows, other, n);
    int32_t *sorted = other;
    other = rows;
    rows = sorted;
  }
  memory_destroy(other);
  return rows;
}

// ----------------------------------------------------------------------------- adding a frame

static void frame_list(struct trajectory *t, int64_t step, int64_t count)
{
  t->frames = memory_reserve(t->frames, t->frame_count, &t->frame_capacity, sizeof *t->frames);
  t->frames[t->frame_count++] =
      (struct trajectory_frame_entry){step, t->rows + t->tail_count, count};
}

// The tail becomes a chunk. Rows behind its end are 0.
static void tail_complete(struct trajectory *t)
{
  const struct trajectory_format *f = &t->file.format;
  const int64_t chunk_rows = f->chunk_rows;
  if (t->chunk_count + f->dataset_count > t->chunk_capacity) {
    const int64_t more = 2 * t->chunk_capacity + f->dataset_count;
    t->chunks = memory_grow(t->chunks, (size_t)t->chunk_count, (size_t)more, sizeof *t->chunks);
    t->chunk_capacity = more;
  }
  for (int i = 0; i < f->dataset_count; i++) {
    const int64_t size = f->datasets[i].size;
    t->chunks[t->chunk_count++] = (struct trajectory_chunk){.dataset = i,
                                                            .number = t->rows / chunk_rows,
                                                            .bytes = t->tail[i],
                                                            .size = chunk_rows * size};
    t->tail[i] = memory_create((size_t)chunk_rows, (size_t)size);
  }
  t->rows += chunk_rows;
  t->tail_count = 0;
}

// Rows [begin, begin + count) of the frame, of one dataset, behind those of the tail.
static void dataset_fill(const struct trajectory *t, const struct trajectory_frame *frame, int i,
                         int64_t begin, int64_t count)
{
  const struct trajectory_dataset *d = &t->file.format.datasets[i];
  const struct frame *world = t->options.frame;
  struct agent_column_source source = {
      .agents = &frame->agents, .rows = frame->rows, .frame = world};
  if (d->column)
    source = agent_column_source(d->column, &frame->agents, frame->rows, world);
  source.first = t->frame_first + t->frame_count - 1; // the number of this frame, the last listed
  char *out = (char *)t->tail[i] + t->tail_count * d->size;
#pragma omp parallel for schedule(static) if (count > PARALLEL_MIN_ITEMS)
  for (int64_t at = 0; at < count; at += FILLED_ROWS)
    (d->column ? d->column->fill : column_archive)(
        &source, begin + at, count - at < FILLED_ROWS ? count - at : FILLED_ROWS,
        out + at * d->size);
}

static void tail_fill(struct trajectory *t, const struct trajectory_frame *frame, int64_t begin,
                      int64_t count)
{
  for (int i = 0; i < t->file.format.dataset_count; i++)
    dataset_fill(t, frame, i, begin, count);
  t->tail_count += count;
}

static void frame_append(struct trajectory *t, struct trajectory_frame *frame)
{
  const int64_t chunk_rows = t->file.format.chunk_rows;
  frame_list(t, frame->step, frame->count);
  frame->rows = rows_by_id(frame->agents.id, frame->count);
  for (int64_t begin = 0, count; begin < frame->count; begin += count) {
    const int64_t room = chunk_rows - t->tail_count, left = frame->count - begin;
    count = left < room ? left : room;
    tail_fill(t, frame, begin, count);
    if (t->tail_count == chunk_rows)
      tail_complete(t);
  }
}

// How many of the listed frames lie in whole chunks.
static int64_t frames_in_chunks(const struct trajectory *t)
{
  int64_t k = 0;
  while (k < t->frame_count && t->frames[k].first + t->frames[k].count <= t->rows)
    k++;
  return k;
}

// Rank 0: `rows` rows and the first `frame_count` listed frames are in the file afterwards.
static bool chunks_write(struct trajectory *t, int64_t rows, int64_t frame_count)
{
  const struct trajectory_addition addition = {.chunks = t->chunks,
                                               .chunk_count = t->chunk_count,
                                               .rows = rows,
                                               .frames = t->frames,
                                               .frame_first = t->frame_first,
                                               .frame_count = frame_count};
  const bool good = trajectory_file_append(&t->file, &addition);
  for (int64_t i = 0; i < t->chunk_count; i++)
    memory_destroy(t->chunks[i].bytes);
  t->chunk_count = 0;
  t->frame_first += addition.frame_count;
  t->frame_count -= addition.frame_count;
  if (t->frame_count)
    memmove(t->frames, t->frames + addition.frame_count,
            (size_t)t->frame_count * sizeof *t->frames);
  return good;
}

void trajectory_add(struct trajectory *t, int64_t step, const struct agents *a)
{
  struct trajectory_frame frame = frame_take(t, step, a);
  if (t->comm->rank == 0)
    frame_append(t, &frame);
  frame_destroy(&frame);
  chunks_compress(t->comm, &t->file.format, t->chunks, t->chunk_count);
  assert(t->comm->rank > 0 || trajectory_is_valid(t));
}

enum exit_code trajectory_write(struct trajectory *t)
{
  const bool is_root = t->comm->rank == 0;
  return agree(t, !is_root || t->chunk_count == 0 || chunks_write(t, t->rows, frames_in_chunks(t)));
}

enum exit_code trajectory_end(struct trajectory *t)
{
  const bool is_root = t->comm->rank == 0;
  const int64_t rows = t->rows + t->tail_count;
  if (is_root && t->tail_count)
    tail_complete(t);
  chunks_compress(t->comm, &t->file.format, t->chunks, t->chunk_count);
  return agree(t, !is_root ||
                      (chunks_write(t, rows, t->frame_count) && trajectory_file_sync(&t->file)));
}
