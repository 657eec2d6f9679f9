// Mends texts of shapes that GEOS refuses for a trifle: a ring whose ends do not quite meet is
// closed, and the only point of a line is doubled, since GEOS knows no such line.
#pragma once
#include "json.h"

// The mended text; NULL: nothing is to be mended. gap: between the ends of a ring, at most. *closed
// counts the rings that were closed. Free with memory_destroy.
char *geojson_mend(const char *shape, double gap, int64_t *closed);
char *wkt_mend(const char *shape, double gap, int64_t *closed);
