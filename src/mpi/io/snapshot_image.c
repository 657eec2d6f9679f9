#include "snapshot_image.h"

#include "worker.h"
#include <math.h>
#include <string.h>

#define CHUNK          64         // cells along the side of a chunk
#define CHUNK_OVERHEAD 200        // bytes: entries of the trees that find a chunk of an array
#define FILE_OVERHEAD  (96 << 10) // bytes: all the rest

// ------------------------------------------------------------------------------------ cells

double image_side(const struct image *i)
{
  return i->grid->cell * ldexp(1, -i->metadata->frame->exponent);
}

void image_fill_density(const struct image *i, int64_t begin, int64_t count, void *out)
{
  const double side = image_side(i);
  for (int64_t k = 0; k < count; k++)
    ((float *)out)[k] = (float)image_density(i->type->sum(i, begin + k).people, i->samples, side);
}

void image_fill_speed(const struct image *i, int64_t begin, int64_t count, void *out)
{
  for (int64_t k = 0; k < count; k++)
    ((float *)out)[k] = snapshot_mean_speed(i->type->sum(i, begin + k));
}

void image_fill_people(const struct image *i, int64_t begin, int64_t count, void *out)
{
  for (int64_t k = 0; k < count; k++)
    ((int64_t *)out)[k] = i->type->sum(i, begin + k).people;
}

// ----------------------------------------------------------------------------------- chunks

// Cells that are compressed together. A chunk that is not stored reads as 0, so that those of the
// sea and of blocks of houses, which nobody entered, are left out.
struct chunks {
  int32_t side_rows, side_columns; // cells
  int64_t rows, columns;           // chunks
  int64_t *entered; // [entered_count] ascending: where somebody was seen; at first marks of all
  int64_t entered_count;
};

struct chunk { // cells of the grid: those at the border may be smaller
  int64_t row, column, rows, columns;
};

static struct chunk chunk_at(const struct chunks *c, const struct measure_grid *g, int64_t number)
{
  struct chunk k = {number / c->columns * c->side_rows, number % c->columns * c->side_columns,
                    c->side_rows, c->side_columns};
  k.rows = g->rows - k.row < k.rows ? g->rows - k.row : k.rows;
  k.columns = g->columns - k.column < k.columns ? g->columns - k.column : k.columns;
  return k;
}

struct marking { // of the chunks of an image
  const struct image *image;
  const struct chunks *chunks;
};

static void mark_entered(void *marking, int64_t number, int thread)
{
  const struct marking *m = marking;
  const struct measure_grid *g = m->image->grid;
  const struct chunk k = chunk_at(m->chunks, g, number);
  bool entered = false;
  for (int64_t row = k.row; row < k.row + k.rows; row++)
    for (int64_t column = k.column; column < k.column + k.columns; column++)
      entered |= !m->image->type->is_empty(m->image, row * g->columns + column);
  m->chunks->entered[number] = entered;
  (void)thread;
}

static struct chunks chunks_create(const struct image *i)
{
  const struct measure_grid *g = i->grid;
  struct chunks c = {.side_rows = g->rows < CHUNK ? g->rows : CHUNK,
                     .side_columns = g->columns < CHUNK ? g->columns : CHUNK};
  c.rows = (g->rows + c.side_rows - 1) / c.side_rows;
  c.columns = (g->columns + c.side_columns - 1) / c.side_columns;
  const int64_t count = c.rows * c.columns;
  c.entered = memory_create((size_t)count, sizeof *c.entered); // at first marks
  struct marking marking = {i, &c};
  worker_loop(&(struct worker_loop){.count = count, .make = mark_entered, .context = &marking});
  for (int64_t k = 0; k < count; k++) // in place
    if (c.entered[k])
      c.entered[c.entered_count++] = k;
  return c;
}

static size_t array_size(const struct image_array *a) // bytes per cell
{
  return (size_t)(a->width * number_size(a->number));
}

