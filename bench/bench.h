// Shared by the benchmarks.
#pragma once
#include "backend_gpu.h"
#include "world.h"

// Square pillars with sides of 1 m, 12 m apart in rows, within the world's bounds.
void bench_pillars(struct world *w);
// Their outlines, each side moved outward by the margin (quanta).
struct outlines bench_pillar_outlines(const struct world *w, int32_t margin);
// Closed squares. lo[count]: their lower left corners; side: quanta.
struct outlines bench_squares(int64_t count, const struct point *lo, int32_t side);
void bench_outlines_destroy(struct outlines *outlines);

double bench_median(double *values, int64_t count); // sorts the values
// The number in an option's text, from least to most; else ends the program with a message.
double bench_number(const char *option, const char *text, double least, double most);
// Prints "kernels_ms": {...}, "bus_bytes": {...}, per repetition: times by the GPU's own clock and
// bytes to and from it. Prints nothing for a backend without kernels.
void bench_print_kernels(const struct backend *backend, int64_t repetitions);
