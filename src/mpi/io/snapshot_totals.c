// The totals of a run: what happened in each cell of the grid.
#include "snapshot_image.h"

#include <assert.h>

static const struct run_totals *totals_of(const struct image *i)
{
  return ((const struct snapshot_totals *)i->source)->cells;
}

static struct measure_sum sum_at(const struct image *i, int64_t cell)
{
  return run_totals_sum(totals_of(i), cell);
}

static const struct cell_samples *samples_at(const struct image *i, int64_t cell)
{
  return &totals_of(i)->cells.cells[cell];
}

static int64_t crossed_at(const struct image *i, int64_t cell, enum cell_side side)
{
  return totals_of(i)->cells.crossed[CELL_SIDES * cell + side];
}

static void fill_max_density(const struct image *i, int64_t begin, int64_t count, void *out)
{
  const double side = image_side(i);
  for (int64_t k = 0; k < count; k++)
    ((float *)out)[k] = (float)image_density(samples_at(i, begin + k)->most, 1, side);
}

static void fill_max_mean(const struct image *i, int64_t begin, int64_t count, void *out)
{
  for (int64_t k = 0; k < count; k++)
    ((float *)out)[k] = run_totals_max_mean(totals_of(i), begin + k);
}

static void fill_delay(const struct image *i, int64_t begin, int64_t count, void *out)
{
  const double seconds = 1e-6 * ((const struct snapshot_totals *)i->source)->sample;
  for (int64_t k = 0; k < count; k++)
    ((float *)out)[k] = (float)(seconds * (double)samples_at(i, begin + k)->delay);
}

// Samples at a level or a higher one.
static void fill_samples_above(const struct image *i, int64_t begin, int64_t count, void *out)
{
  for (int64_t k = 0; k < count; k++) {
    const int32_t *highest = samples_at(i, begin + k)->highest;
    int32_t above = 0;
    for (int level = TOTALS_LEVELS - 1; level >= 0; level--)
      ((int32_t *)out)[k * TOTALS_LEVELS + level] = above += highest[level];
  }
}

static void fill_side(const struct image *i, int64_t begin, int64_t count, enum cell_side side,
                      int64_t *out)
{
  for (int64_t k = 0; k < count; k++)
    out[k] = crossed_at(i, begin + k, side);
}

static void fill_east(const struct image *i, int64_t begin, int64_t count, void *out)
{
  fill_side(i, begin, count, CELL_EAST, out);
}

static void fill_west(const struct image *i, int64_t begin, int64_t count, void *out)
{
  fill_side(i, begin, count, CELL_WEST, out);
}

static void fill_north(const struct image *i, int64_t begin, int64_t count, void *out)
{
  fill_side(i, begin, count, CELL_NORTH, out);
}

static void fill_south(const struct image *i, int64_t begin, int64_t count, void *out)
{
  fill_side(i, begin, count, CELL_SOUTH, out);
}

static const struct image_array arrays[] = {
    {"density", "1/m^2", "persons per square metre of the cell, mean of all samples", NUMBER_F32, 1,
     image_fill_density},
    {"max_density", "1/m^2", "highest density of one sample", NUMBER_F32, 1, fill_max_density},
    {"max_mean_density", "1/m^2", "highest mean density of an interval of the density files",
     NUMBER_F32, 1, fill_max_mean},
    IMAGE_SPEED,
    IMAGE_PEOPLE,
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

static bool is_empty(const struct image *i, int64_t cell)
{
  int64_t any = sum_at(i, cell).people;
  for (int side = 0; side < CELL_SIDES; side++)
    any |= crossed_at(i, cell, side);
  return any == 0;
}

static void describe(const struct image *i, struct snapshot_file *f, hid_t group)
{
  const struct snapshot_totals *totals = i->source;
  snapshot_attribute(f, group, "sample", H5T_NATIVE_DOUBLE, 1, &totals->sample);
  snapshot_attribute(f, group, "levels", H5T_NATIVE_DOUBLE, TOTALS_LEVELS, totals_levels);
  snapshot_attribute(f, group, "hbs_limits", H5T_NATIVE_DOUBLE, FRUIN_LEVELS - 1, hbs_limits);
  snapshot_attribute_text(
      f, group, "units",
      "time, sample: s; cell, origin, frame_origin, quantum: m; fruin_limits, hbs_limits, levels: "
      "1/m^2; since: the step after which the samples begin");
}

static const struct image_type totals_type = {sum_at, arrays, sizeof arrays / sizeof *arrays,
                                              is_empty, describe};

enum snapshot_result snapshot_write_totals(const char *path, const struct snapshot_totals *totals)
{
  const struct image image = {.type = &totals_type,
                              .metadata = totals->metadata,
                              .grid = totals->grid,
                              .source = totals,
                              .samples = totals->samples};
  assert(totals->samples > 0);
  return image_write(&image, path);
}
