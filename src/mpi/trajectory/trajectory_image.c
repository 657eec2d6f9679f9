// The bytes of a trajectory besides its chunks, for checkpoints.
#include "trajectory_file.h"

#include "message.h"
#include "regular_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool trajectory_file_sync(const struct trajectory_file *f)
{
  struct stat status;
  const int fd = regular_file_change(f->path, 0);
  const bool good = (fd >= 0 && fstat(fd, &status) == 0 &&
                     ftruncate(fd, status.st_size) == 0 &&   // gives back what was reserved
                     (fsync(fd) == 0 || errno == EINVAL)) || // no file system that syncs
                    trajectory_report_errno(f->path);
  if (fd >= 0)
    close(fd);
  return good;
}

static int range_order(const void *a, const void *b)
{
  const int64_t x = ((const struct byte_range *)a)->at, y = ((const struct byte_range *)b)->at;
  return (x > y) - (x < y);
}

// The ranges of [0, length) that hold no chunk: gaps[*count], *bytes together. Free with
// memory_destroy.
static struct byte_range *gaps_create(const struct trajectory_file *f, int64_t length,
                                      int64_t *count, int64_t *bytes)
{
  const size_t chunks = (size_t)f->chunk_count;
  struct byte_range *gaps = memory_create(chunks + 1, sizeof *gaps), *sorted = gaps;
  if (chunks)
    memcpy(sorted, f->chunks, chunks * sizeof *sorted);
  qsort(sorted, chunks, sizeof *sorted, range_order);
  int64_t end = 0;
  *count = *bytes = 0;
  for (size_t k = 0; k <= chunks; k++) { // the k-th gap is stored where a chunk was read before
    const struct byte_range chunk = k < chunks ? sorted[k] : (struct byte_range){length, 0};
    if (chunk.at > end) {
      gaps[(*count)++] = (struct byte_range){end, chunk.at - end};
      *bytes += chunk.at - end;
    }
    end = chunk.at + chunk.size;
  }
  return gaps;
}

typedef bool (*transfer_function)(int fd, char *bytes, struct byte_range range);

static bool transfer_gaps(const struct byte_range *gaps, int64_t count, int fd, char *bytes,
                          transfer_function transfer)
{
  for (int64_t k = 0; k < count; k++) {
    if (!transfer(fd, bytes, gaps[k]))
      return false;
    bytes += gaps[k].size;
  }
  return true;
}

static bool range_read(int fd, char *bytes, struct byte_range range)
{
  errno = EIO; // of a call that transfers less
  return pread(fd, bytes, (size_t)range.size, range.at) == range.size;
}

static bool range_write(int fd, char *bytes, struct byte_range range)
{
  errno = EIO;
  return pwrite(fd, bytes, (size_t)range.size, range.at) == range.size;
}

bool trajectory_file_image(const struct trajectory_file *f, int64_t *length, char **bytes,
                           int64_t *count)
{
  struct stat status;
  int64_t gap_count;
  const int fd = regular_file_open(f->path);
  bool good = fd >= 0 && fstat(fd, &status) == 0;
  if (good) {
    *length = (int64_t)status.st_size;
    struct byte_range *gaps = gaps_create(f, *length, &gap_count, count);
    *bytes = memory_create((size_t)*count, 1);
    good = transfer_gaps(gaps, gap_count, fd, *bytes, range_read);
    memory_destroy(gaps);
  }
  good = good || trajectory_report_errno(f->path);
  if (fd >= 0)
    close(fd);
  return good;
}

bool trajectory_file_check(const struct trajectory_file *f, int64_t length, int64_t count)
{
  struct stat status;
  int64_t gap_count, needed;
  memory_destroy(gaps_create(f, length, &gap_count, &needed));
  const int fd = regular_file_change(f->path, 0);
  const bool exists = fd >= 0 && fstat(fd, &status) == 0;
  const char *hint = "to go on without it, continue in another folder (--restart CHECKPOINT -o "
                     "FOLDER)";
  if (!exists)
    message_print("%s: cannot be read: %s; %s", f->path, regular_file_reason(errno), hint);
  else if (status.st_size < length)
    message_print("%s: has %lld bytes, %lld at the checkpoint; %s", f->path,
                  (long long)status.st_size, (long long)length, hint);
  else if (needed != count)
    message_print("%s: the checkpoint's part of it is damaged; %s", f->path, hint);
  if (fd >= 0)
    close(fd);
  return exists && status.st_size >= length && needed == count;
}

bool trajectory_file_restore(const struct trajectory_file *f, int64_t length, const char *bytes)
{
  int64_t gap_count, count;
  struct byte_range *gaps = gaps_create(f, length, &gap_count, &count);
  const int fd = regular_file_change(f->path, 0);
  const bool good = (fd >= 0 && ftruncate(fd, length) == 0 &&
                     transfer_gaps(gaps, gap_count, fd, (char *)(uintptr_t)bytes, range_write)) ||
                    trajectory_report_errno(f->path);
  if (fd >= 0)
    close(fd);
  memory_destroy(gaps);
  return good;
}
