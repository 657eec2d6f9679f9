// Whether the coordinates of a text are in the units that its format implies.
#pragma once
#include "feature.h"

struct survey {        // of the shapes of a text, in its own units
  int64_t count;       // of shapes
  double lo[2], hi[2]; // bounding box, if count > 0
  double mean_length;  // of a segment of a line or outline
};
struct survey survey_create(const struct feature_set *set, const struct feature_mark *from);

// Numbers taken for metres that look like longitude and latitude: in their range, and smaller than
// anything that people walk around.
bool survey_looks_like_degrees(const struct survey *s);
// Numbers taken for longitude and latitude that look like metres: wider than any map of a crowd.
bool survey_looks_like_metres(const struct survey *s);
