// Errands of the host: what each sends, and how.
#pragma once
#include "choose_gpu.h"
#include "errand_kernels.h"

static struct gpu *gpu_of(void *home)
{
  struct gpu *g = (struct gpu *)home;
  device_begin(&g->device);
  return g;
}

static struct errand errand_of(struct gpu *g)
{
  struct errand e;
  memset(&e, 0, sizeof e);
  e.home = g->home;
  e.own = g->home.count;
  e.world = (const struct world *)g->buffers[WORLD].memory;
  return e;
}

static const struct errand *send_errand(struct gpu *g, const struct errand *e)
{
  struct errand *there = (struct errand *)buffer(g, ERRAND, sizeof *e);
  device_send(&g->device, there, e, sizeof *e);
  return there;
}
