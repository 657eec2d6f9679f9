#include "velocity_reference.h"

#include "sights.h"

_Static_assert(LANES == 1, "the reference has one lane");

struct one_answer one_velocity(const struct one_sight *s, enum velocity_method method)
{
  struct one_answer answer;
  velocities_of(s, 1, method, &answer);
  return answer;
}
