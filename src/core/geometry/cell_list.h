// A growing list of cells of a grid.
#pragma once
#include <stddef.h>
#include <stdint.h>

struct cell_list {
  uint32_t *cells;
  size_t count, capacity;
};

void cell_list_grow(struct cell_list *l); // room for one cell more

static inline void cell_list_append(struct cell_list *l, int64_t cell)
{
  if (l->count == l->capacity)
    cell_list_grow(l);
  l->cells[l->count++] = (uint32_t)cell;
}

// Appends the cells whose mark is not 0. marks[count]
void cell_list_append_marked(struct cell_list *l, const uint8_t *marks, int64_t count);
void cell_list_destroy(struct cell_list *l);
