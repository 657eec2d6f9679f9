#include "backend_gpu.h"

#include "device.h"

static int device_number;

static bool is_cuda(const struct backend *backend)
{
  return strcmp(backend->name, "cuda") == 0;
}

void backend_gpu_select_device(int number)
{
  assert(number >= 0);
  device_number = number;
}

int backend_gpu_device_number(void)
{
  return device_number;
}

void backend_gpu_solve_fields(const struct backend *backend)
{
  field_set_solver(is_cuda(backend) ? backend_cuda_solver() : backend_emulated_solver(backend));
}

static struct device_times *times_of(const struct backend *backend)
{
  return is_cuda(backend) ? backend_cuda_times() : backend_emulated_times(backend);
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

const struct backend *backend_named(const char *name, const char **why)
{
  *why = NULL;
  if (strcmp(name, "cuda") == 0)
    return backend_cuda(why);
  const struct backend *found = backend_find(strcmp(name, "auto") == 0 ? "simd" : name);
  if (!found)
    found = backend_emulated(name);
  if (!found)
    *why = "no backend of that name can run on this machine";
  return found;
}
