// The output directory of a run. Rank 0 calls.
#pragma once
#include "base.h"

// "directory/name"; the caller frees it by free.
char *run_directory_file(const char *directory, const char *name);

// Creates the directory and its parents. False after a message on stderr.
bool run_directory_create(const char *directory);

// In a directory that is created and locked (run_lock.h); false after a message on stderr.
// For a new run: moves the files of an earlier run to its folder `previous`.
bool run_directory_prepare(const char *directory);
// For a run that continues in this directory: keeps its files, deletes unfinished ones.
void run_directory_resume(const char *directory);
// For a run that continues from a checkpoint elsewhere: refuses a directory that holds a run.
bool run_directory_prepare_empty(const char *directory);
// Deletes the files PREFIX-STEP.vtkhdf of later steps than `step`.
void run_directory_remove_after(const char *directory, const char *prefix, int64_t step);
void run_directory_remove_final(const char *directory); // deletes files written at the end of a run
// Puts the files of the run that were changed since *since (s, clock of the file system; 0: ever)
// on the disk, as far as this machine wrote them. *since becomes the present. False after a
// message.
bool run_directory_sync(const char *directory, double *since);
bool run_directory_contains(const char *directory, const char *path); // follows symbolic links

// The steps of the files PREFIX-STEP.EXTENSION, descending: list[*count], which the caller frees by
// memory_destroy. *count < 0: the directory cannot be read, see errno. None if there is none.
int64_t *run_directory_list_steps(const char *directory, const char *prefix, const char *extension,
                                  int64_t *count);
