// Density fields as VTKHDF ImageData: one cell per grid cell.
#include "snapshot_file.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#define CHUNK          64         // cells along the side of a chunk
#define CELL_BYTES     20         // of a cell in all arrays
#define CHUNK_OVERHEAD (4 * 200)  // bytes: entries of the trees that find the chunks of four arrays
#define FILE_OVERHEAD  (96 << 10) // bytes: all the rest

void snapshot_field_name(int64_t step, char *name, size_t size)
{
  snprintf(name, size, "density-%08" PRId64 ".vtkhdf", step);
}

// ----------------------------------------------------------------------------------- values

static double cell_side(const struct snapshot_field *f) // m
{
  return f->grid->cell * ldexp(1, -f->metadata->frame->exponent);
}

static double cell_density(const struct snapshot_field *f, int64_t cell)
{
  const double side = cell_side(f);
  return (double)f->cells[cell].people / ((double)f->samples * side * side);
}

static void fill_density(const struct snapshot_field *f, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((float *)out)[i] = (float)cell_density(f, begin + i);
}

static void fill_speed(const struct snapshot_field *f, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++) {
    const struct measure_sum *s = &f->cells[begin + i];
    ((float *)out)[i] = s->people ? (float)(1e-6 * (double)s->speed / (double)s->people) : 0;
  }
}

static void fill_level(const struct snapshot_field *f, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((int32_t *)out)[i] = fruin_level(cell_density(f, begin + i));
}

static void fill_people(const struct snapshot_field *f, int64_t begin, int64_t count, void *out)
{
  for (int64_t i = 0; i < count; i++)
    ((int64_t *)out)[i] = f->cells[begin + i].people;
}

struct array {
  const char *name, *unit, *description;
  enum number_type number;
  void (*fill)(const struct snapshot_field *f, int64_t begin, int64_t count, void *out);
};
static const struct array arrays[] = {
    {"density", "1/m^2", "persons per square metre of the cell, mean of the samples", NUMBER_F32,
     fill_density},
    {"speed", "m/s", "mean over everybody seen in the cell; 0 where nobody was", NUMBER_F32,
     fill_speed},
    {"level", "1", "Fruin's level of service of that density: A 0 to F 5", NUMBER_I32, fill_level},
    {"people", "1", "persons seen in the cell, summed over the samples", NUMBER_I64, fill_people}};

// ------------------------------------------------------------------------------------- file

// Cells that are compressed together. A chunk that is not stored reads as 0, so that those of the
// sea and of blocks of houses, which nobody entered, are left out.
struct chunks {
  int32_t side_rows, side_columns; // cells
  int64_t rows, columns;           // chunks
  uint8_t *entered;                // [rows * columns] somebody was seen there
};

struct chunk { // cells of the grid: those at the border may be smaller
  int64_t row, column, rows, columns;
};

static struct chunks chunks_create(const struct snapshot_field *f)
{
  const struct measure_grid *g = f->grid;
  struct chunks c = {.side_rows = g->rows < CHUNK ? g->rows : CHUNK,
                     .side_columns = g->columns < CHUNK ? g->columns : CHUNK};
  c.rows = (g->rows + c.side_rows - 1) / c.side_rows;
  c.columns = (g->columns + c.side_columns - 1) / c.side_columns;
  c.entered = memory_create((size_t)(c.rows * c.columns), sizeof *c.entered);
  for (int64_t row = 0; row < g->rows; row++)
    for (int64_t column = 0; column < g->columns; column++)
      c.entered[row / c.side_rows * c.columns + column / c.side_columns] |=
          f->cells[row * g->columns + column].people > 0;
  return c;
}

// The most bytes that the arrays take.
static int64_t chunks_bytes(const struct chunks *c)
{
  const int64_t cells = (int64_t)c->side_rows * c->side_columns;
  int64_t bytes = 0;
  for (int64_t k = 0; k < c->rows * c->columns; k++)
    bytes += c->entered[k] ? CELL_BYTES * cells + CHUNK_OVERHEAD : 0;
  return bytes;
}

static struct chunk chunk_of(const struct chunks *c, const struct measure_grid *g, int64_t number)
{
  struct chunk k = {number / c->columns * c->side_rows, number % c->columns * c->side_columns,
                    c->side_rows, c->side_columns};
  k.rows = g->rows - k.row < k.rows ? g->rows - k.row : k.rows;
  k.columns = g->columns - k.column < k.columns ? g->columns - k.column : k.columns;
  return k;
}

// values: room for a chunk of any type.
static void chunk_write(struct snapshot_file *file, hid_t dataset, hid_t space,
                        const struct array *a, const struct snapshot_field *f, struct chunk k,
                        void *values)
{
  const hsize_t start[] = {0, (hsize_t)k.row, (hsize_t)k.column};
  const hsize_t count[] = {1, (hsize_t)k.rows, (hsize_t)k.columns};
  const hid_t memory = H5Screate_simple(3, count, NULL);
  const size_t size = H5Tget_size(snapshot_number_type(a->number));
  for (int64_t row = 0; row < k.rows; row++)
    a->fill(f, (k.row + row) * f->grid->columns + k.column, k.columns,
            (char *)values + (size_t)(row * k.columns) * size);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, count, NULL);
  snapshot_check(
      file,
      H5Dwrite(dataset, snapshot_number_type(a->number), memory, space, file->transfer, values),
      a->name);
  H5Sclose(memory);
}