// The most bytes that the arrays take.
static int64_t chunks_bytes(const struct image *i, const struct chunks *c)
{
  const int64_t cells = (int64_t)c->side_rows * c->side_columns;
  int64_t each = 0;
  for (int k = 0; k < i->type->array_count; k++)
    each += (int64_t)array_size(&i->type->arrays[k]) * cells + CHUNK_OVERHEAD;
  return each * c->entered_count;
}

// The n-th one that was entered.
static struct chunk chunk_of(const struct chunks *c, const struct measure_grid *g, int64_t n)
{
  return chunk_at(c, g, c->entered[n]);
}

// ----------------------------------------------------------------------------------- arrays

static int array_rank(const struct image_array *a)
{
  return a->width > 1 ? 4 : 3;
}

struct image_chunks { // of an array
  const struct image *image;
  const struct image_array *array;
  const struct chunks *chunks;
};

static bool is_zero(const char *bytes, size_t count)
{
  return bytes[0] == 0 && memcmp(bytes, bytes + 1, count - 1) == 0;
}

// Cells beyond the grid are 0.
static bool fill_chunk(const void *source, int64_t n, void *out)
{
  const struct image_chunks *a = source;
  const struct chunks *c = a->chunks;
  const struct image *i = a->image;
  const int64_t size = (int64_t)array_size(a->array);
  const struct chunk k = chunk_of(c, i->grid, n);
  for (int64_t row = 0; row < k.rows; row++)
    a->array->fill(i, (k.row + row) * i->grid->columns + k.column, k.columns,
                   (char *)out + row * c->side_columns * size);
  return !is_zero(out, (size_t)(c->side_rows * c->side_columns * size));
}

static void chunk_offset(const void *source, int64_t n, hsize_t *offset)
{
  const struct image_chunks *a = source;
  const struct chunk k = chunk_of(a->chunks, a->image->grid, n);
  offset[1] = (hsize_t)k.row;
  offset[2] = (hsize_t)k.column;
}

// Integers are small counts and levels, whose upper bytes are 0.
static enum deflate_search array_search(const struct image_array *a)
{
  return a->number == NUMBER_I32 || a->number == NUMBER_I64 ? DEFLATE_RUNS : DEFLATE_MATCHES;
}

static void chunks_write(struct snapshot_file *file, hid_t dataset, const struct image_array *a,
                         const struct image *i, const struct chunks *c)
{
  const struct image_chunks source = {i, a, c};
  const struct snapshot_chunks chunks = {.name = a->name,
                                         .count = c->entered_count,
                                         .values =
                                             (int64_t)c->side_rows * c->side_columns * a->width,
                                         .size = (int64_t)array_size(a) / a->width,
                                         .search = array_search(a),
                                         .fill = fill_chunk,
                                         .offset = chunk_offset,
                                         .source = &source};
  snapshot_chunks_write(file, dataset, &chunks);
}

static hid_t layout_create(const struct snapshot_file *file, const struct image_array *a,
                           const struct chunks *c)
{
  const hid_t list = H5Pcreate(H5P_DATASET_CREATE);
  const hsize_t chunk[] = {1, (hsize_t)c->side_rows, (hsize_t)c->side_columns, (hsize_t)a->width};
  H5Pset_chunk(list, array_rank(a), chunk);
  H5Pset_obj_track_times(list, false);
  if (file->compression == 0)
    return list;
  H5Pset_shuffle(list);
  H5Pset_deflate(list, (unsigned)file->compression);
  H5Pset_fletcher32(list);
  return list;
}

static hid_t array_create(struct snapshot_file *file, hid_t where, const struct image_array *a,
                          const struct measure_grid *g, const struct chunks *c)
{
  const hsize_t dims[] = {1, (hsize_t)g->rows, (hsize_t)g->columns, (hsize_t)a->width};
  const hid_t space = H5Screate_simple(array_rank(a), dims, NULL);
  const hid_t list = layout_create(file, a, c);
  const hid_t dataset = H5Dcreate2(where, a->name, snapshot_number_type(a->number), space,
                                   H5P_DEFAULT, list, H5P_DEFAULT);
  snapshot_check(file, dataset, a->name);
  H5Sclose(space);
  H5Pclose(list);
  return dataset;
}

