// A step of the people who live on a device: device_crowd.h.
#pragma once
#include "agent_launch.h"

#define REORDER_EVERY 16 // orders: then whoever is near in the plane is near in memory again

// ------------------------------------------------------------------------------------ ghosts

static struct kernel_args kernel_args_of_halo(struct device_state *g,
                                              const struct device_crowd_view *v)
{
  struct kernel_args e = kernel_args_of(g);
  const size_t peer_count = (size_t)v->count;
  struct box *halo_boxes = (struct box *)buffer(g, WIDENED_BOXES, peer_count * sizeof *halo_boxes);
  device_upload_staged(&g->device, halo_boxes, v->halo_boxes, peer_count * sizeof *halo_boxes);
  e.peer_count = v->count;
  e.interior = v->interior;
  e.halo_boxes = halo_boxes;
  e.mirror_counts = (int32_t *)buffer(g, MIRROR_COUNTS, peer_count * sizeof *e.mirror_counts);
  return e;
}

// First how many see each, then their records, side by side.
static void pack_mirrors(void *device, const struct device_crowd_view *v, int64_t *counts)
{
  struct device_state *g = device_state_of(device);
  struct device *d = &g->device;
  const size_t bytes = (size_t)v->count * sizeof(int32_t);
  struct kernel_args e = kernel_args_of_halo(g, v);
  int32_t *at = (int32_t *)memory_create((size_t)v->count, sizeof *at);
  int64_t all = 0;
  device_fill(d, e.mirror_counts, 0, bytes);
  LAUNCH(d, count_mirrors, upload_kernel_args(g, &e), e.own);
  device_download(d, at, e.mirror_counts, bytes);
  device_wait(d);
  for (int32_t k = 0; k < v->count; k++) {
    counts[k] = at[k];
    at[k] = (int32_t)all;
    all += counts[k];
  }
  device_upload_staged(d, e.mirror_counts, at, bytes);
  e.records = (char *)buffer(g, RECORDS, (size_t)all * record_bytes(SCOPE_GHOST));
  LAUNCH(d, pack_mirror_records, upload_kernel_args(g, &e), all ? e.own : 0);
  memory_destroy(at);
}

static void copy_mirrors(void *device, char *const *records, const int64_t *counts,
                         int32_t message_count)
{
  struct device_state *g = device_state_of(device);
  const char *from = (const char *)g->buffers[RECORDS].memory;
  for (int32_t k = 0; k < message_count; k++) {
    const size_t bytes = (size_t)counts[k] * record_bytes(SCOPE_GHOST);
    if (bytes)
      device_copy(&g->device, records[k], from, bytes);
    from += bytes;
  }
  device_wait(&g->device); // they are sent next
}

static void unpack_ghosts(void *device, char *const *records, const int64_t *counts,
                          int32_t message_count, struct box bounds)
{
  struct device_state *g = device_state_of(device);
  int64_t all = 0;
  for (int32_t k = 0; k < message_count; k++)
    all += counts[k];
  home_reserve(g, g->resident.count + all);
  g->resident.ghost_count = all;
  char *to = (char *)buffer(g, RECORDS, (size_t)all * record_bytes(SCOPE_GHOST));
  struct kernel_args e = kernel_args_of(g);
  e.records = to;
  for (int32_t k = 0; k < message_count; k++) {
    const size_t bytes = (size_t)counts[k] * record_bytes(SCOPE_GHOST);
    if (bytes)
      device_copy_async(&g->device, to, records[k], bytes);
    to += bytes;
  }
  LAUNCH(&g->device, unpack_ghost_records, upload_kernel_args(g, &e), all);
  kernel_input_add_ghosts(g, bounds);
  sort_ghosts(g, upload_kernel_input(g));
}

// ------------------------------------------------------------------------------------ the wish

