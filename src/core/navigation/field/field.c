// The memory of a field, and rare queries; field_kernel.h has the queries of each step.
#include "field_kernel.h"

#include <assert.h>

size_t field_bytes(const struct nav_grid *g)
{
  const struct field *f = NULL;
  const size_t cells = (size_t)nav_grid_cell_count(g), squares = (size_t)nav_grid_square_count(g);
  const size_t bytes = cells * (sizeof *f->cells + sizeof *f->time) + sizeof *f->visits +
                       sizeof *f->destination_box +
                       squares * (sizeof *f->reached + sizeof *f->known);
  return (bytes + FIELD_ALIGNMENT - 1) / FIELD_ALIGNMENT * FIELD_ALIGNMENT;
}

// Widest members first, so that all are aligned: the count of cells is that of whole squares.
void field_create(struct field *f, const struct nav_grid *g, void *memory)
{
  assert(nav_grid_is_valid(g));
  *f = (struct field){.nav_grid = g,
                      .owned_memory = memory ? NULL : memory_create(field_bytes(g), 1)};
  f->cells = memory ? memory : f->owned_memory;
  f->time = (uint32_t *)(f->cells + nav_grid_cell_count(g));
  f->visits = (int64_t *)(f->time + nav_grid_cell_count(g));
  f->destination_box = (struct box *)(f->visits + 1);
  f->reached = (uint8_t *)(f->destination_box + 1);
  f->known = f->reached + nav_grid_square_count(g);
}

void field_prefer_large_pages(struct field *f)
{
  const size_t cells = (size_t)nav_grid_cell_count(f->nav_grid);
  memory_prefer_large_pages(f->cells, cells * sizeof *f->cells);
}

void field_destroy(struct field *f)
{
  memory_destroy(f->owned_memory);
  *f = (struct field){0};
}

uint32_t field_time(const struct field *f, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(f->nav_grid, p);
  return cell < 0 ? FIELD_UNREACHED : field_time_of(f, cell);
}

bool field_reachable(const struct field *f, struct point p)
{
  const int64_t cell = nav_grid_visible_cell(f->nav_grid, p);
  return cell >= 0 && field_has_route(f, cell);
}
