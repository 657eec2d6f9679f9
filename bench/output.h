// Snapshots against plain writes.
#pragma once

// mpirun --bind-to none -n P throng-bench output [options]: a table on the standard output of
// rank 0. Collective.
int output(int argc, char **argv);
