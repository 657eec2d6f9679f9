// Where agents arrive: the open areas of a destination.
#pragma once
#include "obstacles.h"

struct arrival_area {
  struct obstacles outlines; // agents inside have arrived
  struct box box;            // around them
};

void arrival_area_create(struct arrival_area *a, const struct outlines *outlines);
void arrival_area_destroy(struct arrival_area *a);
