// Whole runs of the scenarios in configs/.
#pragma once

// throng-bench runs [options]: prints a table.
int runs_bench(int argc, char **argv);
