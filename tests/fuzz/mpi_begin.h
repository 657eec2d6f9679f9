// MPI for the targets that read files of a run.
#pragma once

// Starts MPI on one rank, without a launcher, at the first call. It ends with the process.
void mpi_begin(void);
