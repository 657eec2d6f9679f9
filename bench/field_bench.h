// Time to solve fields.
#pragma once
#include <stdint.h>

// Solves `fields` fields together, of side * side cells with pillars, on the device of that backend
// or the CPU. Their destinations are single cells spread over the grid, the first in a corner.
// Prints one JSON line: the median of `repetitions` after one to warm up, and a hash of all times.
void field_bench(int64_t side, int32_t fields, int64_t repetitions, const char *backend);
