// The kernels on a CUDA device.
extern "C" {
#include "backend_gpu.h"
}

#include "device_crowd_gpu.h"
#include "field_front.h"

// Below this number of agents RVO runs nested. It then issues three times the instructions (counted
// by executing the PTX), but with one thread per agent, fewer are about one warp for each of the
// 528 schedulers of an H100, which a single warp keeps busy a third of the time at most. An
// estimate: no device was measured.
#define NESTED_BELOW 20000

#define DEVICE_STATE                                                                               \
  {                                                                                                \
    .nested_below = NESTED_BELOW, .searches_max = SEARCHES_MAX,                                    \
    .edges_per_search = EDGES_PER_SEARCH                                                           \
  }
static struct device_state crowd_state = DEVICE_STATE;
static struct device_state host_agents_state = DEVICE_STATE;

extern "C" size_t backend_gpu_free_bytes(void)
{
  device_begin(&crowd_state.device);
  return device_bytes_free();
}

static void next_velocities_cuda(const struct next_velocity_input *in, struct agents *a,
                                 struct next_velocity_counts *counts)
{
  compute_host_agents(&host_agents_state, in, a, counts);
}

static const struct device_crowd device_crowd = DEVICE_CROWD(&crowd_state, false);

// Asks whether this device can load the kernels, before the first step: an error message is still
// possible then.
static const char *unavailable(void)
{
  int count = 0;
  struct cudaFuncAttributes attributes;
  cudaError_t error = cudaGetDeviceCount(&count);
  if (error == cudaSuccess && count > 0)
    error = cudaSetDevice(backend_gpu_device_number() % count);
  if (error == cudaSuccess && count > 0)
    error = cudaFuncGetAttributes(&attributes, compute_cells);
  if (error == cudaSuccess && count > 0)
    return NULL;
  return error == cudaSuccess ? "there is no device" : cudaGetErrorString(error);
}

static void solve_cuda(const struct field_front *fronts, int32_t count)
{
  solve_field_fronts(&crowd_state.device, fronts, count);
}

extern "C" const struct gpu_backend backend_cuda = {
    {"cuda", 1, unavailable, next_velocities_cuda, &device_crowd},
    &crowd_state.device.times,
    solve_cuda,
    false};
