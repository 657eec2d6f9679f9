// A file to which a run appends rows: series.csv, lines.csv, ... Only rank 0 opens it.
#pragma once
#include "state.h"
#include <stdio.h>

struct append_file {
  FILE *file; // NULL: not opened on this rank
  char *path;
  int64_t length; // bytes at the checkpoint that the run continues from; -1: no checkpoint
};

// Opens directory/name; a new file starts with the line `head` (NULL: none). resuming: keeps the
// existing file. False after a message.
bool append_file_open(struct append_file *f, const char *directory, const char *name,
                      const char *head, bool resuming);
bool append_file_flush(const struct append_file *f); // false: see errno
void append_file_close(struct append_file *f);

// A checkpoint stores only the file length. Writing syncs the file to disk first: no checkpoint is
// ahead of its tables.
void append_file_visit(struct append_file *f, struct state *v, const char *name);
// Truncates the file to the length in the checkpoint, once that is verified. False after a message.
bool append_file_resume(const struct append_file *f);
