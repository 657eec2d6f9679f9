// Backends by name: those of the CPU and those that run the GPU kernels.
#pragma once
#include "backend.h"
#include "field.h"
#include "kernel_time.h"

// Any name of backend_find, or
//   cuda      the GPU
//   emulated  the GPU kernels in a loop on the CPU; emulated-reversed, emulated-permuted: with the
//             threads in another order
//   auto      simd: the GPU has not been measured to be faster (docs/gpu.md)
// NULL, with the reason in *why, if there is no such backend or this machine cannot run it.
const struct backend *backend_named(const char *name, const char **why);

bool backend_gpu_available(void); // built with CUDA, and the machine has a device

// The device that this process uses: number modulo the devices of the machine. Before the first
// step.
void backend_gpu_select_device(int number);
int backend_gpu_device_number(void);

// From now on fields are solved by that backend's device, to the same bits; by the CPU for a
// backend without one.
void backend_gpu_solve_fields(const struct backend *backend);

// Times of the kernels and copies of a backend, on a GPU by its own clock.
void backend_gpu_time_kernels(const struct backend *backend, bool enabled); // true: from zero
// Sets the list and returns its length; 0 for a backend without kernels.
int backend_gpu_kernel_times(const struct backend *backend, const struct kernel_time **list);
// bytes[2]: to the device and from it while timing was enabled, without the halo's records.
void backend_gpu_transfers(const struct backend *backend, int64_t *bytes);

struct device_times;
const struct backend *backend_cuda(const char **why);     // NULL: built without CUDA, or no device
field_solver *backend_cuda_solver(void);                  // NULL: built without CUDA
struct device_times *backend_cuda_times(void);            // NULL: built without CUDA
const struct backend *backend_emulated(const char *name); // NULL: not one of them
field_solver *backend_emulated_solver(const struct backend *which);       // NULL: not one of them
struct device_times *backend_emulated_times(const struct backend *which); // NULL: not one of them
