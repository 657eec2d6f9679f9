// `throng info` of a snapshot or walls file: a serial reader of every byte.
#include "message.h"
#include "snapshot_file.h"
#include "utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define PIECE_BYTES (4 << 20) // per read: a damaged file may claim any size

struct reader {
  const char *path;
  int64_t bytes; // file size
  hid_t file;
  bool good;
  bool lacks_checksum; // an array has no checksum
  int64_t points;      // as claimed by the file
  double lo[2], hi[2]; // m, relative to the origin
  bool has_speed;
  double speed_sum, speed_max;
};

// Reports the first error only: later ones may be its consequences.
static void set_error(struct reader *r, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void set_error(struct reader *r, const char *format, ...)
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

struct shape { // of a dataset; width 0: none that throng writes
  int64_t rows, width;
};

static struct shape dataset_shape(hid_t dataset)
{
  hsize_t dims[2] = {0, 1};
  const hid_t space = H5Dget_space(dataset);
  const int rank = H5Sget_simple_extent_ndims(space);
  if (rank == 1 || rank == 2)
    H5Sget_simple_extent_dims(space, dims, NULL);
  H5Sclose(space);
  const bool ours = (rank == 1 || rank == 2) && dims[0] <= INT64_MAX && dims[1] <= 1 << 20;
  return ours ? (struct shape){(int64_t)dims[0], (int64_t)dims[1]} : (struct shape){0, 0};
}

// Reads the rows as `type`, in pieces, and passes each piece to visit, which may be NULL.
static void rows_read(struct reader *r, hid_t dataset, const char *name, hid_t type,
                      void (*visit)(struct reader *r, int64_t count, const void *values))
{
  const struct shape shape = dataset_shape(dataset);
  const size_t row = H5Tget_size(type) * (size_t)(shape.width ? shape.width : 1);
  if (shape.width == 0 || row == 0 || row > PIECE_BYTES)
    set_error(r, "%s has a shape that throng does not write", name);
  else if (shape.rows > snapshot_rows_limit(r->bytes, (int64_t)row))
    set_error(r, "%s has more rows than the file can hold", name);
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
      set_error(r, "%s cannot be read: the file is damaged", name);
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
    found |= H5Pget_filter2(list, (unsigned)i, &flags, &none, NULL, 0, NULL, &config) ==
             H5Z_FILTER_FLETCHER32;
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
    set_error(r, "%s cannot be opened: the file is damaged", name);
    return 0;
  }
  const hid_t type = H5Dget_type(dataset);
  r->lacks_checksum |= !checksummed(dataset) && dataset_shape(dataset).rows > 0;
  if (H5Tdetect_class(type, H5T_VLEN) != 0 || H5Tis_variable_str(type) != 0)
    set_error(r, "%s has a type that throng does not write", name);
  rows_read(r, dataset, name, type, NULL);
  H5Tclose(type);
  H5Dclose(dataset);
  return 0;
}

static void extend_bounds(struct reader *r, int64_t count, const void *values)
{
  const double *p = values;
  for (int64_t i = 0; i < count; i++)
    for (int axis = 0; axis < 2; axis++) {
      r->lo[axis] = fmin(r->lo[axis], p[3 * i + axis]);
      r->hi[axis] = fmax(r->hi[axis], p[3 * i + axis]);
    }
}

static void sum_speeds(struct reader *r, int64_t count, const void *values)
{
  const double *speed = values;
  for (int64_t i = 0; i < count; i++) {
    r->speed_sum += speed[i];
    r->speed_max = fmax(r->speed_max, speed[i]);
  }
}

static void doubles_read(struct reader *r, const char *name, struct shape expected,
                         void (*visit)(struct reader *r, int64_t count, const void *values))
{
  if (!r->good)
    return;
  const hid_t dataset = H5Dopen2(r->file, name, H5P_DEFAULT);
  const struct shape shape = dataset < 0 ? (struct shape){0, 0} : dataset_shape(dataset);
  if (dataset < 0)
    set_error(r, "has no %s", name);
  else if (shape.rows != expected.rows || shape.width != expected.width)
    set_error(r, "%s has %" PRId64 " rows of %" PRId64 " instead of %" PRId64 " of %" PRId64, name,
              shape.rows, shape.width, expected.rows, expected.width);
  else
    rows_read(r, dataset, name, H5T_NATIVE_DOUBLE, visit);
  if (dataset >= 0)
    H5Dclose(dataset);
}

