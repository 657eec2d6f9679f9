#include "totals_gather.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#define BLOCK 16   // cells of the grid, one after the other
#define BATCH 1024 // blocks that are added up over the ranks at once

struct blocks {
  int64_t *list; // [count] ascending; the same on every rank
  int64_t count;
};

// What is known of a cell as 8-byte integers.
struct sums {
  int64_t people, speed, delay; // of the interval under way; of the run
  int64_t crossed[CELL_SIDES], highest[TOTALS_LEVELS];
  int64_t past_people, past_speed; // of the intervals before
};
struct maxima {
  int64_t most, most_mean; // the bits of a float >= 0, whose order is that of the floats
};
#define FLOAT_BITS_MAX 0x7f7fffff // FLT_MAX
#define SUMS           ((int64_t)(sizeof(struct sums) / sizeof(int64_t)))
#define MAXIMA         ((int64_t)(sizeof(struct maxima) / sizeof(int64_t)))

static int64_t cell_count(const struct measurements *m)
{
  return measure_cell_count(&m->totals.grid);
}

// The cell in a maximum of (people, least number of a cell).
static int64_t densest_place(int64_t densest)
{
  return UINT32_MAX - (densest & UINT32_MAX);
}

static int64_t block_count(const struct measurements *m)
{
  return (cell_count(m) + BLOCK - 1) / BLOCK;
}

static int64_t block_end(const struct measurements *m, int64_t block)
{
  const int64_t end = BLOCK * (block + 1), cells = cell_count(m);
  return end < cells ? end : cells;
}

// ---------------------------------------------------------------------------------- packing

static struct sums sums_of(const struct measurements *m, int64_t cell)
{
  const struct cell_totals *t = &m->totals;
  struct sums s = {.people = m->cells[cell].people,
                   .speed = m->cells[cell].speed,
                   .delay = t->cells[cell].delay};
  memcpy(s.crossed, t->crossed + CELL_SIDES * cell, sizeof s.crossed);
  for (int k = 0; k < TOTALS_LEVELS; k++)
    s.highest[k] = t->cells[cell].highest[k];
  if (t->means) {
    s.past_people = t->means[cell].sum.people;
    s.past_speed = t->means[cell].sum.speed;
  }
  return s;
}

static struct maxima maxima_of(const struct measurements *m, int64_t cell)
{
  struct maxima x = {.most = m->totals.cells[cell].most};
  if (m->totals.means) {
    int32_t bits;
    memcpy(&bits, &m->totals.means[cell].most, sizeof bits);
    x.most_mean = bits;
  }
  return x;
}

static void cell_set(struct cell_totals *t, struct measure_sum *interval, int64_t cell,
                     const struct sums *s, const struct maxima *x)
{
  const int32_t bits = (int32_t)x->most_mean;
  interval[cell] = (struct measure_sum){s->people, s->speed};
  memcpy(t->crossed + CELL_SIDES * cell, s->crossed, sizeof s->crossed);
  t->cells[cell] = (struct cell_samples){.delay = s->delay, .most = (int32_t)x->most};
  for (int k = 0; k < TOTALS_LEVELS; k++)
    t->cells[cell].highest[k] = (int32_t)s->highest[k];
  t->means[cell].sum = (struct measure_sum){s->past_people, s->past_speed};
  memcpy(&t->means[cell].most, &bits, sizeof bits);
}

// ----------------------------------------------------------------------------------- blocks

// Whether something has happened there on this rank: somebody is or was there, or went by.
static bool block_is_used(const struct measurements *m, int64_t block)
{
  const struct cell_totals *t = &m->totals;
  int64_t used = 0;
  for (int64_t cell = BLOCK * block; cell < block_end(m, block); cell++) {
    for (int side = 0; side < CELL_SIDES; side++)
      used |= t->crossed[CELL_SIDES * cell + side];
    used |= t->cells[cell].most | m->cells[cell].people;
    used |= t->means ? t->means[cell].sum.people : 0;
  }
  return used != 0;
}

