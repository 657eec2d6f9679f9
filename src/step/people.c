#include "people.h"

#include <stdlib.h>

void people_create(struct people *p, const struct scenario *scenario, const struct comm *comm)
{
  *p = (struct people){.scenario = scenario, .comm = comm};
}

void people_destroy(struct people *p)
{
  memory_destroy(p->list);
  *p = (struct people){0};
}

static struct person person_of(const struct agents *a, int64_t i)
{
  return (struct person){.id = a->id[i],
                         .left = -1,
                         .source = a->source[i],
                         .profile = a->profile[i],
                         .target = agent_target(a, i),
                         .exit = -1,
                         .born = a->born[i],
                         .start_x = a->start_x[i],
                         .start_y = a->start_y[i],
                         .x = a->x[i],
                         .y = a->y[i],
                         .waited = a->waited[i]};
}

void people_add(struct people *p, const struct agents *a, int64_t i, int64_t left, bool reached)
{
  struct person one = person_of(a, i);
  one.left = left;
  if (reached)
    one.exit = measure_exit(&p->scenario->measure, one.target, (struct point){one.x, one.y});
  if (p->count == p->capacity) {
    const int64_t capacity = 2 * p->capacity + 64;
    p->list = memory_grow(p->list, (size_t)p->count, (size_t)capacity, sizeof *p->list);
    p->capacity = capacity;
  }
  p->list[p->count++] = one;
}

static int person_compare(const void *a, const void *b)
{
  const struct person *p = a, *q = b;
  if (p->left != q->left)
    return p->left < q->left ? -1 : 1;
  return (p->id > q->id) - (p->id < q->id);
}

static struct person *collect(const struct comm *comm, const struct person *own, int64_t own_count,
                              int64_t *count)
{
  int64_t bytes;
  struct person *list = comm_gather_root(comm, own, own_count * (int64_t)sizeof *list, &bytes);
  *count = bytes / (int64_t)sizeof *list;
  if (*count)
    qsort(list, (size_t)*count, sizeof *list, person_compare);
  return list;
}

struct person *people_collect(struct people *p, int64_t *count)
{
  struct person *list = collect(p->comm, p->list, p->count, count);
  p->count = 0;
  return list;
}

struct person *people_inside(const struct people *p, const struct agents *a, int64_t *count)
{
  struct person *own = memory_create((size_t)a->count, sizeof *own);
  for (int64_t i = 0; i < a->count; i++)
    own[i] = person_of(a, i);
  struct person *list = collect(p->comm, own, a->count, count);
  memory_destroy(own);
  return list;
}

// ------------------------------------------------------------------------------- checkpoint

// Rank 0 has all records that wait, or room for count of them.
static void list_set(struct people *p, int64_t count, struct person *list)
{
  memory_destroy(p->list);
  p->list = list ? list : memory_create((size_t)count + 1, sizeof *list);
  p->count = p->comm->rank == 0 ? count : 0;
  p->capacity = count;
}

void people_visit(struct people *p, struct state *v)
{
  int64_t count = 0;
  struct person *list = v->reading ? NULL : people_collect(p, &count);
  count = state_length(v, "people.waiting", count);
  list_set(p, count, list);
  list = p->list;
  state_field(v, STATE_ROOT, list, id, "people.id", p->count);
  state_field(v, STATE_ROOT, list, left, "people.left", p->count);
  state_field(v, STATE_ROOT, list, source, "people.source", p->count);
  state_field(v, STATE_ROOT, list, profile, "people.profile", p->count);
  state_field(v, STATE_ROOT, list, target, "people.target", p->count);
  state_field(v, STATE_ROOT, list, exit, "people.exit", p->count);
  state_field(v, STATE_ROOT, list, born, "people.born", p->count);
  state_field(v, STATE_ROOT, list, start_x, "people.start_x", p->count);
  state_field(v, STATE_ROOT, list, start_y, "people.start_y", p->count);
  state_field(v, STATE_ROOT, list, x, "people.x", p->count);
  state_field(v, STATE_ROOT, list, y, "people.y", p->count);
  state_field(v, STATE_ROOT, list, waited, "people.waited", p->count);
}
