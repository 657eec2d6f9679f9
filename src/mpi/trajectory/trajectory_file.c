#include "trajectory_file.h"

#include "hdf5_open.h"
#include "message.h"
#include "regular_file.h"
#include "snapshot_file.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#define COMPACT_ROWS   65536      // of a chunk: 256 to 512 KiB of a column
#define ARCHIVE_ROWS   16384      // of a chunk of the table: 640 KiB
#define FRAME_ROWS     4096       // of a chunk of the index
#define METADATA_BYTES (64 << 10) // that an addition writes at most, besides its chunks and frames

// ------------------------------------------------------------------------------------ the format

static void format_add(struct trajectory_format *f, const char *name,
                       const struct agent_column *column, int64_t size)
{
  assert(f->dataset_count < TRAJECTORY_DATASETS);
  f->datasets[f->dataset_count++] = (struct trajectory_dataset){name, column, size};
}

struct trajectory_format trajectory_format(enum trajectory_layout layout,
                                           const struct selection *selection, int32_t compression)
{
  struct trajectory_format f = {layout, compression, COMPACT_ROWS, 0, {{0}}};
  if (layout == TRAJECTORY_ARCHIVE) {
    f.chunk_rows = ARCHIVE_ROWS;
    format_add(&f, "/trajectory", NULL, sizeof(struct archive_row));
    return f;
  }
  for (int i = 0; i < trajectory_column_count; i++) {
    const struct agent_column *c = &trajectory_columns[i];
    if (selection_has(selection, trajectory_column_fields[i]))
      format_add(&f, c->name, c, number_size(c->number));
  }
  return f;
}

void trajectory_file_destroy(struct trajectory_file *f)
{
  memory_destroy(f->path);
  memory_destroy(f->chunks);
  *f = (struct trajectory_file){0};
}

// ----------------------------------------------------------------------------- opening and closing

// HDF5 calls with the reports of snapshot_file.h, in this process alone.
struct writer {
  struct comm self;
  struct snapshot_file out;
};

static hid_t access_list(void)
{
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  H5Pset_file_locking(list, false, true); // a reader's lock must not stop the run
#endif
  return list;
}

// HDF5 would follow a link of this name. It reports what fails here.
static void file_make(const char *path)
{
  const int fd = regular_file_make(path);
  if (fd >= 0)
    close(fd);
}

static hid_t file_create(const char *path, hid_t access)
{
  const hid_t creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_obj_track_times(creation, false);
  file_make(path);
  const hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, creation, access);
  H5Pclose(creation);
  return file;
}

static void writer_open(struct writer *w, const char *path, bool create)
{
  char reason[200] = "cannot be created";
  w->self = comm_self();
  w->out = (struct snapshot_file){.comm = &w->self, .path = path, .rank_ok = true, .ok = true};
  w->out.transfer = H5P_DEFAULT;
  H5dont_atexit(); // a file that failed must not be flushed again at exit
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  const hid_t access = access_list();
  w->out.file = create ? file_create(path, access)
                       : hdf5_open(path, H5F_ACC_RDWR, access, reason, sizeof reason);
  H5Pclose(access);
  snapshot_check(&w->out, w->out.file, reason);
  snapshot_agree(&w->out);
}

static bool writer_close(struct writer *w)
{
  if (w->out.file >= 0)
    snapshot_check(&w->out, H5Fclose(w->out.file), "cannot be closed");
  if (!w->out.rank_ok)
    message_print("%s: cannot be written: %s", w->out.path, w->out.reason);
  return w->out.rank_ok;
}

bool trajectory_report_errno(const char *path)
{
  message_print("%s: cannot be written: %s", path, regular_file_reason(errno));
  return false;
}

// Whether a file may have this size (ulimit -f). Blocks behind the end are reserved beyond it, too.
static bool size_is_granted(int64_t bytes)
{
  struct rlimit most;
  const bool granted = getrlimit(RLIMIT_FSIZE, &most) != 0 || most.rlim_cur == RLIM_INFINITY ||
                       (rlim_t)bytes <= most.rlim_cur;
  if (!granted)
    errno = EFBIG;
  return granted;
}

// Reserves space behind the end: HDF5 does not survive a disk that fills up while it writes.
static bool reserve_space(const char *path, int flags, int64_t bytes)
{
  struct stat status;
  const int fd = regular_file_change(path, flags);
  bool good = fd >= 0 && fstat(fd, &status) == 0 && size_is_granted(status.st_size + bytes);
  while (good && fallocate(fd, FALLOC_FL_KEEP_SIZE, status.st_size, bytes) != 0)
    if (errno != EINTR) { // a signal that asks the run to stop
      good = errno == EOPNOTSUPP || errno == ENOSYS;
      break;
    }
  good = good || trajectory_report_errno(path);
  if (fd >= 0)
    close(fd);
  return good;
}

// -------------------------------------------------------------------------------------- creation

