// The calls of device_crowd.h that make up a step.
#pragma once
#include "agent_launch.h"

#define REORDER_EVERY 16 // builds of the index, until neighbours are again near in memory

// ---------------------------------------------------------------------------------------- halo

static struct kernel_args halo_args_begin(struct device_state *state,
                                          const struct device_crowd_view *view)
{
  struct kernel_args args = kernel_args_begin(state);
  const size_t n = (size_t)view->count;
  struct box *halo_boxes = (struct box *)buffer(state, HALO_BOXES, n * sizeof *halo_boxes);
  device_upload_staged(&state->device, halo_boxes, view->halo_boxes, n * sizeof *halo_boxes);
  args.peer_count = view->count;
  args.interior = view->interior;
  args.halo_boxes = halo_boxes;
  args.mirror_counts = (int32_t *)buffer(state, MIRROR_COUNTS, n * sizeof *args.mirror_counts);
  return args;
}

// Exclusive prefix sum of the counts into first[count]; returns their sum.
static int64_t prefix_sum(const int32_t *counts, int32_t count, int32_t *first)
{
  int64_t sum = 0;
  for (int32_t k = 0; k < count; k++) {
    first[k] = (int32_t)sum;
    sum += counts[k];
  }
  return sum;
}

// Counts the mirrors of each rank, then packs the records of all ranks side by side.
static void pack_mirrors(void *device, const struct device_crowd_view *view, int64_t *counts)
{
  struct device_state *state = device_state_enter(device);
  struct device *d = &state->device;
  const size_t n = (size_t)view->count, bytes = n * sizeof(int32_t);
  struct kernel_args args = halo_args_begin(state, view);
  int32_t *first = (int32_t *)host_buffer(state, HOST_FIRST_RECORDS, bytes);
  device_fill(d, args.mirror_counts, 0, bytes);
  LAUNCH(d, count_mirrors, upload_kernel_args(state, &args), args.own);
  const int32_t *mirrors = (const int32_t *)fetch(state, args.mirror_counts, bytes);
  for (int32_t k = 0; k < view->count; k++)
    counts[k] = mirrors[k];
  const int64_t all = prefix_sum(mirrors, view->count, first);
  device_upload_staged(d, args.mirror_counts, first, bytes);
  args.records = (char *)buffer(state, RECORDS, (size_t)all * record_bytes(SCOPE_GHOST));
  LAUNCH(d, pack_mirror_records, upload_kernel_args(state, &args), all ? args.own : 0);
}

static void copy_mirrors(void *device, char *const *records, const int64_t *counts,
                         int32_t message_count)
{
  struct device_state *state = device_state_enter(device);
  const char *from = (const char *)state->buffers[RECORDS].memory;
  for (int32_t k = 0; k < message_count; k++) {
    const size_t bytes = (size_t)counts[k] * record_bytes(SCOPE_GHOST);
    if (bytes)
      device_copy(&state->device, records[k], from, bytes);
    from += bytes;
  }
  device_wait(&state->device); // MPI sends them next
}

static void unpack_ghosts(void *device, char *const *records, const int64_t *counts,
                          int32_t message_count, struct box bounds)
{
  struct device_state *state = device_state_enter(device);
  int64_t all = 0;
  for (int32_t k = 0; k < message_count; k++)
    all += counts[k];
  resident_reserve(state, state->resident.count + all);
  state->resident.ghost_count = all;
  char *to = (char *)buffer(state, RECORDS, (size_t)all * record_bytes(SCOPE_GHOST));
  struct kernel_args args = kernel_args_begin(state);
  args.records = to;
  for (int32_t k = 0; k < message_count; k++) {
    const size_t bytes = (size_t)counts[k] * record_bytes(SCOPE_GHOST);
    if (bytes)
      device_copy_async(&state->device, to, records[k], bytes);
    to += bytes;
  }
  LAUNCH(&state->device, unpack_ghost_records, upload_kernel_args(state, &args), all);
  kernel_input_add_ghosts(state, bounds);
  sort_ghosts(state, upload_kernel_input(state));
}

// -------------------------------------------------------------------------- preferred velocity

