// Shared by the benchmarks.
#pragma once
#include "backend.h"

double bench_median(double *values, int64_t count); // sorts the values
// The number in an option's text, from least to most; else ends the program with a message.
double bench_number(const char *option, const char *text, double least, double most);
// Prints "kernels_ms": {...}, "bus_bytes": {...}, per repetition: times by the GPU's own clock and
// bytes to and from it. Prints nothing for a backend without kernels.
void bench_print_kernels(const struct backend *backend, int64_t repetitions);
