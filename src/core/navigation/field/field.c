// The memory of a field, and rare queries; field_kernel.h has the queries of each step.
#include "field_kernel.h"

#include <assert.h>

int64_t field_cell_count(const struct nav_grid *g)
{
  const struct cell_tiles tiles = FIELD_TILES;
  return cell_tiles_count(tiles, (uint32_t)g->columns, (uint32_t)g->rows);
}

static size_t cell_bytes(const struct nav_grid *g)
{
  return (size_t)field_cell_count(g) * sizeof(struct field_cell);
}

static size_t time_bytes(const struct nav_grid *g) // keeps what follows aligned
{
  return ((size_t)nav_grid_cell_count(g) * sizeof(uint32_t) + 63) / 64 * 64;
}

size_t field_bytes(const struct nav_grid *g)
{
  const size_t bytes = cell_bytes(g) + time_bytes(g) + sizeof(struct box);
  return (bytes + FIELD_ALIGNMENT - 1) / FIELD_ALIGNMENT * FIELD_ALIGNMENT;
}

void field_create(struct field *f, const struct nav_grid *g, void *memory)
{
  assert(nav_grid_is_valid(g));
  *f = (struct field){.nav_grid = g,
                      .owned_memory = memory ? NULL : memory_create(field_bytes(g), 1)};
  char *at = memory ? memory : f->owned_memory;
  f->cells = (struct field_cell *)at;
  f->time = (uint32_t *)(at + cell_bytes(g));
  f->destination_box = (struct box *)(at + cell_bytes(g) + time_bytes(g));
}

uint8_t *field_marks(struct field *f)
{
  return (uint8_t *)f->cells;
}

struct field_cell field_cell_at(const struct field *f, int64_t cell)
{
  const struct nav_grid *g = f->nav_grid;
  return *field_cell_in(f, (uint32_t)(cell % g->columns), (uint32_t)(cell / g->columns));
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