// Attributes of /throng.

static hid_t attribute_open(struct reader *r, const char *name)
{
  return H5Aopen_by_name(r->file, "/throng", name, H5P_DEFAULT, H5P_DEFAULT);
}

static bool has_attribute(struct reader *r, const char *name)
{
  return H5Aexists_by_name(r->file, "/throng", name, H5P_DEFAULT) > 0;
}

static double attribute_double(struct reader *r, const char *name, int index)
{
  double values[2] = {0, 0};
  const hid_t attribute = attribute_open(r, name);
  const hid_t space = H5Aget_space(attribute);
  const hssize_t count = space < 0 ? 0 : H5Sget_simple_extent_npoints(space);
  if (count < 1 || count > 2 || H5Aread(attribute, H5T_NATIVE_DOUBLE, values) < 0)
    set_error(r, "/throng has no %s", name);
  H5Sclose(space);
  H5Aclose(attribute);
  return values[index];
}

static int64_t attribute_int64(struct reader *r, const char *name)
{
  int64_t value = 0;
  const hid_t attribute = attribute_open(r, name);
  const hid_t space = H5Aget_space(attribute);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(attribute, H5T_NATIVE_INT64, &value) < 0)
    set_error(r, "/throng has no %s", name);
  H5Sclose(space);
  H5Aclose(attribute);
  return value;
}

static const char *attribute_text(struct reader *r, const char *name, char *out, size_t size)
{
  out[0] = '\0';
  const hid_t attribute = attribute_open(r, name);
  const hid_t stored = H5Aget_type(attribute), space = H5Aget_space(attribute);
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, size);
  if (stored >= 0)
    H5Tset_cset(type, H5Tget_cset(stored));
  if (stored < 0 || H5Sget_simple_extent_npoints(space) != 1 || H5Aread(attribute, type, out) < 0)
    set_error(r, "/throng has no %s", name);
  out[size - 1] = '\0';
  H5Sclose(space);
  H5Tclose(type);
  H5Tclose(stored);
  H5Aclose(attribute);
  return out;
}

// ------------------------------------------------------------------------------------- output

static void print_texts(struct reader *r)
{
  static const char *const names[] = {"name", "version", "checksum", "attribution"};
  static const char *const labels[] = {"scenario", "version", "checksum", "data"};
  char line[1024];
  for (int i = 0; i < 4; i++)
    if (has_attribute(r, names[i]))
      printf("  %-11s%s\n", labels[i],
             printable(attribute_text(r, names[i], line, sizeof line)).text);
}

static void print_extent(struct reader *r, bool density)
{
  const double origin_x = attribute_double(r, "origin", 0),
               origin_y = attribute_double(r, "origin", 1);
  const double width = r->hi[0] - r->lo[0], height = r->hi[1] - r->lo[1];
  printf("  %-11sx %.3f to %.3f m, y %.3f to %.3f m from the origin (%.15g, %.15g)\n", "extent",
         r->lo[0], r->hi[0], r->lo[1], r->hi[1], origin_x, origin_y);
  if (density && width * height > 0)
    printf("  %-11s%.4g /m^2 over these %.4g m x %.4g m\n", "density",
           (double)r->points / (width * height), width, height);
}

static void print_ranks(struct reader *r)
{
  int64_t counts[8] = {0};
  const hid_t dataset = H5Dopen2(r->file, "/throng/ranks/count", H5P_DEFAULT);
  const struct shape shape = dataset < 0 ? (struct shape){0, 0} : dataset_shape(dataset);
  const int64_t ranks = shape.width == 1 ? shape.rows : 0;
  if (ranks == 0)
    set_error(r, "has no /throng/ranks/count");
  if (r->good)
    printf("  %-11s%" PRId64, "ranks", ranks);
  if (ranks > 0 && ranks <= 8 &&
      H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, counts) >= 0)
    for (int64_t i = 0; i < ranks; i++)
      printf("%s%" PRId64, i ? ", " : " with ", counts[i]);
  if (r->good)
    printf("%s\n", ranks <= 8 ? " agents" : "");
  H5Dclose(dataset);
}

