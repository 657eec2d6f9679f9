// Backends by name: those of the CPU, and the kernels of the GPU.
#pragma once
#include "backend.h"
#include "field.h"
#include "kernel_time.h"

// By any name of backend_find, or
//   cuda      the GPU
//   emulated  the same kernels on a CPU, one thread after the other; emulated-reversed and
//             emulated-permuted: in another order
//   auto      simd: the GPU is not faster yet (docs/gpu.md)
// NULL, and why, when there is none of that name here.
const struct backend *backend_named(const char *name, const char **why);

bool backend_gpu_available(void); // a device, and this throng was built for one

// Which of this machine's devices: the number-th, counted round and round. Before the first step.
void backend_gpu_select_device(int number);
int backend_gpu_device_number(void);

// Solves fields on the device of that backend, to the same bits, from now on; others: on the CPU.
void backend_gpu_solve_fields(const struct backend *backend);

// What the kernels and copies of one backend took since they began to be timed, of a GPU by its own
// clock. How many; 0 for a backend that has none.
void backend_gpu_time_kernels(const struct backend *backend,
                              bool enabled); // true: from now on, from zero
int backend_gpu_kernel_times(const struct backend *backend, const struct kernel_time **list);
// Bytes that went to the device and came from it since then, but for the records of ghosts; [2].
void backend_gpu_transfers(const struct backend *backend, int64_t *bytes);

field_solver *backend_cuda_field_front(void);                            // NULL: built without
field_solver *backend_emulated_field_front(const struct backend *which); // NULL: another one
struct device_times;
struct device_times *backend_cuda_times(void);                            // NULL: built without
struct device_times *backend_emulated_times(const struct backend *which); // NULL: another one
const struct backend *backend_cuda(const char **why); // built without CUDA: NULL
const struct backend *backend_emulated(const char *name);
