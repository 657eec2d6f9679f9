#include "snapshot_file.h"

#include "message.h"
#include "regular_file.h"
#include "seal.h"
#include "shared_memory_space.h"
#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <unistd.h>

#define ALIGN_FROM        (16 << 20) // bytes: larger uncompressed arrays are aligned
#define ALIGN_TO          (1 << 20)  // to the stripe size of parallel file systems
#define DEFLATE_RATIO_MAX 1100       // deflate compresses by a factor of at most 1032

// ---------------------------------------------------------------------------------- failures

struct reason {
  char *text;
  size_t size;
};

// Takes the deepest entry of the HDF5 error stack. For a POSIX call that is a long text, of which
// only the message of errno is kept.
static herr_t keep_deepest(unsigned depth, const H5E_error2_t *error, void *context)
{
  const struct reason *reason = context;
  static const char mark[] = "error message = '";
  if (depth > 0 || !error->desc)
    return 0;
  const char *from = strstr(error->desc, mark);
  from = from ? from + strlen(mark) : error->desc;
  snprintf(reason->text, reason->size, "%.*s", (int)strcspn(from, "'\n"), from);
  return 0;
}

void snapshot_hdf5_reason(char *text, size_t size)
{
  struct reason reason = {text, size};
  text[0] = '\0';
  H5Ewalk2(H5E_DEFAULT, H5E_WALK_UPWARD, keep_deepest, &reason);
}

