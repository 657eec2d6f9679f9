// Verifies before it trusts: the seal over all bytes, every length against the file size, and the
// checksums of agents and state.
#include "checkpoint_file.h"

#include "hdf5_open.h"
#include "message.h"
#include "regular_file.h"
#include "seal.h"
#include "snapshot_file.h"
#include "steps.h"
#include "utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct reader {
  const struct comm *comm;
  hid_t file;
  int64_t bytes;       // file size: bounds the lengths that the file may claim
  char reason[300];    // of the first fault on this rank; empty: none
  enum exit_code code; // what the fault means: EXIT_CORRUPT_DATA or EXIT_IO
};

static void set_error(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void set_error(struct reader *r, const char *format, ...)
{
  if (r->reason[0])
    return;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->reason, sizeof r->reason, format, arguments);
  va_end(arguments);
  r->code = EXIT_CORRUPT_DATA;
}

static void set_unreadable(struct reader *r, const char *reason)
{
  if (r->reason[0])
    return;
  set_error(r, "cannot be read: %s", reason);
  r->code = EXIT_IO;
}

// False if any rank has a fault; then every rank has the reason of the lowest rank with the highest
// code: what one rank cannot read looks damaged to the others.
static bool all_ranks_ok(struct reader *r)
{
  const enum exit_code worst = comm_agree(r->comm, r->code);
  if (worst == EXIT_DONE)
    return true;
  const int32_t reporter = comm_lowest_rank(r->comm, r->code == worst);
  comm_broadcast(r->comm, r->reason, sizeof r->reason, reporter);
  r->code = worst;
  return false;
}

static void attribute_read(struct reader *r, const char *name, hid_t type, void *value)
{
  const hid_t attribute = r->reason[0]
                              ? H5I_INVALID_HID
                              : H5Aopen_by_name(r->file, "/throng", name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = attribute < 0 ? H5I_INVALID_HID : H5Aget_space(attribute);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type, value) < 0)
    set_error(r, "has no /throng/%s", name);
  if (space >= 0)
    H5Sclose(space);
  if (attribute >= 0)
    H5Aclose(attribute);
}

// Rows of a one-dimensional dataset. -1: another shape, or more rows than the file can hold.
static int64_t dataset_rows(const struct reader *r, hid_t dataset, size_t size)
{
  hsize_t rows = 0;
  const hid_t space = H5Dget_space(dataset);
  const bool flat = space >= 0 && H5Sget_simple_extent_ndims(space) == 1 &&
                    H5Sget_simple_extent_dims(space, &rows, NULL) == 1;
  if (space >= 0)
    H5Sclose(space);
  return flat && rows <= (hsize_t)snapshot_rows_limit(r->bytes, (int64_t)size) ? (int64_t)rows : -1;
}

static hid_t dataset_open(struct reader *r, const char *name, size_t size, int64_t *rows)
{
  const hid_t dataset = r->reason[0] ? H5I_INVALID_HID : H5Dopen2(r->file, name, H5P_DEFAULT);
  *rows = dataset < 0 ? -1 : dataset_rows(r, dataset, size);
  if (*rows < 0)
    set_error(r, dataset < 0 ? "has no %s" : "%s has an impossible shape", name);
  return dataset;
}

struct row_range {
  const char *dataset; // name
  hid_t type;          // in memory
  int64_t first, count;
};

static void rows_read(struct reader *r, hid_t dataset, const struct row_range *rows, void *out)
{
  if (r->reason[0] || rows->count == 0)
    return;
  const hsize_t start = (hsize_t)rows->first, extent = (hsize_t)rows->count;
  const hid_t memory = H5Screate_simple(1, &extent, NULL), space = H5Dget_space(dataset);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &extent, NULL);
  if (H5Dread(dataset, rows->type, memory, space, H5P_DEFAULT, out) < 0)
    set_error(r, "%s cannot be read", rows->dataset);
  H5Sclose(memory);
  H5Sclose(space);
}

// ---------------------------------------------------------------------- rank 0 reads the header

// Reads a dataset and appends a zero, which ends a text. Never NULL.
static char *array_read(struct reader *r, const char *name, hid_t type, int64_t *count)
{
  const size_t size = H5Tget_size(type);
  const hid_t dataset = dataset_open(r, name, size, count);
  char *out = memory_create(*count < 0 ? 1 : (size_t)*count + 1, size);
  rows_read(r, dataset, &(struct row_range){name, type, 0, *count < 0 ? 0 : *count}, out);
  if (dataset >= 0)
    H5Dclose(dataset);
  return out;
}

static char *text_read(struct reader *r, const char *name)
{
  int64_t length;
  return array_read(r, name, H5T_NATIVE_UINT8, &length);
}

struct checksums {
  uint64_t agents, state;
};

