// How long does a field take?
#pragma once
#include <stdint.h>

// So many fields together, of side * side cells with pillars, towards as many places spread over
// them, the first in a corner, by that backend's device or the CPU: one JSON line, with a hash of
// all. Once to warm up, then `times` times; the median.
void field_bench(int64_t side, int32_t fields, int64_t times, const char *backend);
