// Density fields: the sums of an interval.
#include "snapshot_image.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

void snapshot_field_name(int64_t step, char *name, size_t size)
{
  snprintf(name, size, "density-%08" PRId64 ".vtkhdf", step);
}

struct source {
  const struct snapshot_field *field;
  double side; // of a cell, m
};

static const struct measure_sum *cell_at(const void *source, int64_t cell)
{
  return &((const struct source *)source)->field->cells[cell];
}

static double cell_density(const void *source, int64_t cell)
{
  const struct source *f = source;
  return (double)cell_at(f, cell)->people / ((double)f->field->samples * f->side * f->side);
}

static void fill_density(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = (float)cell_density(source, begin + i);
}

static void fill_speed(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = snapshot_mean_speed(cell_at(source, begin + i));
}

static void fill_level(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((int32_t *)out)[i] = fruin_level(cell_density(source, begin + i));
}

static void fill_people(const void *source, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)out)[i] = cell_at(source, begin + i)->people;
}

static const struct image_array arrays[] = {
    {"density", "1/m^2", "persons per square metre of the cell, mean of the samples", NUMBER_F32, 1,
     fill_density},
    {"speed", "m/s", "mean over everybody seen in the cell; 0 where nobody was", NUMBER_F32, 1,
     fill_speed},
    {"level", "1", "Fruin's level of service of that density: A 0 to F 5", NUMBER_I32, 1,
     fill_level},
    {"people", "1", "persons seen in the cell, summed over the samples", NUMBER_I64, 1,
     fill_people}};

static bool is_empty(const void *source, int64_t cell)
{
  return cell_at(source, cell)->people == 0;
}

static void describe(struct snapshot_file *f, hid_t group, const void *source)
{
  (void)source;
  snapshot_attribute_text(f, group, "units",
                          "time: s; cell, origin: m; fruin_limits: 1/m^2; since: the step after "
                          "which the samples begin");
}

void snapshot_field_sum(const struct comm *c, const struct snapshot_field *field)
{
  const int64_t cells = measure_cell_count(field->grid);
  assert(comm_is_valid(c));
  if (cells > 0)
    comm_reduce_i64(c, &field->cells->people, 2 * cells); // people, speed of each cell
}

enum snapshot_result snapshot_write_field(const struct comm *c, const char *path,
                                          const struct snapshot_field *field)
{
  enum snapshot_result result = SNAPSHOT_WRITTEN;
  struct source source = {.field = field};
  const struct image image = {.metadata = field->metadata,
                              .grid = field->grid,
                              .arrays = arrays,
                              .array_count = sizeof arrays / sizeof *arrays,
                              .source = &source,
                              .is_empty = is_empty,
                              .describe = describe,
                              .since = field->since,
                              .samples = field->samples};
  assert(comm_is_valid(c) && field->samples > 0);
  source.side = image_side(&image);
  if (c->rank == 0)
    result = image_write(&image, path);
  comm_broadcast(c, &result, sizeof result, 0);
  return result;
}
