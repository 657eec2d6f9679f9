// Reader of WKT: finds the geometries of a text and checks their points; GEOS parses them.
#pragma once
#include "feature.h"

// Adds every geometry of a WKT text. Spaces, commas, semicolons and # comments may separate them.
// f: properties of all of them.
void wkt_read(struct feature_set *set, const char *text, struct feature f, struct diagnostics *p);

// A point with more numbers than its geometry has: "18 12 22 12" in a POLYGON.
struct wkt_long_point {
  const char *begin; // in the text
  int length;        // bytes
  int numbers, expected;
  char type[24]; // the word before the parentheses: "POLYGON"
};

// Finds the first long point of text[0, end). GEOS would take its third and fourth number for
// height and measure, and drop them.
bool wkt_find_long_point(const char *text, const char *end, struct wkt_long_point *found);
// prefix: begins the message, such as "feature 1: "
void report_long_point(const struct wkt_long_point *found, struct location at, const char *prefix,
                       struct diagnostics *p);
