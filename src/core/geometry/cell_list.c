#include "cell_list.h"

#include "base.h"
#include "marks.h"

void cell_list_grow(struct cell_list *l)
{
  l->capacity = l->capacity ? 2 * l->capacity : 256;
  l->cells = memory_grow(l->cells, l->count, l->capacity, sizeof *l->cells);
}

void cell_list_append_marked(struct cell_list *l, const uint8_t *marks, int64_t count)
{
  for (int64_t i = 0; (i = marks_next(marks, i, count)) < count; i++)
    cell_list_append(l, i);
}

void cell_list_destroy(struct cell_list *l)
{
  memory_destroy(l->cells);
  *l = (struct cell_list){0};
}
