// The trajectory of a run: the agents of every frame, by ascending id, in one HDF5 file
// (trajectory_file.h, docs/formats.md). Rank 0 has the file and the rows of its last, unfinished
// chunk; all ranks compress. The file has the same bytes for any number of ranks, and for a run
// that was stopped and continued.
#pragma once
#include "state.h"
#include "trajectory_file.h"

struct trajectory_options {
  enum trajectory_layout layout;
  struct selection selection;
  const struct frame *frame; // of the world
  int32_t compression;       // deflate level; 0: none
  int64_t every;             // steps between two frames
};

struct trajectory {
  const struct comm *comm; // NULL: there is no trajectory
  struct trajectory_options options;
  struct trajectory_file file;
  int64_t rows;                                     // in the file: whole chunks
  int64_t tail_count;                               // rows of the unfinished chunk
  void *tail[TRAJECTORY_DATASETS];                  // [chunk_rows] of each dataset
  struct trajectory_frame_entry *frames;            // [frame_count] that are not in the file yet
  int64_t frame_first, frame_count, frame_capacity; // frame_first: number of the first of them
  struct trajectory_chunk *chunks;                  // [chunk_count] complete, but not written yet
  int64_t chunk_count, chunk_capacity;
  struct trajectory_saved {
    bool exists;
    int64_t format[9];  // what the bytes of the file depend on
    int64_t length;     // of the file
    char *image, *tail; // trajectory_file_image; the rows of the tail
    int64_t image_bytes, tail_bytes;
  } saved; // in the checkpoint that is being written or was read
};

// path is copied.
void trajectory_create(struct trajectory *t, const struct comm *c, const char *path,
                       const struct trajectory_options *options);
void trajectory_destroy(struct trajectory *t);
bool trajectory_is_valid(const struct trajectory *t);

// The functions with an exit code are collective: EXIT_IO, after a message of rank 0.

// Creates the file, without frames.
enum exit_code trajectory_begin(struct trajectory *t, const struct trajectory_description *d);

// Adds a frame and compresses the chunks that are complete, by all threads of all ranks.
// Collective.
void trajectory_add(struct trajectory *t, int64_t step, const struct agents *a);
// Whether this rank has chunks for trajectory_write.
static inline bool trajectory_has_chunks(const struct trajectory *t)
{
  return t->chunk_count > 0;
}
enum exit_code trajectory_write(struct trajectory *t); // writes these

// Writes the last rows and puts the file on the disk.
enum exit_code trajectory_end(struct trajectory *t);

// Before a checkpoint: reads what restores the file. Collective.
enum exit_code trajectory_save(struct trajectory *t);
// Writing: stores that. Reading: call trajectory_check and trajectory_restore afterwards. A run
// without a trajectory visits an empty struct trajectory. Collective.
void trajectory_visit(struct trajectory *t, struct state *v);
// Whether the file can become what it was at the checkpoint; changes nothing. After a message:
// EXIT_BAD_INPUT if the checkpoint has a trajectory of another format, or one of the two has none,
// EXIT_IO if the file is lost. Collective.
enum exit_code trajectory_check(const struct comm *c, struct trajectory *t);
enum exit_code trajectory_restore(struct trajectory *t); // makes it so, after that. Collective
