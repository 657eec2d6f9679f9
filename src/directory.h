// The directory of a run.
#pragma once
#include "base.h"

// "directory/name", owned by the caller (free).
char *directory_file(const char *directory, const char *name);

// Makes the directory and everything above it. An earlier run in it is kept in its folder
// `previous`. On failure false, after a message on stderr.
bool directory_prepare(const char *directory);
// The same for a run that goes on from the checkpoint of that step: what is there stays, but for
// what came later: snapshots, density files and the summary.
bool directory_continue(const char *directory, int64_t step);

// The numbers N of the files PREFIX-N.ENDING in it, greatest first: list[*count], free it with
// memory_destroy.
int64_t *directory_numbers(const char *directory, const char *prefix, const char *ending,
                           int64_t *count);
