// Density fields: the sums of an interval.
#include "snapshot_image.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>

void snapshot_field_name(int64_t step, char *name, size_t size)
{
  snprintf(name, size, "density-%08" PRId64 ".vtkhdf", step);
}

static struct measure_sum sum_at(const struct image *i, int64_t cell)
{
  return ((const struct snapshot_field *)i->source)->cells[cell];
}

static void fill_level(const struct image *i, int64_t begin, int64_t count, void *out)
{
  const double side = image_side(i);
  for (int64_t k = 0; k < count; k++)
    ((int32_t *)out)[k] = fruin_level(image_density(sum_at(i, begin + k).people, i->samples, side));
}

static const struct image_array arrays[] = {
    {"density", "1/m^2", "persons per square metre of the cell, mean of the samples", NUMBER_F32, 1,
     image_fill_density},
    IMAGE_SPEED,
    {"level", "1", "Fruin's level of service of that density: A 0 to F 5", NUMBER_I32, 1,
     fill_level},
    IMAGE_PEOPLE};

static bool is_empty(const struct image *i, int64_t cell)
{
  return sum_at(i, cell).people == 0;
}

static void describe(const struct image *i, struct snapshot_file *f, hid_t group)
{
  (void)i;
  snapshot_attribute_text(f, group, "units",
                          "time: s; cell, origin, frame_origin, quantum: m; fruin_limits: 1/m^2; "
                          "since: the step after which the samples begin");
}

static const struct image_type field_type = {sum_at, arrays, sizeof arrays / sizeof *arrays,
                                             is_empty, describe};

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
  const struct image image = {.type = &field_type,
                              .metadata = field->metadata,
                              .grid = field->grid,
                              .source = field,
                              .since = field->since,
                              .samples = field->samples};
  assert(comm_is_valid(c) && field->samples > 0);
  if (c->rank == 0)
    result = image_write(&image, path);
  comm_broadcast(c, &result, sizeof result, 0);
  return result;
}
