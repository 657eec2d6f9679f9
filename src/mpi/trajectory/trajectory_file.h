// The HDF5 file of a trajectory: datasets that grow by whole chunks, and an index of the frames.
// One process writes it. It is closed between any two calls, so that other programs may read it
// meanwhile. A chunk that is written never changes. The bytes of the file depend only on the calls,
// not on when they were made nor by which processes the chunks were compressed.
#pragma once
#include "agent_columns.h"
#include "selection.h"
#include "snapshot.h"

#define TRAJECTORY_DATASETS 8 // at most

struct trajectory_dataset {
  const char *name;                  // in the file
  const struct agent_column *column; // NULL: a table of struct archive_row
  int64_t size;                      // bytes of a row
};

struct trajectory_format {
  enum trajectory_layout layout;
  int32_t compression; // deflate level; 0: none
  int64_t chunk_rows;
  int32_t dataset_count;
  struct trajectory_dataset datasets[TRAJECTORY_DATASETS];
};
// selection: of the columns of the compact layout.
struct trajectory_format trajectory_format(enum trajectory_layout layout,
                                           const struct selection *selection, int32_t compression);

struct trajectory_frame_entry { // a frame in the index
  int64_t step;
  int64_t first; // row of its first agent
  int64_t count; // of its rows
};

struct trajectory_chunk {
  int32_t dataset;
  int64_t number; // it begins with row number * chunk_rows
  void *bytes;    // [size] as in the file: shuffled and compressed
  int64_t size;
};

struct byte_range { // in the file
  int64_t at, size;
};

struct trajectory_file {
  char *path;
  struct trajectory_format format;
  int64_t chunk_count, chunk_capacity;
  struct byte_range *chunks; // [chunk_count] where they are
};
void trajectory_file_destroy(struct trajectory_file *f);

// The functions below return false after a message.

struct trajectory_description {
  const struct snapshot_metadata *metadata; // frame, name, attribution, scenario_text, version
  const char *walkable;                     // WKT of the walkable ground, m
  double frame_rate;                        // 1/s
  double step;                              // s, of the simulation
};
// Creates the file, without frames; an older one is lost.
bool trajectory_file_create(struct trajectory_file *f, const struct trajectory_description *d);

struct trajectory_addition { // what is appended at once
  const struct trajectory_chunk *chunks;
  int64_t chunk_count;
  int64_t rows; // of each dataset, afterwards
  const struct trajectory_frame_entry *frames;
  int64_t frame_first, frame_count; // their numbers: [frame_first, frame_first + frame_count)
};
bool trajectory_file_append(struct trajectory_file *f, const struct trajectory_addition *addition);

bool trajectory_file_sync(const struct trajectory_file *f); // puts the file on the disk

// All bytes of the file but those of its chunks, in the order of the file: with them a file that
// was written further, or damaged while it was written, becomes again what it was. *length: of the
// file. Free *bytes with memory_destroy.
bool trajectory_file_image(const struct trajectory_file *f, int64_t *length, char **bytes,
                           int64_t *count);
// Whether the file is there and has all chunks of that image.
bool trajectory_file_check(const struct trajectory_file *f, int64_t length, int64_t count);
bool trajectory_file_restore(const struct trajectory_file *f, int64_t length, const char *bytes);

bool trajectory_report_errno(const char *path); // prints why; false
