// The kernels of the GPU on a CPU, one thread after the other, in three orders: for machines
// without a GPU, and to find a kernel whose threads are not independent.
#include "backend_gpu.h"

#include "device_crowd_gpu.h"
#include "field_front.h"

static const char *unavailable(void)
{
  return NULL;
}

// The form of rvo for few agents, or that for many.
#define NESTED INT64_MAX
#define FLAT   0

#define EMULATED(name, thread_order, form, label, hidden)                                          \
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
  const struct gpu_backend backend_##name = {                                                      \
      {label, 1, unavailable, choose_##name, &device_crowd_##name},                                \
      &gpu_##name.device.times,                                                                    \
      field_front_##name,                                                                          \
      hidden};

EMULATED(emulated, FORWARD, NESTED, "emulated", false)
EMULATED(emulated_reversed, REVERSED, FLAT, "emulated-reversed", true)
EMULATED(emulated_permuted, PERMUTED, NESTED, "emulated-permuted", true)
