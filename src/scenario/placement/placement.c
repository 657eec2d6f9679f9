#include "placement.h"

#include "sampling.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// ------------------------------------------------------------------------------------ discs

static int64_t floor_div(int64_t value, int64_t by)
{
  return value / by - (value % by < 0);
}

static uint32_t bucket_index(const struct discs *d, int64_t column, int64_t row)
{
  const uint64_t mixed =
      (uint64_t)column * 0x9e3779b97f4a7c15u ^ (uint64_t)row * 0xc2b2ae3d27d4eb4fu;
  return (uint32_t)(mixed >> 32) & (d->buckets - 1);
}

static void disc_link(struct discs *d, int64_t i)
{
  const struct point p = d->points[i];
  const uint32_t bucket = bucket_index(d, floor_div(p.x, d->cell), floor_div(p.y, d->cell));
  d->next[i] = d->heads[bucket];
  d->heads[bucket] = (int32_t)i;
}

// At least as many buckets as the capacity, so that a bucket holds few discs.
static void buckets_create(struct discs *d)
{
  for (d->buckets = 64; d->buckets < d->capacity && d->buckets < 1u << 31;)
    d->buckets *= 2;
  memory_destroy(d->heads);
  d->heads = memory_create(d->buckets, sizeof *d->heads);
  memset(d->heads, 0xff, d->buckets * sizeof *d->heads);
  for (int64_t i = 0; i < d->count; i++)
    disc_link(d, i);
}

void discs_create(struct discs *d, int64_t capacity, int32_t largest_radius)
{
  *d = (struct discs){.capacity = capacity, .cell = 2 * largest_radius + 4};
  d->points = memory_create((size_t)capacity, sizeof *d->points);
  d->radii = memory_create((size_t)capacity, sizeof *d->radii);
  d->next = memory_create((size_t)capacity, sizeof *d->next);
  buckets_create(d);
}

void discs_destroy(struct discs *d)
{
  memory_destroy(d->points);
  memory_destroy(d->radii);
  memory_destroy(d->next);
  memory_destroy(d->heads);
  *d = (struct discs){0};
}

void discs_add(struct discs *d, struct point p, int32_t radius)
{
  if (d->count == d->capacity) {
    const int64_t more = 2 * d->capacity + 64;
    d->points = memory_grow(d->points, (size_t)d->count, (size_t)more, sizeof *d->points);
    d->radii = memory_grow(d->radii, (size_t)d->count, (size_t)more, sizeof *d->radii);
    d->next = memory_grow(d->next, (size_t)d->count, (size_t)more, sizeof *d->next);
    d->capacity = more;
    buckets_create(d);
  }
  d->points[d->count] = p;
  d->radii[d->count] = radius;
  disc_link(d, d->count++);
}

static bool bucket_touches(const struct discs *d, uint32_t bucket, struct point p, int32_t radius)
{
  for (int32_t i = d->heads[bucket]; i >= 0; i = d->next[i]) {
    const int64_t x = (int64_t)d->points[i].x - p.x, y = (int64_t)d->points[i].y - p.y;
    const int64_t apart = (int64_t)d->radii[i] + radius;
    if (llabs(x) < apart && llabs(y) < apart && x * x + y * y < apart * apart)
      return true;
  }
  return false;
}

bool discs_touch(const struct discs *d, struct point p, int32_t radius)
{
  const int64_t column = floor_div(p.x, d->cell), row = floor_div(p.y, d->cell);
  for (int64_t r = row - 1; r <= row + 1; r++)
    for (int64_t c = column - 1; c <= column + 1; c++)
      if (bucket_touches(d, bucket_index(d, c, r), p, radius))
        return true;
  return false;
}

// ------------------------------------------------------------------------------------ sites

