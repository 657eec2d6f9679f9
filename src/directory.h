// The directory of a run.
#pragma once
#include "base.h"

// "directory/name", owned by the caller (free).
char *directory_file(const char *directory, const char *name);

// Makes the directory and everything above it. An earlier run in it is kept in its folder
// `previous`. On failure false, after a message on stderr.
bool directory_prepare(const char *directory);
