// The kernels of the GPU on a CPU, one thread after the other, in three orders: for machines
// without a GPU, and to find a kernel whose threads are not independent.
#include "backend_gpu.h"

#include "front.h"
#include "residence_gpu.h"

static bool supported(void)
{
  return true;
}

// The form of rvo for few agents, or that for many.
#define NESTED INT64_MAX
#define FLAT   0

#define EMULATED(name, thread_order, form, label)                                                  \
  static struct gpu gpu_##name = {.device = {thread_order}, .nested_below = form};                 \
  static struct gpu hosts_##name = {.device = {thread_order}, .nested_below = form};               \
  static void spread_##name(const struct field_front *fronts, int32_t count)                       \
  {                                                                                                \
    fronts_run(&gpu_##name.device, fronts, count);                                                 \
  }                                                                                                \
  static void choose_##name(const struct choose_input *in, struct agents *a,                       \
                            struct choose_counts *counts)                                          \
  {                                                                                                \
    choose_on(&hosts_##name, in, a, counts);                                                       \
  }                                                                                                \
  static const struct residence residence_##name = RESIDENCE(&gpu_##name, form == NESTED);         \
  static const struct backend backend_##name = {label, 1, supported, choose_##name,                \
                                                &residence_##name};

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

field_spreader *backend_emulated_spreader(const struct backend *which)
{
  return which == &backend_forward    ? spread_forward
         : which == &backend_reversed ? spread_reversed
         : which == &backend_permuted ? spread_permuted
                                      : NULL;
}
