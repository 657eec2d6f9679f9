#include "selection.h"

#include <assert.h>

const char *const selection_names[SELECT_FIELDS] = {"id", "velocity", "speed", "radius",
                                                    "destination"};
const struct selection selection_all = {
    (1u << SELECT_FIELDS) - 1, 1, {{INT32_MIN, INT32_MIN}, {INT32_MAX, INT32_MAX}}};

int64_t selection_rows(const struct selection *s, const struct agents *a, int32_t *rows)
{
  int64_t count = 0;
  assert(s->stride >= 1);
  for (int64_t i = 0; i < a->count; i++) // most often without a division
    if ((s->stride == 1 || a->id[i] % s->stride == 0) &&
        box_holds(s->region, (struct point){a->x[i], a->y[i]}))
      rows[count++] = (int32_t)i;
  return count;
}
