// The fronts of fields on a GPU, several at once: the fast iterative method (Jeong, Whitaker 2008)
// in tiles of 16 x 16 cells. In a round every tile on the list, of whichever front, is looked at by
// as many threads as it has patches of 4 x 4 cells: a thread holds a patch and updates its cells to
// and fro until no time in it falls. The tiles that a sooner time concerns are on the next list.
// The update is monotone in integers, so whoever reads a time of another patch before or after it
// fell, the end is the same fixed point: who read it before, looks again in the next round.
#pragma once
#include "device.h"
#include "eikonal_update.h"
#include "field.h"

#define TILE         16 // cells
#define PATCH        4  // cells
#define PATCH_CELLS  (PATCH * PATCH)
#define TILE_PATCHES ((TILE / PATCH) * (TILE / PATCH))
#define FRONT_ROUNDS 32 // without asking whether it is over
#define FRONT_SHARE  16 // of the free memory one in so many: other ranks may ask at the same time

// A patch's cells as bits, row by row.
#define PATCH_EAST  0x8888u
#define PATCH_NORTH 0xf000u
#define PATCH_WEST  0x1111u
#define PATCH_SOUTH 0x000fu

struct front_state {
  int32_t round;
  int32_t count[2]; // of the lists: of this round's at round % 2, of the next one's
};

struct fronts { // of one ground, in the device's memory
  int32_t count, columns, rows;
  int32_t tile_columns, tiles; // of each front
  int64_t cells;               // of each front
  int64_t threads;             // that share a round
  const uint8_t *upwind;       // [count][cells] wavefront.h
  const uint16_t *cost;        // [costs][cells]
  const int32_t *cost_of;      // [count] which of the costs; -1: FIELD_UNIT everywhere
  uint32_t *time;              // [count][cells]
  int32_t *stamp;              // [count][tiles] the last round for which it was put on a list
  int32_t *list[2];            // [count * tiles] front * tiles + tile
  struct front_state *state;
};

struct front_place {
  int32_t front, column, row; // of a cell; of a patch: its first
};

struct patch {
  uint32_t time[PATCH + 2][PATCH + 2]; // with those taken from the cells round it
  uint32_t cost[PATCH_CELLS / 2];      // 16 bits a cell: half the registers
  uint64_t upwind;                     // 4 bits a cell
};

ON_DEVICE void activate_tile(const struct fronts *f, int32_t front, int32_t column, int32_t row,
                             int32_t round)
{
  const int32_t tile = front * f->tiles + row / TILE * f->tile_columns + column / TILE;
  if (atomic_raise(&f->stamp[tile], round))
    f->list[round % 2][atomic_increment(&f->state->count[round % 2])] = tile;
}

// The k-th patch of a listed tile.
ON_DEVICE struct front_place patch_place(const struct fronts *f, int32_t listed, int32_t k)
{
  const int32_t tile = listed % f->tiles, across = TILE / PATCH;
  struct front_place p;
  p.front = listed / f->tiles;
  p.column = tile % f->tile_columns * TILE + k % across * PATCH;
  p.row = tile / f->tile_columns * TILE + k / across * PATCH;
  return p;
}

// The time of a cell, where it is taken: else nobody asks for it, and it may lie outside.
INLINE uint32_t patch_neighbour_time(const uint32_t *time, uint32_t upwind, int d, int64_t step)
{
  return upwind >> d & 1 ? *(const volatile uint32_t *)(time + step) : EIKONAL_UNREACHED;
}