// Records the first failure of this rank.
static void set_failure(struct snapshot_file *f, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
static void set_failure(struct snapshot_file *f, const char *format, ...)
{
  if (!f->rank_ok)
    return;
  f->rank_ok = false;
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(f->reason, sizeof f->reason, format, arguments);
  va_end(arguments);
}

void snapshot_check(struct snapshot_file *f, int64_t status, const char *what)
{
  if (status >= 0 || !f->rank_ok)
    return;
  char reason[256];
  snapshot_hdf5_reason(reason, sizeof reason);
  set_failure(f, "%s (HDF5: %s)", what, reason[0] ? reason : "no reason given");
}

bool snapshot_agree(struct snapshot_file *f)
{
  f->ok = comm_all(f->comm, f->rank_ok);
  return f->ok;
}

// Rank 0 prints the reason of the lowest rank that failed.
static void report_failure(struct snapshot_file *f, const char *what)
{
  const int32_t reporter = comm_lowest_rank(f->comm, !f->rank_ok);
  comm_broadcast(f->comm, f->reason, sizeof f->reason, reporter < f->comm->size ? reporter : 0);
  if (f->comm->rank == 0)
    message_print("%s: %s: %s", f->path, what, f->reason);
}

// ---------------------------------------------------------------------------------- creation

// File systems without fallocate (ext2, NFS before 4.2) make the C library touch every block. A
// single rank survives a disk that fills up later, so it skips this cost.
static int allocate_by_writing(const struct snapshot_file *f, int fd, int64_t bytes)
{
  if (f->comm->size == 1)
    return 0;
  const int error = posix_fallocate(fd, 0, bytes);
  return error ? error : fdatasync(fd) != 0 ? errno : 0; // NFS reports errors only on sync
}

// Reserves the blocks now: neither HDF5 nor OMPIO survives a disk that fills up during a collective
// write.
static enum snapshot_result reserve_blocks(struct snapshot_file *f, int fd, int64_t bytes)
{
  int error = fallocate(fd, 0, 0, bytes) == 0 ? 0 : errno;
  if (error == EOPNOTSUPP || error == ENOSYS)
    error = allocate_by_writing(f, fd, bytes);
  if (!error)
    return SNAPSHOT_WRITTEN;
  set_failure(f, "%.1f MB needed: %s", 1e-6 * (double)bytes, strerror(error));
  return error == ENOSPC || error == EDQUOT || error == EFBIG ? SNAPSHOT_SKIPPED : SNAPSHOT_FAILED;
}

static enum snapshot_result check_space(struct snapshot_file *f, int fd, int64_t bytes)
{
  struct statvfs disk;
  if (fstatvfs(fd, &disk) != 0)
    return reserve_blocks(f, fd, bytes);
  const double left = (double)disk.f_bavail * (double)disk.f_frsize;
  if (left >= (double)bytes)
    return reserve_blocks(f, fd, bytes);
  set_failure(f, "%.1f MB needed, %.1f MB free", 1e-6 * (double)bytes, 1e-6 * left);
  return SNAPSHOT_SKIPPED;
}

// Checks on rank 0 that the file can be created and has space.
static enum snapshot_result probe_file(struct snapshot_file *f, int64_t bytes)
{
  const int fd = regular_file_make(f->partial); // HDF5 follows links
  if (fd < 0) {
    set_failure(f, "%s", strerror(errno));
    return SNAPSHOT_FAILED;
  }
  const enum snapshot_result result = check_space(f, fd, bytes);
  close(fd);
  if (result != SNAPSHOT_WRITTEN)
    unlink(f->partial);
  return result;
}

// The format of HDF5 1.10: its metadata has checksums.
static hid_t access_list(const struct snapshot_file *f)
{
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_libver_bounds(list, H5F_LIBVER_V110, H5F_LIBVER_V110);
  H5Pset_fclose_degree(list, H5F_CLOSE_STRONG);
#if H5_VERSION_GE(1, 12, 1) || (H5_VERSION_GE(1, 10, 7) && !H5_VERSION_GE(1, 12, 0))
  H5Pset_file_locking(list, true, true); // ignored where the file system has no locks
#endif
  if (f->compression == 0) // aligned compressed chunks would leave holes
    H5Pset_alignment(list, ALIGN_FROM, ALIGN_TO);
  if (f->comm->size > 1) // a single rank uses POSIX, whose errors are more precise
    H5Pset_fapl_mpio(list, f->comm->mpi, MPI_INFO_NULL);
  return list;
}

static void open_collectively(struct snapshot_file *f, int64_t bytes)
{
  const hid_t list = access_list(f), creation = H5Pcreate(H5P_FILE_CREATE);
  H5Pset_obj_track_times(creation, false);
  f->file = H5Fcreate(f->partial, H5F_ACC_TRUNC, creation, list);
  if (f->file < 0 && f->comm->size > 1 && shared_memory_is_full())
    set_failure(f, "shared memory (/dev/shm) is full, without which MPI opens no file");
  snapshot_check(f, f->file, "cannot be created");
  H5Pclose(list);
  H5Pclose(creation);
  f->transfer = H5Pcreate(H5P_DATASET_XFER);
  if (f->comm->size > 1)
    H5Pset_dxpl_mpio(f->transfer, H5FD_MPIO_COLLECTIVE);
  if (f->comm->rank == 0 && f->rank_ok) { // H5Fcreate has released the blocks of probe_file
    const int fd = open(f->partial, O_RDWR);
    if (fd >= 0) {
      reserve_blocks(f, fd, bytes);
      close(fd);
    }
  }
  snapshot_agree(f);
}

enum snapshot_result snapshot_file_create(struct snapshot_file *f, const struct comm *c,
                                          const char *path, int64_t bytes, int32_t compression,
                                          bool exact)
{
  assert(comm_is_valid(c) && bytes >= 0);
  *f = (struct snapshot_file){.comm = c, .path = path, .exact = exact, .rank_ok = true, .ok = true};
  f->file = f->transfer = H5I_INVALID_HID;
  f->compression = compression < 0 ? 0 : compression > 9 ? 9 : compression;
  snprintf(f->partial, sizeof f->partial, "%s.tmp", path);
  H5dont_atexit(); // a file that failed must not be flushed again at exit
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  enum snapshot_result result = SNAPSHOT_WRITTEN;
  if (c->rank == 0)
    result = probe_file(f, bytes + bytes / 64); // deflate enlarges incompressible data slightly
  if (exact && result == SNAPSHOT_SKIPPED)
    result = SNAPSHOT_FAILED;
  comm_broadcast(c, &result, sizeof result, 0);
  if (result == SNAPSHOT_WRITTEN)
    open_collectively(f, bytes + bytes / 64);
  else
    report_failure(f, result == SNAPSHOT_SKIPPED ? "skipped" : "cannot be written");
  return result;
}

// -------------------------------------------------------------------------------- completion

static void sync_path(struct snapshot_file *f, const char *path, int flags)
{
  const int fd = open(path, flags);
  if (fd < 0 || (fsync(fd) != 0 && errno != EINVAL))
    set_failure(f, "%s: %s", path, strerror(errno));
  if (fd >= 0)
    close(fd);
}

static void truncate_to(struct snapshot_file *f, int64_t size)
{
  struct stat status;
  if (stat(f->partial, &status) != 0 || (status.st_size > size && truncate(f->partial, size) != 0))
    set_failure(f, "%s", strerror(errno));
}

// A checkpoint is on the disk before it gets its name. Other files wait for run_directory_sync.
static void rename_complete(struct snapshot_file *f, int64_t size)
{
  if (size > 0)
    truncate_to(f, size);
  if (f->exact)
    sync_path(f, f->partial, O_WRONLY);
  if (f->rank_ok && rename(f->partial, f->path) != 0)
    set_failure(f, "%s", strerror(errno));
  if (!f->rank_ok || !f->exact)
    return;
  char folder[sizeof f->partial];
  memcpy(folder, f->partial, sizeof folder);
  sync_path(f, dirname(folder), O_RDONLY | O_DIRECTORY);
}

// Seals what the file system holds: all ranks read it back. size > 0: truncates to it first.
static void seal(struct snapshot_file *f, int64_t size)
{
  if (f->comm->rank == 0 && size > 0 && truncate(f->partial, size) != 0)
    set_failure(f, "%s", strerror(errno));
  char reason[200];
  if (snapshot_agree(f) && !seal_write(f->comm, f->partial, reason, sizeof reason))
    set_failure(f, "%s", reason);
  snapshot_agree(f);
}

// HDF5 closes open files in MPI_Finalize at the latest and crashes if it cannot write then, so the
// file releases its space first. A collective close may hang: several ranks leave the file open.
static void abandon(struct snapshot_file *f)
{
  if (f->comm->rank == 0 && truncate(f->partial, 0) == 0 && f->comm->size == 1)
    H5Fclose(f->file);
  if (f->comm->rank == 0)
    unlink(f->partial);
}

enum snapshot_result snapshot_file_publish(struct snapshot_file *f)
{
  hsize_t size = 0;
  if (f->ok) {
    if (f->exact || f->comm->size == 1) // MPI-IO also puts the file on the disk
      snapshot_check(f, H5Fflush(f->file, H5F_SCOPE_GLOBAL), "cannot be flushed");
    if (f->comm->size == 1) // the MPI-IO driver truncates the file itself and knows no size
      snapshot_check(f, H5Fget_filesize(f->file, &size), "has no size");
    snapshot_agree(f);
  }
  if (f->ok) { // a failed file stays open: H5Fclose would write again and could hang
    snapshot_check(f, H5Fclose(f->file), "cannot be closed");
    snapshot_agree(f);
  }
  if (f->transfer >= 0)
    H5Pclose(f->transfer);
  if (f->ok && f->exact)
    seal(f, (int64_t)size);
  if (f->ok && f->comm->rank == 0)
    rename_complete(f, f->exact ? 0 : (int64_t)size);
  if (snapshot_agree(f))
    return SNAPSHOT_WRITTEN;
  abandon(f);
  report_failure(f, "cannot be written");
  return SNAPSHOT_FAILED;
}

int64_t snapshot_rows_limit(int64_t bytes, int64_t row)
{
  assert(bytes >= 0 && row > 0);
  return (bytes < INT64_MAX / DEFLATE_RATIO_MAX ? bytes * DEFLATE_RATIO_MAX : INT64_MAX) / row;
}
