#include "world.h"

bool world_create_fields(struct world *w, int32_t count, const struct team *team)
{
  const size_t each = field_bytes(&w->ground), bytes = (size_t)count * each;
  void *shared = team_share(team, bytes);
  w->team = shared ? team : &team_alone;
  w->fields_memory = shared ? shared : memory_create(bytes, 1);
  w->fields = memory_create((size_t)count, sizeof *w->fields);
  for (; w->field_count < count; w->field_count++)
    field_create(&w->fields[w->field_count], &w->ground,
                 (char *)w->fields_memory + (size_t)w->field_count * each);
  return shared || bytes == 0 || team->size == 1;
}

static void destroy_fields(struct world *w)
{
  const size_t bytes = (size_t)w->field_count * field_bytes(&w->ground);
  for (int32_t f = 0; f < w->field_count; f++)
    field_destroy(&w->fields[f]);
  memory_destroy(w->fields);
  if (w->team && w->team->size > 1)
    team_part(w->team, w->fields_memory, bytes);
  else
    memory_destroy(w->fields_memory);
}

void world_destroy(struct world *w)
{
  destroy_fields(w);
  zones_destroy(&w->zones);
  roadmap_destroy(&w->roadmap);
  ground_destroy(&w->ground);
  obstacles_destroy(&w->obstacles);
  *w = (struct world){0};
}

bool world_reaches(const struct world *w, int32_t destination, struct point p)
{
  return w->field_count > 0 ? field_reaches(&w->fields[destination], p)
                            : roadmap_reaches(&w->roadmap, destination, p);
}

int64_t world_remaining(const struct world *w, int32_t destination, struct point p)
{
  return w->field_count > 0 ? field_time(&w->fields[destination], p)
                            : roadmap_way(&w->roadmap, destination, p);
}
