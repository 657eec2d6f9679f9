// A file that grows by rows while a run goes on: series.csv, lines.csv, ... Rank 0 has it open.
#pragma once
#include "state.h"
#include <stdio.h>

struct append_file {
  FILE *file; // NULL: not on this rank, or not wanted
  char *path;
  int64_t length; // bytes, of the checkpoint that the run goes on from; -1: of none
};

// directory/name with that first line (NULL: without). resuming: what is there stays. False after a
// message.
bool append_file_open(struct append_file *r, const char *directory, const char *name,
                      const char *head, bool resuming);
bool append_file_flush(const struct append_file *r); // false: see errno
void append_file_close(struct append_file *r);

// The file's length is all that a checkpoint keeps of it. Writing puts it on the disk first, so
// that no checkpoint is ahead of its tables.
void append_file_visit(struct append_file *r, struct state *v, const char *name);
// When all of the checkpoint was found good: cuts off what came later. False after a message.
bool append_file_resume(const struct append_file *r);