// A cell and, where it lies on the rim, those that it takes from. Outside the ground: no doors.
ON_DEVICE void patch_load_cell(struct patch *p, const struct fronts *f,
                               const struct front_place *at, int r, int c)
{
  const int n = r * PATCH + c;
  const int64_t up = f->columns, cell = (at->row + r) * up + at->column + c;
  const bool inside = at->row + r < f->rows && at->column + c < f->columns;
  const uint32_t *time = f->time + at->front * f->cells + cell;
  const uint32_t upwind = inside ? f->upwind[at->front * f->cells + cell] & 15u : 0;
  const int32_t cost = f->cost_of[at->front];
  p->upwind |= (uint64_t)upwind << 4 * n;
  p->time[r + 1][c + 1] = inside ? *time : EIKONAL_UNREACHED;
  const uint32_t crossing = inside && cost >= 0 ? f->cost[cost * f->cells + cell] : FIELD_UNIT;
  p->cost[n / 2] |= crossing << 16 * (n % 2);
  if (c == PATCH - 1)
    p->time[r + 1][c + 2] = patch_neighbour_time(time, upwind, 0, 1);
  if (r == PATCH - 1)
    p->time[r + 2][c + 1] = patch_neighbour_time(time, upwind, 1, up);
  if (c == 0)
    p->time[r + 1][c] = patch_neighbour_time(time, upwind, 2, -1);
  if (r == 0)
    p->time[r][c + 1] = patch_neighbour_time(time, upwind, 3, -up);
}

ON_DEVICE void patch_load(struct patch *p, const struct fronts *f, const struct front_place *at)
{
  memset(p, 0, sizeof *p);
  UNROLL
  for (int r = 0; r < PATCH; r++) {
    UNROLL
    for (int c = 0; c < PATCH; c++)
      patch_load_cell(p, f, at, r, c);
  }
}

// Does the time of its n-th cell fall?
INLINE bool patch_relax(struct patch *p, int n)
{
  const int r = n / PATCH + 1, c = n % PATCH + 1;
  const uint32_t upwind = (uint32_t)(p->upwind >> 4 * n);
  const uint32_t east = upwind & 1 ? p->time[r][c + 1] : EIKONAL_UNREACHED;
  const uint32_t north = upwind & 2 ? p->time[r + 1][c] : EIKONAL_UNREACHED;
  const uint32_t west = upwind & 4 ? p->time[r][c - 1] : EIKONAL_UNREACHED;
  const uint32_t south = upwind & 8 ? p->time[r - 1][c] : EIKONAL_UNREACHED;
  const uint32_t cost = p->cost[n / 2] >> 16 * (n % 2) & 0xffff;
  const uint32_t sooner = eikonal_update(min_uint32(east, west), min_uint32(north, south), cost);
  const bool falls = sooner < p->time[r][c];
  p->time[r][c] = falls ? sooner : p->time[r][c];
  return falls;
}

// All cells once, to or fro: which of them fell, as bits.
INLINE uint32_t patch_sweep(struct patch *p, int fro)
{
  uint32_t fell = 0;
  UNROLL
  for (int n = 0; n < PATCH_CELLS; n++) {
    const int at = fro ? PATCH_CELLS - 1 - n : n;
    fell |= (uint32_t)patch_relax(p, at) << at;
  }
  return fell;
}

INLINE uint32_t patch_converge(struct patch *p)
{
  uint32_t to, fro, fell = 0;
  do {
    to = patch_sweep(p, 0);
    fro = to ? patch_sweep(p, 1) : 0;
    fell |= to | fro;
  } while (fro);
  return fell;
}

ON_DEVICE void patch_store(const struct patch *p, const struct fronts *f,
                           const struct front_place *at, uint32_t fell)
{
  uint32_t *time = f->time + at->front * f->cells + (int64_t)at->row * f->columns + at->column;
  UNROLL
  for (int n = 0; n < PATCH_CELLS; n++)
    if (fell >> n & 1)
      *(volatile uint32_t *)&time[(int64_t)(n / PATCH) * f->columns + n % PATCH] =
          p->time[n / PATCH + 1][n % PATCH + 1];
}

// The patch's own tile, for the other patches, and those across the borders where a time fell.
ON_DEVICE void patch_activate(const struct fronts *f, const struct front_place *at, uint32_t fell,
                              int32_t round)
{
  const int32_t front = at->front, column = at->column, row = at->row;
  activate_tile(f, front, column, row, round);
  if (fell & PATCH_EAST && (column + PATCH) % TILE == 0 && column + PATCH < f->columns)
    activate_tile(f, front, column + PATCH, row, round);
  if (fell & PATCH_NORTH && (row + PATCH) % TILE == 0 && row + PATCH < f->rows)
    activate_tile(f, front, column, row + PATCH, round);
  if (fell & PATCH_WEST && column % TILE == 0 && column > 0)
    activate_tile(f, front, column - 1, row, round);
  if (fell & PATCH_SOUTH && row % TILE == 0 && row > 0)
    activate_tile(f, front, column, row - 1, round);
}