static void header_read(struct reader *r, struct checkpoint *k, struct checksums *checksums)
{
  int64_t format = 0;
  attribute_read(r, "checkpoint", H5T_NATIVE_INT64, &format);
  if (!r->reason[0] && format != CHECKPOINT_FORMAT)
    set_error(r, "is of format %" PRId64 ", this throng reads format %d", format,
              CHECKPOINT_FORMAT);
  attribute_read(r, "step", H5T_NATIVE_INT64, &k->step);
  if (!r->reason[0] && (k->step < 0 || k->step > STEP_LIMIT))
    set_error(r, "is of an impossible step, %" PRId64, k->step);
  attribute_read(r, "time", H5T_NATIVE_DOUBLE, &k->time);
  attribute_read(r, "agents", H5T_NATIVE_INT64, &k->agent_count);
  attribute_read(r, "checksum", H5T_NATIVE_UINT64, &k->checksum);
  attribute_read(r, "agents_checksum", H5T_NATIVE_UINT64, &checksums->agents);
  attribute_read(r, "state_checksum", H5T_NATIVE_UINT64, &checksums->state);
  k->name = text_read(r, "/throng/name");
  k->version = text_read(r, "/throng/version");
  k->fingerprint = text_read(r, "/throng/identity");
  k->text = text_read(r, "/throng/scenario");
  k->state.names = array_read(r, "/state/names", H5T_NATIVE_UINT8, &k->state.names_length);
  k->state.integers.values =
      array_read(r, "/state/whole", H5T_NATIVE_INT64, &k->state.integers.count);
  k->state.real.values = array_read(r, "/state/real", H5T_NATIVE_DOUBLE, &k->state.real.count);
  if (!r->reason[0] && state_hash(&k->state) != checksums->state)
    set_error(r, "its state has another checksum than was written");
}

static void text_broadcast(const struct comm *c, char **text)
{
  int64_t length = c->rank == 0 ? (int64_t)strlen(*text) : 0;
  comm_broadcast(c, &length, sizeof length, 0);
  if (c->rank > 0)
    *text = memory_create((size_t)length + 1, 1);
  comm_broadcast(c, *text, (size_t)length, 0);
}

static void header_broadcast(const struct comm *c, struct checkpoint *k,
                             struct checksums *checksums)
{
  comm_broadcast(c, &k->step, sizeof k->step, 0);
  comm_broadcast(c, &k->time, sizeof k->time, 0);
  comm_broadcast(c, &k->agent_count, sizeof k->agent_count, 0);
  comm_broadcast(c, &k->checksum, sizeof k->checksum, 0);
  comm_broadcast(c, checksums, sizeof *checksums, 0);
  text_broadcast(c, &k->name);
  text_broadcast(c, &k->version);
  text_broadcast(c, &k->fingerprint);
  text_broadcast(c, &k->text);
  state_broadcast(&k->state);
}

// ----------------------------------------------------------------- every rank reads its agents

#define ROWS_READ 65536 // at a time

// In parts: the column takes memory only where its values do.
static void column_rows_read(struct reader *r, hid_t dataset, const struct row_range *rows,
                             struct agents *a, const struct agent_field *field)
{
  char *values = memory_create(ROWS_READ, field->size);
  for (int64_t done = 0; done < rows->count && !r->reason[0]; done += ROWS_READ) {
    const int64_t count = rows->count - done < ROWS_READ ? rows->count - done : ROWS_READ;
    rows_read(r, dataset, &(struct row_range){rows->dataset, rows->type, rows->first + done, count},
              values);
    agents_column_write(a, field, done, count, values);
  }
  memory_destroy(values);
}

static void column_read(struct reader *r, struct checkpoint *k, const struct agent_field *field,
                        int64_t first, int64_t count)
{
  char name[80];
  int64_t rows;
  const hid_t type = field->is_float    ? H5T_NATIVE_FLOAT
                     : field->size == 8 ? H5T_NATIVE_INT64
                                        : H5T_NATIVE_INT32;
  snprintf(name, sizeof name, "/agents/%s", field->name);
  const bool optional = field->scope == SCOPE_MEMORY || field->scope == SCOPE_MARK;
  if (optional && H5Lexists(r->file, name, H5P_DEFAULT) == 0)
    return; // the agents are new: 0
  const hid_t dataset = dataset_open(r, name, field->size, &rows);
  if (rows >= 0 && rows != k->agent_count)
    set_error(r, "%s has %" PRId64 " rows for %" PRId64 " agents", name, rows, k->agent_count);
  column_rows_read(r, dataset, &(struct row_range){name, type, first, count}, &k->agents, field);
  if (dataset >= 0)
    H5Dclose(dataset);
}

