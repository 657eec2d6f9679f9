#include "world.h"

void world_destroy(struct world *w)
{
  for (int32_t f = 0; f < w->field_count; f++)
    field_destroy(&w->fields[f]);
  memory_destroy(w->fields);
  zones_destroy(&w->zones);
  ground_destroy(&w->ground);
  obstacles_destroy(&w->obstacles);
  *w = (struct world){0};
}
