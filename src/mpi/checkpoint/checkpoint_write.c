#include "checkpoint_file.h"

#include "snapshot_file.h"
#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct column { // a field of this rank's agents
  const struct agents *agents;
  const struct agent_field *field;
};

static void fill_column(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct column *c = source;
  agents_column_read(c->agents, c->field, begin, count, out);
}

static void fill_bytes(const void *source, int64_t begin, int64_t count, void *out)
{
  memcpy(out, (const char *)source + begin, (size_t)count);
}

static void fill_words(const void *source, int64_t begin, int64_t count, void *out)
{
  memcpy(out, (const char *)source + 8 * begin, 8 * (size_t)count);
}

static hid_t field_type(const struct agent_field *field)
{
  return field->is_float    ? H5T_NATIVE_FLOAT
         : field->size == 8 ? H5T_NATIVE_INT64
                            : H5T_NATIVE_INT32;
}

static void agents_write(struct snapshot_file *f, const struct checkpoint *k,
                         const struct agents *a)
{
  const hid_t group = snapshot_group_create(f, f->file, "agents");
  const int64_t first = comm_prefix_sum(f->comm, a->count);
  for (int i = 0; i < agent_field_count; i++) {
    const struct agent_field *field = &agent_fields[i];
    const struct column column = {a, field};
    if (agent_scope_is_kept(field->scope))
      snapshot_rows_write(f, group,
                          &(struct snapshot_rows){.name = field->name,
                                                  .unit = field->unit,
                                                  .description = "field of the agents",
                                                  .type = field_type(field),
                                                  .width = 1,
                                                  .first = first,
                                                  .count = a->count,
                                                  .total = k->agent_count,
                                                  .fill = fill_column,
                                                  .source = &column});
  }
  snapshot_group_close(f, group);
}

// Writes an array that only rank 0 holds: its own count and source, the others write no rows.
static void array_write(struct snapshot_file *f, hid_t where, struct snapshot_rows array)
{
  const bool is_root = f->comm->rank == 0;
  array.total = array.count;
  comm_broadcast(f->comm, &array.total, sizeof array.total, 0);
  array.width = 1;
  array.first = is_root ? 0 : array.total;
  array.count = is_root ? array.total : 0;
  snapshot_rows_write(f, where, &array);
}

static void text_write(struct snapshot_file *f, hid_t where, const char *name, const char *text,
                       int64_t length)
{
  array_write(f, where,
              (struct snapshot_rows){.name = name,
                                     .type = H5T_NATIVE_UINT8,
                                     .count = length,
                                     .fill = fill_bytes,
                                     .source = text});
}

static void pool_write(struct snapshot_file *f, hid_t where, const char *name, hid_t type,
                       const struct state_pool *pool)
{
  array_write(f, where,
              (struct snapshot_rows){.name = name,
                                     .type = type,
                                     .count = pool->count,
                                     .fill = fill_words,
                                     .source = pool->values});
}

static void state_write(struct snapshot_file *f, const struct state *v)
{
  const hid_t group = snapshot_group_create(f, f->file, "state");
  text_write(f, group, "names", v->names, v->names_length);
  pool_write(f, group, "whole", H5T_NATIVE_INT64, &v->integers);
  pool_write(f, group, "real", H5T_NATIVE_DOUBLE, &v->real);
  snapshot_group_close(f, group);
}

static void header_write(struct snapshot_file *f, const struct checkpoint *k, uint64_t agents_sum,
                         uint64_t state_sum)
{
  const int64_t format = CHECKPOINT_FORMAT, ranks = f->comm->size;
  const hid_t group = snapshot_group_create(f, f->file, "throng");
  snapshot_attribute(f, group, "checkpoint", H5T_NATIVE_INT64, 1, &format);
  snapshot_attribute(f, group, "step", H5T_NATIVE_INT64, 1, &k->step);
  snapshot_attribute(f, group, "time", H5T_NATIVE_DOUBLE, 1, &k->time);
  snapshot_attribute(f, group, "agents", H5T_NATIVE_INT64, 1, &k->agent_count);
  snapshot_attribute(f, group, "ranks", H5T_NATIVE_INT64, 1, &ranks);
  snapshot_attribute(f, group, "checksum", H5T_NATIVE_UINT64, 1, &k->checksum);
  snapshot_attribute(f, group, "agents_checksum", H5T_NATIVE_UINT64, 1, &agents_sum);
  snapshot_attribute(f, group, "state_checksum", H5T_NATIVE_UINT64, 1, &state_sum);
  text_write(f, group, "name", k->name, (int64_t)strlen(k->name));
  text_write(f, group, "version", k->version, (int64_t)strlen(k->version));
  text_write(f, group, "identity", k->fingerprint, (int64_t)strlen(k->fingerprint));
  text_write(f, group, "scenario", k->text, (int64_t)strlen(k->text));
  snapshot_group_close(f, group);
}

// Upper bound of the uncompressed file size.
static int64_t bytes_max(const struct checkpoint *k)
{
  const struct state *v = &k->state;
  int64_t bytes = snapshot_rows_allocated(v->names_length) + (256 << 10);
  bytes +=
      8 * (snapshot_rows_allocated(v->integers.count) + snapshot_rows_allocated(v->real.count));
  bytes += snapshot_rows_allocated((int64_t)strlen(k->fingerprint));
  bytes += snapshot_rows_allocated((int64_t)strlen(k->text));
  return bytes + snapshot_rows_allocated(k->agent_count) * (int64_t)agents_packed_size(SCOPE_STATE);
}

bool checkpoint_is_valid(const struct checkpoint *k)
{
  return k->step >= 0 && k->agent_count >= 0 && k->name && k->version && k->fingerprint &&
         k->text && !k->state.reading;
}

enum exit_code checkpoint_write(const struct comm *c, const char *path, const struct checkpoint *k,
                                const struct agents *a, int32_t compression)
{
  struct snapshot_file file;
  assert(comm_is_valid(c) && checkpoint_is_valid(k));
  const uint64_t agents_sum = comm_sum_wrapping(c, agents_checksum(a));
  uint64_t state_sum = state_hash(&k->state);
  comm_broadcast(c, &state_sum, sizeof state_sum, 0); // collective HDF5: equal on every rank
  if (snapshot_file_create(&file, c, path, bytes_max(k), compression, true) != SNAPSHOT_WRITTEN)
    return EXIT_IO;
  header_write(&file, k, agents_sum, state_sum);
  agents_write(&file, k, a);
  state_write(&file, &k->state);
  return snapshot_file_publish(&file) == SNAPSHOT_WRITTEN ? EXIT_DONE : EXIT_IO;
}