KERNEL_OF(struct fronts, front_propagate)
{
  const int32_t round = s->state->round;
  const int64_t work = (int64_t)s->state->count[round % 2] * TILE_PATCHES;
  for (int64_t k = i; k < work; k += s->threads) {
    const struct front_place at =
        patch_place(s, s->list[round % 2][k / TILE_PATCHES], (int32_t)(k % TILE_PATCHES));
    struct patch p;
    patch_load(&p, s, &at);
    const uint32_t fell = patch_converge(&p);
    if (fell) {
      patch_store(&p, s, &at, fell);
      patch_activate(s, &at, fell, round + 1);
    }
  }
}

KERNEL_OF(struct fronts, front_next_round) // one thread
{
  (void)i;
  s->state->count[s->state->round % 2] = 0;
  s->state->round++;
}

// Every cell whose time is known wakes its tile and, across a border, the neighbour's. Round 0.
KERNEL_OF(struct fronts, front_begin)
{
  if (s->time[i] == EIKONAL_UNREACHED)
    return;
  const int32_t front = (int32_t)(i / s->cells);
  const int64_t cell = i % s->cells;
  const int32_t column = (int32_t)(cell % s->columns), row = (int32_t)(cell / s->columns);
  activate_tile(s, front, column, row, 0);
  activate_tile(s, front, column > 0 ? column - 1 : 0, row, 0);
  activate_tile(s, front, column + 1 < s->columns ? column + 1 : column, row, 0);
  activate_tile(s, front, column, row > 0 ? row - 1 : 0, 0);
  activate_tile(s, front, column, row + 1 < s->rows ? row + 1 : row, 0);
}

// ------------------------------------------------------------------------------------ the host

