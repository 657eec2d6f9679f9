#include "record_list.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

void record_list_create(struct record_list *l, const struct record_type *type,
                        const struct comm *comm)
{
  assert(type->size > 0 && type->compare && comm_is_valid(comm));
  *l = (struct record_list){.type = type, .comm = comm};
}

void record_list_destroy(struct record_list *l)
{
  memory_destroy(l->records);
  *l = (struct record_list){0};
}

void record_list_reserve(struct record_list *l, int64_t capacity)
{
  if (capacity <= l->capacity)
    return;
  l->records = memory_grow(l->records, (size_t)l->count, (size_t)capacity, l->type->size);
  l->capacity = capacity;
}

void record_list_add(struct record_list *l, const void *record)
{
  l->records = memory_reserve(l->records, l->count, &l->capacity, l->type->size);
  memcpy(l->records + (size_t)l->count++ * l->type->size, record, l->type->size);
}

void *record_list_collect(struct record_list *l, int64_t *count)
{
  const int64_t size = (int64_t)l->type->size;
  int64_t bytes;
  char *all = comm_gather_root(l->comm, l->records, l->count * size, &bytes);
  *count = bytes / size;
  if (*count)
    qsort(all, (size_t)*count, l->type->size, l->type->compare);
  l->count = 0;
  return all;
}

// Rank 0 has all records, or room for count of them.
static void set_records(struct record_list *l, int64_t count, char *all)
{
  memory_destroy(l->records);
  l->records = all ? all : memory_create((size_t)count, l->type->size);
  l->count = l->capacity = count;
}

void record_list_visit(struct record_list *l, struct state *v)
{
  int64_t count = 0;
  char *all = v->reading ? NULL : record_list_collect(l, &count);
  count = state_length(v, l->type->count_name, count, 1);
  set_records(l, l->comm->rank == 0 ? count : 0, all);
  for (int k = 0; k < l->type->field_count; k++) {
    const struct record_field *f = &l->type->fields[k];
    state_visit(v, (struct state_column){STATE_ROOT, f->name, f->type, l->records + f->offset,
                                         l->count, l->type->size, f->range});
  }
}
