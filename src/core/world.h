// The ground people walk on, the same on every rank.
#pragma once
#include "field.h"
#include "ground.h"
#include "obstacles.h"
#include "position.h"
#include "zones.h"

struct world {
  struct frame frame;
  struct box bounds; // agents are kept inside
  struct obstacles obstacles;
  struct ground ground; // the grid; columns == 0 when nobody needs a field
  int32_t field_count;
  struct field *fields; // [field_count], one a destination
  struct zones zones;   // where one walks at another speed
};

void world_destroy(struct world *w);