static void set_preferred(void *device, const struct device_crowd_navigation *in)
{
  struct device_state *state = device_state_enter(device);
  struct kernel_args args = kernel_args_begin(state);
  args.dt = in->dt;
  args.seed = in->seed;
  args.step = in->step;
  args.spread = headway_options_spread(&state->headway);
  args.queue = state->headway.queue;
  args.look_period = state->headway.look_period;
  args.all_look = args.spread && headway_options_all_look(&state->headway, in->step);
  args.deadlock_timeout = in->deadlock_timeout;
  const struct kernel_args *on_device = upload_kernel_args(state, &args);
  switch (state->world.navigation) {
#define X(name)                                                                                    \
  case NAVIGATION_##name:                                                                          \
    LAUNCH(&state->device, preferred_velocity_##name, on_device, args.own);                        \
    break;
    NAVIGATION_MODELS(X)
#undef X
  default:
    break;
  }
}

// --------------------------------------------------------------------------------------- index

static const struct permutation_args *upload_permutation_args(struct device_state *state,
                                                              const struct permutation_args *args)
{
  struct permutation_args *on_device =
      (struct permutation_args *)state->buffers[PERMUTATION_ARGS].memory;
  device_upload_staged(&state->device, on_device, args, sizeof *args);
  return on_device;
}

static void permute_column(struct device_state *state, void *column, size_t size)
{
  struct device *d = &state->device;
  const struct permutation_args args = {column, state->buffers[PERMUTED_COLUMN].memory,
                                        state->kernel_input.memory_index};
  const struct permutation_args *on_device = upload_permutation_args(state, &args);
  if (size == sizeof(uint32_t))
    LAUNCH(d, permute_column_32bit, on_device, state->resident.count);
  else
    LAUNCH(d, permute_column_64bit, on_device, state->resident.count);
  device_copy(d, column, args.to, (size_t)state->resident.count * size);
}

// Puts the agents in memory into grid order: the fields that outlive the step and those that
// avoidance will read. memory_index becomes the identity.
static void reorder_memory(struct device_state *state)
{
  buffer(state, PERMUTED_COLUMN, (size_t)state->resident.count * sizeof(uint64_t));
  buffer(state, PERMUTATION_ARGS, sizeof(struct permutation_args));
#define X(type, name, unit, scope)                                                                 \
  static_assert(sizeof(type) == 4 || sizeof(type) == 8, #name ": no kernel permutes this size");   \
  if (scope <= SCOPE_STATE || ACCESS_##name == ACCESS_OWNED)                                       \
    permute_column(state, state->resident.name, sizeof(type));
  AGENT_FIELDS(X)
#undef X
  const struct permutation_args args = {NULL, state->kernel_input.memory_index, NULL};
  LAUNCH(&state->device, set_identity_permutation, upload_permutation_args(state, &args),
         state->resident.count);
}

static void build_index(void *device, const struct next_velocity_input *in, float radius_max,
                        bool groups)
{
  struct device_state *state = device_state_enter(device);
  const struct crowd_extent extent = {.own = state->bounds,
                                      .ghosts = state->bounds,
                                      .radius_max = radius_max,
                                      .uniform_yield = false,
                                      .groups = groups};
  kernel_input_begin(state, in, &extent);
  sort_owned(state, upload_kernel_input(state));
  if (state->index_builds++ % REORDER_EVERY == 0)
    reorder_memory(state);
  tally_reset(state);
}

// ----------------------------------------------------------------------------------- avoidance

static const struct kernel_input *uploaded_kernel_input(const struct device_state *state)
{
  return (const struct kernel_input *)state->buffers[KERNEL_INPUT].memory;
}

static void apply_groups(void *device)
{
  struct device_state *state = device_state_enter(device);
  LAUNCH(&state->device, apply_group_cohesion, uploaded_kernel_input(state), state->resident.count);
}

static struct step_tally tally_fetch(struct device_state *state)
{
  return *(const struct step_tally *)fetch(state, state->kernel_input.tally,
                                           sizeof(struct step_tally));
}

static void next_velocities(void *device, const struct next_velocity_input *in,
                            struct next_velocity_counts *counts)
{
  struct device_state *state = device_state_enter(device);
  state->kernel_input.in.part = in->part;
  state->kernel_input.in.interior = in->interior;
  if (state->resident.count)
    launch_next_velocity(state, upload_kernel_input(state));
  if (in->part == PART_INTERIOR)
    return;
  const struct step_tally tally = tally_fetch(state);
  counts_add(counts, &tally);
}

static void find_overlap(void *device, struct violation *first)
{
  struct device_state *state = device_state_enter(device);
  LAUNCH(&state->device, locate_first_overlap, uploaded_kernel_input(state), state->resident.count);
  const struct step_tally tally = tally_fetch(state);
  first->id = (int64_t)tally.first_overlap_id;
  first->at = tally.first_overlap_at;
  first->other = tally.first_overlap_other;
}

static void find_deepest(void *device, struct deepest_overlap *deepest)
{
  struct device_state *state = device_state_enter(device);
  const struct kernel_input *on_device = uploaded_kernel_input(state);
  LAUNCH(&state->device, find_deepest_overlap, on_device, state->resident.count);
  LAUNCH(&state->device, locate_deepest_overlap, on_device, state->resident.count);
  const struct step_tally tally = tally_fetch(state);
  deepest->depth = real_of_bits(tally.deepest_overlap_bits);
  deepest->id = (int64_t)tally.deepest_id;
  deepest->at = tally.deepest_at;
}

static void probe_discs(void *device, const struct disc *discs, int64_t count,
                        float quanta_per_speed, int64_t *occupied)
{
  struct device_state *state = device_state_enter(device);
  struct device *d = &state->device;
  const size_t n = (size_t)count;
  struct probe_args args = {.kernel_input = uploaded_kernel_input(state),
                            .discs = NULL,
                            .quanta_per_speed = quanta_per_speed,
                            .occupied = NULL};
  args.discs =
      (const struct disc *)device_upload_to(d, &state->buffers[DISCS], discs, n * sizeof *discs);
  args.occupied = (int64_t *)buffer(state, OCCUPIED, n * sizeof *occupied);
  struct probe_args *on_device = (struct probe_args *)buffer(state, KERNEL_ARGS, sizeof args);
  device_upload_staged(d, on_device, &args, sizeof args);
  LAUNCH(d, test_discs_occupied, on_device, state->resident.count ? count : 0);
  if (state->resident.count == 0)
    device_fill(d, args.occupied, 0, n * sizeof *occupied);
  device_download(d, occupied, args.occupied, n * sizeof *occupied);
  device_wait(d);
}

// ---------------------------------------------------------------------------------------- move

static void crossings_begin(struct device_state *state, struct kernel_args *args)
{
  const size_t bytes = 2 * (size_t)state->line_count * sizeof *args->crossed;
  args->segment_count = state->segment_count;
  args->segments = state->segments;
  args->crossed = (int64_t *)buffer(state, CROSSED, bytes);
  device_fill(&state->device, args->crossed, 0, bytes);
  args->grid = state->grid;
  args->cell_crossed =
      state->cell_crossed_count ? (int64_t *)state->buffers[CELL_CROSSED].memory : NULL;
}

// The counts of this step; complete after device_wait.
static const int64_t *crossings_download(struct device_state *state, const struct kernel_args *args)
{
  const size_t counts = 2 * (size_t)state->line_count;
  int64_t *crossed = (int64_t *)host_buffer(state, HOST_CROSSED, counts * sizeof *crossed);
  if (counts)
    device_download(&state->device, crossed, args->crossed, counts * sizeof *crossed);
  return crossed;
}

static struct move_tally *move_tally_begin(struct device_state *state)
{
  struct move_tally none;
  memset(&none, 0, sizeof none);
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    none.first[kind] = UINT64_MAX;
  const struct point least = {INT32_MIN, INT32_MIN};
  none.bounds.lo = none.bounds.hi = least;
  struct move_tally *on_device = (struct move_tally *)buffer(state, MOVE_TALLY, sizeof none);
  device_upload_staged(&state->device, on_device, &none, sizeof none);
  return on_device;
}

static struct move_tally move_tally_fetch(struct device_state *state,
                                          const struct kernel_args *args,
                                          const struct kernel_args *on_device)
{
  struct move_tally t = *(const struct move_tally *)fetch(state, args->tally, sizeof t);
  int64_t violations = 0;
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    violations += t.violations[kind];
  if (violations == 0)
    return t;
  LAUNCH(&state->device, locate_first_violations, on_device, args->own);
  return *(const struct move_tally *)fetch(state, args->tally, sizeof t);
}

static void report_moves(struct device_crowd_moved *out, const struct move_tally *t, int64_t step)
{
  out->kept = t->kept;
  for (int kind = 0; kind < AUDIT_KINDS; kind++) {
    const struct violation first = {
        .step = step, .kind = kind, .id = (int64_t)t->first[kind], .at = t->at[kind], .other = -1};
    out->violations[kind] = t->violations[kind];
    out->first[kind] = first;
  }
}

static void move(void *device, const struct device_crowd_move *in, struct device_crowd_moved *out)
{
  struct device_state *state = device_state_enter(device);
  struct kernel_args args = kernel_args_begin(state);
  args.step = in->step;
  args.quanta_per_speed = in->dt / frame_quantum(&state->world.frame);
  args.tally = move_tally_begin(state);
  crossings_begin(state, &args);
  const struct kernel_args *on_device = upload_kernel_args(state, &args);
  LAUNCH(&state->device, move_and_audit, on_device, args.own);
  const int64_t *crossed = crossings_download(state, &args);
  const struct move_tally t = move_tally_fetch(state, &args, on_device); // waits
  for (int32_t k = 0; k < 2 * state->line_count; k++)
    in->crossed[k] += crossed[k];
  report_moves(out, &t, in->step);
  if (args.own) {
    const struct box bounds = {{-t.bounds.lo.x, -t.bounds.lo.y}, t.bounds.hi};
    state->bounds = bounds;
  }
  state->resident.ghost_count = 0;
}
