// How long does a field take?
#pragma once
#include <stdint.h>

// Of side * side cells with pillars, towards one corner, by that backend's device or the CPU: one
// JSON line, with a hash of the field. Once to warm up, then `times` times; the median.
void field_bench(int64_t side, int64_t times, const char *backend);
