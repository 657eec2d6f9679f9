#include "projection.h"

#include "circle.h"
#include <math.h>

// WGS84: a = 6378137 m, f = 1 / 298.257223563. Radii of curvature at the latitude: N in the prime
// vertical, M in the meridian (Snyder 1987, eq. 4-18 and 4-20).
struct projection projection_create(double longitude, double latitude)
{
  const double a = 6378137.0, f = 1.0 / 298.257223563, e2 = f * (2.0 - f);
  const double degree = 1.57079632679489661923 / 90.0;
  double sine, cosine;
  quarter_turn(fabs(latitude) / 90.0, &sine, &cosine);
  const double w2 = 1.0 - e2 * sine * sine, w = sqrt(w2);
  return (struct projection){longitude, latitude, a / w * cosine * degree,
                             a * (1.0 - e2) / (w2 * w) * degree};
}

void projection_apply(const struct projection *to, double *x, double *y)
{
  *x = (*x - to->longitude) * to->east;
  *y = (*y - to->latitude) * to->north;
}

void projection_reverse(const struct projection *to, double *x, double *y)
{
  *x = *x / to->east + to->longitude;
  *y = *y / to->north + to->latitude;
}

void projection_describe(const struct projection *to, const double lo[2], const double hi[2],
                         FILE *out)
{
  double west = lo[0], south = lo[1], east = hi[0], north = hi[1];
  projection_reverse(to, &west, &south);
  projection_reverse(to, &east, &north);
  fprintf(out, "              longitude %.7f to %.7f, latitude %.7f to %.7f\n", west, east, south,
          north);
  fprintf(out, "projection    (0, 0) m is %.7f E %.7f N; equirectangular, WGS84 radii there\n",
          to->longitude, to->latitude);
}

static int project(double *x, double *y, void *projection)
{
  projection_apply(projection, x, y);
  return 1;
}

void shape_list_project(const struct geos_context *s, struct shape_list *list, unsigned first,
                        struct projection projection)
{
  for (unsigned i = first; i < list->count; i++) {
    GEOSGeometry *metres = GEOSGeom_transformXY_r(s->geos, list->shapes[i], project, &projection);
    GEOSGeom_destroy_r(s->geos, list->shapes[i]);
    list->shapes[i] = metres;
  }
}
