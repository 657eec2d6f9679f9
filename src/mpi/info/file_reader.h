// A serial reader of every byte of an HDF5 file, for `throng info`. The file may be damaged: the
// first error is reported, and `good` is false from then on.
#pragma once
#include <hdf5.h>
#include <stdbool.h>
#include <stdint.h>

struct reader {
  const char *path;
  int64_t bytes; // file size
  hid_t file;
  bool good;
  bool lacks_checksum; // an array has no checksum
  int64_t points;      // as claimed by the file
  double lo[2], hi[2]; // m, of the points, to which attribute `origin` of /throng is added
  bool has_speed;
  double speed_sum, speed_max;
  struct grid *grid; // of a file with arrays over cells; otherwise NULL
};

#define CELL_DATA "VTKHDF/CellData/" // before the names of arrays over cells

// Reports the first error only: later ones may be its consequences.
void reader_fail(struct reader *r, const char *format, ...) __attribute__((format(printf, 2, 3)));

struct reader_dataset { // its shape; width 0: none that throng writes
  int64_t rows, width;
};
struct reader_dataset reader_shape(hid_t dataset);
// Reads the rows as `type`, in pieces, and passes each piece to visit, which may be NULL.
void reader_rows(struct reader *r, hid_t dataset, const char *name, hid_t type,
                 void (*visit)(struct reader *r, int64_t count, const void *values));
// Reads every dataset of the file, which verifies their checksums.
void reader_verify(struct reader *r);

// Attributes of /throng.
bool reader_has_attribute(struct reader *r, const char *name);
double reader_double(struct reader *r, const char *name, int index);
int64_t reader_int64(struct reader *r, const char *name);
const char *reader_text(struct reader *r, const char *name, char *out, size_t size);
// Of any object. Of numbers, the count; at most `most` of them.
const char *reader_text_of(struct reader *r, const char *object, const char *name, char *out,
                           size_t size);
int reader_doubles(struct reader *r, const char *object, const char *name, double *out, int most);

// Lines of the summary: scenario, version, checksum, attribution; bounds of what was read.
void reader_print_texts(struct reader *r);
void reader_print_extent(struct reader *r, bool density);

void trajectory_describe(struct reader *r); // of a file with /trajectory
void grid_describe(struct reader *r);       // of a file with CELL_DATA
// Reads an array over cells, for the description. Called by reader_verify.
void grid_array_read(struct reader *r, hid_t dataset, const char *name);
