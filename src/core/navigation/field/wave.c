#include "wave.h"

void cell_list_append(struct cell_list *l, int64_t cell)
{
  if (l->count == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 256;
    l->cells = memory_grow(l->cells, l->count, l->capacity, sizeof *l->cells);
  }
  l->cells[l->count++] = (uint32_t)cell;
}

static inline uint32_t cell_arrival(const struct wave *w, int64_t cell)
{
  return arrival(least(taken_time(w, cell, EAST), taken_time(w, cell, WEST)),
                 least(taken_time(w, cell, NORTH), taken_time(w, cell, SOUTH)),
                 w->cost ? w->cost[cell] : FIELD_UNIT);
}

static void wave_await(struct wave *w, int64_t cell)
{
  cell_list_append(&w->buckets[w->time[cell] / WAVE_BUCKET_WIDTH % WAVE_BUCKETS], cell);
  w->waiting++;
}

// The cell's time stands: tell those linked to it that have a later one.
static void wave_visit(struct wave *w, int64_t cell)
{
  const uint32_t time = w->time[cell];
  for (int d = 0; d < 4; d++) {
    const int64_t next = cell + w->step[d];
    if (!(w->doors[cell] >> (WAVE_LINKED + d) & 1) || w->time[next] <= time)
      continue;
    const uint32_t sooner = cell_arrival(w, next);
    if (sooner < w->time[next]) {
      w->time[next] = sooner;
      wave_await(w, next);
    }
  }
}

void wave_run(struct wave *w, const struct cell_list *seeds, struct cell_list *shore)
{
  size_t sown = 0;
  for (uint32_t now = 0; sown < seeds->count || w->waiting > 0; now++) {
    if (w->waiting == 0)
      now = w->time[seeds->cells[sown]] / WAVE_BUCKET_WIDTH;
    for (; sown < seeds->count && w->time[seeds->cells[sown]] / WAVE_BUCKET_WIDTH <= now; sown++)
      wave_await(w, seeds->cells[sown]);
    struct cell_list *bucket = &w->buckets[now % WAVE_BUCKETS];
    for (size_t i = 0; i < bucket->count; i++) { // grows meanwhile
      const int64_t cell = bucket->cells[i];
      if (w->time[cell] / WAVE_BUCKET_WIDTH != now) // was visited, with a lesser time
        continue;
      if (shore && (w->doors[cell] >> WAVE_LINKED & ~w->doors[cell]))
        cell_list_append(shore, cell);
      wave_visit(w, cell);
    }
    w->waiting -= bucket->count;
    bucket->count = 0;
  }
}
