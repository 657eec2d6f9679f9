// Snapshots in parallel HDF5, laid out as VTKHDF PolyData (docs/formats.md).
#pragma once
#include "agents.h"
#include "comm.h"
#include "measure.h"
#include "obstacles.h"
#include "partition.h"
#include "position.h"
#include "selection.h"

struct snapshot_metadata {
  int64_t step;
  double time; // s
  const struct frame *frame;
  const char *name;          // of the scenario; NULL: none
  const char *attribution;   // whom the geometry asks to name; NULL: nobody
  const char *scenario_text; // the config as read
  const char *version;       // of throng, with the revision
  uint64_t checksum;         // of the whole state
  bool f64;                  // Points as f64 (exact) instead of f32
  int32_t compression;       // deflate level; 0 none
  struct selection selection;
};

// How a write ended, the same on every rank. SKIPPED: not enough free space, nothing was begun, a
// run may go on. FAILED: the file system refused (EXIT_IO is right). Both after one message on
// stderr, with no path.tmp left behind.
enum snapshot_result { SNAPSHOT_WRITTEN, SNAPSHOT_SKIPPED, SNAPSHOT_FAILED };

// Writes the selected of the owned agents of all ranks: path.tmp, closed, fsynced, renamed to path.
// written: how many they are; may be NULL. Collective.
enum snapshot_result snapshot_write(const struct comm *c, const char *path,
                                    const struct snapshot_metadata *metadata,
                                    const struct partition *partition, const struct agents *a,
                                    int64_t *written);

// The walls once, as VTKHDF PolyData Lines, exact (f64). Collective; rank 0 writes.
enum snapshot_result snapshot_write_walls(const struct comm *c, const char *path,
                                          const struct frame *frame, const struct outlines *walls);

// A field of density: sums over the samples of an interval, cell by cell, row by row from the
// lower left. Adds the ranks' cells up on rank 0, which writes them as VTKHDF ImageData (cell data
// density, speed, level and people), and empties them everywhere. Collective.
struct snapshot_field {
  const struct snapshot_metadata *metadata; // compression and what it says of the run
  const struct measure_grid *grid;
  struct measure_sum *cells; // [measure_cell_count]
  int64_t samples;           // at least 1
  int64_t since;             // step: the samples are later
};
void snapshot_field_name(int64_t step, char *name, size_t size); // density-00000042.vtkhdf
enum snapshot_result snapshot_write_field(const struct comm *c, const char *path,
                                          const struct snapshot_field *field);

// snapshots.xdmf over the snapshots written so far (file names relative to it). Rewritten whole
// and renamed after each snapshot, so that it is always valid. Rank 0; false after a message.
struct snapshot_entry {
  int64_t step;
  double time;
  int64_t agent_count;
  int64_t fields; // as of a selection
  bool f64;       // positions
};
void snapshot_file_name(int64_t step, char *name, size_t size); // snapshot-00000042.vtkhdf
// walls_file: as written by snapshot_write_walls of these walls; NULL (or no walls): none.
bool snapshots_write_xdmf(const char *path, const struct snapshot_entry *entries, int64_t count,
                          const char *walls_file, const struct outlines *walls);

// What `throng info FILE` says of a snapshot or a walls file: one screen. Reads every byte of it.
// EXIT_CORRUPT_DATA with a message when the file is no snapshot or broken, EXIT_BAD_INPUT when
// there is no such file. Serial.
enum exit_code snapshot_describe(const char *path);
