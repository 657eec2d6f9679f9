// The kernels of the GPU on a CPU, one thread after the other, in three orders: for machines
// without a GPU, and to find a kernel whose threads are not independent.
#include "backend_gpu.h"

#include "device_crowd_gpu.h"
#include "field_front.h"

static bool supported(void)
{
  return true;
}

// The form of rvo for few agents, or that for many.
#define NESTED INT64_MAX
#define FLAT   0

#define EMULATED(name, thread_order, form, label)                                                  \
  static struct device_state gpu_##name = {.device = {thread_order}, .nested_below = form};        \
  static struct device_state host_agents_##name = {.device = {thread_order},                       \
                                                   .nested_below = form};                          \
  static void field_front_##name(const struct field_front *fronts, int32_t count)                  \
  {                                                                                                \
    fronts_run(&gpu_##name.device, fronts, count);                                                 \
  }                                                                                                \
  static void choose_##name(const struct next_velocity_input *in, struct agents *a,                \
                            struct next_velocity_counts *counts)                                   \
  {                                                                                                \
    compute_host_agents(&host_agents_##name, in, a, counts);                                       \
  }                                                                                                \
  static const struct device_crowd device_crowd_##name =                                           \
      DEVICE_CROWD(&gpu_##name, form == NESTED);                                                   \
  static const struct backend backend_##name = {label, 1, supported, choose_##name,                \
                                                &device_crowd_##name};

EMULATED(forward, FORWARD, NESTED, "emulated")
EMULATED(reversed, REVERSED, FLAT, "emulated-reversed")
EMULATED(permuted, PERMUTED, NESTED, "emulated-permuted")

const struct backend *backend_emulated(const char *name)
{
  const struct backend *all[] = {&backend_forward, &backend_reversed, &backend_permuted};
  for (int k = 0; k < 3; k++)
    if (strcmp(name, all[k]->name) == 0)
      return all[k];
  return NULL;
}

struct device_times *backend_emulated_times(const struct backend *which)
{
  return which == &backend_forward    ? &gpu_forward.device.times
         : which == &backend_reversed ? &gpu_reversed.device.times
         : which == &backend_permuted ? &gpu_permuted.device.times
                                      : NULL;
}

field_solver *backend_emulated_field_front(const struct backend *which)
{
  return which == &backend_forward    ? field_front_forward
         : which == &backend_reversed ? field_front_reversed
         : which == &backend_permuted ? field_front_permuted
                                      : NULL;
}
