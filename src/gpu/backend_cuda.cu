// The kernels on a CUDA device.
extern "C" {
#include "backend_gpu.h"
}

#include "front.h"
#include "residence_gpu.h"

// Where flat threads would leave most of a large device idle. Not measured yet.
#define NESTED_BELOW 65536

static struct gpu gpu = {.nested_below = NESTED_BELOW};
static struct gpu hosts = {.nested_below = NESTED_BELOW}; // for agents whom the host holds

extern "C" bool backend_gpu_is_there(void)
{
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

static void choose(const struct choose_input *in, struct agents *a, struct choose_counts *counts)
{
  choose_on(&hosts, in, a, counts);
}

static const struct residence residence = RESIDENCE(&gpu, false);
static const struct backend on_device = {"cuda", 1, backend_gpu_is_there, choose, &residence};

// Can this device run what was built? Asked before the first step, where it can still be refused.
extern "C" const struct backend *backend_cuda(const char **why)
{
  int count = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0)
    error = cudaSetDevice(backend_gpu_number() % count);
  if (error == cudaSuccess && count > 0)
    error = cudaFuncGetAttributes(&attributes, find_cells);
  if (error == cudaSuccess && count > 0)
    return &on_device;
  *why = error == cudaSuccess ? "there is no device" : cudaGetErrorString(error);
  return NULL;
}

extern "C" struct device_times *backend_cuda_times(void)
{
  return &gpu.device.times;
}

static void spread(const struct field_front *fronts, int32_t count)
{
  fronts_run(&gpu.device, fronts, count);
}

extern "C" field_spreader *backend_cuda_spreader(void)
{
  return spread;
}
