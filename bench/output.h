// Time to write snapshots, compared with plain writes.
#pragma once

// mpirun --bind-to none -n P throng-bench output [options]: prints a table on rank 0. Collective.
int output_bench(int argc, char **argv);