static struct blocks blocks_create(const struct measurements *m)
{
  const int64_t all = block_count(m);
  int64_t *used = memory_create((size_t)all, sizeof *used);
  struct blocks b = {used, 0};
#pragma omp parallel for schedule(static) if (all > PARALLEL_MIN_ITEMS)
  for (int64_t k = 0; k < all; k++)
    used[k] = block_is_used(m, k);
  if (m->comm->size > 1)
    comm_max(m->comm, used, all);
  for (int64_t k = 0; k < all; k++) // in place
    if (used[k])
      b.list[b.count++] = k;
  return b;
}

// sums[BLOCK], maxima[BLOCK]. Those of cells beyond the grid are 0.
static void block_pack(const struct measurements *m, int64_t block, struct sums *sums,
                       struct maxima *maxima)
{
  const int64_t first = BLOCK * block, count = block_end(m, block) - first;
  for (int64_t k = 0; k < BLOCK; k++) {
    sums[k] = k < count ? sums_of(m, first + k) : (struct sums){0};
    maxima[k] = k < count ? maxima_of(m, first + k) : (struct maxima){0};
  }
}

// ------------------------------------------------------------------------------- for a file

// Room for a batch.
struct batch {
  struct sums *sums;
  struct maxima *maxima;
};

static struct batch batch_create(int64_t blocks)
{
  const size_t cells = (size_t)(BLOCK * (blocks < BATCH ? blocks : BATCH));
  return (struct batch){memory_create(cells, sizeof(struct sums)),
                        memory_create(cells, sizeof(struct maxima))};
}

static void batch_destroy(struct batch *b)
{
  memory_destroy(b->sums);
  memory_destroy(b->maxima);
}

static void block_unpack(struct run_totals *t, const struct measurements *m, int64_t block,
                         const struct sums *sums, const struct maxima *maxima)
{
  const int64_t first = BLOCK * block, count = block_end(m, block) - first;
  for (int64_t k = 0; k < count; k++)
    cell_set(&t->cells, t->sums, first + k, &sums[k], &maxima[k]);
}

// to: on rank 0.
static void batch_gather(const struct measurements *m, struct batch *b, const int64_t *blocks,
                         int64_t count, struct run_totals *to)
{
  const bool is_root = m->comm->rank == 0;
#pragma omp parallel for schedule(static) if (BLOCK * count > PARALLEL_MIN_ITEMS)
  for (int64_t k = 0; k < count; k++)
    block_pack(m, blocks[k], b->sums + BLOCK * k, b->maxima + BLOCK * k);
  comm_reduce_i64(m->comm, &b->sums->people, SUMS * BLOCK * count);
  comm_max(m->comm, &b->maxima->most, MAXIMA * BLOCK * count);
#pragma omp parallel for schedule(static) if (is_root && BLOCK * count > PARALLEL_MIN_ITEMS)
  for (int64_t k = 0; k < (is_root ? count : 0); k++)
    block_unpack(to, m, blocks[k], b->sums + BLOCK * k, b->maxima + BLOCK * k);
}

static struct run_totals view_of(const struct measurements *m)
{
  return (struct run_totals){m->totals, m->cells, m->samples, true};
}

static struct run_totals run_totals_create(const struct measurements *m)
{
  const struct cell_totals *own = &m->totals;
  struct run_totals t = {.samples = m->samples};
  cell_totals_create(&t.cells, &own->grid, (double)frame_quantum(&m->scenario->world.frame), true);
  t.cells.samples = own->samples;
  t.sums = memory_create((size_t)cell_count(m), sizeof *t.sums);
  return t;
}

struct run_totals totals_gather(const struct measurements *m)
{
  struct run_totals t = {0};
  if (m->comm->size == 1)
    return view_of(m);
  const struct blocks b = blocks_create(m);
  if (m->comm->rank == 0)
    t = run_totals_create(m);
  struct batch batch = batch_create(b.count);
  for (int64_t k = 0; k < b.count; k += BATCH)
    batch_gather(m, &batch, b.list + k, b.count - k < BATCH ? b.count - k : BATCH, &t);
  batch_destroy(&batch);
  memory_destroy(b.list);
  return t;
}