static void set_preferred(void *device, const struct device_crowd_navigation *w)
{
  struct device_state *g = device_state_of(device);
  struct kernel_args e = kernel_args_of(g);
  e.dt = w->dt;
  e.seed = w->seed;
  e.step = w->step;
  e.deadlock_timeout = w->deadlock_timeout;
  switch (g->world.navigation) {
#define X(name)                                                                                    \
  case NAVIGATION_##name:                                                                          \
    LAUNCH(&g->device, preferred_velocity_##name, upload_kernel_args(g, &e), e.own);               \
    break;
    NAVIGATION_MODELS(X)
#undef X
  default:
    break;
  }
}

// ------------------------------------------------------------------------------------ the order

static void permute_column(struct device_state *g, void *column, size_t size)
{
  struct device *d = &g->device;
  struct permutation_args s = {column, g->buffers[PERMUTED_COLUMN].memory,
                               g->kernel_input.memory_index};
  struct permutation_args *on_device =
      (struct permutation_args *)g->buffers[PERMUTATION_ARGS].memory;
  device_upload_staged(d, on_device, &s, sizeof s);
  if (size == sizeof(uint32_t))
    LAUNCH(d, permute_words, on_device, g->resident.count);
  else
    LAUNCH(d, permute_pairs, on_device, g->resident.count);
  device_copy(d, column, s.to, (size_t)g->resident.count * size);
}

// Memory takes the order of the grid.
static void reorder(struct device_state *g)
{
  buffer(g, PERMUTED_COLUMN, (size_t)g->resident.count * sizeof(uint64_t));
  buffer(g, PERMUTATION_ARGS, sizeof(struct permutation_args));
#define X(type, name, unit, reach)                                                                 \
  if (reach <= SCOPE_STATE)                                                                        \
    permute_column(g, g->resident.name, sizeof(type));
  AGENT_FIELDS(X)
#undef X
  permute_column(g, g->resident.prefer_x, sizeof(float));
  permute_column(g, g->resident.prefer_y, sizeof(float));
  struct permutation_args s = {NULL, g->kernel_input.memory_index, NULL};
  struct permutation_args *on_device =
      (struct permutation_args *)g->buffers[PERMUTATION_ARGS].memory;
  device_upload_staged(&g->device, on_device, &s, sizeof s);
  LAUNCH(&g->device, permute_identity, on_device, g->resident.count);
}

static void build_index(void *device, const struct next_velocity_input *in, float radius_max,
                        bool groups)
{
  struct device_state *g = device_state_of(device);
  const struct crowd_extent neighbours = {g->bounds, g->bounds, radius_max, false, groups};
  kernel_input_begin(g, in, &neighbours);
  sort_owned(g, upload_kernel_input(g));
  if (g->index_builds++ % REORDER_EVERY == 0)
    reorder(g);
  tally_reset(g);
}

// ------------------------------------------------------------------------------------ the choice

static void apply_groups(void *device)
{
  struct device_state *g = device_state_of(device);
  LAUNCH(&g->device, group_cohesion, (const struct kernel_input *)g->buffers[KERNEL_INPUT].memory,
         g->resident.count);
}

static struct step_tally tally_of(struct device_state *g)
{
  struct step_tally tally;
  device_download(&g->device, &tally, g->kernel_input.tally, sizeof tally);
  device_wait(&g->device);
  return tally;
}

static void next_velocities(void *device, const struct next_velocity_input *in,
                            struct next_velocity_counts *counts)
{
  struct device_state *g = device_state_of(device);
  g->kernel_input.in.part = in->part;
  g->kernel_input.in.interior = in->interior;
  if (g->resident.count)
    launch_next_velocity(g, upload_kernel_input(g));
  if (in->part == PART_INTERIOR)
    return;
  const struct step_tally tally = tally_of(g);
  counts_add(counts, &tally);
}

static void find_overlap(void *device, struct violation *one)
{
  struct device_state *g = device_state_of(device);
  LAUNCH(&g->device, describe_first_overlap,
         (const struct kernel_input *)g->buffers[KERNEL_INPUT].memory, g->resident.count);
  const struct step_tally tally = tally_of(g);
  one->id = (int64_t)tally.first_overlap_id;
  one->at = tally.at;
  one->other = tally.with;
}

static void probe_discs(void *device, const struct disc *discs, int64_t count,
                        float quanta_per_speed, int64_t *to)
{
  struct device_state *g = device_state_of(device);
  struct device *d = &g->device;
  const size_t n = (size_t)count;
  struct probe_args t = {(const struct kernel_input *)g->buffers[KERNEL_INPUT].memory, NULL,
                         quanta_per_speed, NULL};
  t.discs = (const struct disc *)device_upload_to(d, &g->buffers[DISCS], discs, n * sizeof *discs);
  t.occupied = (int64_t *)buffer(g, OCCUPIED, n * sizeof *to);
  struct probe_args *on_device = (struct probe_args *)buffer(g, KERNEL_ARGS, sizeof t);
  device_upload_staged(d, on_device, &t, sizeof t);
  LAUNCH(d, test_discs, on_device, g->resident.count ? count : 0);
  if (g->resident.count == 0)
    device_fill(d, t.occupied, 0, n * sizeof *to);
  device_download(d, to, t.occupied, n * sizeof *to);
  device_wait(d);
}

// ------------------------------------------------------------------------------------ the move

static void lines_begin(struct device_state *g, struct kernel_args *e)
{
  const size_t bytes = 2 * (size_t)g->line_count * sizeof(int64_t);
  e->segment_count = g->segment_count;
  e->segments = g->segments;
  e->crossed = (int64_t *)buffer(g, CROSSINGS, bytes);
  device_fill(&g->device, e->crossed, 0, bytes);
}

static int64_t *crossings_fetch(struct device_state *g,
                                const struct kernel_args *e) // there after a wait
{
  const size_t counts = 2 * (size_t)g->line_count;
  int64_t *more = (int64_t *)memory_create(counts, sizeof *more);
  if (counts)
    device_download(&g->device, more, e->crossed, counts * sizeof *more);
  return more;
}

static void crossings_add(const struct device_state *g, int64_t *more, int64_t *crossed)
{
  for (int32_t k = 0; k < 2 * g->line_count; k++)
    crossed[k] += more[k];
  memory_destroy(more);
}

static struct move_tally *move_tally_begin(struct device_state *g)
{
  struct move_tally none;
  memset(&none, 0, sizeof none);
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    none.first[kind] = UINT64_MAX;
  const struct point least = {INT32_MIN, INT32_MIN};
  none.bounds.lo = none.bounds.hi = least;
  struct move_tally *on_device = (struct move_tally *)buffer(g, MOVE_TALLY, sizeof none);
  device_upload_staged(&g->device, on_device, &none, sizeof none);
  return on_device;
}

static struct move_tally move_tally_fetch(struct device_state *g, const struct kernel_args *e,
                                          const struct kernel_args *on_device)
{
  struct move_tally t;
  int64_t violations = 0;
  device_download(&g->device, &t, e->tally, sizeof t);
  device_wait(&g->device);
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    violations += t.violations[kind];
  if (violations == 0)
    return t;
  LAUNCH(&g->device, find_offenders, on_device, e->own);
  device_download(&g->device, &t, e->tally, sizeof t);
  device_wait(&g->device);
  return t;
}

static void report_moves(struct device_crowd_moved *out, const struct move_tally *t, int64_t step)
{
  out->kept = t->kept;
  for (int kind = 0; kind < AUDIT_KINDS; kind++) {
    const struct violation one = {step, kind, (int64_t)t->first[kind], t->at[kind], -1};
    out->violations[kind] = t->violations[kind];
    out->first[kind] = one;
  }
}

static void move(void *device, const struct device_crowd_move *in, struct device_crowd_moved *out)
{
  struct device_state *g = device_state_of(device);
  struct kernel_args e = kernel_args_of(g);
  e.step = in->step;
  e.quanta_per_speed = in->dt / frame_quantum(&g->world.frame);
  e.tally = move_tally_begin(g);
  lines_begin(g, &e);
  const struct kernel_args *on_device = upload_kernel_args(g, &e);
  LAUNCH(&g->device, move_agents, on_device, e.own);
  int64_t *more = crossings_fetch(g, &e);
  const struct move_tally t = move_tally_fetch(g, &e, on_device);
  crossings_add(g, more, in->crossed);
  report_moves(out, &t, in->step);
  if (e.own) {
    const struct box bounds = {{-t.bounds.lo.x, -t.bounds.lo.y}, t.bounds.hi};
    g->bounds = bounds;
  }
  g->resident.ghost_count = 0;
}