enum site site_classify(const struct site_constraints *check, struct point p)
{
  const struct world *w = check->world;
  if (!box_holds(w->bounds, p) || (check->area && !obstacles_solid(check->area, p)))
    return SITE_OUTSIDE;
  if (obstacles_solid(&w->obstacles, p) || obstacles_near(&w->obstacles, p, check->radius))
    return SITE_WALL;
  for (int32_t k = 0; k < check->stop_count; k++)
    if (!world_reachable(w, check->stops[k], p))
      return SITE_UNREACHABLE;
  if (check->occupied && discs_touch(check->occupied, p, check->radius))
    return SITE_OCCUPIED;
  return SITE_FREE;
}

#define SITES_MAX_WITHOUT_FREE 2000000 // if this many sites are not free, no finer lattice is tried

struct candidate {
  struct point p;
  uint32_t key; // random: the smallest keys are chosen
};

struct candidates {
  int64_t count, capacity;
  int64_t unreached, occupied; // numbers of such sites
  int64_t group_size;          // consecutive sites that are chosen together
  struct candidate *list;
};

// A triangular or square lattice, centred in a box.
struct lattice {
  int32_t spacing;    // between sites of a row, quanta; even
  int32_t row_height; // quanta
  int32_t jitter;     // of a site, at most this far in x and y, quanta
  int64_t columns, rows;
  int64_t x, y; // of the first site
};

// Number of steps that fit strictly inside a width.
static int64_t steps_inside(int64_t width, int64_t step)
{
  return width > 2 ? (width - 2) / step : 0;
}

static struct lattice lattice_create(const struct placement *of, int32_t spacing, int32_t least)
{
  const int64_t width = (int64_t)of->box.hi.x - of->box.lo.x;
  const int64_t height = (int64_t)of->box.hi.y - of->box.lo.y;
  struct lattice l = {.spacing = spacing, .row_height = spacing, .jitter = of->jitter};
  if (!of->grid) { // sqrt(3) / 2, rounded up: sites keep their distance
    l.row_height = (int32_t)(((int64_t)spacing * 7095 + 8191) / 8192);
    // The square inside the disc of radius (spacing - least) / 2.
    l.jitter = (int32_t)((int64_t)(spacing - least) * 2896 / 8192);
  }
  l.columns = steps_inside(width - 2 * (int64_t)of->jitter, spacing) + 1;
  l.rows = steps_inside(height - 2 * (int64_t)of->jitter, l.row_height) + 1;
  l.x = of->box.lo.x + (width - (l.columns - 1) * spacing) / 2;
  l.y = of->box.lo.y + (height - (l.rows - 1) * l.row_height) / 2;
  return l;
}

static double lattice_cell(const struct lattice *l, double quantum) // m^2 per site
{
  return (double)l->spacing * quantum * ((double)l->row_height * quantum);
}

static void candidate_add(struct candidates *all, struct point p, uint32_t key)
{
  if (all->count == all->capacity) {
    const int64_t more = all->capacity + all->capacity / 2 + 1024;
    all->list = memory_grow(all->list, (size_t)all->count, (size_t)more, sizeof *all->list);
    all->capacity = more;
  }
  all->list[all->count++] = (struct candidate){p, key};
}

static void site_try(const struct placement *of, const struct lattice *l, int64_t row,
                     int64_t column, struct candidates *all)
{
  const int64_t shift = !of->grid && (row & 1) ? l->spacing / 2 : 0;
  const struct random4 r =
      random_words(of->seed, row * l->columns + column, of->number, RANDOM_SITE);
  const struct point p = {
      (int32_t)(l->x + column * l->spacing + shift + random_symmetric(r.word[1], l->jitter)),
      (int32_t)(l->y + row * l->row_height + random_symmetric(r.word[2], l->jitter))};
  const enum site site = site_classify(&of->check, p);
  all->unreached += site == SITE_UNREACHABLE;
  all->occupied += site == SITE_OCCUPIED;
  if (site == SITE_FREE)
    candidate_add(all, p, r.word[0]);
}

