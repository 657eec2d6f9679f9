// Errands of the host: what each sends, and how.
#pragma once
#include "agent_kernels.h"
#include "velocity_launch.h"

static struct device_state *device_state_of(void *device)
{
  struct device_state *g = (struct device_state *)device;
  device_begin(&g->device);
  return g;
}

static struct kernel_args kernel_args_of(struct device_state *g)
{
  struct kernel_args e;
  memset(&e, 0, sizeof e);
  e.resident = g->resident;
  e.own = g->resident.count;
  e.world = (const struct world *)g->buffers[WORLD].memory;
  return e;
}

static const struct kernel_args *upload_kernel_args(struct device_state *g,
                                                    const struct kernel_args *e)
{
  struct kernel_args *on_device = (struct kernel_args *)buffer(g, KERNEL_ARGS, sizeof *e);
  device_upload_staged(&g->device, on_device, e, sizeof *e);
  return on_device;
}
