// Agents that need a host decision: selected, downloaded, written back, removed or appended.
#pragma once
#include "agent_launch.h"

#define MEMBERS_transition_filter(X)                                                               \
  X(PLAIN, journeys)                                                                               \
  X(PLAIN, routes_changed)                                                                         \
  X(PLAIN, stays_called)                                                                           \
  X(PLAIN, deadlock_timeout)                                                                       \
  X(PLAIN, step)
DEEP_COPY(transition_filter, struct device_state);

#define MEMBERS_device_crowd_rule(X)                                                               \
  X(PLAIN, criterion)                                                                              \
  X(PLAIN, box)                                                                                    \
  X(PLAIN, steps)                                                                                  \
  X(PLAIN, goal_radius)                                                                            \
  X(STRUCT, transition_filter, transition_filter)
DEEP_COPY(device_crowd_rule, struct device_state);

static int64_t select_agents(void *device, const struct device_crowd_rule *rule)
{
  struct device_state *state = device_state_enter(device);
  struct kernel_args args = kernel_args_begin(state);
  deep_copy_device_crowd_rule(state, rule, &args.rule);
  args.selected = (int32_t *)buffer(state, SELECTED, (size_t)args.own * sizeof *args.selected);
  args.selected_count = (int32_t *)buffer(state, SELECTED_COUNT, sizeof *args.selected_count);
  device_fill(&state->device, args.selected_count, 0, sizeof *args.selected_count);
  LAUNCH(&state->device, list_selected, upload_kernel_args(state, &args), args.own);
  state->selected_count =
      *(const int32_t *)fetch(state, args.selected_count, sizeof *args.selected_count);
  return state->selected_count;
}

static size_t selected_record_bytes(const struct device_state *state)
{
  return (size_t)state->selected_count * record_bytes(SCOPE_STATE);
}

static struct kernel_args selection_args_begin(struct device_state *state)
{
  struct kernel_args args = kernel_args_begin(state);
  args.selected = (int32_t *)state->buffers[SELECTED].memory;
  args.records = (char *)buffer(state, RECORDS, selected_record_bytes(state));
  return args;
}

static void download_selected(void *device, char *records)
{
  struct device_state *state = device_state_enter(device);
  const struct kernel_args args = selection_args_begin(state);
  LAUNCH(&state->device, pack_selected, upload_kernel_args(state, &args), state->selected_count);
  device_download(&state->device, records, args.records, selected_record_bytes(state));
  device_wait(&state->device);
}

static void upload_selected(void *device, const char *records)
{
  struct device_state *state = device_state_enter(device);
  const struct kernel_args args = selection_args_begin(state);
  device_upload(&state->device, args.records, records, selected_record_bytes(state));
  LAUNCH(&state->device, unpack_selected, upload_kernel_args(state, &args), state->selected_count);
  device_wait(&state->device);
}

// Pairs each gap below index `left` with a remaining agent from `left` on that fills it.
// removed[removed_count]: indices; is_removed[removed_count]: room for flags; pairs: (gap, filler).
// Returns the number of pairs.
static int32_t pair_gaps(const int32_t *removed, int64_t removed_count, int64_t left,
                         uint8_t *is_removed, int32_t *pairs)
{
  int32_t count = 0;
  int64_t filler = left;
  memset(is_removed, 0, (size_t)removed_count); // of the agents from `left` on
  for (int64_t k = 0; k < removed_count; k++)
    if (removed[k] >= left)
      is_removed[removed[k] - left] = 1;
  for (int64_t k = 0; k < removed_count; k++) {
    if (removed[k] >= left)
      continue;
    while (is_removed[filler - left])
      filler++;
    pairs[2 * count] = removed[k];
    pairs[2 * count++ + 1] = (int32_t)filler++;
  }
  return count;
}

static int64_t remove_selected(void *device, const uint8_t *gone)
{
  struct device_state *state = device_state_enter(device);
  struct device *d = &state->device;
  const size_t n = (size_t)state->selected_count;
  const size_t bytes = n * sizeof(int32_t);
  const int32_t *selected = (const int32_t *)fetch(state, state->buffers[SELECTED].memory, bytes);
  int32_t *removed = (int32_t *)host_buffer(state, HOST_REMOVED, bytes);
  int32_t *pairs = (int32_t *)host_buffer(state, HOST_PAIRS, 2 * bytes);
  uint8_t *is_removed = (uint8_t *)host_buffer(state, HOST_GAPS, n);
  int64_t removed_count = 0;
  for (int64_t k = 0; k < state->selected_count; k++)
    if (!gone || gone[k])
      removed[removed_count++] = selected[k];
  const int64_t left = state->resident.count - removed_count;
  const int32_t count = pair_gaps(removed, removed_count, left, is_removed, pairs);
  struct kernel_args args = kernel_args_begin(state);
  args.selected = (int32_t *)device_upload_to(d, &state->buffers[SELECTED], pairs,
                                              2 * (size_t)count * sizeof *pairs);
  LAUNCH(d, fill_gaps, upload_kernel_args(state, &args), count);
  device_wait(d);
  state->selected_count = 0;
  return state->resident.count = left;
}

static int64_t append_agents(void *device, const char *records, int64_t count)
{
  struct device_state *state = device_state_enter(device);
  if (count == 0)
    return state->resident.count;
  state->resident.ghost_count = 0;
  resident_reserve(state, state->resident.count + count);
  struct kernel_args args = kernel_args_begin(state);
  args.records = (char *)device_upload_to(&state->device, &state->buffers[RECORDS], records,
                                          (size_t)count * record_bytes(SCOPE_STATE));
  LAUNCH(&state->device, unpack_appended, upload_kernel_args(state, &args), count);
  device_wait(&state->device);
  return state->resident.count += count;
}