// The columns [first, end) whose sites may lie in a span. The shift of odd rows and the jitter are
// each less than one spacing. On entry *end is the end of the span before.
static void columns_in_span(const struct lattice *l, struct span span, int64_t *first, int64_t *end)
{
  const int64_t low = floor_div(span.lo - l->x, l->spacing) - 1;
  const int64_t high = floor_div(span.hi - l->x, l->spacing) + 2;
  *first = low > *end ? low : *end; // a column near two spans is visited once
  *end = high < *first ? *first : high < l->columns ? high : l->columns;
}

// Alternating directions keep consecutive sites adjacent at the ends of rows, too.
static void row_reverse(struct candidates *all, int64_t first)
{
  for (int64_t i = first, j = all->count - 1; i < j; i++, j--) {
    const struct candidate swap = all->list[i];
    all->list[i] = all->list[j];
    all->list[j] = swap;
  }
}

static void rows_gather(const struct placement *of, const struct lattice *l, int64_t first_row,
                        int64_t end_row, struct candidates *all)
{
  struct spans spans = {0};
  for (int64_t row = first_row; row < end_row; row++) {
    spans_find(&spans, of->outlines, l->y + row * l->row_height, l->jitter);
    const int64_t begin = all->count;
    int64_t first = 0, end = 0;
    for (int64_t i = 0; i < spans.count; i++) {
      columns_in_span(l, spans.list[i], &first, &end);
      for (int64_t column = first; column < end; column++)
        site_try(of, l, row, column, all);
    }
    if (all->group_size > 1 && row % 2)
      row_reverse(all, begin);
  }
  spans_destroy(&spans);
}

static void candidates_append(struct candidates *all, const struct candidates *more)
{
  if (more->count > 0)
    memcpy(all->list + all->count, more->list, (size_t)more->count * sizeof *more->list);
  all->count += more->count;
  all->unreached += more->unreached;
  all->occupied += more->occupied;
}

#define BANDS 64 // of rows, gathered by threads and joined in their order

static void candidates_gather(const struct placement *of, const struct lattice *l,
                              struct candidates *all)
{
  struct candidates bands[BANDS] = {0};
#pragma omp parallel for schedule(dynamic, 1)
  for (int64_t b = 0; b < BANDS; b++) {
    bands[b].group_size = all->group_size;
    rows_gather(of, l, l->rows * b / BANDS, l->rows * (b + 1) / BANDS, &bands[b]);
  }
  int64_t count = 0;
  for (int64_t b = 0; b < BANDS; b++)
    count += bands[b].count;
  memory_destroy(all->list);
  *all = (struct candidates){.group_size = all->group_size, .capacity = count};
  all->list = memory_create((size_t)count, sizeof *all->list);
  for (int64_t b = 0; b < BANDS; b++) {
    candidates_append(all, &bands[b]);
    memory_destroy(bands[b].list);
  }
}

// -------------------------------------------------------------------------------- selection

// The k-th smallest (from 0) of keys[count], which it reorders. Quickselect, Hoare 1961.
static uint64_t key_select(uint64_t *keys, int64_t count, int64_t k)
{
  int64_t low = 0, high = count - 1;
  while (low < high) {
    const uint64_t pivot = keys[low + (high - low) / 2];
    int64_t i = low - 1, j = high + 1;
    for (;;) {
      while (keys[++i] < pivot) {
      }
      while (keys[--j] > pivot) {
      }
      if (i >= j)
        break;
      const uint64_t swap = keys[i];
      keys[i] = keys[j];
      keys[j] = swap;
    }
    if (k <= j)
      high = j;
    else
      low = j + 1;
  }
  return keys[low];
}

// A total order: the index decides between equal keys. Consecutive sites of a group share the key
// of the first.
static uint64_t candidate_key(const struct candidates *all, int64_t i)
{
  return (uint64_t)all->list[i - i % all->group_size].key << 32 | (uint32_t)i;
}

