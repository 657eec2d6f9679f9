// The machine that kernels run on: a GPU, or, compiled by a C compiler, one thread after the other
// in an order that a test may change ("emulated"). One text for both:
//
//   KERNEL(name) { ... what thread i does, with *s ... }      LAUNCH(&machine, name, s, threads);
//
// ON_MACHINE: a function that kernels call.
// Threads of one kernel may only share what the atomics below keep. Integers, so that the order of
// threads shows in nothing.
#pragma once
#include "base.h"
#include "text.h"

#include <stdint.h>
#include <string.h>

#ifdef __CUDACC__
#include "machine_cuda.h"
#else
#include "machine_emulated.h"
#endif
