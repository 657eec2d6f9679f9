#include "velocity_reference.h"

#define VELOCITY_COVERS 0 // every edge is searched
#include "perception_lanes.h"

_Static_assert(LANES == 1, "the reference has one lane");

struct scalar_answer scalar_velocity(const struct scalar_perception *s, enum velocity_method method)
{
  struct scalar_answer answer;
  velocities_of(s, 1, method, &answer);
  return answer;
}