static void places_choose(const struct candidates *all, const struct placement *of,
                          struct places *out)
{
  out->count = all->count < out->wanted ? all->count : out->wanted;
  uint64_t last = UINT64_MAX;
  if (!of->grid && out->count < all->count) {
    uint64_t *keys = memory_create((size_t)all->count, sizeof *keys);
    for (int64_t i = 0; i < all->count; i++)
      keys[i] = candidate_key(all, i);
    last = key_select(keys, all->count, out->count - 1);
    memory_destroy(keys);
  }
  out->points = memory_create((size_t)out->count, sizeof *out->points);
  // The last group may be incomplete: its sites [odd, cut] come last, so that no complete group is
  // split.
  int64_t cut = -1, odd = 0;
  if (last != UINT64_MAX) {
    cut = (int64_t)(last & UINT32_MAX);
    odd = (cut + 1) % all->group_size ? cut - cut % all->group_size : cut + 1;
  }
  int64_t kept = 0;
  for (int64_t i = 0; i < all->count && kept < out->count; i++)
    if (of->grid || (candidate_key(all, i) <= last && (i < odd || i > cut)))
      out->points[kept++] = all->list[i].p;
  for (int64_t i = odd; i <= cut; i++)
    out->points[kept++] = all->list[i].p;
}

// ---------------------------------------------------------------------------------- spacing

static int32_t spacing_even(double quanta, int32_t least)
{
  const int32_t most = POSITION_LIMIT / 2;
  const int32_t spacing = quanta < most ? (int32_t)quanta & ~1 : most;
  return spacing > least ? spacing : least;
}

// Random layouts need more sites than agents, and proportionally more for few agents.
static double sites_wanted(const struct placement *of, double people)
{
  const double more = 3 * people < 20000 ? 3 * people : 20000;
  return of->grid ? people : 1.25 * people + more;
}

static double spacing_shrink(const struct placement *of, int64_t found, int64_t wanted)
{
  const double least = 0.3, most = of->grid ? 0.98 : 0.953; // 0.953^2: 1.1 times as many sites
  const double shrink = sqrt((double)found / (double)wanted) * most;
  return shrink > least ? shrink : least;
}

bool placement_is_valid(const struct placement *of)
{
  return of->check.world && of->outlines && of->check.radius > 0 && of->area >= 0 &&
         of->count >= 0 && of->density >= 0 && of->spacing >= 0 && of->group_size >= 0 &&
         of->jitter >= 0 && of->box.lo.x <= of->box.hi.x && of->box.lo.y <= of->box.hi.y;
}

struct places places_find(const struct placement *of)
{
  assert(placement_is_valid(of));
  const double quantum = frame_quantum(&of->check.world->frame);
  // Even. The margin covers rounding, so that jittered discs cannot overlap.
  const int32_t least = 2 * (of->check.radius + of->jitter) + 4;
  const double people = of->count ? (double)of->count : of->density * of->area + 1.0;
  const double shape = of->grid ? 1.0 : 1.1547005383792515; // 2 / sqrt(3)
  int32_t spacing =
      spacing_even(sqrt(of->area * shape / sites_wanted(of, people)) / quantum, least);
  if (of->spacing)
    spacing = of->spacing & ~1;
  struct places out = {.wanted = of->count};
  struct candidates all = {.group_size = of->group_size > 1 ? of->group_size : 1};
  for (;;) {
    const struct lattice l = lattice_create(of, spacing, least);
    candidates_gather(of, &l, &all);
    if (of->spacing)
      out.wanted = all.count > 0 ? all.count : 1;
    else if (!of->count)
      out.wanted =
          (int64_t)(of->density * (double)(all.count + all.occupied) * lattice_cell(&l, quantum) +
                    0.5);
    const bool none_free = all.count == 0 && l.rows * l.columns > SITES_MAX_WITHOUT_FREE;
    if (all.count >= out.wanted || of->spacing || spacing == least || none_free)
      break;
    spacing = spacing_even(spacing * spacing_shrink(of, all.count, out.wanted), least);
  }
  const int64_t open = all.count + all.occupied + all.unreached;
  out.unreached = open ? (double)all.unreached / (double)open : 0.0;
  places_choose(&all, of, &out);
  memory_destroy(all.list);
  return out;
}
