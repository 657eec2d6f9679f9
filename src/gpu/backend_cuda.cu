// The kernels on a CUDA device.
extern "C" {
#include "backend_gpu.h"
}

#include "device_crowd_gpu.h"
#include "field_front.h"

// Below this number of agents RVO runs nested. It then issues 2.5 times the instructions (counted
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

// What a process takes: the context and the code of the kernels (a guess); the searches of
// ClearPath-2 and HRVO; local memory for every thread that the device can hold, of the method that
// needs most (ClearPath-1, tests/gpu/audit.py).
#define CONTEXT_BYTES 0.5e9
#define SEARCH_BYTES  0.3e9
#define LOCAL_BYTES   7750.0

extern "C" struct gpu_memory backend_gpu_memory(void)
{
  device_begin(&crowd_state.device);
  const double threads = (double)device_threads_at_once();
  const struct gpu_memory memory = {(double)device_bytes_free(),
                                    CONTEXT_BYTES + SEARCH_BYTES + LOCAL_BYTES * threads,
                                    crowd_state.device.device_count};
  return memory;
}

static bool has_left; // the device

extern "C" void backend_gpu_leave(void)
{
  has_left = true;
  (void)cudaDeviceReset(); // frees also what no pointer leads to any more
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
  if (has_left)
    return "it has failed before";
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