static hid_t archive_type(void)
{
  static const char *const names[] = {"id", "frame", "x", "y", "z"};
  const hid_t type = H5Tcreate(H5T_COMPOUND, sizeof(struct archive_row));
  for (size_t i = 0; i < 5; i++)
    H5Tinsert(type, names[i], 8 * i, i < 2 ? H5T_NATIVE_INT64 : H5T_NATIVE_DOUBLE);
  return type;
}

// A dataset without rows that grows by chunks.
static hid_t growing_create(struct snapshot_file *out, hid_t where, const char *name, hid_t type,
                            int64_t chunk_rows, int32_t compression)
{
  const hsize_t none = 0, unlimited = H5S_UNLIMITED, chunk = (hsize_t)chunk_rows;
  const hid_t space = H5Screate_simple(1, &none, &unlimited), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_obj_track_times(list, false);
  H5Pset_fill_time(list, H5D_FILL_TIME_NEVER);
  H5Pset_chunk(list, 1, &chunk);
  if (compression > 0) {
    H5Pset_shuffle(list);
    H5Pset_deflate(list, (unsigned)compression);
  }
  const hid_t dataset = H5Dcreate2(where, name, type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  snapshot_check(out, dataset, name);
  H5Pclose(list);
  H5Sclose(space);
  snapshot_agree(out);
  return dataset;
}

static void described_create(struct snapshot_file *out, hid_t where,
                             const struct trajectory_format *f, const struct agent_column *c)
{
  const hid_t dataset = growing_create(out, where, c->name, snapshot_number_type(c->number),
                                       f->chunk_rows, f->compression);
  snapshot_attribute_text(out, dataset, "unit", c->unit);
  snapshot_attribute_text(out, dataset, "description", c->description);
  H5Dclose(dataset);
}

static void datasets_create(struct snapshot_file *out, const struct trajectory_format *f,
                            double frame_rate)
{
  hid_t trajectory;
  if (f->layout == TRAJECTORY_ARCHIVE) {
    const hid_t type = archive_type();
    trajectory = growing_create(out, out->file, "trajectory", type, f->chunk_rows, f->compression);
    H5Tclose(type);
  } else {
    trajectory = snapshot_group_create(out, out->file, "trajectory");
    for (int i = 0; i < f->dataset_count; i++)
      described_create(out, trajectory, f, f->datasets[i].column);
  }
  snapshot_attribute(out, trajectory, "fps", H5T_NATIVE_DOUBLE, 1, &frame_rate);
  H5Oclose(trajectory);
}

static void index_create(struct snapshot_file *out)
{
  const hid_t frames = snapshot_group_create(out, out->file, "frames");
  H5Dclose(growing_create(out, frames, "step", H5T_NATIVE_INT64, FRAME_ROWS, 0));
  H5Dclose(growing_create(out, frames, "first", H5T_NATIVE_INT64, FRAME_ROWS, 0));
  H5Dclose(growing_create(out, frames, "count", H5T_NATIVE_INT64, FRAME_ROWS, 0));
  snapshot_attribute_text(out, frames, "description",
                          "frame k holds the agents after step[k]: count[k] rows of the trajectory "
                          "from first[k] on");
  snapshot_group_close(out, frames);
}

// PedPy wants a text of variable length. HDF5 may crash where such a text is damaged.
static void walkable_write(struct snapshot_file *out, const char *walkable)
{
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, H5T_VARIABLE);
  H5Tset_cset(type, H5T_CSET_UTF8);
  snapshot_attribute(out, out->file, "wkt_geometry", type, 1, &walkable);
  H5Tclose(type);
}

static void throng_write(struct snapshot_file *out, const struct trajectory_description *d)
{
  const struct snapshot_metadata *metadata = d->metadata;
  const hid_t group = snapshot_group_create(out, out->file, "throng");
  snapshot_frame_write(out, group, metadata->frame);
  snapshot_attribute(out, group, "step_s", H5T_NATIVE_DOUBLE, 1, &d->step);
  snapshot_attribute_text(out, group, "units", "step_s: s; origin, quantum: m");
  snapshot_provenance_write(out, group, metadata);
  snapshot_text_write(out, group, "scenario", metadata->scenario_text);
  snapshot_text_write(out, group, "walkable", d->walkable); // with a checksum
  snapshot_group_close(out, group);
}

bool trajectory_file_create(struct trajectory_file *f, const struct trajectory_description *d)
{
  struct writer w;
  const int64_t bytes = METADATA_BYTES + 2 * (int64_t)strlen(d->walkable) +
                        (int64_t)strlen(d->metadata->scenario_text);
  f->chunk_count = 0;
  if (unlink(f->path) != 0 && errno != ENOENT)
    return trajectory_report_errno(f->path);
  if (!reserve_space(f->path, O_CREAT, bytes)) {
    unlink(f->path);
    return false;
  }
  writer_open(&w, f->path, true); // releases the blocks
  struct snapshot_file *out = &w.out;
  const bool has_room = out->ok && reserve_space(f->path, 0, bytes);
  if (has_room) {
    snapshot_attribute_text(out, out->file, "file_version", "1.0.0");
    walkable_write(out, d->walkable);
    datasets_create(out, &f->format, d->frame_rate);
    index_create(out);
    throng_write(out, d);
  }
  return writer_close(&w) && has_room;
}

