// Which properties the features of a GeoJSON text have, and with what values.
#pragma once
#include "geojson.h"

// Counts the features of text[length] and prints a line for each property, the commonest first, and
// its commonest values. Nothing if the text is not GeoJSON. indent: columns before each line.
void property_table_print(const char *text, size_t length, int indent, FILE *out);
