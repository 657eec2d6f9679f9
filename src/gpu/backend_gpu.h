// Backends by name: those of the CPU and those that run the GPU kernels.
#pragma once
#include "backend.h"
#include "base.h"
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

// The device that this process uses.
struct gpu_memory {
  double free;  // bytes
  double fixed; // bytes that a process takes, whatever its crowd: an upper bound
  int devices;  // of this machine
};
struct gpu_memory backend_gpu_memory(void);

// Calls work(data). If a call of the device fails meanwhile, which else ends the program, the
// result is false, `why` says what has happened, this process leaves its GPU for good, and memory
// of the host that the rest of the work would free is lost.
bool backend_gpu_try(void (*work)(void *data), void *data, char *why, size_t size);
// For the code of a device: ends what backend_gpu_try has called, or else the program.
__attribute__((noreturn)) void backend_gpu_fail(enum exit_code code, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void backend_gpu_leave(
    void); // frees all that this process has on its GPU, which it lacks from now on

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
