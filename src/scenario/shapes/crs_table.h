// The systems of EPSG and Esri whose coordinates are not true metres (tools/crs_table.py).
#pragma once
#include "crs.h"

struct crs_range {
  int first, last; // codes, which mean the same to both of them
  enum crs_kind kind;
};
extern const struct crs_range crs_table[]; // [crs_table_count], ascending
extern const int crs_table_count;
