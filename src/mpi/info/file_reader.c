#include "file_reader.h"

#include "message.h"
#include "snapshot_file.h"
#include "utf8.h"
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define PIECE_BYTES (4 << 20) // per read: a damaged file may claim any size

void reader_fail(struct reader *r, const char *format, ...)
{
  if (!r->good)
    return;
  r->good = false;
  char reason[256], text[512];
  snapshot_hdf5_reason(reason, sizeof reason);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  message_print(reason[0] ? "%s: %s (HDF5: %s)" : "%s: %s%s", r->path, text, reason);
}

struct reader_dataset reader_shape(hid_t dataset)
{
  hsize_t dims[2] = {0, 1};
  const hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank == 1 || rank == 2)
    H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  const bool ours = (rank == 1 || rank == 2) && dims[0] <= INT64_MAX && dims[1] <= 1 << 20;
  return ours ? (struct reader_dataset){(int64_t)dims[0], (int64_t)dims[1]}
              : (struct reader_dataset){0, 0};
}

void reader_rows(struct reader *r, hid_t dataset, const char *name, hid_t type,
                 void (*visit)(struct reader *r, int64_t count, const void *values))
{
  const struct reader_dataset shape = reader_shape(dataset);
  const size_t row = H5Tget_size(type) * (size_t)(shape.width ? shape.width : 1);
  if (shape.width == 0 || row == 0 || row > PIECE_BYTES)
    reader_fail(r, "%s has a shape that throng does not write", name);
  else if (shape.rows > snapshot_rows_limit(r->bytes, (int64_t)row))
    reader_fail(r, "%s has more rows than the file can hold", name);
  if (!r->good || shape.rows == 0)
    return;
  const int64_t rows_max =
      PIECE_BYTES / (int64_t)row < shape.rows ? PIECE_BYTES / (int64_t)row : shape.rows;
  void *buffer = memory_create((size_t)rows_max, row);
  const hid_t space = H5Dget_space(dataset);
  for (int64_t begin = 0; begin < shape.rows && r->good; begin += rows_max) {
    const int64_t count = shape.rows - begin < rows_max ? shape.rows - begin : rows_max;
    const hsize_t start[2] = {(hsize_t)begin, 0};
    const hsize_t extent[2] = {(hsize_t)count, (hsize_t)shape.width};
    const hid_t memory = H5Screate_simple(H5Sget_simple_extent_ndims(space), extent, NULL);
    H5Sselect_hyperslab(space, H5S_SELECT_SET, start, NULL, extent, NULL);
    if (H5Dread(dataset, type, memory, space, H5P_DEFAULT, buffer) < 0)
      reader_fail(r, "%s cannot be read: the file is damaged", name);
    else if (visit)
      visit(r, count, buffer);
    H5Sclose(memory);
  }
  H5Sclose(space);
  memory_destroy(buffer);
}

// Reading a dataset verifies its checksums: do so for every dataset of the file.

static bool checksummed(hid_t dataset)
{
  const hid_t list = H5Dget_create_plist(dataset);
  bool found = H5Pget_layout(list) == H5D_COMPACT; // covered by the checksum of the header
  for (int i = 0; i < H5Pget_nfilters(list); i++) {
    size_t none = 0;
    unsigned flags, config;
    const H5Z_filter_t filter =
        H5Pget_filter2(list, (unsigned)i, &flags, &none, NULL, 0, NULL, &config);
    found |= filter == H5Z_FILTER_FLETCHER32 || filter == H5Z_FILTER_DEFLATE; // zlib has its own
  }
  H5Pclose(list);
  return found;
}

static herr_t read_object(hid_t root, const char *name, const H5O_info_t *info, void *context)
{
  struct reader *r = context;
  if (info->type != H5O_TYPE_DATASET || !r->good)
    return 0;
  const hid_t dataset = H5Dopen2(root, name, H5P_DEFAULT);
  if (dataset < 0) {
    reader_fail(r, "%s cannot be opened: the file is damaged", name);
    return 0;
  }
  const hid_t type = H5Dget_type(dataset);
  const bool cells = r->grid && strncmp(name, CELL_DATA, strlen(CELL_DATA)) == 0;
  r->lacks_checksum |= !checksummed(dataset) && (cells || reader_shape(dataset).rows > 0);
  if (H5Tdetect_class(type, H5T_VLEN) != 0 || H5Tis_variable_str(type) != 0)
    reader_fail(r, "%s has a type that throng does not write", name);
  if (cells)
    grid_array_read(r, dataset, name);
  else
    reader_rows(r, dataset, name, type, NULL);
  H5Tclose(type);
  H5Dclose(dataset);
  return 0;
}

