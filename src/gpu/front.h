// The front of a field on a GPU: the fast iterative method (Jeong, Whitaker 2008) in tiles of 16 x
// 16 cells. In a round every cell of the tiles on the list takes its new time, if that is sooner;
// the tiles that a sooner time concerns are on the next list. The update is monotone in integers,
// so whoever reads a neighbour's time before or after it fell, the end is the same fixed point.
#pragma once
#include "arrival.h"
#include "device.h"
#include "field.h"

#define TILE         16 // cells
#define TILE_CELLS   (TILE * TILE)
#define FRONT_ROUNDS 64 // without asking whether it is over

struct front_state {
  int32_t round;
  int32_t count[2]; // of the lists: of this round's at round % 2, of the next one's
};

struct front { // in the device's memory
  int32_t columns, rows, tile_columns;
  int64_t threads;      // that share a round
  const uint8_t *doors; // [cells] wave.h
  const uint16_t *cost; // [cells]; NULL: FIELD_UNIT everywhere
  uint32_t *time;       // [cells]
  int32_t *stamp;       // [tiles] the last round for which it was put on a list
  int32_t *list[2];     // [tiles]
  struct front_state *state;
};

ON_DEVICE void front_wake(const struct front *f, int32_t column, int32_t row, int32_t round)
{
  const int32_t tile = row / TILE * f->tile_columns + column / TILE;
  if (atomic_stamp(&f->stamp[tile], round))
    f->list[round % 2][atomic_next(&f->state->count[round % 2])] = tile;
}

INLINE uint32_t front_taken(const struct front *f, int64_t cell, int d, int64_t step)
{
  return f->doors[cell] >> d & 1 ? *(const volatile uint32_t *)&f->time[cell + step]
                                 : ARRIVAL_NEVER;
}

ON_DEVICE void front_relax(const struct front *f, int32_t column, int32_t row, int32_t round)
{
  const int64_t up = f->columns, cell = row * up + column;
  const uint32_t x = least(front_taken(f, cell, 0, 1), front_taken(f, cell, 2, -1));
  const uint32_t y = least(front_taken(f, cell, 1, up), front_taken(f, cell, 3, -up));
  const uint32_t sooner = arrival(x, y, f->cost ? f->cost[cell] : FIELD_UNIT);
  if (sooner >= f->time[cell])
    return;
  *(volatile uint32_t *)&f->time[cell] = sooner;
  front_wake(f, column, row, round + 1);
  if (column % TILE == 0 && column > 0)
    front_wake(f, column - 1, row, round + 1);
  if (column % TILE == TILE - 1 && column + 1 < f->columns)
    front_wake(f, column + 1, row, round + 1);
  if (row % TILE == 0 && row > 0)
    front_wake(f, column, row - 1, round + 1);
  if (row % TILE == TILE - 1 && row + 1 < f->rows)
    front_wake(f, column, row + 1, round + 1);
}

KERNEL_OF(struct front, front_spread)
{
  const int32_t round = s->state->round;
  const int64_t work = (int64_t)s->state->count[round % 2] * TILE_CELLS;
  for (int64_t k = i; k < work; k += s->threads) {
    const int32_t tile = s->list[round % 2][k / TILE_CELLS], within = (int32_t)(k % TILE_CELLS);
    const int32_t column = tile % s->tile_columns * TILE + within % TILE;
    const int32_t row = tile / s->tile_columns * TILE + within / TILE;
    if (column < s->columns && row < s->rows)
      front_relax(s, column, row, round);
  }
}

KERNEL_OF(struct front, front_turn) // one thread
{
  (void)i;
  s->state->count[s->state->round % 2] = 0;
  s->state->round++;
}

// Every cell whose time is known wakes its tile and, across a border, the neighbour's. Round 0.
KERNEL_OF(struct front, front_begin)
{
  const int32_t column = (int32_t)(i % s->columns), row = (int32_t)(i / s->columns);
  if (s->time[i] == ARRIVAL_NEVER)
    return;
  front_wake(s, column, row, 0);
  front_wake(s, column > 0 ? column - 1 : 0, row, 0);
  front_wake(s, column + 1 < s->columns ? column + 1 : column, row, 0);
  front_wake(s, column, row > 0 ? row - 1 : 0, 0);
  front_wake(s, column, row + 1 < s->rows ? row + 1 : row, 0);
}

// ------------------------------------------------------------------------------------ the host

enum front_buffer { DOORS, COSTS, TIMES, STAMPS, LIST_0, LIST_1, STATE, FRONT, FRONT_BUFFERS };

struct front_memory {
  struct device_buffer buffers[FRONT_BUFFERS];
};

static struct front *front_send(struct device *d, struct front_memory *m,
                                const struct field_front *w, struct front *here)
{
  const size_t cells = (size_t)w->columns * (size_t)w->rows;
  struct device_buffer *b = m->buffers;
  struct front f;
  memset(&f, 0, sizeof f);
  f.columns = w->columns;
  f.rows = w->rows;
  f.tile_columns = (w->columns + TILE - 1) / TILE;
  f.threads = DEVICE_THREADS;
  const size_t tiles = (size_t)f.tile_columns * (size_t)((w->rows + TILE - 1) / TILE);
  f.doors = (const uint8_t *)device_sent(d, &b[DOORS], w->doors, cells);
  if (w->cost)
    f.cost = (const uint16_t *)device_sent(d, &b[COSTS], w->cost, cells * sizeof *w->cost);
  f.time = (uint32_t *)device_sent(d, &b[TIMES], w->time, cells * sizeof *w->time);
  f.stamp = (int32_t *)device_room(&b[STAMPS], tiles * sizeof(int32_t));
  f.list[0] = (int32_t *)device_room(&b[LIST_0], tiles * sizeof(int32_t));
  f.list[1] = (int32_t *)device_room(&b[LIST_1], tiles * sizeof(int32_t));
  f.state = (struct front_state *)device_room(&b[STATE], sizeof(struct front_state));
  device_fill(d, f.stamp, 0xff, tiles * sizeof(int32_t));
  device_fill(d, f.state, 0, sizeof *f.state);
  *here = f;
  struct front *there = (struct front *)device_sent(d, &b[FRONT], &f, sizeof f);
  device_wait(d);
  return there;
}

static bool front_is_over(struct device *d, const struct front *f)
{
  struct front_state state;
  device_download(d, &state, f->state, sizeof state);
  device_wait(d);
  return state.count[state.round % 2] == 0;
}

// The contract of field_spread (field.h).
__attribute__((unused)) static void front_run(struct device *d, struct front_memory *m,
                                              const struct field_front *w)
{
  const int64_t cells = (int64_t)w->columns * w->rows;
  device_begin(d);
  struct front f;
  const struct front *there = front_send(d, m, w, &f);
  LAUNCH(d, front_begin, there, cells);
  while (!front_is_over(d, &f))
    for (int k = 0; k < FRONT_ROUNDS; k++) {
      LAUNCH(d, front_spread, there, f.threads);
      LAUNCH(d, front_turn, there, 1);
    }
  device_download(d, w->time, f.time, (size_t)cells * sizeof *w->time);
  device_wait(d);
}

__attribute__((unused)) static void front_destroy(struct front_memory *m)
{
  for (int b = 0; b < FRONT_BUFFERS; b++)
    device_release(m->buffers[b].memory);
}