// ------------------------------------------------------------------------------------ additions

static hid_t dataset_open(struct snapshot_file *out, const struct trajectory_format *f, int i)
{
  const hid_t where =
      f->layout == TRAJECTORY_ARCHIVE ? out->file : H5Gopen2(out->file, "trajectory", H5P_DEFAULT);
  const hid_t dataset = H5Dopen2(where, f->datasets[i].name, H5P_DEFAULT);
  if (where != out->file)
    H5Gclose(where);
  snapshot_check(out, dataset, f->datasets[i].name);
  return dataset;
}

static void remember_chunk(struct trajectory_file *f, struct byte_range range)
{
  f->chunks = memory_reserve(f->chunks, f->chunk_count, &f->chunk_capacity, sizeof *f->chunks);
  f->chunks[f->chunk_count++] = range;
}

static void chunk_write(struct trajectory_file *f, struct snapshot_file *out, hid_t dataset,
                        const struct trajectory_chunk *chunk)
{
  const hsize_t at = (hsize_t)(chunk->number * f->format.chunk_rows);
  hsize_t size = 0;
  haddr_t address = 0;
  unsigned mask;
  snapshot_check(out,
                 H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &at, (size_t)chunk->size, chunk->bytes),
                 "a chunk cannot be written");
  snapshot_check(out, H5Dget_chunk_info_by_coord(dataset, &at, &mask, &address, &size),
                 "a chunk is nowhere");
  remember_chunk(f, (struct byte_range){(int64_t)address, (int64_t)size});
}

static void dataset_append(struct trajectory_file *f, struct snapshot_file *out, int i,
                           const struct trajectory_addition *addition)
{
  const hid_t dataset = dataset_open(out, &f->format, i);
  const hsize_t rows = (hsize_t)addition->rows;
  snapshot_check(out, H5Dset_extent(dataset, &rows), "cannot grow");
  for (int64_t k = 0; k < addition->chunk_count && out->rank_ok; k++)
    if (addition->chunks[k].dataset == i)
      chunk_write(f, out, dataset, &addition->chunks[k]);
  H5Dclose(dataset);
}

// One number of each frame; member: its offset in struct trajectory_frame_entry.
static void index_append(struct snapshot_file *out, const char *name, size_t member,
                         const struct trajectory_addition *addition)
{
  const hsize_t start = (hsize_t)addition->frame_first, count = (hsize_t)addition->frame_count,
                rows = start + count;
  int64_t *values = memory_create((size_t)count, sizeof *values);
  for (hsize_t k = 0; k < count; k++)
    memcpy(&values[k], (const char *)&addition->frames[k] + member, sizeof *values);
  const hid_t dataset = H5Dopen2(out->file, name, H5P_DEFAULT);
  snapshot_check(out, H5Dset_extent(dataset, &rows), name);
  const hid_t space = H5Dget_space(dataset), memory = H5Screate_simple(1, &count, NULL);
  H5Sselect_hyperslab(space, H5S_SELECT_SET, &start, NULL, &count, NULL);
  snapshot_check(out, H5Dwrite(dataset, H5T_NATIVE_INT64, memory, space, H5P_DEFAULT, values),
                 name);
  H5Sclose(memory);
  H5Sclose(space);
  H5Dclose(dataset);
  memory_destroy(values);
}

static void frames_append(struct snapshot_file *out, const struct trajectory_addition *addition)
{
  index_append(out, "frames/step", offsetof(struct trajectory_frame_entry, step), addition);
  index_append(out, "frames/first", offsetof(struct trajectory_frame_entry, first), addition);
  index_append(out, "frames/count", offsetof(struct trajectory_frame_entry, count), addition);
}

bool trajectory_file_append(struct trajectory_file *f, const struct trajectory_addition *addition)
{
  struct writer w;
  int64_t bytes = METADATA_BYTES + 3 * 8 * (addition->frame_count + FRAME_ROWS);
  for (int64_t k = 0; k < addition->chunk_count; k++)
    bytes += addition->chunks[k].size;
  if (!reserve_space(f->path, 0, bytes))
    return false;
  writer_open(&w, f->path, false);
  for (int i = 0; i < f->format.dataset_count && w.out.rank_ok; i++)
    dataset_append(f, &w.out, i, addition);
  if (addition->frame_count && w.out.rank_ok)
    frames_append(&w.out, addition);
  return writer_close(&w);
}
