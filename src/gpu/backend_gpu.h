// Backends by name: those of the CPU and those that run the GPU kernels.
#pragma once
#include "backend.h"
#include "field.h"
#include "kernel_time.h"

// Any name of backend_find, or one of the table in backend_gpu.c:
//   cuda      the GPU
//   emulated  the GPU kernels in a loop on the CPU; emulated-reversed, emulated-permuted: with the
//             threads in another order
//   auto      the widest of the CPU; a whole run may take the GPU instead (backend_choice.h)
// NULL, with the reason in *why, if there is no such backend or this machine cannot run it.
const struct backend *backend_named(const char *name, const char **why);
const char *backend_names(void); // for messages: "auto, scalar, ..."

size_t backend_gpu_free_bytes(void); // of the memory of the device that this process uses

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

// A backend whose kernels are those of the GPU.
struct device_times;
struct gpu_backend {
  struct backend backend;
  struct device_times *times;
  field_solver *solver; // of fields, on the device
  bool hidden;          // for tests: not in backend_names
};
extern const struct gpu_backend backend_emulated, backend_emulated_reversed,
    backend_emulated_permuted, backend_cuda;
