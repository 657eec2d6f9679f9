// trajectory.h5 of a run: a frame of all agents at a fixed rate.
#pragma once
#include "simulation.h"
#include "trajectory.h"
#include "worker.h"

struct recording {
  int64_t every; // steps between frames; 0: the scenario asks for no trajectory
  struct trajectory trajectory;
};

void recording_create(struct recording *r, const struct simulation *s, const char *directory);
void recording_destroy(struct recording *r);

// The functions with an exit code are collective. EXIT_IO, after a message: the file cannot be
// written; equal on every rank.

// Creates the file, with the present state if that is due. No job of a worker may be unfinished:
// one thread at a time calls HDF5.
enum exit_code recording_begin(struct recording *r, struct simulation *s, struct worker *writer);
// Adds a frame if one is due. writer: of the snapshots, or NULL; before chunks are written, its
// jobs are finished.
enum exit_code recording_add(struct recording *r, struct simulation *s, struct worker *writer);
enum exit_code recording_end(struct recording *r, struct simulation *s);

enum exit_code recording_save(struct recording *r); // before a checkpoint
void recording_visit(struct recording *r, struct state *v);
// After reading a checkpoint of the current step: whether the file can become what it was then, and
// making it so. EXIT_BAD_INPUT: the scenario asks for another trajectory.
enum exit_code recording_check(struct recording *r, const struct comm *c);
enum exit_code recording_resume(struct recording *r);