enum front_buffer {
  DOORS,
  COSTS,
  COST_OF,
  TIMES,
  STAMPS,
  LIST_0,
  LIST_1,
  STATE,
  FRONTS,
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

// The first of them with the cost of the k-th.
static int32_t front_same_cost(const struct field_front *w, int32_t k)
{
  int32_t first = 0;
  while (w[first].cost != w[k].cost)
    first++;
  return first;
}

static int32_t front_tiles(const struct field_front *w)
{
  return ((w->columns + TILE - 1) / TILE) * ((w->rows + TILE - 1) / TILE);
}

// How many of count, from the first on, the device takes together: one at least.
static int32_t fronts_per_batch(const struct field_front *w, int32_t count, size_t bytes)
{
  const size_t cells = (size_t)w->columns * (size_t)w->rows, tiles = (size_t)front_tiles(w);
  const int32_t most = INT32_MAX / front_tiles(w); // what a list can number
  int32_t fit = 0;
  for (size_t taken = 0; fit < count && fit < most; fit++) {
    const bool new_cost = w[fit].cost && front_same_cost(w, fit) == fit;
    taken += cells * (sizeof *w->upwind + sizeof *w->time) + 3 * tiles * sizeof(int32_t) +
             (new_cost ? cells * sizeof *w->cost : 0);
    if (fit > 0 && taken > bytes)
      break;
  }
  return fit;
}

static void fronts_upload_cells(struct device *d, struct front_memory *m,
                                const struct field_front *w, struct fronts *f)
{
  struct device_buffer *b = m->buffers;
  const size_t cells = (size_t)f->cells, all = (size_t)f->count * cells;
  uint8_t *upwind = (uint8_t *)device_reserve(&b[DOORS], all);
  f->time = (uint32_t *)device_reserve(&b[TIMES], all * sizeof *f->time);
  for (int32_t k = 0; k < f->count; k++) {
    device_upload(d, upwind + k * f->cells, w[k].upwind, cells);
    device_upload(d, f->time + k * f->cells, w[k].time, cells * sizeof *f->time);
  }
  f->upwind = upwind;
}

// A cost that several share is sent once.
static void fronts_upload_costs(struct device *d, struct front_memory *m,
                                const struct field_front *w, struct fronts *f)
{
  struct device_buffer *b = m->buffers;
  const size_t cells = (size_t)f->cells;
  int32_t *of = (int32_t *)memory_create((size_t)f->count, sizeof *of), costs = 0;
  for (int32_t k = 0; k < f->count; k++)
    of[k] = !w[k].cost ? -1 : front_same_cost(w, k) < k ? of[front_same_cost(w, k)] : costs++;
  uint16_t *cost = (uint16_t *)device_reserve(&b[COSTS], (size_t)costs * cells * sizeof *cost);
  for (int32_t k = 0; k < f->count; k++)
    if (w[k].cost && front_same_cost(w, k) == k)
      device_upload(d, cost + of[k] * f->cells, w[k].cost, cells * sizeof *cost);
  f->cost = cost;
  f->cost_of = (const int32_t *)device_upload_to(d, &b[COST_OF], of, (size_t)f->count * sizeof *of);
  device_wait(d);
  memory_destroy(of);
}

static struct fronts *fronts_upload(struct device *d, struct front_memory *m,
                                    const struct field_front *w, int32_t count, struct fronts *host)
{
  struct device_buffer *b = m->buffers;
  struct fronts f;
  memset(&f, 0, sizeof f);
  f.count = count;
  f.columns = w->columns;
  f.rows = w->rows;
  f.tile_columns = (w->columns + TILE - 1) / TILE;
  f.tiles = front_tiles(w);
  f.cells = (int64_t)w->columns * w->rows;
  const int64_t tiles = (int64_t)count * f.tiles, patches = tiles * TILE_PATCHES;
  f.threads = patches < DEVICE_THREADS ? patches : DEVICE_THREADS;
  const size_t list = (size_t)tiles * sizeof(int32_t);
  fronts_upload_cells(d, m, w, &f);
  fronts_upload_costs(d, m, w, &f);
  f.stamp = (int32_t *)device_reserve(&b[STAMPS], list);
  f.list[0] = (int32_t *)device_reserve(&b[LIST_0], list);
  f.list[1] = (int32_t *)device_reserve(&b[LIST_1], list);
  f.state = (struct front_state *)device_reserve(&b[STATE], sizeof *f.state);
  device_fill(d, f.stamp, 0xff, list);
  device_fill(d, f.state, 0, sizeof *f.state);
  *host = f;
  struct fronts *on_device = (struct fronts *)device_upload_to(d, &b[FRONTS], &f, sizeof f);
  device_wait(d);
  return on_device;
}

static bool fronts_are_over(struct device *d, const struct fronts *f)
{
  struct front_state state;
  device_download(d, &state, f->state, sizeof state);
  device_wait(d);
  return state.count[state.round % 2] == 0;
}

static void fronts_run_batch(struct device *d, struct front_memory *m, const struct field_front *w,
                             int32_t count)
{
  struct fronts f;
  const struct fronts *on_device = fronts_upload(d, m, w, count, &f);
  LAUNCH(d, front_begin, on_device, count * f.cells);
  while (!fronts_are_over(d, &f))
    for (int k = 0; k < FRONT_ROUNDS; k++) {
      LAUNCH(d, front_propagate, on_device, f.threads);
      LAUNCH(d, front_next_round, on_device, 1);
    }
  for (int32_t k = 0; k < count; k++)
    device_download(d, w[k].time, f.time + k * f.cells, (size_t)f.cells * sizeof *f.time);
  device_wait(d);
}

// The contract of field_solver (field.h): as many together as the free memory has room for.
__attribute__((unused)) static void fronts_run(struct device *d, const struct field_front *w,
                                               int32_t count)
{
  struct front_memory memory;
  memset(&memory, 0, sizeof memory);
  device_begin(d);
  const size_t room = device_bytes_free() / FRONT_SHARE;
  for (int32_t k = 0, batch; k < count; k += batch) {
    batch = fronts_per_batch(w + k, count - k, room);
    fronts_run_batch(d, &memory, w + k, batch);
  }
  front_memory_destroy(&memory); // agents need it
}
