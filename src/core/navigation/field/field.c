// The memory of a field, and rare queries; field_kernel.h has the queries of each step.
#include "field_kernel.h"

#include <assert.h>

size_t field_bytes(const struct nav_grid *g)
{
  const struct field *f = NULL;
  const size_t cell = sizeof *f->time + sizeof *f->direction + sizeof *f->paths;
  return (sizeof *f->destination_box + (size_t)nav_grid_cell_count(g) * cell + 63) / 64 * 64;
}

// Widest members first, so that all are aligned.
void field_create(struct field *f, const struct nav_grid *g, void *memory)
{
  assert(nav_grid_is_valid(g));
  const size_t count = (size_t)nav_grid_cell_count(g);
  *f = (struct field){.nav_grid = g,
                      .owned_memory = memory ? NULL : memory_create(field_bytes(g), 1)};
  f->destination_box = memory ? memory : f->owned_memory;
  f->time = (uint32_t *)(f->destination_box + 1);
  f->direction = (struct grid_direction *)(f->time + count);
  f->paths = (uint8_t *)(f->direction + count);
}

void field_destroy(struct field *f)
{
  memory_destroy(f->owned_memory);
  *f = (struct field){0};
}

uint32_t field_time(const struct field *f, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(f->nav_grid, p);
  return cell < 0 ? FIELD_UNREACHED : f->time[cell];
}

bool field_reachable(const struct field *f, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(f->nav_grid, p);
  return cell >= 0 && f->time[cell] != FIELD_UNREACHED;
}

void field_prefetch(const struct field *f, struct point point, bool gap)
{
  const struct cell_offset p = cell_offset_of(f->nav_grid, point);
  const int64_t ahead = p.y < 0 ? -f->nav_grid->columns : f->nav_grid->columns;
  const int64_t last = nav_grid_cell_count(f->nav_grid) - 1, other = p.cell + ahead;
  __builtin_prefetch(&f->direction[p.cell]);
  __builtin_prefetch(&f->direction[other < 0 ? 0 : other > last ? last : other]);
  __builtin_prefetch(&f->paths[p.cell]);
  if (gap) {
    const struct nav_grid *g = f->nav_grid; // quotients of 32 bits: those of 64 take far longer
    const uint32_t cell = (uint32_t)p.cell, columns = (uint32_t)g->columns, row = cell / columns;
    __builtin_prefetch(
        &g->gap[nav_grid_gap_index(g, (int32_t)(cell - row * columns), (int32_t)row)]);
  }
}
