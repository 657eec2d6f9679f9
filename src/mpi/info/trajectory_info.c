// `throng info` of a trajectory.
#include "file_info.h"
#include "file_reader.h"
#include "hdf5_open.h"
#include "utf8.h"
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct index { // of the frames, as it is read
  struct reader *reader;
  int64_t count, last_first, most, rows;
  int64_t first_step, last_step;
};

bool trajectory_recognise(const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  char reason[200];
  const hid_t file = hdf5_open(path, H5F_ACC_RDONLY, H5P_DEFAULT, reason, sizeof reason);
  if (file < 0)
    return strncmp(name, "trajectory", 10) == 0;
  const bool found = H5Lexists(file, "/trajectory", H5P_DEFAULT) > 0;
  H5Fclose(file);
  return found;
}

static bool is_archive(const struct reader *r)
{
  H5O_info_t info;
  return H5Oget_info_by_name2(r->file, "/trajectory", &info, H5O_INFO_BASIC, H5P_DEFAULT) >= 0 &&
         info.type == H5O_TYPE_DATASET;
}

static int64_t rows_of(struct reader *r, const char *name)
{
  const hid_t dataset = r->good ? H5Dopen2(r->file, name, H5P_DEFAULT) : H5I_INVALID_HID;
  const struct reader_dataset shape =
      dataset < 0 ? (struct reader_dataset){0, 0} : reader_shape(dataset);
  if (shape.width != 1)
    reader_fail(r, "has no %s", name);
  if (dataset >= 0)
    H5Dclose(dataset);
  return shape.rows;
}

static int64_t *numbers_read(struct reader *r, const char *name, int64_t count)
{
  int64_t *values = memory_create((size_t)count, sizeof *values);
  const hid_t dataset = H5Dopen2(r->file, name, H5P_DEFAULT);
  if (count && H5Dread(dataset, H5T_NATIVE_INT64, H5S_ALL, H5S_ALL, H5P_DEFAULT, values) < 0)
    reader_fail(r, "%s cannot be read: the file is damaged", name);
  H5Dclose(dataset);
  return values;
}

// Frames ascend in time and in the file.
static void index_check(struct index *x, const int64_t *step, const int64_t *first,
                        const int64_t *count)
{
  int64_t end = 0;
  for (int64_t k = 0; k < x->count; k++) {
    if (first[k] != end || count[k] < 0 || count[k] > x->rows - end ||
        (k && step[k] <= step[k - 1]))
      reader_fail(x->reader, "frame %" PRId64 " is damaged", k);
    end = first[k] + count[k];
    x->most = count[k] > x->most ? count[k] : x->most;
  }
  if (x->count) {
    x->first_step = step[0];
    x->last_step = step[x->count - 1];
  }
}

static void index_read(struct index *x)
{
  struct reader *r = x->reader;
  x->count = rows_of(r, "/frames/step");
  if (r->good &&
      (rows_of(r, "/frames/first") != x->count || rows_of(r, "/frames/count") != x->count))
    reader_fail(r, "/frames has arrays of different lengths");
  if (!r->good)
    return;
  int64_t *step = numbers_read(r, "/frames/step", x->count);
  int64_t *first = numbers_read(r, "/frames/first", x->count);
  int64_t *count = numbers_read(r, "/frames/count", x->count);
  if (r->good)
    index_check(x, step, first, count);
  memory_destroy(count);
  memory_destroy(step);
  memory_destroy(first);
}

static double frame_rate(struct reader *r)
{
  double value = 0;
  const hid_t fps = H5Aopen_by_name(r->file, "/trajectory", "fps", H5P_DEFAULT, H5P_DEFAULT);
  const hid_t space = H5Aget_space(fps);
  if (space < 0 || H5Sget_simple_extent_npoints(space) != 1 ||
      H5Aread(fps, H5T_NATIVE_DOUBLE, &value) < 0)
    reader_fail(r, "/trajectory has no fps");
  H5Sclose(space);
  H5Aclose(fps);
  return value;
}

static void print_trajectory(struct reader *r, const struct index *x, bool archive)
{
  const double step = reader_double(r, "step_s", 0);
  printf("%s: a trajectory of throng\n", printable(r->path).text);
  reader_print_texts(r);
  printf("  %-11s%s\n", "layout", archive ? "archive" : "compact");
  printf("  %-11s%" PRId64 ", %.6g per second, %.6g to %.6g s\n", "frames", x->count, frame_rate(r),
         (double)x->first_step * step, (double)x->last_step * step);
  printf("  %-11s%" PRId64 ", at most %" PRId64 " in a frame\n", "rows", x->rows, x->most);
  if (x->rows)
    printf("  %-11s%.1f MB, %.3g bytes a row\n", "size", 1e-6 * (double)r->bytes,
           (double)r->bytes / (double)x->rows);
}

void trajectory_describe(struct reader *r)
{
  struct index x = {.reader = r};
  const bool archive = is_archive(r);
  reader_verify(r);
  x.rows = rows_of(r, archive ? "/trajectory" : "/trajectory/id");
  if (!archive && r->good &&
      (rows_of(r, "/trajectory/x") != x.rows || rows_of(r, "/trajectory/y") != x.rows))
    reader_fail(r, "its columns have different numbers of rows");
  index_read(&x);
  if (r->good)
    print_trajectory(r, &x, archive);
  if (r->good)
    printf("  %-11severy array read\n", "verified");
}