static void agents_read(struct reader *r, struct checkpoint *k)
{
  const int64_t n = k->agent_count, p = r->comm->size, own = r->comm->rank;
  if (n < 0 || n > snapshot_rows_limit(r->bytes, (int64_t)agents_packed_size(SCOPE_STATE))) {
    set_error(r, "claims an impossible number of agents: %" PRId64, n);
    return;
  }
  const int64_t first = n / p * own + n % p * own / p;
  const int64_t end = n / p * (own + 1) + n % p * (own + 1) / p;
  agents_create(&k->agents, end - first);
  k->agents.count = end - first;
  for (int i = 0; i < agent_field_count; i++)
    if (agent_scope_is_kept(agent_fields[i].scope))
      column_read(r, k, &agent_fields[i], first, end - first);
}

static void agents_verify(struct reader *r, const struct checkpoint *k, uint64_t expected)
{
  if (comm_sum_wrapping(r->comm, agents_checksum(&k->agents)) != expected)
    set_error(r, "its agents have another checksum than was written");
}

// ------------------------------------------------------------------------------------- the file

// Each rank for itself: they may be on machines with different rights.
static void file_probe(struct reader *r, const char *path)
{
  struct stat status;
  const int fd = regular_file_open(path);
  if (fd < 0 && (stat(path, &status) == 0 && !S_ISREG(status.st_mode)))
    set_error(r, "is not a regular file");
  else if (fd < 0 || fstat(fd, &status) != 0)
    set_unreadable(r, strerror(errno));
  else
    r->bytes = (int64_t)status.st_size;
  if (fd >= 0)
    close(fd);
}

static void file_open(struct reader *r, const char *path)
{
  char reason[200];
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  file_probe(r, path);
  if (!all_ranks_ok(r))
    return;
  const enum exit_code sealed = seal_check(r->comm, path, reason, sizeof reason);
  if (sealed == EXIT_IO)
    set_unreadable(r, reason);
  else if (sealed != EXIT_DONE)
    set_error(r, "%s", reason);
  if (!all_ranks_ok(r))
    return;
  r->file = hdf5_open(path, H5F_ACC_RDONLY, H5P_DEFAULT, reason, sizeof reason);
  if (r->file < 0)
    set_error(r, "%s", reason);
}

enum exit_code checkpoint_read(const struct comm *c, const char *path, struct checkpoint *k,
                               char *fault, size_t size)
{
  struct reader r = {.comm = c, .file = H5I_INVALID_HID, .code = EXIT_DONE};
  struct checksums checksums = {0, 0};
  *k = (struct checkpoint){.state = {.comm = c, .reading = true}};
  file_open(&r, path);
  if (all_ranks_ok(&r) && c->rank == 0)
    header_read(&r, k, &checksums);
  if (all_ranks_ok(&r)) {
    header_broadcast(c, k, &checksums);
    agents_read(&r, k);
  }
  if (all_ranks_ok(&r))
    agents_verify(&r, k, checksums.agents);
  all_ranks_ok(&r);
  if (r.file >= 0)
    H5Fclose(r.file);
  snprintf(fault, size, "%s", r.reason);
  return r.code;
}

void checkpoint_destroy(struct checkpoint *k)
{
  memory_destroy(k->name);
  memory_destroy(k->version);
  memory_destroy(k->fingerprint);
  memory_destroy(k->text);
  state_destroy(&k->state);
  agents_destroy(&k->agents);
  *k = (struct checkpoint){0};
}

// ------------------------------------------------------------------------------------- throng info

bool checkpoint_recognise(const char *path)
{
  const char *dot = strrchr(path, '.');
  return (dot && strcmp(dot, ".h5") == 0) || seal_exists(path);
}

enum exit_code checkpoint_describe(const char *path)
{
  const struct comm self = comm_self();
  struct checkpoint k;
  char fault[300];
  if (access(path, F_OK) != 0) {
    const enum exit_code missing = errno == EACCES ? EXIT_IO : EXIT_BAD_INPUT;
    message_print("%s: %s", path, strerror(errno));
    return missing;
  }
  const enum exit_code code = checkpoint_read(&self, path, &k, fault, sizeof fault);
  if (code == EXIT_DONE) {
    printf("%s: a checkpoint of throng\n", printable(path).text);
    printf("  %-11s%s\n  %-11s%s\n", "scenario", printable(k.name).text, "version",
           printable(k.version).text);
    printf("  %-11s%016" PRIx64 "\n", "checksum", k.checksum);
    printf("  %-11s%" PRId64 ", at %.6g s\n", "step", k.step, k.time);
    printf("  %-11s%" PRId64 "\n", "agents", k.agent_count);
    printf("  %-11severy byte read; the checksums of file, agents and state match\n", "verified");
    printf("  %-11sthrong run CONFIG --restart %s\n", "continue", printable(path).text);
    fflush(stdout);
  } else {
    message_print("%s: %s", path, fault);
  }
  checkpoint_destroy(&k);
  return code;
}
