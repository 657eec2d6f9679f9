// A field's memory, and what it is asked now and then: field_look.h has the rest.
#include "field_look.h"

size_t field_bytes(const struct ground *g)
{
  const struct field *f = NULL;
  const size_t cell = sizeof *f->time + sizeof *f->way + sizeof *f->paths;
  return (sizeof *f->near + (size_t)ground_cell_count(g) * cell + 63) / 64 * 64;
}

// The widest first: everything is aligned.
void field_create(struct field *f, const struct ground *g, void *memory)
{
  const size_t count = (size_t)ground_cell_count(g);
  *f = (struct field){.ground = g, .own = memory ? NULL : memory_create(field_bytes(g), 1)};
  f->near = memory ? memory : f->own;
  f->time = (uint32_t *)(f->near + 1);
  f->way = (struct field_way *)(f->time + count);
  f->paths = (uint8_t *)(f->way + count);
}

void field_destroy(struct field *f)
{
  memory_destroy(f->own);
  *f = (struct field){0};
}

uint32_t field_time(const struct field *f, struct point p)
{
  const int64_t cell = ground_cell_seen(f->ground, p);
  return cell < 0 ? FIELD_UNREACHED : f->time[cell];
}

bool field_reaches(const struct field *f, struct point p)
{
  const int64_t cell = ground_cell_seen(f->ground, p);
  return cell >= 0 && f->time[cell] != FIELD_UNREACHED;
}

void field_expect(const struct field *f, struct point point)
{
  const struct field_place p = field_place_of(f->ground, point);
  const int64_t ahead = p.y < 0 ? -f->ground->columns : f->ground->columns;
  const int64_t last = ground_cell_count(f->ground) - 1, other = p.cell + ahead;
  __builtin_prefetch(&f->way[p.cell]);
  __builtin_prefetch(&f->way[other < 0 ? 0 : other > last ? last : other]);
  __builtin_prefetch(&f->paths[p.cell]);
}
