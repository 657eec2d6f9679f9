// Snapshots in parallel HDF5 with the layout of VTKHDF PolyData (docs/formats.md).
#pragma once
#include "agents.h"
#include "cell_totals.h"
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
  const char *attribution;   // that the licence of the geometry requires; NULL: none
  const double *projection;  // [4] degrees of (0, 0) m, m per degree; east, north. NULL: unknown
  const char *scenario_text; // the config as read
  const char *version;       // of throng, with the revision
  uint64_t checksum;         // simulation_checksum
  bool f64;            // Points as f64 (exact) instead of f32, which are for small coordinates
  int32_t compression; // deflate level 0 to 9; 0: none
  struct selection selection;
};

// The result of a write, equal on every rank. SKIPPED: too little free space; the run can continue.
// FAILED: the file system refused; the caller ends with EXIT_IO. Both print one message to stderr
// and leave no path.tmp.
enum snapshot_result { SNAPSHOT_WRITTEN, SNAPSHOT_SKIPPED, SNAPSHOT_FAILED };

// Writes the selected owned agents of all ranks to path.tmp, closes it and renames it to path; the
// system puts it on the disk later (run_directory_sync). Collective.
enum snapshot_result snapshot_write(const struct comm *c, const char *path,
                                    const struct snapshot_metadata *metadata,
                                    const struct partition *partition, const struct agents *a);

// The same in two parts: snapshot_begin selects the agents, snapshot_end writes the file and
// destroys the snapshot. Agents and partition must not change in between, unless snapshot_detach
// has copied what is needed of them: 32 bytes per agent. What metadata points to is not copied.
// Collective, but with one rank snapshot_end makes no call of MPI: another thread may make it.
struct snapshot;
struct snapshot *snapshot_begin(const struct comm *c, const struct snapshot_metadata *metadata,
                                const struct partition *partition, const struct agents *a);
int64_t snapshot_agent_count(const struct snapshot *snapshot); // selected, on all ranks
void snapshot_detach(struct snapshot *snapshot);
enum snapshot_result snapshot_end(struct snapshot *snapshot, const char *path);

// Writes the walls as VTKHDF PolyData Lines, in f64 (exact). Collective; rank 0 writes.
enum snapshot_result snapshot_write_walls(const struct comm *c, const char *path,
                                          const struct frame *frame, const struct outlines *walls);

// A density field: sums over the samples of an interval, one per grid cell, row by row from the
// lower left.
struct snapshot_field {
  const struct snapshot_metadata *metadata; // without checksum, f64 and selection
  const struct measure_grid *grid;
  struct measure_sum *cells; // [measure_cell_count]
  int64_t samples;           // at least 1
  int64_t since;             // the samples are of later steps
};
void snapshot_field_name(int64_t step, char *name, size_t size); // density-00000042.vtkhdf
// Sums the cells of all ranks on rank 0; they are undefined on the others. Collective.
void snapshot_field_sum(const struct comm *c, const struct snapshot_field *field);
// Rank 0 writes its cells as VTKHDF ImageData (cell data density, speed, level and people).
// Collective, but with one rank it makes no call of MPI.
enum snapshot_result snapshot_write_field(const struct comm *c, const char *path,
                                          const struct snapshot_field *field);

static inline float snapshot_mean_speed(struct measure_sum s) // m/s
{
  return s.people ? (float)(1e-6 * (double)s.speed / (double)s.people) : 0;
}

// The totals of a run up to a step.
struct snapshot_totals {
  const struct snapshot_metadata *metadata; // as of a density field
  const struct measure_grid *grid;
  const struct run_totals *cells;
  int64_t samples; // at least 1
  double sample;   // s between two of them
};
// Writes them as VTKHDF ImageData, without a call of MPI.
enum snapshot_result snapshot_write_totals(const char *path, const struct snapshot_totals *totals);

struct snapshot_entry { // a snapshot in snapshots.xdmf
  int64_t step;
  double time; // s
  int64_t agent_count;
  int64_t fields; // as in struct selection
  bool f64;       // positions
};
void snapshot_file_name(int64_t step, char *name, size_t size); // snapshot-00000042.vtkhdf
// Writes snapshots.xdmf, which lists the snapshots so far by relative file names, and renames it
// when complete: readers always find a valid file. walls_file: written by snapshot_write_walls from
// these walls; NULL: none. Rank 0. False after a message.
bool snapshots_write_xdmf(const char *path, const struct snapshot_entry *entries, int64_t count,
                          const char *walls_file, const struct outlines *walls);
