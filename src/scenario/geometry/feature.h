// Features: the shapes of a geometry file or of an inline text, checked and sorted by role.
#pragma once
#include "diagnostics.h"
#include "shape.h"

enum role { ROLE_OBSTACLE, ROLE_WALKABLE, ROLE_AREA };

struct feature {
  enum role role;
  char name[80];
  int64_t number; // from 1, in the file; 0: the only one
  bool degrees;   // unit of the coordinates; false: metres
  bool repair;    // option world.repair
  struct location at;
};

#define FEATURE_LISTS 4

struct feature_set {
  struct geos_context geos_context;
  union {
    struct {
      struct shape_list solid, walkable, lines;
      struct shape_list areas; // named polygons
    };
    struct shape_list lists[FEATURE_LISTS]; // the same, for loops over all of them
  };
  char **area_names;                // [areas.capacity]
  int64_t points_ignored, repaired; // numbers of shapes, for warnings
};
void feature_set_create(struct feature_set *set);
void feature_set_destroy(struct feature_set *set);

// How much a set holds: what is added later lies behind it.
struct feature_mark {
  unsigned counts[FEATURE_LISTS];
  int64_t points_ignored, repaired;
};
struct feature_mark feature_set_mark(const struct feature_set *set);

// Checks the shape and adds its parts to the lists by role. Takes ownership of the shape.
void feature_add(struct feature_set *set, GEOSGeometry *shape, const struct feature *f,
                 struct diagnostics *p);

// Returns the shape if it is valid, else a repaired one if f->repair, else NULL and an error. Takes
// ownership of the shape.
GEOSGeometry *shape_make_valid(struct feature_set *set, GEOSGeometry *shape,
                               const struct feature *f, struct diagnostics *p);
