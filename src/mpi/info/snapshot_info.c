// `throng info` of a snapshot or walls file; which other kind of file it is.
#include "file_info.h"
#include "file_reader.h"
#include "hdf5_open.h"
#include "message.h"
#include "snapshot_file.h"
#include "utf8.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

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

static void doubles_read(struct reader *r, const char *name, struct reader_dataset expected,
                         void (*visit)(struct reader *r, int64_t count, const void *values))
{
  if (!r->good)
    return;
  const hid_t dataset = H5Dopen2(r->file, name, H5P_DEFAULT);
  const struct reader_dataset shape =
      dataset < 0 ? (struct reader_dataset){0, 0} : reader_shape(dataset);
  if (dataset < 0)
    reader_fail(r, "has no %s", name);
  else if (shape.rows != expected.rows || shape.width != expected.width)
    reader_fail(r, "%s has %" PRId64 " rows of %" PRId64 " instead of %" PRId64 " of %" PRId64,
                name, shape.rows, shape.width, expected.rows, expected.width);
  else
    reader_rows(r, dataset, name, H5T_NATIVE_DOUBLE, visit);
  if (dataset >= 0)
    H5Dclose(dataset);
}

static void print_ranks(struct reader *r)
{
  int64_t counts[8] = {0};
  const hid_t dataset = H5Dopen2(r->file, "/throng/ranks/count", H5P_DEFAULT);
  const struct reader_dataset shape =
      dataset < 0 ? (struct reader_dataset){0, 0} : reader_shape(dataset);
  const int64_t ranks = shape.width == 1 ? shape.rows : 0;
  if (ranks == 0)
    reader_fail(r, "has no /throng/ranks/count");
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
  reader_print_texts(r);
  printf("  %-11s%" PRId64 ", at %.6g s\n", "step", reader_int64(r, "step"),
         reader_double(r, "time", 0));
  printf("  %-11s%" PRId64 "\n", "agents", r->points);
  if (r->points)
    reader_print_extent(r, true);
  if (r->points && r->has_speed)
    printf("  %-11smean %.4f m/s, largest %.4f m/s\n", "speed", r->speed_sum / (double)r->points,
           r->speed_max);
  print_ranks(r);
  printf("  %-11spositions, radii m; velocities m/s; times s; 1 quantum = %.6g m\n", "units",
         reader_double(r, "quantum", 0));
}

static void print_walls(struct reader *r)
{
  printf("%s: walls of throng\n", printable(r->path).text);
  printf("  %-11s%" PRId64 " lines of %" PRId64 " corners\n", "walls", reader_int64(r, "walls"),
         r->points);
  if (r->points)
    reader_print_extent(r, false);
  printf("  %-11smetres; 1 quantum = %.6g m\n", "units", reader_double(r, "quantum", 0));
}

// ------------------------------------------------------------------------------------ reading

static void points_read(struct reader *r, bool snapshot)
{
  const hid_t dataset = H5Dopen2(r->file, "/VTKHDF/NumberOfPoints", H5P_DEFAULT);
  const struct reader_dataset shape =
      dataset < 0 ? (struct reader_dataset){0, 0} : reader_shape(dataset);
  if (shape.rows != 1 || shape.width != 1 ||
      H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, &r->points) < 0)
    reader_fail(r, "has no /VTKHDF/NumberOfPoints");
  H5Dclose(dataset);
  r->lo[0] = r->lo[1] = INFINITY;
  r->hi[0] = r->hi[1] = -INFINITY;
  doubles_read(r, "/VTKHDF/Points", (struct reader_dataset){r->points, 3}, extend_bounds);
  r->has_speed = snapshot && H5Lexists(r->file, "/VTKHDF/PointData/speed", H5P_DEFAULT) > 0;
  if (r->has_speed)
    doubles_read(r, "/VTKHDF/PointData/speed", (struct reader_dataset){r->points, 1}, sum_speeds);
  if (snapshot && r->good && reader_int64(r, "agents") != r->points)
    reader_fail(r, "/throng counts %" PRId64 " agents, /VTKHDF %" PRId64, reader_int64(r, "agents"),
                r->points);
}

static void points_describe(struct reader *r)
{
  const bool snapshot = reader_has_attribute(r, "step");
  reader_verify(r);
  if (r->good)
    points_read(r, snapshot);
  if (r->good)
    snapshot ? print_snapshot(r) : print_walls(r);
}

static void describe(struct reader *r)
{
  if (H5Lexists(r->file, "/trajectory", H5P_DEFAULT) > 0 &&
      H5Lexists(r->file, "/throng", H5P_DEFAULT) > 0) {
    trajectory_describe(r);
    return;
  }
  if (H5Lexists(r->file, "/VTKHDF", H5P_DEFAULT) <= 0 ||
      H5Lexists(r->file, "/throng", H5P_DEFAULT) <= 0)
    reader_fail(r, "is an HDF5 file, but neither a snapshot nor a trajectory of throng");
  if (r->good && H5Lexists(r->file, "/VTKHDF/CellData", H5P_DEFAULT) > 0 &&
      H5Lexists(r->file, "/VTKHDF/CellData/density", H5P_DEFAULT) > 0)
    grid_describe(r);
  else if (r->good)
    points_describe(r);
  if (r->good)
    printf("  %-11severy array read%s\n", "verified",
           r->lacks_checksum ? "; written without checksums (compression 0)"
                             : "; all checksums match");
}

enum exit_code file_describe(const char *path)
{
  struct reader r = {.path = path, .file = H5I_INVALID_HID, .good = true};
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  struct stat status;
  if (stat(path, &status) != 0) {
    const enum exit_code missing = errno == EACCES ? EXIT_IO : EXIT_BAD_INPUT;
    reader_fail(&r, "%s", strerror(errno));
    return missing;
  }
  if (access(path, R_OK) != 0) {
    reader_fail(&r, "cannot be read: %s", strerror(errno));
    return EXIT_IO;
  }
  char reason[200];
  r.bytes = (int64_t)status.st_size;
  r.file = hdf5_open(path, H5F_ACC_RDONLY, H5P_DEFAULT, reason, sizeof reason);
  if (r.file >= 0)
    describe(&r);
  else
    reader_fail(&r, "is not a snapshot or is damaged: %s", reason);
  if (r.file >= 0)
    H5Fclose(r.file);
  fflush(stdout);
  return r.good ? EXIT_DONE : EXIT_CORRUPT_DATA;
}
