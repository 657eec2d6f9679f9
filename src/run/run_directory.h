// The directory of a run.
#pragma once
#include "base.h"

// "directory/name", owned by the caller (free).
char *run_directory_file(const char *directory, const char *name);

// Makes the directory and everything above it. An earlier run in it is kept in its folder
// `previous`. On failure false, after a message on stderr.
bool run_directory_prepare(const char *directory);
// The same for a run that goes on there: what is there stays.
bool run_directory_resume(const char *directory);
// For a run that goes on from a checkpoint elsewhere: refuses a directory that holds a run.
bool run_directory_prepare_empty(const char *directory);
// Removes the files PREFIX-N.vtkhdf after step N.
void run_directory_remove_after(const char *directory, const char *prefix, int64_t step);
void run_directory_remove_final(const char *directory); // what is written when a run is over
bool run_directory_contains(const char *directory,
                            const char *path); // is that file in it, by whatever name?

// The numbers N of the files PREFIX-N.ENDING in it, greatest first: list[*count], free it with
// memory_destroy.
int64_t *run_directory_list_steps(const char *directory, const char *prefix, const char *ending,
                                  int64_t *count);