static hid_t layout_create(const struct snapshot_file *file, const struct chunks *c)
{
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {1, (hsize_t)c->side_rows, (hsize_t)c->side_columns};
  H5Pset_chunk(list, 3, chunk);
  if (file->compression == 0)
    return list;
  H5Pset_shuffle(list);
  H5Pset_deflate(list, (unsigned)file->compression);
  H5Pset_fletcher32(list);
  return list;
}

static void array_write(struct snapshot_file *file, hid_t where, const struct array *a,
                        const struct snapshot_field *f, const struct chunks *c)
{
  if (!file->ok)
    return;
  const hsize_t dims[] = {1, (hsize_t)f->grid->rows, (hsize_t)f->grid->columns};
  const hid_t space = H5Screate_simple(3, dims, NULL), list = layout_create(file, c);
  const hid_t dataset = H5Dcreate2(where, a->name, snapshot_number_type(a->number), space,
                                   H5P_DEFAULT, list, H5P_DEFAULT);
  snapshot_check(file, dataset, a->name);
  if (snapshot_agree(file)) {
    snapshot_attribute_text(file, dataset, "unit", a->unit);
    snapshot_attribute_text(file, dataset, "description", a->description);
    void *values = memory_create(CHUNK * CHUNK, sizeof(int64_t));
    for (int64_t k = 0; k < c->rows * c->columns && file->rank_ok; k++)
      if (c->entered[k])
        chunk_write(file, dataset, space, a, f, chunk_of(c, f->grid, k), values);
    memory_destroy(values);
    snapshot_check(file, H5Dclose(dataset), a->name);
    snapshot_agree(file);
  }
  H5Sclose(space);
  H5Pclose(list);
}

// The image is one cell thick: VTK's reader requires three dimensions.
static void image_write(struct snapshot_file *file, const struct snapshot_field *f,
                        const struct chunks *c)
{
  const double quantum = ldexp(1, -f->metadata->frame->exponent), side = cell_side(f);
  const int64_t version[2] = {1, 0};
  const int64_t extent[6] = {0, f->grid->columns, 0, f->grid->rows, 0, 1};
  const double origin[3] = {f->grid->origin.x * quantum, f->grid->origin.y * quantum, 0};
  const double spacing[3] = {side, side, side}, direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const hid_t image = snapshot_group_create(file, file->file, "VTKHDF");
  snapshot_attribute(file, image, "Version", H5T_NATIVE_INT64, 2, version);
  snapshot_attribute_text(file, image, "Type", "ImageData");
  snapshot_attribute(file, image, "WholeExtent", H5T_NATIVE_INT64, 6, extent);
  snapshot_attribute(file, image, "Origin", H5T_NATIVE_DOUBLE, 3, origin);
  snapshot_attribute(file, image, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing);
  snapshot_attribute(file, image, "Direction", H5T_NATIVE_DOUBLE, 9, direction);
  const hid_t data = snapshot_group_create(file, image, "CellData");
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++)
    array_write(file, data, &arrays[k], f, c);
  snapshot_group_close(file, data);
  snapshot_group_close(file, image);
}

static void throng_write(struct snapshot_file *file, const struct snapshot_field *f)
{
  const struct snapshot_metadata *metadata = f->metadata;
  const double origin[2] = {metadata->frame->origin_x, metadata->frame->origin_y};
  const double cell = cell_side(f);
  const hid_t group = snapshot_group_create(file, file->file, "throng");
  snapshot_attribute(file, group, "step", H5T_NATIVE_INT64, 1, &metadata->step);
  snapshot_attribute(file, group, "time", H5T_NATIVE_DOUBLE, 1, &metadata->time);
  snapshot_attribute(file, group, "since", H5T_NATIVE_INT64, 1, &f->since);
  snapshot_attribute(file, group, "samples", H5T_NATIVE_INT64, 1, &f->samples);
  snapshot_attribute(file, group, "cell", H5T_NATIVE_DOUBLE, 1, &cell);
  snapshot_attribute(file, group, "origin", H5T_NATIVE_DOUBLE, 2, origin);
  snapshot_attribute(file, group, "fruin_limits", H5T_NATIVE_DOUBLE, FRUIN_LEVELS - 1,
                     fruin_limits);
  snapshot_attribute_text(file, group, "units",
                          "time: s; cell, origin: m; fruin_limits: 1/m^2; since: the step after "
                          "which the samples begin");
  snapshot_provenance_write(file, group, metadata);
  snapshot_group_close(file, group);
}

static enum snapshot_result write_serial(const char *path, const struct snapshot_field *f)
{
  const struct comm self = comm_self();
  const struct chunks chunks = chunks_create(f);
  const int64_t bytes = FILE_OVERHEAD + chunks_bytes(&chunks);
  struct snapshot_file file;
  enum snapshot_result result =
      snapshot_file_create(&file, &self, path, bytes, f->metadata->compression, false);
  if (result == SNAPSHOT_WRITTEN) {
    image_write(&file, f, &chunks);
    throng_write(&file, f);
    result = snapshot_file_publish(&file);
  }
  memory_destroy(chunks.entered);
  return result;
}

enum snapshot_result snapshot_write_field(const struct comm *c, const char *path,
                                          const struct snapshot_field *field)
{
  enum snapshot_result result = SNAPSHOT_WRITTEN;
  const int64_t cells = measure_cell_count(field->grid);
  assert(comm_is_valid(c) && field->samples > 0);
  if (cells > 0)
    comm_reduce_i64(c, &field->cells->people, 2 * cells); // people, speed of each cell
  if (c->rank == 0)
    result = write_serial(path, field);
  comm_broadcast(c, &result, sizeof result, 0);
  return result;
}
