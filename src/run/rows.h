// A file that grows by rows while a run goes on: series.csv, lines.csv, ... Rank 0 has it open.
#pragma once
#include "state.h"
#include <stdio.h>

struct rows {
  FILE *file; // NULL: not on this rank, or not wanted
  char *path;
  int64_t length; // bytes, of the checkpoint that the run goes on from; -1: of none
};

// directory/name with that first line (NULL: without). going_on: what is there stays. False after a
// message.
bool rows_open(struct rows *r, const char *directory, const char *name, const char *head,
               bool going_on);
bool rows_flush(const struct rows *r); // false: see errno
void rows_close(struct rows *r);

// The file's length is all that a checkpoint keeps of it. Writing puts it on the disk first, so
// that no checkpoint is ahead of its tables.
void rows_visit(struct rows *r, struct state *v, const char *name);
// When all of the checkpoint was found good: cuts off what came later. False after a message.
bool rows_continue(const struct rows *r);
