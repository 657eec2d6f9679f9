// Solves fields on a device, as many together as fit into its memory: kernels/front_kernels.h.
#pragma once
#include "front_kernels.h"

#include <assert.h>

#define ROUNDS_PER_CHECK 32 // rounds between checks for convergence: a check waits for the device
#define MEMORY_SHARE     16 // 1 / 16 of the free memory: other ranks may share the device

enum front_buffer {
  FRONT_UPWIND,
  FRONT_COSTS,
  FRONT_COST_INDEX,
  FRONT_TIMES,
  FRONT_LISTED_ROUND,
  FRONT_LIST_0,
  FRONT_LIST_1,
  FRONT_STATE,
  FRONT_BATCH,
  FRONT_BUFFERS
};

struct front_memory {
  struct device_buffer buffers[FRONT_BUFFERS];
};

static void front_memory_destroy(struct front_memory *m)
{
  for (int b = 0; b < FRONT_BUFFERS; b++)
    device_free(m->buffers[b].memory);
}

// The first of the fields that has the cost of the k-th: a shared cost is uploaded once.
static int32_t first_with_cost(const struct field_front *w, int32_t k)
{
  int32_t first = 0;
  while (w[first].cost != w[k].cost)
    first++;
  return first;
}

static int32_t front_tiles(const struct field_front *w)
{
  return (int32_t)(nav_grid_cell_count(w->nav_grid) / (TILE * TILE));
}

// How many of the first `count` fields fit into that many bytes; at least one.
static int32_t fronts_per_batch(const struct field_front *w, int32_t count, size_t bytes)
{
  const size_t cells = (size_t)nav_grid_cell_count(w->nav_grid), tiles = (size_t)front_tiles(w);
  const int32_t most = INT32_MAX / front_tiles(w); // tiles are numbered in int32_t
  int32_t fit = 0;
  for (size_t used = 0; fit < count && fit < most; fit++) {
    const bool new_cost = w[fit].cost && first_with_cost(w, fit) == fit;
    used += cells * (sizeof *w->upwind + sizeof *w->time) + 3 * tiles * sizeof(int32_t) +
            (new_cost ? cells * sizeof *w->cost : 0);
    if (fit > 0 && used > bytes)
      break;
  }
  return fit;
}

static void upload_cells(struct device *d, struct front_memory *m, const struct field_front *w,
                         struct front_batch *f)
{
  struct device_buffer *b = m->buffers;
  const size_t cells = (size_t)f->cells, all = (size_t)f->count * cells;
  uint8_t *upwind = (uint8_t *)device_reserve(&b[FRONT_UPWIND], all);
  f->time = (uint32_t *)device_reserve(&b[FRONT_TIMES], all * sizeof *f->time);
  for (int32_t k = 0; k < f->count; k++) {
    device_upload(d, upwind + k * f->cells, w[k].upwind, cells);
    device_upload(d, f->time + k * f->cells, w[k].time, cells * sizeof *f->time);
  }
  f->upwind = upwind;
}

static void upload_costs(struct device *d, struct front_memory *m, const struct field_front *w,
                         struct front_batch *f)
{
  struct device_buffer *b = m->buffers;
  const size_t cells = (size_t)f->cells, index_bytes = (size_t)f->count * sizeof(int32_t);
  int32_t *index = (int32_t *)memory_create((size_t)f->count, sizeof *index), costs = 0;
  for (int32_t k = 0; k < f->count; k++) {
    const int32_t first = w[k].cost ? first_with_cost(w, k) : k;
    index[k] = !w[k].cost ? -1 : first < k ? index[first] : costs++;
  }
  uint16_t *cost =
      (uint16_t *)device_reserve(&b[FRONT_COSTS], (size_t)costs * cells * sizeof *cost);
  for (int32_t k = 0; k < f->count; k++)
    if (w[k].cost && first_with_cost(w, k) == k)
      device_upload(d, cost + index[k] * f->cells, w[k].cost, cells * sizeof *cost);
  f->cost = cost;
  f->cost_index = (const int32_t *)device_upload_to(d, &b[FRONT_COST_INDEX], index, index_bytes);
  device_wait(d);
  memory_destroy(index);
}

// Fills `batch`, whose pointers lead to the device, and returns its copy there.
static const struct front_batch *upload_batch(struct device *d, struct front_memory *m,
                                              const struct field_front *w, int32_t count,
                                              struct front_batch *batch)
{
  struct device_buffer *b = m->buffers;
  struct front_batch f;
  memset(&f, 0, sizeof f);
  f.count = count;
  f.square_columns = w->nav_grid->square_columns;
  f.columns = (int32_t)f.square_columns * CELL_SQUARE;
  f.rows = (int32_t)w->nav_grid->square_rows * CELL_SQUARE;
  f.tile_columns = f.columns / TILE;
  f.tiles = front_tiles(w);
  f.cells = nav_grid_cell_count(w->nav_grid);
  const int64_t tiles = (int64_t)count * f.tiles, patches = tiles * TILE_PATCHES;
  f.threads = patches < DEVICE_THREADS ? patches : DEVICE_THREADS;
  const size_t bytes = (size_t)tiles * sizeof(int32_t);
  upload_cells(d, m, w, &f);
  upload_costs(d, m, w, &f);
  f.listed_round = (int32_t *)device_reserve(&b[FRONT_LISTED_ROUND], bytes);
  f.list[0] = (int32_t *)device_reserve(&b[FRONT_LIST_0], bytes);
  f.list[1] = (int32_t *)device_reserve(&b[FRONT_LIST_1], bytes);
  f.state = (struct front_state *)device_reserve(&b[FRONT_STATE], sizeof *f.state);
  device_fill(d, f.listed_round, 0xff, bytes); // -1
  device_fill(d, f.state, 0, sizeof *f.state);
  *batch = f;
  const struct front_batch *on_device =
      (const struct front_batch *)device_upload_to(d, &b[FRONT_BATCH], &f, sizeof f);
  device_wait(d);
  return on_device;
}

static bool is_converged(struct device *d, const struct front_batch *f)
{
  struct front_state state;
  device_download(d, &state, f->state, sizeof state);
  device_wait(d);
  return state.count[state.round % 2] == 0;
}

static void solve_batch(struct device *d, struct front_memory *m, const struct field_front *w,
                        int32_t count)
{
  struct front_batch f;
  const struct front_batch *on_device = upload_batch(d, m, w, count, &f);
  LAUNCH(d, front_activate_sources, on_device, count * f.cells);
  while (!is_converged(d, &f))
    for (int k = 0; k < ROUNDS_PER_CHECK; k++) {
      LAUNCH(d, front_update_tiles, on_device, f.threads);
      LAUNCH(d, front_next_round, on_device, 1);
    }
  for (int32_t k = 0; k < count; k++)
    device_download(d, w[k].time, f.time + k * f.cells, (size_t)f.cells * sizeof *f.time);
  device_wait(d);
}

// A field_solver (field.h) for this device.
__attribute__((unused)) static void solve_field_fronts(struct device *d,
                                                       const struct field_front *w, int32_t count)
{
  struct front_memory memory;
  memset(&memory, 0, sizeof memory);
  assert(count == 0 || nav_grid_is_valid(w->nav_grid));
  device_begin(d);
  const size_t bytes = device_bytes_free() / MEMORY_SHARE;
  for (int32_t k = 0, batch; k < count; k += batch) {
    batch = fronts_per_batch(w + k, count - k, bytes);
    solve_batch(d, &memory, w + k, batch);
  }
  front_memory_destroy(&memory); // the agents need it
}
