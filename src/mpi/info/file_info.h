// What `throng info FILE` prints of snapshots, walls, densities, totals and trajectories.
#pragma once
#include "base.h"

// Reads every byte of the file. After a message: EXIT_CORRUPT_DATA if it is damaged or of another
// kind, EXIT_BAD_INPUT if there is no such file. Serial.
enum exit_code file_describe(const char *path);

// Whether a file is taken for a trajectory: by its contents or, if it is damaged, by its name.
// Serial.
bool trajectory_recognise(const char *path);
