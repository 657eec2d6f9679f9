// The contract of residence.h by kernels. Included once by each kind of device.
#pragma once
#include "choose_gpu.h"
#include "errand_kernels.h"

#define REORDER_EVERY 16 // orders: then whoever is near in the plane is near in memory again

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

static void touched(void *home, const struct residence_place *places, int64_t count,
                    float per_speed, int64_t *to)
{
  struct gpu *g = gpu_of(home);
  struct device *d = &g->device;
  const size_t n = (size_t)count;
  struct touching t = {(const struct scene *)g->buffers[SCENE].memory, NULL, per_speed, NULL};
  t.places = (const struct residence_place *)device_sent(d, &g->buffers[PLACES], places,
                                                         n * sizeof *places);
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
  const struct box round = {{-t.round.lo.x, -t.round.lo.y}, t.round.hi};
  if (e.own)
    g->round = round;
  g->home.ghost_count = 0;
}

// ------------------------------------------------------------------------------------ the few

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
    gpu, of_host, learn, take, give, seen, targets, show, shown, wish, order_people, choose_there, \
        overlapper, meet, keep_them_together, touched, move, select_there, selected, put_back,     \
        drop, append, parcel, parcel_release                                                       \
  }
