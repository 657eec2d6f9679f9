#include "units.h"

#include <math.h>

struct survey survey_create(const struct feature_set *set, const struct feature_mark *from)
{
  const struct geos_context *context = &set->geos_context;
  struct survey s = {0, {HUGE_VAL, HUGE_VAL}, {-HUGE_VAL, -HUGE_VAL}, 0};
  double length = 0, points = 0;
  for (int k = 0; k < FEATURE_BACKDROP; k++)
    for (unsigned i = from->counts[k]; i < set->lists[k].count; i++) {
      const GEOSGeometry *shape = set->lists[k].shapes[i];
      double lo[2], hi[2], one = 0;
      if (!shape_bounds(context, shape, lo, hi) || !GEOSLength_r(context->geos, shape, &one))
        continue;
      s.count++;
      length += one;
      points += GEOSGetNumCoordinates_r(context->geos, shape);
      for (int axis = 0; axis < 2; axis++) {
        s.lo[axis] = fmin(s.lo[axis], lo[axis]);
        s.hi[axis] = fmax(s.hi[axis], hi[axis]);
      }
    }
  s.mean_length = points > 0 ? length / points : 0;
  return s;
}

// A map of a town is 0.1 degrees wide at most, and its segments are some 1e-4 degrees long. A map
// of a region may be wider, but not 2 degrees.
#define TOWN    0.1
#define REGION  2.0
#define SEGMENT 0.005

bool survey_looks_like_degrees(const struct survey *s)
{
  const double width = s->hi[0] - s->lo[0], height = s->hi[1] - s->lo[1];
  const bool in_range = s->lo[0] >= -180 && s->hi[0] <= 180 && s->lo[1] >= -90 && s->hi[1] <= 90;
  const bool small = width < TOWN && height < TOWN;
  const bool fine = width < REGION && height < REGION && s->mean_length < SEGMENT;
  return s->count > 0 && in_range && (small || fine);
}

bool survey_looks_like_metres(const struct survey *s)
{
  return s->count > 0 && (s->hi[0] - s->lo[0] > REGION || s->hi[1] - s->lo[1] > REGION);
}
