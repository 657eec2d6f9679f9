// The contract of residence.h by kernels. Included once by each kind of device.
#pragma once
#include "few_gpu.h"
#include "step_gpu.h"

// ------------------------------------------------------------------------------------ moving in

static int64_t segments_of(const struct measure *m)
{
  int64_t count = 0;
  for (int32_t l = 0; l < m->line_count; l++)
    count += m->lines[l].count - 1;
  return count;
}

static void learn_lines(struct gpu *g, const struct measure *m)
{
  g->line_count = m->line_count;
  g->segment_count = segments_of(m);
  struct line_segment *list = (struct line_segment *)memory_create((size_t)g->segment_count,
                                                                   sizeof *list),
                      *next = list;
  for (int32_t l = 0; l < m->line_count; l++)
    for (int64_t k = 0; k + 1 < m->lines[l].count; k++) {
      const struct point a = m->lines[l].points[k], b = m->lines[l].points[k + 1];
      const struct line_segment one = {a, b, piece_box(a, b), l};
      *next++ = one;
    }
  g->segments = (struct line_segment *)copied(g, list, (size_t)g->segment_count * sizeof *list);
  device_wait(&g->device);
  memory_destroy(list);
}

static void learn(void *home, const struct world *world, const struct pace *pace,
                  const struct measure *measure)
{
  struct gpu *g = gpu_of(home);
  arena_empty(&g->arena);
  learn_world(g, world);
  learn_pace(g, pace);
  learn_lines(g, measure);
  device_send(&g->device, buffer(g, WORLD, sizeof g->world), &g->world, sizeof g->world);
  device_wait(&g->device);
}

static struct box round_of(const struct agents *a)
{
  struct box b = {{0, 0}, {0, 0}};
  for (int64_t i = 0; i < a->count; i++) {
    const struct point p = point_of(a, i);
    const struct box one = {p, p};
    b = i ? box_union(b, one) : one;
  }
  return b;
}

static void take(void *home, const struct agents *a)
{
  struct gpu *g = gpu_of(home);
  const size_t own = (size_t)a->count;
  g->home.count = g->home.ghost_count = 0;
  home_reserve(g, a->count);
  g->home.count = a->count;
  g->round = round_of(a);
#define X(type, name, unit, reach)                                                                 \
  if (reach <= KEPT)                                                                               \
    device_upload(&g->device, g->home.name, a->name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  device_wait(&g->device); // it may change now
}

static void give(void *home, struct agents *a)
{
  struct gpu *g = gpu_of(home);
  const size_t own = (size_t)g->home.count;
  a->count = a->ghost_count = 0;
  agents_reserve(a, g->home.count);
  a->count = g->home.count;
#define X(type, name, unit, reach)                                                                 \
  if (reach <= KEPT)                                                                               \
    device_download(&g->device, a->name, g->home.name, own * sizeof(type));
  AGENT_FIELDS(X)
#undef X
  device_wait(&g->device);
}

static void seen(void *home, struct neighbours *crowd)
{
  struct gpu *g = gpu_of(home);
  const int64_t leaves = (g->scene.own + TREE_WIDTH - 1) / TREE_WIDTH;
  neighbours_expect_seen(crowd, g->scene.own);
  device_download(&g->device, crowd->seen, g->scene.leaf_seen, (size_t)leaves * 4);
  device_wait(&g->device);
}

static void targets(void *home, int64_t *counts, int32_t count)
{
  struct gpu *g = gpu_of(home);
  const size_t bytes = (size_t)count * sizeof *counts;
  struct errand e = errand_of(g);
  e.targets = (int64_t *)buffer(g, TARGETS, bytes);
  device_fill(&g->device, e.targets, 0, bytes);
  LAUNCH(&g->device, count_targets, send_errand(g, &e), e.own);
  device_download(&g->device, counts, e.targets, bytes);
  device_wait(&g->device);
}

static void sums(void *home, struct residence_sums *to)
{
  struct gpu *g = gpu_of(home);
  struct errand e = errand_of(g);
  e.sums = (struct residence_sums *)buffer(g, TARGETS, sizeof *to);
  device_fill(&g->device, e.sums, 0, sizeof *to);
  LAUNCH(&g->device, sum_up, send_errand(g, &e), e.own);
  device_download(&g->device, to, e.sums, sizeof *to);
  device_wait(&g->device);
}

// ------------------------------------------------------------------------------------ parcels

static void *parcel(void *home, size_t bytes, bool of_device)
{
  gpu_of(home);
  return of_device ? device_memory(bytes) : pinned_memory(bytes);
}

static void parcel_release(void *home, void *memory, bool of_device)
{
  gpu_of(home);
  if (of_device)
    device_release(memory);
  else
    pinned_release(memory);
}

#define RESIDENCE(gpu, of_host)                                                                    \
  {                                                                                                \
    gpu, of_host, learn, take, give, seen, targets, sums, show, shown, wish, order_people,         \
        choose_there, overlapper, meet, keep_them_together, touched, move, select_there, selected, \
        put_back, drop, append, parcel, parcel_release                                             \
  }
