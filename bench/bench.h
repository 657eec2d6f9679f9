// What the benches share.
#pragma once
#include "backend_gpu.h"
#include "world.h"

// Square pillars of a metre in rows, twelve metres apart, within the world's bounds.
void bench_pillars(struct world *w);
struct outlines bench_pillar_lines(const struct world *w, int32_t grown); // by so many quanta
// Closed ones, from their lower left corners; side: quanta.
struct outlines bench_squares(int64_t count, const struct point *lo, int32_t side);
void bench_outlines_destroy(struct outlines *lines);
double bench_median(double *values, int64_t count); // sorts them
// "kernels_ms": {...}, of a GPU by its own clock, and "bus_bytes": {...}, what went up and came
// down, each of so many times; nothing of a CPU.
void bench_print_kernels(const struct backend *backend, int64_t times);
