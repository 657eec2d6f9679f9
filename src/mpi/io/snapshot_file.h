// An HDF5 file that all ranks write together. It gets its name when it is complete. Every call is
// collective. After the first failure on any rank all further calls do nothing, and
// snapshot_file_publish reports it: callers need not check in between.
#pragma once
#include "agent_columns.h"
#include "chunk_deflate.h"
#include "comm.h"
#include "snapshot.h"
#include <hdf5.h>

struct snapshot_file {
  const struct comm *comm;
  const char *path;
  char partial[4096];   // path.tmp
  char reason[512];     // of the first failure on this rank
  hid_t file, transfer; // transfer: property list of the writes
  int32_t compression;  // deflate level; 0: none
  bool exact;           // a checkpoint, see snapshot_file_create
  bool ok;              // no failure on any rank, as of the last snapshot_agree
  bool rank_ok;         // no failure on this rank
};

// A dataset of total rows, of which this rank writes [first, first + count).
struct snapshot_rows {
  const char *name, *unit, *description; // unit NULL: no attributes
  hid_t type;
  int32_t width; // values per row; shape: [total] if 1, else [total][width]
  int64_t first, count, total;
  // Writes the rows [begin, begin + count) of this rank to out[count * width].
  void (*fill)(const void *source, int64_t begin, int64_t count, void *out);
  const void *source;
};
bool snapshot_rows_is_valid(const struct snapshot_rows *r);

// bytes: upper bound of the file size. exact: every array has a checksum even without compression,
// the file is sealed (seal.h) and is on the disk when it gets its name, and lack of space is a
// failure. If the result is not WRITTEN, the failure has been reported and the file must not be
// used.
enum snapshot_result snapshot_file_create(struct snapshot_file *f, const struct comm *c,
                                          const char *path, int64_t bytes, int32_t compression,
                                          bool exact);
enum snapshot_result snapshot_file_publish(struct snapshot_file *f);

// Records a failure of this rank if the status of an HDF5 call is negative; what: its object. Not
// collective.
void snapshot_check(struct snapshot_file *f, int64_t status, const char *what);
// True if no rank has failed. Required before a collective HDF5 call.
bool snapshot_agree(struct snapshot_file *f);

// The most rows of `row` bytes that a file of `bytes` can hold, however well they compress. A
// damaged file may claim any number.
int64_t snapshot_rows_limit(int64_t bytes, int64_t row);

void snapshot_hdf5_reason(char *text, size_t size); // for the failure of the last HDF5 call, or ""

hid_t snapshot_number_type(enum number_type n);
hid_t snapshot_group_create(struct snapshot_file *f, hid_t where, const char *name);
void snapshot_group_close(struct snapshot_file *f, hid_t group);
void snapshot_rows_write(struct snapshot_file *f, hid_t where, const struct snapshot_rows *rows);
int64_t snapshot_rows_allocated(int64_t rows); // rounded up to whole chunks

// The chunks of a dataset that this rank writes alone.
struct snapshot_chunks {
  const char *name;     // of the dataset
  int64_t count;        // chunks
  int64_t values, size; // values of a chunk; bytes of a value
  enum deflate_search search;
  // Writes the values of chunk k to out[values], which is 0 before. False: they are all 0, as what
  // is not stored reads. Several threads call it at once, so it calls nothing of HDF5.
  bool (*fill)(const void *source, int64_t k, void *out);
  // Writes where chunk k begins to offset[dimensions of the dataset], which is 0 before.
  void (*offset)(const void *source, int64_t k, hsize_t *offset);
  const void *source;
};
// Compressed by the threads that the caller's loops have; the same file with any number of them.
void snapshot_chunks_write(struct snapshot_file *f, hid_t dataset, const struct snapshot_chunks *c);

// A small dataset that every rank holds.
struct snapshot_array {
  const char *name;
  hid_t type;
  int64_t rows;
  int32_t width;
  const void *data; // [rows][width]
};
void snapshot_array_write(struct snapshot_file *f, hid_t where, struct snapshot_array array);
void snapshot_text_write(struct snapshot_file *f, hid_t where, const char *name, const char *text);

// Attributes of an open group or dataset. count 1: a scalar.
void snapshot_attribute(struct snapshot_file *f, hid_t object, const char *name, hid_t type,
                        int32_t count, const void *values);
void snapshot_attribute_text(struct snapshot_file *f, hid_t object, const char *name,
                             const char *text);

// Attributes of a group: the world's origin and quantum, m.
void snapshot_frame_write(struct snapshot_file *f, hid_t group, const struct frame *frame);
// The same beside points in the coordinates of the scenario: the world's origin is `frame_origin`,
// and `origin`, which readers add to the points, is 0. Older files have points relative to the
// world's origin, which is their `origin`.
void snapshot_points_frame_write(struct snapshot_file *f, hid_t group, const struct frame *frame);
// Where the file comes from: version, name, attribution and projection.
void snapshot_provenance_write(struct snapshot_file *f, hid_t group,
                               const struct snapshot_metadata *metadata);

// The group /VTKHDF, PolyData version 2.0, and its cells. kind: Vertices, Lines, Polygons or
// Strips. offsets[cell_count + 1]. connectivity: the point numbers of all cells.
hid_t snapshot_polydata_create(struct snapshot_file *f, int64_t point_count);
void snapshot_cells_write(struct snapshot_file *f, hid_t polydata, const char *kind,
                          int64_t cell_count, const int64_t *offsets,
                          struct snapshot_rows connectivity);
void snapshot_empty_cells_write(struct snapshot_file *f, hid_t polydata, const char *kind);
