#include "avoidance.h"

const char *const avoidance_names[METHOD_COUNT] = {
#define X(name) #name,
    AVOIDANCE_METHODS(X)
#undef X
};

bool avoidance_is_valid(const struct avoidance *a)
{
  return (int)a->method >= 0 && a->method < METHOD_COUNT && a->neighbours >= 1 &&
         a->neighbours <= NEIGHBOURS_MAX && a->neighbour_distance >= 0 && a->horizon_walls >= 0;
}