static void array_write(struct snapshot_file *file, hid_t where, const struct image_array *a,
                        const struct image *i, const struct chunks *c)
{
  if (!file->ok)
    return;
  const hid_t dataset = array_create(file, where, a, i->grid, c);
  if (!snapshot_agree(file))
    return;
  snapshot_attribute_text(file, dataset, "unit", a->unit);
  snapshot_attribute_text(file, dataset, "description", a->description);
  chunks_write(file, dataset, a, i, c);
  snapshot_check(file, H5Dclose(dataset), a->name);
  snapshot_agree(file);
}

// ------------------------------------------------------------------------------------- file

// The image is one cell thick: VTK's reader requires three dimensions.
static void vtk_write(struct snapshot_file *file, const struct image *i, const struct chunks *c)
{
  const struct frame *frame = i->metadata->frame;
  const double side = image_side(i);
  const int64_t version[2] = {1, 0};
  const int64_t extent[6] = {0, i->grid->columns, 0, i->grid->rows, 0, 1};
  const double origin[3] = {frame_x(frame, i->grid->origin.x), frame_y(frame, i->grid->origin.y),
                            0};
  const double spacing[3] = {side, side, side}, direction[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
  const hid_t group = snapshot_group_create(file, file->file, "VTKHDF");
  snapshot_attribute(file, group, "Version", H5T_NATIVE_INT64, 2, version);
  snapshot_attribute_text(file, group, "Type", "ImageData");
  snapshot_attribute(file, group, "WholeExtent", H5T_NATIVE_INT64, 6, extent);
  snapshot_attribute(file, group, "Origin", H5T_NATIVE_DOUBLE, 3, origin);
  snapshot_attribute(file, group, "Spacing", H5T_NATIVE_DOUBLE, 3, spacing);
  snapshot_attribute(file, group, "Direction", H5T_NATIVE_DOUBLE, 9, direction);
  const hid_t data = snapshot_group_create(file, group, "CellData");
  for (int k = 0; k < i->type->array_count; k++)
    array_write(file, data, &i->type->arrays[k], i, c);
  snapshot_group_close(file, data);
  snapshot_group_close(file, group);
}

static void throng_write(struct snapshot_file *file, const struct image *i)
{
  const struct snapshot_metadata *metadata = i->metadata;
  const double cell = image_side(i);
  const hid_t group = snapshot_group_create(file, file->file, "throng");
  snapshot_attribute(file, group, "step", H5T_NATIVE_INT64, 1, &metadata->step);
  snapshot_attribute(file, group, "time", H5T_NATIVE_DOUBLE, 1, &metadata->time);
  snapshot_attribute(file, group, "since", H5T_NATIVE_INT64, 1, &i->since);
  snapshot_attribute(file, group, "samples", H5T_NATIVE_INT64, 1, &i->samples);
  snapshot_attribute(file, group, "cell", H5T_NATIVE_DOUBLE, 1, &cell);
  snapshot_points_frame_write(file, group, metadata->frame);
  snapshot_attribute(file, group, "fruin_limits", H5T_NATIVE_DOUBLE, FRUIN_LEVELS - 1,
                     fruin_limits);
  i->type->describe(i, file, group);
  snapshot_provenance_write(file, group, metadata);
  snapshot_group_close(file, group);
}

enum snapshot_result image_write(const struct image *i, const char *path)
{
  const struct comm self = comm_self();
  const struct chunks chunks = chunks_create(i);
  const int64_t bytes = FILE_OVERHEAD + chunks_bytes(i, &chunks);
  struct snapshot_file file;
  enum snapshot_result result =
      snapshot_file_create(&file, &self, path, bytes, i->metadata->compression, false);
  if (result == SNAPSHOT_WRITTEN) {
    vtk_write(&file, i, &chunks);
    throng_write(&file, i);
    result = snapshot_file_publish(&file);
  }
  memory_destroy(chunks.entered);
  return result;
}
