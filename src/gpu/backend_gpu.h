// Backends by name: those of the CPU, and the kernels of the GPU.
#pragma once
#include "backend.h"

// By any name of backend_find, or
//   cuda      the GPU
//   emulated  the same kernels on a CPU, one thread after the other; emulated-reversed and
//             emulated-permuted: in another order
//   auto      cuda, or, where there is none, simd
// NULL, and why, when there is none of that name here. For auto, why says why it is not cuda; else
// it is NULL.
const struct backend *backend_named(const char *name, const char **why);

const struct backend *backend_cuda(const char **why); // built without CUDA: NULL
const struct backend *backend_emulated(const char *name);
