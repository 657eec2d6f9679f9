#include "backend_gpu.h"

#include "device.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool device_exact_buffers;
static int device_number;

void backend_gpu_select_device(int number)
{
  assert(number >= 0);
  device_number = number;
}

int backend_gpu_device_number(void)
{
  return device_number;
}

static _Thread_local struct attempt {
  jmp_buf end;
  char *why;
  size_t size;
} * attempt; // NULL: failures end the program

bool backend_gpu_try(void (*work)(void *data), void *data, char *why, size_t size)
{
  struct attempt this = {.why = why, .size = size};
  attempt = &this;
  const bool failed = setjmp(this.end) != 0;
  if (!failed)
    work(data);
  attempt = NULL;
  if (failed)
    backend_gpu_leave();
  return !failed;
}

void backend_gpu_fail(enum exit_code code, const char *format, ...)
{
  char text[400];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (!attempt)
    fail(code, "%s", text);
  snprintf(attempt->why, attempt->size, "%s", text);
  longjmp(attempt->end, 1);
}

static const struct gpu_backend *const gpu_backends[] = {
    &backend_emulated, &backend_emulated_reversed, &backend_emulated_permuted, &backend_cuda};
#define GPU_BACKENDS (int)(sizeof gpu_backends / sizeof *gpu_backends)

static const struct gpu_backend *gpu_backend_of(const struct backend *backend) // NULL: of the CPU
{
  for (int k = 0; k < GPU_BACKENDS; k++)
    if (backend == &gpu_backends[k]->backend)
      return gpu_backends[k];
  return NULL;
}

void backend_gpu_solve_fields(const struct backend *backend)
{
  const struct gpu_backend *gpu = gpu_backend_of(backend);
  field_set_solver(gpu ? gpu->solver : NULL);
}

static struct device_times *times_of(const struct backend *backend)
{
  const struct gpu_backend *gpu = gpu_backend_of(backend);
  return gpu ? gpu->times : NULL;
}

void backend_gpu_time_kernels(const struct backend *backend, bool enabled)
{
  struct device_times *times = times_of(backend);
  if (times && enabled)
    *times = (struct device_times){.enabled = true};
  else if (times)
    times->enabled = false;
}

int backend_gpu_kernel_times(const struct backend *backend, const struct kernel_time **list)
{
  const struct device_times *times = times_of(backend);
  *list = times ? times->list : NULL;
  return times ? times->count : 0;
}

void backend_gpu_transfers(const struct backend *backend, int64_t *bytes)
{
  const struct device_times *times = times_of(backend);
  bytes[0] = times ? times->up : 0;
  bytes[1] = times ? times->down : 0;
}

static const struct backend *entry_named(const char *name)
{
  for (int k = 0; k < BACKENDS_CPU; k++)
    if (strcmp(name, backends_cpu[k]->name) == 0)
      return backends_cpu[k];
  for (int k = 0; k < GPU_BACKENDS; k++)
    if (strcmp(name, gpu_backends[k]->backend.name) == 0)
      return &gpu_backends[k]->backend;
  return backend_find(name);
}

const struct backend *backend_named(const char *name, const char **why)
{
  const struct backend *found = entry_named(strcmp(name, "auto") == 0 ? BACKEND_WIDEST : name);
  *why = found ? found->unavailable() : "there is no backend of that name";
  return *why ? NULL : found;
}

static void append(char *names, size_t size, const char *name)
{
  const size_t length = strlen(names);
  snprintf(names + length, size - length, "%s%s", length ? ", " : "", name);
}

const char *backend_names(void)
{
  static char names[200];
  names[0] = 0;
  append(names, sizeof names, "auto");
  append(names, sizeof names, backends_cpu[0]->name);
  append(names, sizeof names, BACKEND_WIDEST);
  for (int k = 1; k < BACKENDS_CPU; k++)
    append(names, sizeof names, backends_cpu[k]->name);
  for (int k = 0; k < GPU_BACKENDS; k++)
    if (!gpu_backends[k]->hidden)
      append(names, sizeof names, gpu_backends[k]->backend.name);
  return names;
}
