// The coordinate reference system that a GeoJSON file names in its member `crs`.
#pragma once
#include "json.h"

enum crs_kind {
  CRS_NOT_STATED,
  CRS_DEGREES,     // longitude and latitude
  CRS_METRES,      // and whatever is not in the table
  CRS_OTHER_UNIT,  // feet, chains, kilometres
  CRS_STRETCHED,   // lengths are wrong by more than 2 % somewhere: Web Mercator, maps of continents
  CRS_OTHER_ANGLES // gons, or longitudes that do not begin at Greenwich
};

struct crs {
  enum crs_kind kind;
  int code;       // of EPSG or Esri; 0: unknown
  char name[100]; // for messages: "EPSG:25832", or as the file names it
};

// The system of a member `crs`, which may be missing.
struct crs crs_read(struct json_span member);
bool crs_equal(const struct crs *a, const struct crs *b);
// Of two in degrees: whether the same longitude and latitude are within some 2 m.
bool crs_close(const struct crs *a, const struct crs *b);
