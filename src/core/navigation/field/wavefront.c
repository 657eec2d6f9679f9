#include "wavefront.h"

void cell_list_append(struct cell_list *l, int64_t cell)
{
  if (l->count == l->capacity) {
    l->capacity = l->capacity ? 2 * l->capacity : 256;
    l->cells = memory_grow(l->cells, l->count, l->capacity, sizeof *l->cells);
  }
  l->cells[l->count++] = (uint32_t)cell;
}

static inline uint32_t updated_time(const struct wavefront *w, int64_t cell)
{
  return eikonal_update(min_uint32(upwind_time(w, cell, EAST), upwind_time(w, cell, WEST)),
                        min_uint32(upwind_time(w, cell, NORTH), upwind_time(w, cell, SOUTH)),
                        w->cost ? w->cost[cell] : FIELD_UNIT);
}

static void wavefront_push(struct wavefront *w, int64_t cell)
{
  cell_list_append(&w->buckets[w->time[cell] / WAVEFRONT_BUCKET_WIDTH % WAVEFRONT_BUCKETS], cell);
  w->waiting++;
}

// Offers the cell's time to the linked neighbours that have a later one.
static void wavefront_relax(struct wavefront *w, int64_t cell)
{
  const uint32_t time = w->time[cell];
  for (int d = 0; d < 4; d++) {
    const int64_t next = cell + w->step[d];
    if (!(w->upwind[cell] >> (WAVEFRONT_LINKS + d) & 1) || w->time[next] <= time)
      continue;
    const uint32_t sooner = updated_time(w, next);
    if (sooner < w->time[next]) {
      w->time[next] = sooner;
      wavefront_push(w, next);
    }
  }
}

void wavefront_run(struct wavefront *w, const struct cell_list *seeds, struct cell_list *frontier)
{
  size_t seeded = 0;
  for (uint32_t now = 0; seeded < seeds->count || w->waiting > 0; now++) {
    if (w->waiting == 0)
      now = w->time[seeds->cells[seeded]] / WAVEFRONT_BUCKET_WIDTH;
    for (; seeded < seeds->count && w->time[seeds->cells[seeded]] / WAVEFRONT_BUCKET_WIDTH <= now;
         seeded++)
      wavefront_push(w, seeds->cells[seeded]);
    struct cell_list *bucket = &w->buckets[now % WAVEFRONT_BUCKETS];
    for (size_t i = 0; i < bucket->count; i++) { // grows meanwhile
      const int64_t cell = bucket->cells[i];
      if (w->time[cell] / WAVEFRONT_BUCKET_WIDTH != now) // visited already, with an earlier time
        continue;
      if (frontier && (w->upwind[cell] >> WAVEFRONT_LINKS & ~w->upwind[cell]))
        cell_list_append(frontier, cell);
      wavefront_relax(w, cell);
    }
    w->waiting -= bucket->count;
    bucket->count = 0;
  }
}
