// A grid of cells as VTKHDF ImageData: the density fields and the totals of a run.
#pragma once
#include "snapshot_file.h"

struct image;

struct image_array {
  const char *name, *unit, *description;
  enum number_type number;
  int32_t width; // values per cell; 1: no further dimension
  // Writes the values of the cells [begin, begin + count) to out[count * width].
  void (*fill)(const void *source, int64_t begin, int64_t count, void *out);
};

struct image {
  const struct snapshot_metadata *metadata;
  const struct measure_grid *grid;
  const struct image_array *arrays;
  int array_count;
  const void *source;                                 // of the arrays
  bool (*is_empty)(const void *source, int64_t cell); // all arrays are 0 there
  // Further attributes of the group /throng.
  void (*describe)(struct snapshot_file *f, hid_t group, const void *source);
  int64_t since, samples; // the samples are of later steps; their number
};
double image_side(const struct image *i); // of a cell, m
// Writes path.tmp and renames it, without a call of MPI.
enum snapshot_result image_write(const struct image *i, const char *path);
