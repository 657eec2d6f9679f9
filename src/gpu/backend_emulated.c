// The GPU kernels on a CPU, with the threads in one of three orders: tests the kernels on machines
// without a GPU and finds threads that depend on each other.
#include "backend_gpu.h"

#include "device_crowd_gpu.h"
#include "field_front.h"

static const char *unavailable(void)
{
  return NULL;
}

// RVO runs nested for all crowds, or flat: device_state.h. The flat one also declares its memory
// not to be the host's, so that messages are copied as for a GPU.
#define NESTED INT64_MAX
#define FLAT   0

// The flat one searches few obstacles at a time, and has room for few edges.
#define DEVICE_STATE(order, form)                                                                  \
  {                                                                                                \
    .device = {order}, .nested_below = form, .searches_max = (form) == NESTED ? SEARCHES_MAX : 37, \
    .edges_per_search = (form) == NESTED ? EDGES_PER_SEARCH : 5                                    \
  }

struct emulation {
  struct device_state device_crowd, host_agents;
};

#define EMULATION(name, order, form, label, hidden)                                                \
  static struct emulation name = {.device_crowd = DEVICE_STATE(order, form),                       \
                                  .host_agents = DEVICE_STATE(order, form)};                       \
  static void solve_##name(const struct field_front *fronts, int32_t count)                        \
  {                                                                                                \
    solve_field_fronts(&name.device_crowd.device, fronts, count);                                  \
  }                                                                                                \
  static void next_velocities_##name(const struct next_velocity_input *in, struct agents *a,       \
                                     struct next_velocity_counts *counts)                          \
  {                                                                                                \
    compute_host_agents(&name.host_agents, in, a, counts);                                         \
  }                                                                                                \
  static const struct device_crowd device_crowd_##name =                                           \
      DEVICE_CROWD(&name.device_crowd, form == NESTED);                                            \
  const struct gpu_backend backend_##name = {                                                      \
      {label, 1, unavailable, next_velocities_##name, &device_crowd_##name},                       \
      &name.device_crowd.device.times,                                                             \
      solve_##name,                                                                                \
      hidden};

EMULATION(emulated, FORWARD, NESTED, "emulated", false)
EMULATION(emulated_reversed, REVERSED, FLAT, "emulated-reversed", true)
EMULATION(emulated_permuted, PERMUTED, NESTED, "emulated-permuted", true)
