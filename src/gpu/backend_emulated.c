// The GPU kernels on a CPU, with the threads in one of three orders: tests the kernels on machines
// without a GPU and finds threads that depend on each other.
#include "backend_gpu.h"

#include "device_crowd_gpu.h"
#include "field_front.h"

static bool supported(void)
{
  return true;
}

// RVO runs nested for all crowds, or flat: device_state.h. The flat one also declares its memory
// not to be the host's, so that messages are copied as for a GPU.
#define NESTED INT64_MAX
#define FLAT   0

struct emulation {
  struct device_state device_crowd, host_agents;
};

#define EMULATION(name, order, form, label)                                                        \
  static struct emulation name = {.device_crowd = {.device = {order}, .nested_below = form},       \
                                  .host_agents = {.device = {order}, .nested_below = form}};       \
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
  static const struct backend backend_##name = {label, 1, supported, next_velocities_##name,       \
                                                &device_crowd_##name};

EMULATION(forward, FORWARD, NESTED, "emulated")
EMULATION(reversed, REVERSED, FLAT, "emulated-reversed")
EMULATION(permuted, PERMUTED, NESTED, "emulated-permuted")

static const struct {
  const struct backend *backend;
  struct device_times *times;
  field_solver *solver;
} emulations[] = {{&backend_forward, &forward.device_crowd.device.times, solve_forward},
                  {&backend_reversed, &reversed.device_crowd.device.times, solve_reversed},
                  {&backend_permuted, &permuted.device_crowd.device.times, solve_permuted}};
#define EMULATIONS ((int)(sizeof emulations / sizeof *emulations))

const struct backend *backend_emulated(const char *name)
{
  for (int k = 0; k < EMULATIONS; k++)
    if (strcmp(name, emulations[k].backend->name) == 0)
      return emulations[k].backend;
  return NULL;
}

struct device_times *backend_emulated_times(const struct backend *which)
{
  for (int k = 0; k < EMULATIONS; k++)
    if (which == emulations[k].backend)
      return emulations[k].times;
  return NULL;
}

field_solver *backend_emulated_solver(const struct backend *which)
{
  for (int k = 0; k < EMULATIONS; k++)
    if (which == emulations[k].backend)
      return emulations[k].solver;
  return NULL;
}
