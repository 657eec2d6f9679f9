// One HDF5 file that all ranks write together and that appears under its name when complete.
// Every call is collective. After the first failure, which all ranks learn of, the calls do
// nothing, and snapshot_file_publish tells it once: callers need not check in between.
#pragma once
#include "comm.h"
#include "snapshot.h"
#include <hdf5.h>

struct snapshot_file {
  const struct comm *comm;
  const char *path;
  char partial[4096];   // path.tmp
  char reason[512];     // of the first failure on this rank
  hid_t file, transfer; // transfer: how rows travel
  int32_t compression;  // deflate level; 0 none
  bool exact;           // a checkpoint, see snapshot_file_create
  bool ok;              // on all ranks, as of the last agreement
  bool rank_ok;         // on this rank
};

// The rows of one dataset: this rank has [first, first + count) of total.
struct snapshot_rows {
  const char *name, *unit, *description; // unit NULL: no attributes
  hid_t type;
  int32_t width; // values a row: 1 makes it [total], else [total][width]
  int64_t first, count, total;
  // out[count * width]: this rank's rows [begin, begin + count)
  void (*fill)(const void *source, int64_t begin, int64_t count, void *out);
  const void *source;
};

// What a snapshot says of every agent, one line each: PointData of the file, Attributes in XDMF.
enum snapshot_number { SNAPSHOT_I32, SNAPSHOT_I64, SNAPSHOT_F32, SNAPSHOT_F64 };
struct snapshot_column {
  const char *name;
  enum snapshot_number number;
  int32_t width; // numbers a row
  void (*fill)(const void *source, int64_t begin, int64_t count, void *out);
  const char *unit, *description;
};
extern const struct snapshot_column snapshot_columns[];
extern const int snapshot_column_count;
int32_t snapshot_number_size(enum snapshot_number n); // bytes

// bytes: an upper bound of what will be written. exact: every array carries a checksum whatever the
// compression, the whole file is sealed (seal.h), and no room for it is a failure, too. SKIPPED or
// FAILED: over, the message is out.
enum snapshot_result snapshot_file_create(struct snapshot_file *f, const struct comm *c,
                                          const char *path, int64_t bytes, int32_t compression,
                                          bool exact);
enum snapshot_result snapshot_file_publish(struct snapshot_file *f);

// For whoever calls HDF5 on the file: a negative status is a failure of this rank (what: the
// thing that failed); all ranks agree before the next call that needs them all.
void snapshot_check(struct snapshot_file *f, int64_t status, const char *what);
bool snapshot_agree(struct snapshot_file *f);

void snapshot_hdf5_reason(char *text, size_t size); // of the last HDF5 call; empty: none

hid_t snapshot_group_create(struct snapshot_file *f, hid_t where, const char *name);
void snapshot_group_close(struct snapshot_file *f, hid_t group);
void snapshot_rows_write(struct snapshot_file *f, hid_t where, const struct snapshot_rows *rows);
// As so many rows count on the disk where they carry checksums: whole chunks.
int64_t snapshot_rows_allocated(int64_t rows);
// A small dataset every rank knows: data[rows][width].
void snapshot_small_write(struct snapshot_file *f, hid_t where, const char *name, hid_t type,
                          int64_t rows, int32_t width, const void *data);
void snapshot_text_write(struct snapshot_file *f, hid_t where, const char *name, const char *text);

// Attributes of an open group or dataset; count 1 makes a scalar.
void snapshot_attribute(struct snapshot_file *f, hid_t object, const char *name, hid_t type,
                        int32_t count, const void *values);
void snapshot_attribute_text(struct snapshot_file *f, hid_t object, const char *name,
                             const char *text);

// The group /VTKHDF as PolyData of version 2.0, and its four kinds of cells: Vertices, Lines,
// Polygons, Strips. offsets[cell_count + 1]; connectivity: the point numbers of all cells.
hid_t snapshot_polydata_create(struct snapshot_file *f, int64_t point_count);
void snapshot_cells_write(struct snapshot_file *f, hid_t polydata, const char *kind,
                          int64_t cell_count, const int64_t *offsets,
                          struct snapshot_rows connectivity);
void snapshot_empty_cells_write(struct snapshot_file *f, hid_t polydata, const char *kind);
