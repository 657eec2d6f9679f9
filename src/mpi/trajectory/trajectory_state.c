// What a checkpoint keeps of a trajectory.
#include "trajectory.h"

#include "message.h"
#include <stdio.h>
#include <string.h>

#define FORMAT_NUMBERS (sizeof((struct trajectory_saved *)NULL)->format / sizeof(int64_t))

static void format_describe(const struct trajectory *t, struct trajectory_saved *saved)
{
  const struct trajectory_options *o = &t->options;
  const struct box region = o->selection.region;
  const int64_t numbers[] = {o->layout,           o->compression,      o->every,
                             o->selection.fields, o->selection.stride, region.lo.x,
                             region.lo.y,         region.hi.x,         region.hi.y};
  _Static_assert(sizeof numbers == sizeof saved->format, "one each");
  memcpy(saved->format, numbers, sizeof numbers);
}

// The tail: its rows of one dataset after the other.
static void tail_pack(const struct trajectory *t, struct trajectory_saved *saved)
{
  const struct trajectory_format *f = &t->file.format;
  for (int i = 0; i < f->dataset_count; i++)
    saved->tail_bytes += t->tail_count * f->datasets[i].size;
  char *to = saved->tail = memory_create((size_t)saved->tail_bytes, 1);
  for (int i = 0; i < f->dataset_count; i++) {
    const int64_t size = t->tail_count * f->datasets[i].size;
    if (size)
      memcpy(to, t->tail[i], (size_t)size);
    to += size;
  }
}

static bool tail_unpack(struct trajectory *t)
{
  const struct trajectory_format *f = &t->file.format;
  const char *from = t->saved.tail;
  int64_t left = t->saved.tail_bytes;
  for (int i = 0; i < f->dataset_count; i++) {
    const int64_t size = t->tail_count * f->datasets[i].size;
    if (size > left)
      return false;
    if (size)
      memcpy(t->tail[i], from, (size_t)size);
    from += size;
    left -= size;
  }
  return left == 0;
}

static void saved_destroy(struct trajectory_saved *saved)
{
  memory_destroy(saved->image);
  memory_destroy(saved->tail);
  *saved = (struct trajectory_saved){0};
}

enum exit_code trajectory_save(struct trajectory *t)
{
  struct trajectory_saved *saved = &t->saved;
  saved_destroy(saved);
  if (!t->comm)
    return EXIT_DONE;
  bool good = true;
  if (t->comm->rank == 0) {
    saved->exists = true;
    format_describe(t, saved);
    tail_pack(t, saved);
    good = trajectory_file_image(&t->file, &saved->length, &saved->image, &saved->image_bytes);
  }
  return comm_agree(t->comm, good ? EXIT_DONE : EXIT_IO);
}

// Bytes as numbers of 8 bytes.
static void bytes_visit(struct state *v, const char *name, const char *count_name, char **bytes,
                        int64_t *count)
{
  *count = state_length(v, count_name, *count, 8);
  const int64_t words = (*count + 7) / 8;
  int64_t *all = memory_create((size_t)words, sizeof *all);
  if (!v->reading && *count && v->comm->rank == 0)
    memcpy(all, *bytes, (size_t)*count);
  state_array(v, STATE_ROOT, STATE_ANY, name, all, words);
  memory_destroy(*bytes);
  *bytes = (char *)all;
}

static void lists_visit(struct trajectory *t, struct state *v)
{
  struct trajectory_file *f = &t->file;
  const int64_t frames = state_length(v, "trajectory.frames", t->frame_count, 1);
  const int64_t chunks = state_length(v, "trajectory.chunks", f->chunk_count, 1);
  if (v->reading) {
    t->frames = memory_grow(t->frames, 0, (size_t)frames + 1, sizeof *t->frames);
    f->chunks = memory_grow(f->chunks, 0, (size_t)chunks + 1, sizeof *f->chunks);
    t->frame_count = frames;
    f->chunk_count = chunks;
    t->frame_capacity = frames + 1;
    f->chunk_capacity = chunks + 1;
  }
  state_field(v, STATE_ROOT, STATE_COUNT, t->frames, step, "trajectory.frames.step", frames);
  state_field(v, STATE_ROOT, STATE_COUNT, t->frames, first, "trajectory.frames.first", frames);
  state_field(v, STATE_ROOT, STATE_COUNT, t->frames, count, "trajectory.frames.count", frames);
  state_field(v, STATE_ROOT, STATE_COUNT, f->chunks, at, "trajectory.chunks.at", chunks);
  state_field(v, STATE_ROOT, STATE_COUNT, f->chunks, size, "trajectory.chunks.size", chunks);
}

void trajectory_visit(struct trajectory *t, struct state *v)
{
  struct trajectory_saved *saved = &t->saved;
  int64_t numbers[] = {t->rows, t->tail_count, t->frame_first, saved->length};
  saved->exists = state_length(v, "trajectory", t->comm != NULL, 1);
  if (!saved->exists)
    return;
  state_array(v, STATE_SAME, STATE_ANY, "trajectory.format", saved->format,
              (int64_t)FORMAT_NUMBERS);
  state_array(v, STATE_SAME, STATE_COUNT, "trajectory.numbers", numbers, 4);
  lists_visit(t, v);
  bytes_visit(v, "trajectory.tail", "trajectory.tail.bytes", &saved->tail, &saved->tail_bytes);
  bytes_visit(v, "trajectory.image", "trajectory.image.bytes", &saved->image, &saved->image_bytes);
  t->rows = numbers[0];
  t->tail_count = numbers[1];
  t->frame_first = numbers[2];
  saved->length = numbers[3];
  if (!v->reading)
    saved_destroy(saved);
}

// Rank 0.
static enum exit_code check(struct trajectory *t)
{
  struct trajectory_saved own = {.exists = t->comm != NULL}, *saved = &t->saved;
  if (own.exists)
    format_describe(t, &own);
  if (own.exists != saved->exists || memcmp(own.format, saved->format, sizeof own.format) != 0) {
    message_print("output.trajectory is not what it was at the checkpoint: give what it was, or "
                  "continue in another folder (--restart CHECKPOINT -o FOLDER)");
    return EXIT_BAD_INPUT;
  }
  if (!own.exists)
    return EXIT_DONE;
  if (t->tail_count < 0 || t->tail_count >= t->file.format.chunk_rows || !tail_unpack(t)) {
    message_print("%s: the checkpoint's part of it is damaged", t->file.path);
    return EXIT_CORRUPT_DATA;
  }
  return trajectory_file_check(&t->file, saved->length, saved->image_bytes) ? EXIT_DONE : EXIT_IO;
}

enum exit_code trajectory_check(const struct comm *c, struct trajectory *t)
{
  return comm_agree(c, c->rank == 0 ? check(t) : EXIT_DONE);
}

enum exit_code trajectory_restore(struct trajectory *t)
{
  const struct trajectory_saved *saved = &t->saved;
  if (!t->comm)
    return EXIT_DONE;
  const bool good =
      t->comm->rank > 0 || trajectory_file_restore(&t->file, saved->length, saved->image);
  saved_destroy(&t->saved);
  return comm_agree(t->comm, good ? EXIT_DONE : EXIT_IO);
}
