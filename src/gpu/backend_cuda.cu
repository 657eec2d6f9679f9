// The kernels on a CUDA device.
extern "C" {
#include "backend_gpu.h"
}

#include "field_front.h"
#include "device_crowd_gpu.h"

// Where flat threads would leave most of a large device idle. Not measured yet.
#define NESTED_BELOW 65536

static struct device_state device_state = {.nested_below = NESTED_BELOW};
static struct device_state host_agents = {.nested_below = NESTED_BELOW}; // for agents whom the host holds

extern "C" bool backend_gpu_available(void)
{
  int count = 0;
  return cudaGetDeviceCount(&count) == cudaSuccess && count > 0;
}

static void next_velocities(const struct next_velocity_input *in, struct agents *a, struct next_velocity_counts *counts)
{
  compute_host_agents(&host_agents, in, a, counts);
}

static const struct device_crowd device_crowd = DEVICE_CROWD(&device_state, false);

// Can this device run what was built? Asked before the first step, where it can still be refused.
static const char *unavailable(void)
{
  int count = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0)
    error = cudaSetDevice(backend_gpu_device_number() % count);
  if (error == cudaSuccess && count > 0)
    error = cudaFuncGetAttributes(&attributes, find_cells);
  if (error == cudaSuccess && count > 0)
    return NULL;
  return error == cudaSuccess ? "there is no device" : cudaGetErrorString(error);
}

static void run_field_front(const struct field_front *fronts, int32_t count)
{
  fronts_run(&device_state.device, fronts, count);
}

extern "C" const struct gpu_backend backend_cuda = {
    {"cuda", 1, unavailable, next_velocities, &device_crowd},
    &device_state.device.times,
    run_field_front,
    false};