// In native order: to sort the links of a damaged group, HDF5 1.10 makes a table and frees what it
// never filled of it.
void reader_verify(struct reader *r)
{
  if (r->good &&
      H5Ovisit2(r->file, H5_INDEX_NAME, H5_ITER_NATIVE, read_object, r, H5O_INFO_BASIC) < 0)
    reader_fail(r, "cannot be read to its end: the file is damaged");
}

// Attributes of /throng.

static hid_t attribute_open(struct reader *r, const char *name)
{
  return H5Aopen_by_name(r->file, "/throng", name, H5P_DEFAULT, H5P_DEFAULT);
}

int reader_doubles(struct reader *r, const char *object, const char *name, double *out, int most)
{
  const hid_t attribute = H5Aopen_by_name(r->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Aget_space(attribute);
  const hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  const bool good = count > 0 && count <= most && H5Aread(attribute, H5T_NATIVE_DOUBLE, out) >= 0;
  if (!good)
    reader_fail(r, "%s has no %s", object, name);
  H5Sclose(space);
  H5Aclose(attribute);
  return good ? (int)count : 0;
}

bool reader_has_attribute(struct reader *r, const char *name)
{
  return H5Aexists_by_name(r->file, "/throng", name, H5P_DEFAULT) > 0;
}

double reader_double(struct reader *r, const char *name, int index)
{
  double values[2] = {0, 0};
  const hid_t attribute = attribute_open(r, name);
  const hid_t space = H5Aget_space(attribute);
  const hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  if (count < 1 || count > 2 || H5Aread(attribute, H5T_NATIVE_DOUBLE, values) < 0)
    reader_fail(r, "/throng has no %s", name);
  H5Sclose(space);
  H5Aclose(attribute);
  return values[index];
}

int64_t reader_int64(struct reader *r, const char *name)
{
  int64_t value = 0;
  const hid_t attribute = attribute_open(r, name);
  const hid_t space = H5Aget_space(attribute);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(attribute, H5T_NATIVE_INT64, &value) < 0)
    reader_fail(r, "/throng has no %s", name);
  H5Sclose(space);
  H5Aclose(attribute);
  return value;
}

const char *reader_text(struct reader *r, const char *name, char *out, size_t size)
{
  return reader_text_of(r, "/throng", name, out, size);
}

const char *reader_text_of(struct reader *r, const char *object, const char *name, char *out,
                           size_t size)
{
  out[0] = '\0';
  const hid_t attribute = H5Aopen_by_name(r->file, object, name, H5P_DEFAULT, H5P_DEFAULT);
  const hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  if (stored >= 0)
    H5Tset_cset(type, H5Tget_cset(stored));
  if (stored < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type, out) < 0)
    reader_fail(r, "%s has no %s", object, name);
  out[size - 1] = '\0';
  H5Sclose(space);
  H5Tclose(type);
  H5Tclose(stored);
  H5Aclose(attribute);
  return out;
}

void reader_print_texts(struct reader *r)
{
  static const char *const names[] = {"name", "version", "checksum", "attribution"};
  static const char *const labels[] = {"scenario", "version", "checksum", "data"};
  char line[1024];
  for (int i = 0; i < 4; i++)
    if (reader_has_attribute(r, names[i]))
      printf("  %-11s%s\n", labels[i], printable(reader_text(r, names[i], line, sizeof line)).text);
}

void reader_print_extent(struct reader *r, bool density)
{
  const double width = r->hi[0] - r->lo[0], height = r->hi[1] - r->lo[1];
  double lo[2], hi[2];
  for (int k = 0; k < 2; k++) {
    lo[k] = r->lo[k] + reader_double(r, "origin", k);
    hi[k] = r->hi[k] + reader_double(r, "origin", k);
  }
  printf("  %-11sx %.3f to %.3f m, y %.3f to %.3f m\n", "extent", lo[0], hi[0], lo[1], hi[1]);
  if (reader_has_attribute(r, "centre")) {
    for (int k = 0; k < 2; k++) {
      lo[k] = lo[k] / reader_double(r, "metres_per_degree", k) + reader_double(r, "centre", k);
      hi[k] = hi[k] / reader_double(r, "metres_per_degree", k) + reader_double(r, "centre", k);
    }
    printf("  %-11slongitude %.7f to %.7f, latitude %.7f to %.7f\n", "", lo[0], hi[0], lo[1],
           hi[1]);
  }
  if (density && width * height > 0)
    printf("  %-11s%.4g /m^2 over these %.4g m x %.4g m\n", "density",
           (double)r->points / (width * height), width, height);
}
