// Arguments of the agent kernels.
#pragma once
#include "agent_kernels.h"
#include "velocity_launch.h"

// The state behind the first argument of every call of device_crowd.h; selects its device.
static struct device_state *device_state_enter(void *device)
{
  struct device_state *state = (struct device_state *)device;
  device_begin(&state->device);
  return state;
}

static struct kernel_args kernel_args_begin(struct device_state *state)
{
  struct kernel_args args;
  memset(&args, 0, sizeof args);
  args.resident = state->resident;
  args.own = state->resident.count;
  args.world = (const struct world *)state->buffers[WORLD].memory;
  return args;
}

static const struct kernel_args *upload_kernel_args(struct device_state *state,
                                                    const struct kernel_args *args)
{
  struct kernel_args *on_device = (struct kernel_args *)buffer(state, KERNEL_ARGS, sizeof *args);
  device_upload_staged(&state->device, on_device, args, sizeof *args);
  return on_device;
}
