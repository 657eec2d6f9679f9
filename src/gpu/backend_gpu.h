// Backends by name: those of the CPU, and the kernels of the GPU.
#pragma once
#include "backend.h"
#include "field.h"
#include "kernel_time.h"

// By any name of backend_find, or by those of the table in backend_gpu.c:
//   cuda      the GPU
//   emulated  the same kernels on a CPU, one thread after the other; emulated-reversed and
//             emulated-permuted: in another order
//   auto      simd: the GPU is not faster yet (docs/gpu.md)
// NULL, and why, when there is none of that name here.
const struct backend *backend_named(const char *name, const char **why);
const char *backend_names(void); // for messages: "auto, scalar, ..."

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

// A backend whose kernels are those of the GPU.
struct device_times;
struct gpu_backend {
  struct backend backend;
  struct device_times *times;
  field_solver *field_front;
  bool hidden; // for tests: not in backend_names
};
extern const struct gpu_backend backend_emulated, backend_emulated_reversed,
    backend_emulated_permuted, backend_cuda;
