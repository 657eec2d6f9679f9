// The totals of a run: what happened in each cell of the grid.
#include "snapshot_image.h"

#include <assert.h>

struct source {
  const struct snapshot_totals *totals;
  double side; // of a cell, m
};

static const struct totals_cell *cell_at(const void *source, int64_t cell)
{
  return &((const struct source *)source)->totals->cells[cell];
}

// Of so many agents in so many samples.
static float density(const void *source, int64_t agents, int64_t samples)
{
  const double side = ((const struct source *)source)->side;
  return (float)((double)agents / ((double)samples * side * side));
}

static void fill_density(const void *source, int64_t begin, int64_t count, void *out)
{
  const int64_t samples = ((const struct source *)source)->totals->samples;
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = density(source, cell_at(source, begin + i)->sum.people, samples);
}

static void fill_max_density(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = density(source, cell_at(source, begin + i)->most, 1);
}

static void fill_max_mean(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = cell_at(source, begin + i)->most_mean;
}

static void fill_speed(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = snapshot_mean_speed(&cell_at(source, begin + i)->sum);
}

static void fill_people(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)out)[i] = cell_at(source, begin + i)->sum.people;
}

static void fill_delay(const void *source, int64_t begin, int64_t count, void *out)
{
  const double seconds = 1e-6 * ((const struct source *)source)->totals->sample;
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = (float)(seconds * (double)cell_at(source, begin + i)->delay);
}

// Samples at a level or a higher one.
static void fill_samples_above(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++) {
    int32_t above = 0;
    for (int k = TOTALS_LEVELS - 1; k >= 0; k--)
      ((int32_t *)out)[i * TOTALS_LEVELS + k] = above += cell_at(source, begin + i)->highest[k];
  }
}

static void fill_side(const void *source, int64_t begin, int64_t count, enum cell_side side,
                      int64_t *out)
{
  for (int64_t i = 0; i < count; i++)
    out[i] = cell_at(source, begin + i)->crossed[side];
}

static void fill_east(const void *source, int64_t begin, int64_t count, void *out)
{
  fill_side(source, begin, count, CELL_EAST, out);
}

static void fill_west(const void *source, int64_t begin, int64_t count, void *out)
{
  fill_side(source, begin, count, CELL_WEST, out);
}

static void fill_north(const void *source, int64_t begin, int64_t count, void *out)
{
  fill_side(source, begin, count, CELL_NORTH, out);
}

static void fill_south(const void *source, int64_t begin, int64_t count, void *out)
{
  fill_side(source, begin, count, CELL_SOUTH, out);
}

static const struct image_array arrays[] = {
    {"density", "1/m^2", "persons per square metre of the cell, mean of all samples", NUMBER_F32, 1,
     fill_density},
    {"max_density", "1/m^2", "highest density of one sample", NUMBER_F32, 1, fill_max_density},
    {"max_mean_density", "1/m^2", "highest mean density of an interval of the density files",
     NUMBER_F32, 1, fill_max_mean},
    {"speed", "m/s", "mean over everybody seen in the cell; 0 where nobody was", NUMBER_F32, 1,
     fill_speed},
    {"people", "1", "persons seen in the cell, summed over the samples", NUMBER_I64, 1,
     fill_people},
    {"delay", "s", "person-seconds that those who walked lost against their preferred speed",
     NUMBER_F32, 1, fill_delay},
    {"samples_above", "1", "samples with a density of levels[k] or more", NUMBER_I32, TOTALS_LEVELS,
     fill_samples_above},
    {"crossed_east", "1", "crossings of the right edge of the cell to the right", NUMBER_I64, 1,
     fill_east},
    {"crossed_west", "1", "crossings of the right edge of the cell to the left", NUMBER_I64, 1,
     fill_west},
    {"crossed_north", "1", "crossings of the upper edge of the cell upwards", NUMBER_I64, 1,
     fill_north},
    {"crossed_south", "1", "crossings of the upper edge of the cell downwards", NUMBER_I64, 1,
     fill_south}};

static bool is_empty(const void *source, int64_t cell)
{
  const struct totals_cell *c = cell_at(source, cell);
  return (c->sum.people | c->crossed[CELL_EAST] | c->crossed[CELL_WEST] | c->crossed[CELL_NORTH] |
          c->crossed[CELL_SOUTH]) == 0;
}

static void describe(struct snapshot_file *f, hid_t group, const void *source)
{
  const struct snapshot_totals *totals = ((const struct source *)source)->totals;
  snapshot_attribute(f, group, "sample", H5T_NATIVE_DOUBLE, 1, &totals->sample);
  snapshot_attribute(f, group, "levels", H5T_NATIVE_DOUBLE, TOTALS_LEVELS, totals_levels);
  snapshot_attribute(f, group, "hbs_limits", H5T_NATIVE_DOUBLE, FRUIN_LEVELS - 1, hbs_limits);
  snapshot_attribute_text(f, group, "units",
                          "time, sample: s; cell, origin: m; fruin_limits, hbs_limits, levels: "
                          "1/m^2; since: the step after which the samples begin");
}

enum snapshot_result snapshot_write_totals(const char *path, const struct snapshot_totals *totals)
{
  struct source source = {.totals = totals};
  const struct image image = {.metadata = totals->metadata,
                              .grid = totals->grid,
                              .arrays = arrays,
                              .array_count = sizeof arrays / sizeof *arrays,
                              .source = &source,
                              .is_empty = is_empty,
                              .describe = describe,
                              .samples = totals->samples};
  assert(totals->samples > 0);
  source.side = image_side(&image);
  return image_write(&image, path);
}
