// Weak and strong scaling over ranks and threads, and a model of what a step costs.
#pragma once

// mpirun --bind-to none -n P throng-bench scale [options]: tables on the standard output of rank 0.
int scale(int argc, char **argv);
