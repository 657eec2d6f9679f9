// A step of the people who live on a device: residence.h.
#pragma once
#include "errand_gpu.h"

#define REORDER_EVERY 16 // orders: then whoever is near in the plane is near in memory again

// ------------------------------------------------------------------------------------ ghosts

static struct errand errand_of_view(struct gpu *g, const struct residence_view *v)
{
  struct errand e = errand_of(g);
  const size_t views = (size_t)v->count;
  struct box *wide = (struct box *)buffer(g, WIDE, views * sizeof *wide);
  device_send(&g->device, wide, v->wide, views * sizeof *wide);
  e.views = v->count;
  e.inner = v->inner;
  e.wide = wide;
  e.shown = (int32_t *)buffer(g, SHOWN, views * sizeof *e.shown);
  return e;
}

// First how many see each, then their records, side by side.
static void show(void *home, const struct residence_view *v, int64_t *counts)
{
  struct gpu *g = gpu_of(home);
  struct device *d = &g->device;
  const size_t bytes = (size_t)v->count * sizeof(int32_t);
  struct errand e = errand_of_view(g, v);
  int32_t *at = (int32_t *)memory_create((size_t)v->count, sizeof *at);
  int64_t all = 0;
  device_fill(d, e.shown, 0, bytes);
  LAUNCH(d, count_shown, send_errand(g, &e), e.own);
  device_download(d, at, e.shown, bytes);
  device_wait(d);
  for (int32_t k = 0; k < v->count; k++) {
    counts[k] = at[k];
    at[k] = (int32_t)all;
    all += counts[k];
  }
  device_send(d, e.shown, at, bytes);
  e.records = (char *)buffer(g, RECORDS, (size_t)all * record_bytes(SEEN));
  LAUNCH(d, pack_shown, send_errand(g, &e), all ? e.own : 0);
  memory_destroy(at);
}

static void shown(void *home, char *const *records, const int64_t *counts, int32_t parcels)
{
  struct gpu *g = gpu_of(home);
  const char *from = (const char *)g->buffers[RECORDS].memory;
  for (int32_t k = 0; k < parcels; k++) {
    const size_t bytes = (size_t)counts[k] * record_bytes(SEEN);
    if (bytes)
      device_copy(&g->device, records[k], from, bytes);
    from += bytes;
  }
  device_wait(&g->device); // they are sent next
}

static void meet(void *home, char *const *records, const int64_t *counts, int32_t parcels,
                 struct box round)
{
  struct gpu *g = gpu_of(home);
  int64_t all = 0;
  for (int32_t k = 0; k < parcels; k++)
    all += counts[k];
  home_reserve(g, g->home.count + all);
  g->home.ghost_count = all;
  char *to = (char *)buffer(g, RECORDS, (size_t)all * record_bytes(SEEN));
  struct errand e = errand_of(g);
  e.records = to;
  for (int32_t k = 0; k < parcels; k++) {
    const size_t bytes = (size_t)counts[k] * record_bytes(SEEN);
    if (bytes)
      device_copy_aside(&g->device, to, records[k], bytes);
    to += bytes;
  }
  LAUNCH(&g->device, unpack_ghosts, send_errand(g, &e), all);
  scene_meet(g, round);
  order_ghosts(g, send_scene(g));
}

// ------------------------------------------------------------------------------------ the wish

static void wish(void *home, const struct residence_wish *w)
{
  struct gpu *g = gpu_of(home);
  struct errand e = errand_of(g);
  e.dt = w->dt;
  e.seed = w->seed;
  e.step = w->step;
  e.patience = w->patience;
  if (leads_by_roadmap(&g->world))
    LAUNCH(&g->device, wish_by_roadmap, send_errand(g, &e), e.own);
  else
    LAUNCH(&g->device, wish_along_fields, send_errand(g, &e), e.own);
}

// ------------------------------------------------------------------------------------ the order

static void shuffle_column(struct gpu *g, void *column, size_t size)
{
  struct device *d = &g->device;
  struct shuffle s = {column, g->buffers[SHUFFLED].memory, g->scene.from};
  struct shuffle *there = (struct shuffle *)g->buffers[SHUFFLE].memory;
  device_send(d, there, &s, sizeof s);
  if (size == sizeof(uint32_t))
    LAUNCH(d, shuffle_words, there, g->home.count);
  else
    LAUNCH(d, shuffle_pairs, there, g->home.count);
  device_copy(d, column, s.to, (size_t)g->home.count * size);
}

// Memory takes the order of the grid.
static void reorder(struct gpu *g)
{
  buffer(g, SHUFFLED, (size_t)g->home.count * sizeof(uint64_t));
  buffer(g, SHUFFLE, sizeof(struct shuffle));
#define X(type, name, unit, reach)                                                                 \
  if (reach <= KEPT)                                                                               \
    shuffle_column(g, g->home.name, sizeof(type));
  AGENT_FIELDS(X)
#undef X
  shuffle_column(g, g->home.prefer_x, sizeof(float));
  shuffle_column(g, g->home.prefer_y, sizeof(float));
  struct shuffle s = {NULL, g->scene.from, NULL};
  struct shuffle *there = (struct shuffle *)g->buffers[SHUFFLE].memory;
  device_send(&g->device, there, &s, sizeof s);
  LAUNCH(&g->device, shuffle_none, there, g->home.count);
}

static void order_people(void *home, const struct choose_input *in, float radius_most, bool groups)
{
  struct gpu *g = gpu_of(home);
  const struct crowd_on crowd = {g->round, g->round, radius_most, false, groups};
  scene_begin(g, in, &crowd);
  order_own(g, send_scene(g));
  if (g->orders++ % REORDER_EVERY == 0)
    reorder(g);
  tally_begin(g);
}