// ------------------------------------------------------------------------------- checkpoint

static bool blocks_are_valid(const struct measurements *m, const struct blocks *b)
{
  for (int64_t k = 0; k < b->count; k++)
    if (b->list[k] < 0 || BLOCK * b->list[k] >= cell_count(m))
      return false;
  return true;
}

static struct blocks blocks_visit(const struct measurements *m, struct state *v)
{
  const int64_t all = block_count(m);
  struct blocks b = {0};
  if (!v->reading)
    b = blocks_create(m);
  b.count = state_length(v, "totals.length", b.count, 1);
  if (!state_require(v, "totals.length", b.count <= all))
    b.count = 0;
  if (v->reading)
    b.list = memory_create((size_t)b.count, sizeof *b.list);
  state_array(v, STATE_SAME, STATE_COUNT, "totals.blocks", b.list, b.count);
  if (v->fault[0] || blocks_are_valid(m, &b))
    return b;
  snprintf(v->fault, sizeof v->fault, "\"totals.blocks\" names a cell outside the grid");
  b.count = 0;
  return b;
}

static void blocks_restore(struct measurements *m, const struct blocks *b, const struct sums *sums,
                           const struct maxima *maxima)
{
  for (int64_t k = 0; k < b->count; k++)
    for (int64_t cell = BLOCK * b->list[k], i = BLOCK * k; cell < block_end(m, b->list[k]);
         cell++, i++)
      cell_set(&m->totals, m->cells, cell, &sums[i], &maxima[i]);
}

void totals_visit(struct measurements *m, struct state *v)
{
  const struct blocks b = blocks_visit(m, v);
  const int64_t cells = BLOCK * b.count;
  struct sums *sums = memory_create((size_t)cells, sizeof *sums);
  struct maxima *maxima = memory_create((size_t)cells, sizeof *maxima);
  for (int64_t k = 0; !v->reading && k < b.count; k++)
    block_pack(m, b.list[k], sums + BLOCK * k, maxima + BLOCK * k);
  state_array(v, STATE_SUM, STATE_COUNT, "totals.sums", (int64_t *)(void *)sums, SUMS * cells);
  state_array(v, STATE_MAX, ((struct state_range){0, FLOAT_BITS_MAX}), "totals.maxima",
              (int64_t *)(void *)maxima, MAXIMA * cells);
  if (v->reading && !v->fault[0] && m->comm->rank == 0) // which goes on with all of them
    blocks_restore(m, &b, sums, maxima);
  memory_destroy(sums);
  memory_destroy(maxima);
  memory_destroy(b.list);
  state_value(v, STATE_SAME, STATE_COUNT, "totals.samples", &m->totals.samples);
  state_value(v, STATE_MAX, ((struct state_range){0, INFINITY}), "totals.densest",
              &m->totals.densest);
  state_require(v, "totals.densest",
                m->totals.densest == 0 || densest_place(m->totals.densest) < cell_count(m));
}

// ---------------------------------------------------------------------------------- densest

bool totals_densest(const struct measurements *m, struct densest_cell *densest)
{
  const struct frame *frame = &m->scenario->world.frame;
  const struct cell_totals *t = &m->totals;
  int64_t place = t->densest;
  comm_max(m->comm, &place, 1);
  if (place == 0)
    return false;
  const int64_t cell = densest_place(place);
  densest->density = (double)(place >> 32) / (t->side * t->side);
  densest->x =
      frame_x(frame, t->grid.origin.x) + t->side * ((double)(cell % t->grid.columns) + 0.5);
  densest->y =
      frame_y(frame, t->grid.origin.y) + t->side * ((double)(cell / t->grid.columns) + 0.5);
  return true;
}