static void print_snapshot(struct reader *r)
{
  printf("%s: a snapshot of throng\n", printable(r->path).text);
  print_texts(r);
  printf("  %-11s%" PRId64 ", at %.6g s\n", "step", attribute_int64(r, "step"),
         attribute_double(r, "time", 0));
  printf("  %-11s%" PRId64 "\n", "agents", r->points);
  if (r->points)
    print_extent(r, true);
  if (r->points && r->has_speed)
    printf("  %-11smean %.4f m/s, largest %.4f m/s\n", "speed", r->speed_sum / (double)r->points,
           r->speed_max);
  print_ranks(r);
  printf("  %-11spositions, radii m; velocities m/s; times s; 1 quantum = %.6g m\n", "units",
         attribute_double(r, "quantum", 0));
}

static void print_walls(struct reader *r)
{
  printf("%s: walls of throng\n", printable(r->path).text);
  printf("  %-11s%" PRId64 " lines of %" PRId64 " corners\n", "walls", attribute_int64(r, "walls"),
         r->points);
  if (r->points)
    print_extent(r, false);
  printf("  %-11smetres; 1 quantum = %.6g m\n", "units", attribute_double(r, "quantum", 0));
}

// ------------------------------------------------------------------------------------ reading

static void points_read(struct reader *r, bool snapshot)
{
  const hid_t dataset = H5Dopen2(r->file, "/VTKHDF/NumberOfPoints", H5P_DEFAULT);
  const struct shape shape = dataset < 0 ? (struct shape){0, 0} : dataset_shape(dataset);
  if (shape.rows != 1 || shape.width != 1 ||
      H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &r->points) < 0)
    set_error(r, "has no /VTKHDF/NumberOfPoints");
  H5Dclose(dataset);
  r->lo[0] = r->lo[1] = INFINITY;
  r->hi[0] = r->hi[1] = -INFINITY;
  doubles_read(r, "/VTKHDF/Points", (struct shape){r->points, 3}, extend_bounds);
  r->has_speed = snapshot && H5Lexists(r->file, "/VTKHDF/PointData/speed", H5P_DEFAULT) > 0;
  if (r->has_speed)
    doubles_read(r, "/VTKHDF/PointData/speed", (struct shape){r->points, 1}, sum_speeds);
  if (snapshot && r->good && attribute_int64(r, "agents") != r->points)
    set_error(r, "/throng counts %" PRId64 " agents, /VTKHDF %" PRId64,
              attribute_int64(r, "agents"), r->points);
}

static void describe(struct reader *r)
{
  if (H5Lexists(r->file, "/VTKHDF", H5P_DEFAULT) <= 0 ||
      H5Lexists(r->file, "/throng", H5P_DEFAULT) <= 0)
    set_error(r, "is an HDF5 file, but not a snapshot of throng");
  const bool snapshot = r->good && has_attribute(r, "step");
  if (r->good &&
      H5Ovisit2(r->file, H5_INDEX_NAME, H5_ITER_NATIVE, read_object, r, H5O_INFO_BASIC) < 0)
    set_error(r, "cannot be read to its end: the file is damaged");
  if (r->good)
    points_read(r, snapshot);
  if (r->good)
    snapshot ? print_snapshot(r) : print_walls(r);
  if (r->good)
    printf("  %-11severy array read%s\n", "verified",
           r->lacks_checksum ? "; written without checksums (compression 0)"
                             : "; all checksums match");
}

enum exit_code snapshot_describe(const char *path)
{
  struct reader r = {.path = path, .file = H5I_INVALID_HID, .good = true};
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  struct stat status;
  if (stat(path, &status) != 0) {
    const enum exit_code missing = errno == EACCES ? EXIT_IO : EXIT_BAD_INPUT;
    set_error(&r, "%s", strerror(errno));
    return missing;
  }
  if (access(path, R_OK) != 0) {
    set_error(&r, "cannot be read: %s", strerror(errno));
    return EXIT_IO;
  }
  r.bytes = (int64_t)status.st_size;
  if (S_ISREG(status.st_mode))
    r.file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  if (r.file >= 0)
    describe(&r);
  else if (!S_ISREG(status.st_mode))
    set_error(&r, "is not a regular file");
  else
    set_error(&r, "is not a snapshot or is damaged");
  if (r.file >= 0)
    H5Fclose(r.file);
  fflush(stdout);
  return r.good ? EXIT_DONE : EXIT_CORRUPT_DATA;
}