// ------------------------------------------------------------------------------------ the choice

static void keep_them_together(void *home)
{
  struct gpu *g = gpu_of(home);
  LAUNCH(&g->device, keep_together, (const struct scene *)g->buffers[SCENE].memory, g->home.count);
}

static struct scene_tally tally_of(struct gpu *g)
{
  struct scene_tally tally;
  device_download(&g->device, &tally, g->scene.tally, sizeof tally);
  device_wait(&g->device);
  return tally;
}

static void choose_there(void *home, const struct choose_input *in, struct choose_counts *counts)
{
  struct gpu *g = gpu_of(home);
  g->scene.in.part = in->part;
  g->scene.in.inner = in->inner;
  if (g->home.count)
    launch_choice(g, send_scene(g));
  if (in->part == CHOOSE_INSIDE)
    return;
  const struct scene_tally tally = tally_of(g);
  counts_add(counts, &tally);
}

static void overlapper(void *home, struct offender *one)
{
  struct gpu *g = gpu_of(home);
  LAUNCH(&g->device, name_overlapper, (const struct scene *)g->buffers[SCENE].memory,
         g->home.count);
  const struct scene_tally tally = tally_of(g);
  one->id = (int64_t)tally.overlapper;
  one->at = tally.at;
  one->other = tally.with;
}

static void touched(void *home, const struct disc *places, int64_t count, float per_speed,
                    int64_t *to)
{
  struct gpu *g = gpu_of(home);
  struct device *d = &g->device;
  const size_t n = (size_t)count;
  struct touching t = {(const struct scene *)g->buffers[SCENE].memory, NULL, per_speed, NULL};
  t.places = (const struct disc *)device_sent(d, &g->buffers[PLACES], places, n * sizeof *places);
  t.touched = (int64_t *)buffer(g, TOUCHED, n * sizeof *to);
  struct touching *there = (struct touching *)buffer(g, ERRAND, sizeof t);
  device_send(d, there, &t, sizeof t);
  LAUNCH(d, touch_all, there, g->home.count ? count : 0);
  if (g->home.count == 0)
    device_fill(d, t.touched, 0, n * sizeof *to);
  device_download(d, to, t.touched, n * sizeof *to);
  device_wait(d);
}

// ------------------------------------------------------------------------------------ the move

static void lines_begin(struct gpu *g, struct errand *e)
{
  const size_t bytes = 2 * (size_t)g->line_count * sizeof(int64_t);
  e->segment_count = g->segment_count;
  e->segments = g->segments;
  e->crossed = (int64_t *)buffer(g, CROSSED, bytes);
  device_fill(&g->device, e->crossed, 0, bytes);
}

static int64_t *crossings_fetch(struct gpu *g, const struct errand *e) // there after a wait
{
  const size_t counts = 2 * (size_t)g->line_count;
  int64_t *more = (int64_t *)memory_create(counts, sizeof *more);
  if (counts)
    device_download(&g->device, more, e->crossed, counts * sizeof *more);
  return more;
}

static void crossings_add(const struct gpu *g, int64_t *more, int64_t *crossed)
{
  for (int32_t k = 0; k < 2 * g->line_count; k++)
    crossed[k] += more[k];
  memory_destroy(more);
}

static struct move_tally *move_tally_begin(struct gpu *g)
{
  struct move_tally none;
  memset(&none, 0, sizeof none);
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    none.first[kind] = UINT64_MAX;
  const struct point least = {INT32_MIN, INT32_MIN};
  none.round.lo = none.round.hi = least;
  struct move_tally *there = (struct move_tally *)buffer(g, MOVED, sizeof none);
  device_send(&g->device, there, &none, sizeof none);
  return there;
}

static struct move_tally move_tally_fetch(struct gpu *g, const struct errand *e,
                                          const struct errand *there)
{
  struct move_tally t;
  int64_t wrong = 0;
  device_download(&g->device, &t, e->tally, sizeof t);
  device_wait(&g->device);
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    wrong += t.wrong[kind];
  if (wrong == 0)
    return t;
  LAUNCH(&g->device, find_offenders, there, e->own);
  device_download(&g->device, &t, e->tally, sizeof t);
  device_wait(&g->device);
  return t;
}

static void move_told(struct residence_moved *out, const struct move_tally *t, int64_t step)
{
  out->kept = t->kept;
  for (int kind = 0; kind < AUDIT_KINDS; kind++) {
    const struct offender one = {step, kind, (int64_t)t->first[kind], t->at[kind], -1};
    out->wrong[kind] = t->wrong[kind];
    out->first[kind] = one;
  }
}

static void move(void *home, const struct residence_move *in, struct residence_moved *out)
{
  struct gpu *g = gpu_of(home);
  struct errand e = errand_of(g);
  e.step = in->step;
  e.quanta_per_speed = in->dt / frame_quantum(&g->world.frame);
  e.tally = move_tally_begin(g);
  lines_begin(g, &e);
  const struct errand *there = send_errand(g, &e);
  LAUNCH(&g->device, move_all, there, e.own);
  int64_t *more = crossings_fetch(g, &e);
  const struct move_tally t = move_tally_fetch(g, &e, there);
  crossings_add(g, more, in->crossed);
  move_told(out, &t, in->step);
  if (e.own) {
    const struct box round = {{-t.round.lo.x, -t.round.lo.y}, t.round.hi};
    g->round = round;
  }
  g->home.ghost_count = 0;
}
