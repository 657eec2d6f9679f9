#include "checkpoint_file.h"

#include "snapshot_file.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct column { // one field of this rank's agents
  const struct agents *agents;
  const struct agent_field *field;
};

static void fill_column(const void *source, int64_t begin, int64_t count, void *out)
{
  const struct column *c = source;
  const size_t size = c->field->size;
  memcpy(out, agents_column(c->agents, c->field) + (size_t)begin * size, (size_t)count * size);
}

static void fill_bytes(const void *source, int64_t begin, int64_t count, void *out)
{
  memcpy(out, (const char *)source + begin, (size_t)count);
}

static void fill_words(const void *source, int64_t begin, int64_t count, void *out)
{
  memcpy(out, (const char *)source + 8 * begin, 8 * (size_t)count);
}

static hid_t type_of(const struct agent_field *field)
{
  return field->is_float    ? H5T_NATIVE_FLOAT
         : field->size == 8 ? H5T_NATIVE_INT64
                            : H5T_NATIVE_INT32;
}

static void agents_write(struct snapshot_file *f, const struct checkpoint *k,
                         const struct agents *a)
{
  const hid_t group = snapshot_group_create(f, f->file, "agents");
  int64_t end = a->count;
  MPI_Scan(MPI_IN_PLACE, &end, 1, MPI_INT64_T, MPI_SUM, f->comm->mpi);
  for (int i = 0; i < agent_field_count; i++) {
    const struct agent_field *field = &agent_fields[i];
    const struct column column = {a, field};
    if (field->scope <= SCOPE_STATE)
      snapshot_rows_write(f, group,
                          &(struct snapshot_rows){.name = field->name,
                                                  .unit = field->unit,
                                                  .description = "field of the agents",
                                                  .type = type_of(field),
                                                  .width = 1,
                                                  .first = end - a->count,
                                                  .count = a->count,
                                                  .total = k->agent_count,
                                                  .fill = fill_column,
                                                  .source = &column});
  }
  snapshot_group_close(f, group);
}

// What rank 0 has, and it alone.
static void array_write(struct snapshot_file *f, hid_t where, const char *name, hid_t type,
                        int64_t count, const void *data,
                        void (*fill)(const void *, int64_t, int64_t, void *))
{
  const bool mine = f->comm->rank == 0;
  int64_t total = count;
  comm_broadcast(f->comm, &total, sizeof total, 0);
  snapshot_rows_write(f, where,
                      &(struct snapshot_rows){.name = name,
                                              .type = type,
                                              .width = 1,
                                              .first = mine ? 0 : total,
                                              .count = mine ? total : 0,
                                              .total = total,
                                              .fill = fill,
                                              .source = data});
}

static void text_write(struct snapshot_file *f, hid_t where, const char *name, const char *text,
                       int64_t length)
{
  array_write(f, where, name, H5T_NATIVE_UINT8, length, text, fill_bytes);
}

static void state_write(struct snapshot_file *f, const struct state *v)
{
  const hid_t group = snapshot_group_create(f, f->file, "state");
  text_write(f, group, "names", v->names, v->names_length);
  array_write(f, group, "whole", H5T_NATIVE_INT64, v->integers.count, v->integers.values,
              fill_words);
  array_write(f, group, "real", H5T_NATIVE_DOUBLE, v->real.count, v->real.values, fill_words);
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

// Not less than the file will have before it is compressed.
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

enum exit_code checkpoint_write(const struct comm *c, const char *path, const struct checkpoint *k,
                                const struct agents *a, int32_t compression)
{
  struct snapshot_file file;
  uint64_t sums[2] = {agents_checksum(a), state_hash(&k->state)};
  MPI_Allreduce(MPI_IN_PLACE, &sums[0], 1, MPI_UINT64_T, MPI_SUM, c->mpi);
  comm_broadcast(c, &sums[1], sizeof sums[1], 0); // attributes are the same on every rank
  if (snapshot_file_create(&file, c, path, bytes_max(k), compression, true) != SNAPSHOT_WRITTEN)
    return EXIT_IO;
  header_write(&file, k, sums[0], sums[1]);
  agents_write(&file, k, a);
  state_write(&file, &k->state);
  return snapshot_file_publish(&file) == SNAPSHOT_WRITTEN ? EXIT_DONE : EXIT_IO;
}
