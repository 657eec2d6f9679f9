// A grid of cells as VTKHDF ImageData: the density fields and the totals of a run.
#pragma once
#include "snapshot_file.h"

struct image;

struct image_array {
  const char *name, *unit, *description;
  enum number_type number;
  int32_t width; // values per cell; 1: no further dimension
  // Writes the values of the cells [begin, begin + count) to out[count * width].
  void (*fill)(const struct image *i, int64_t begin, int64_t count, void *out);
};

struct image_type {
  struct measure_sum (*sum)(const struct image *i, int64_t cell);
  const struct image_array *arrays;
  int array_count;
  bool (*is_empty)(const struct image *i, int64_t cell); // all arrays are 0 there
  // Further attributes of the group /throng.
  void (*describe)(const struct image *i, struct snapshot_file *f, hid_t group);
};

struct image {
  const struct image_type *type;
  const struct snapshot_metadata *metadata;
  const struct measure_grid *grid;
  const void *source;     // of the cells
  int64_t since, samples; // the samples are of later steps; their number
};
double image_side(const struct image *i); // of a cell, m
// Arrays that both kinds of images have: mean density and speed, and people.
void image_fill_density(const struct image *i, int64_t begin, int64_t count, void *out);
void image_fill_speed(const struct image *i, int64_t begin, int64_t count, void *out);
void image_fill_people(const struct image *i, int64_t begin, int64_t count, void *out);
#define IMAGE_SPEED                                                                                \
  {                                                                                                \
    "speed", "m/s", "mean over everybody seen in the cell; 0 where nobody was", NUMBER_F32, 1,     \
        image_fill_speed                                                                           \
  }
#define IMAGE_PEOPLE                                                                               \
  {                                                                                                \
    "people", "1", "persons seen in the cell, summed over the samples", NUMBER_I64, 1,             \
        image_fill_people                                                                          \
  }

// Of so many agents in so many samples of a cell; 1/m^2.
static inline double image_density(int64_t agents, int64_t samples, double side)
{
  return (double)agents / ((double)samples * side * side);
}

// Writes path.tmp and renames it, without a call of MPI.
enum snapshot_result image_write(const struct image *i, const char *path);
