#include "world.h"

void world_destroy(struct world *w)
{
  for (int32_t f = 0; f < w->field_count; f++)
    field_destroy(&w->fields[f]);
  memory_destroy(w->fields);
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
