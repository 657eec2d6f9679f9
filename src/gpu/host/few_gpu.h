// Those whom the host sees: listed, brought, put back, dropped, taken in: residence.h.
#pragma once
#include "errand_gpu.h"

static int64_t select_there(void *home, const struct residence_rule *rule)
{
  struct gpu *g = gpu_of(home);
  struct errand e = errand_of(g);
  int32_t listed = 0;
  e.rule = *rule;
  e.list = (int32_t *)buffer(g, LIST, (size_t)e.own * sizeof *e.list);
  e.listed = (int32_t *)buffer(g, LISTED, sizeof *e.listed);
  device_fill(&g->device, e.listed, 0, sizeof *e.listed);
  LAUNCH(&g->device, list_people, send_errand(g, &e), e.own);
  device_download(&g->device, &listed, e.listed, sizeof listed);
  device_wait(&g->device);
  return g->listed = listed;
}

static struct errand errand_of_list(struct gpu *g)
{
  struct errand e = errand_of(g);
  e.list = (int32_t *)g->buffers[LIST].memory;
  e.records = (char *)buffer(g, RECORDS, (size_t)g->listed * record_bytes(KEPT));
  return e;
}

static void selected(void *home, char *records)
{
  struct gpu *g = gpu_of(home);
  const struct errand e = errand_of_list(g);
  LAUNCH(&g->device, pack_listed, send_errand(g, &e), g->listed);
  device_download(&g->device, records, e.records, (size_t)g->listed * record_bytes(KEPT));
  device_wait(&g->device);
}

static void put_back(void *home, const char *records)
{
  struct gpu *g = gpu_of(home);
  const struct errand e = errand_of_list(g);
  device_upload(&g->device, e.records, records, (size_t)g->listed * record_bytes(KEPT));
  LAUNCH(&g->device, unpack_listed, send_errand(g, &e), g->listed);
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

static int64_t drop(void *home, const uint8_t *gone)
{
  struct gpu *g = gpu_of(home);
  struct device *d = &g->device;
  const size_t n = (size_t)g->listed;
  int32_t *list = (int32_t *)memory_create(n, sizeof *list);
  int32_t *pairs = (int32_t *)memory_create(2 * n, sizeof *pairs);
  int64_t leaving = 0;
  device_download(d, list, g->buffers[LIST].memory, n * sizeof *list);
  device_wait(d);
  for (int64_t k = 0; k < g->listed; k++)
    if (!gone || gone[k])
      list[leaving++] = list[k];
  const int32_t count = pair_gaps(list, leaving, g->home.count - leaving, pairs);
  struct errand e = errand_of(g);
  e.list = (int32_t *)device_sent(d, &g->buffers[LIST], pairs, 2 * (size_t)count * sizeof *pairs);
  LAUNCH(d, fill_gaps, send_errand(g, &e), count);
  device_wait(d);
  memory_destroy(list);
  memory_destroy(pairs);
  g->listed = 0;
  return g->home.count -= leaving;
}

static int64_t append(void *home, const char *records, int64_t count)
{
  struct gpu *g = gpu_of(home);
  if (count == 0)
    return g->home.count;
  g->home.ghost_count = 0;
  home_reserve(g, g->home.count + count);
  struct errand e = errand_of(g);
  e.records = (char *)device_sent(&g->device, &g->buffers[RECORDS], records,
                                  (size_t)count * record_bytes(KEPT));
  LAUNCH(&g->device, unpack_coming, send_errand(g, &e), count);
  device_wait(&g->device);
  return g->home.count += count;
}
