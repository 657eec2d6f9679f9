// Weak and strong scaling over ranks and threads, and a model of the time of a step.
#pragma once

// mpirun --bind-to none -n P throng-bench scale [options]: prints tables on rank 0. Collective.
int scale_bench(int argc, char **argv);
