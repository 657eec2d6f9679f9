// Those whom the host sees: listed, brought, put back, dropped, taken in: device_crowd.h.
#pragma once
#include "agent_launch.h"

static int64_t select_agents(void *device, const struct device_crowd_rule *rule)
{
  struct device_state *g = device_state_of(device);
  struct kernel_args e = kernel_args_of(g);
  int32_t selected_count = 0;
  e.rule = *rule;
  e.selected = (int32_t *)buffer(g, SELECTED, (size_t)e.own * sizeof *e.selected);
  e.selected_count = (int32_t *)buffer(g, SELECTED_COUNT, sizeof *e.selected_count);
  device_fill(&g->device, e.selected_count, 0, sizeof *e.selected_count);
  LAUNCH(&g->device, list_selected, upload_kernel_args(g, &e), e.own);
  device_download(&g->device, &selected_count, e.selected_count, sizeof selected_count);
  device_wait(&g->device);
  return g->selected_count = selected_count;
}

static struct kernel_args kernel_args_of_selection(struct device_state *g)
{
  struct kernel_args e = kernel_args_of(g);
  e.selected = (int32_t *)g->buffers[SELECTED].memory;
  e.records = (char *)buffer(g, RECORDS, (size_t)g->selected_count * record_bytes(SCOPE_STATE));
  return e;
}

static void download_selected(void *device, char *records)
{
  struct device_state *g = device_state_of(device);
  const struct kernel_args e = kernel_args_of_selection(g);
  LAUNCH(&g->device, pack_selected, upload_kernel_args(g, &e), g->selected_count);
  device_download(&g->device, records, e.records,
                  (size_t)g->selected_count * record_bytes(SCOPE_STATE));
  device_wait(&g->device);
}

static void upload_selected(void *device, const char *records)
{
  struct device_state *g = device_state_of(device);
  const struct kernel_args e = kernel_args_of_selection(g);
  device_upload(&g->device, e.records, records,
                (size_t)g->selected_count * record_bytes(SCOPE_STATE));
  LAUNCH(&g->device, unpack_selected, upload_kernel_args(g, &e), g->selected_count);
  device_wait(&g->device);
}

// Of the places list[listed] of those who go: pairs of one that is left among the others and who
// fills it, of the last. How many pairs.
static int32_t pair_gaps(const int32_t *list, int64_t gone, int64_t left, int32_t *pairs)
{
  uint8_t *is_gone = (uint8_t *)memory_create((size_t)gone, 1); // of the last
  int32_t count = 0;
  int64_t from = left;
  for (int64_t k = 0; k < gone; k++)
    if (list[k] >= left)
      is_gone[list[k] - left] = 1;
  for (int64_t k = 0; k < gone; k++) {
    if (list[k] >= left)
      continue;
    while (is_gone[from - left])
      from++;
    pairs[2 * count] = list[k];
    pairs[2 * count++ + 1] = (int32_t)from++;
  }
  memory_destroy(is_gone);
  return count;
}

static int64_t remove_selected(void *device, const uint8_t *gone)
{
  struct device_state *g = device_state_of(device);
  struct device *d = &g->device;
  const size_t n = (size_t)g->selected_count;
  int32_t *list = (int32_t *)memory_create(n, sizeof *list);
  int32_t *pairs = (int32_t *)memory_create(2 * n, sizeof *pairs);
  int64_t leaving = 0;
  device_download(d, list, g->buffers[SELECTED].memory, n * sizeof *list);
  device_wait(d);
  for (int64_t k = 0; k < g->selected_count; k++)
    if (!gone || gone[k])
      list[leaving++] = list[k];
  const int32_t count = pair_gaps(list, leaving, g->resident.count - leaving, pairs);
  struct kernel_args e = kernel_args_of(g);
  e.selected = (int32_t *)device_upload_to(d, &g->buffers[SELECTED], pairs,
                                           2 * (size_t)count * sizeof *pairs);
  LAUNCH(d, fill_gaps, upload_kernel_args(g, &e), count);
  device_wait(d);
  memory_destroy(list);
  memory_destroy(pairs);
  g->selected_count = 0;
  return g->resident.count -= leaving;
}

static int64_t append_agents(void *device, const char *records, int64_t count)
{
  struct device_state *g = device_state_of(device);
  if (count == 0)
    return g->resident.count;
  g->resident.ghost_count = 0;
  home_reserve(g, g->resident.count + count);
  struct kernel_args e = kernel_args_of(g);
  e.records = (char *)device_upload_to(&g->device, &g->buffers[RECORDS], records,
                                       (size_t)count * record_bytes(SCOPE_STATE));
  LAUNCH(&g->device, unpack_appended, upload_kernel_args(g, &e), count);
  device_wait(&g->device);
  return g->resident.count += count;
}
