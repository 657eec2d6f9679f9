// Features: the shapes of a geometry file or of an inline text, checked and sorted by role.
#pragma once
#include "feature_query.h"
#include "projection.h"

enum role {
  ROLE_OBSTACLE,
  ROLE_WALKABLE,
  ROLE_AREA,   // polygons only
  ROLE_PLACE,  // polygons, lines and points
  ROLE_STREET, // lines, and
  ROLE_LABEL   // points that are only drawn
};

struct feature {
  enum role role;
  bool role_fixed; // whatever the property `throng` says
  struct json_span properties;
  const char *file; // as the scenario names it, or NULL
  int64_t number;   // from 1, in the file; 0: the only one
  bool degrees;     // unit of the coordinates; false: metres
  bool repair;      // option world.repair
  struct location at;
};

// The ends of a ring are the same within this, in the units of the feature.
static inline double ring_gap(const struct feature *f)
{
  return f->degrees ? 1e-8 : 1e-3; // both about 1 mm
}

#define FEATURE_LISTS    9
#define FEATURE_BACKDROP 7 // this list and those behind it are only drawn
enum { FEATURE_AREAS = 3, FEATURE_PATHS, FEATURE_POINTS }; // lists that the scenario refers to

struct feature_label { // of a shape that the scenario may refer to
  char *properties;    // JSON; NULL: none
  bool used;           // the scenario refers to it
  const char *file;
  struct location at;
};

struct feature_counts { // of shapes that were not taken as they are, for warnings
  int64_t points_ignored, repaired, lines_skipped, rings_closed;
};

struct feature_set {
  struct geos_context geos_context;
  union {
    struct {
      struct shape_list solid, walkable, lines;
      struct shape_list areas, paths, points; // polygons, lines and points to refer to
      struct shape_list faults;               // points where polygons were repaired
      struct shape_list streets, names;       // lines and points that are only drawn
    };
    struct shape_list lists[FEATURE_LISTS]; // the same, for loops over all of them
  };
  struct feature_label *labels[FEATURE_LISTS]; // [lists[k].capacity]; NULL: not kept
  bool labels_all;                             // kept for all lists, not only the named ones
  struct feature_counts trifles;
};
const char *feature_list_name(int list); // the role of its shapes: "obstacle"
void feature_set_create(struct feature_set *set);
void feature_set_destroy(struct feature_set *set);

// How much a set holds: what is added later lies behind it.
struct feature_mark {
  unsigned counts[FEATURE_LISTS];
  struct feature_counts trifles;
};
struct feature_mark feature_set_mark(const struct feature_set *set);
// Warns of what was added behind the mark, but not as it is.
void feature_set_warn(const struct feature_set *set, const struct feature_mark *from,
                      struct location at, struct diagnostics *p);

// What a search sees of shape i of a list that has labels.
struct feature_offer feature_set_offer(const struct feature_set *set, int list, unsigned i);
// Transforms the shapes behind the mark from degrees to metres.
void feature_set_project(struct feature_set *set, const struct feature_mark *from,
                         struct projection to);

// Checks the shape and adds its parts to the lists by role. Takes ownership of the shape.
void feature_add(struct feature_set *set, GEOSGeometry *shape, const struct feature *f,
                 struct diagnostics *p);

// Returns the shape if it is valid, else a repaired one and a warning if f->repair, else NULL and
// an error. Takes ownership of the shape.
GEOSGeometry *shape_make_valid(struct feature_set *set, GEOSGeometry *shape,
                               const struct feature *f, struct diagnostics *p);
