#include "seal.h"

#include "hash.h"
#include "regular_file.h"
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define BLOCK (1 << 20) // bytes; rank r hashes the blocks r, r + ranks, ...

struct seal {
  char mark[16];
  int64_t length; // of the file without the seal
  uint64_t hash;
};
_Static_assert(sizeof(struct seal) == SEAL_BYTES, "no padding");
static const char mark[16] = "throng sealed 1\n";

static bool read_at(int fd, int64_t at, void *out, size_t count)
{
  char *bytes = out;
  while (count > 0) {
    const ssize_t got = pread(fd, bytes, count, at);
    if (got < 0 && errno == EINTR)
      continue;
    if (got == 0)
      errno = 0; // the end of the file
    if (got <= 0)
      return false;
    bytes += got;
    at += got;
    count -= (size_t)got;
  }
  return true;
}

static uint64_t block_hash(uint64_t number, const char *bytes, size_t count)
{
  uint64_t h = hash_mixed(number + 0x9e3779b97f4a7c15u), word;
  for (size_t i = 0; i < count; i += 8) {
    const size_t left = count - i;
    word = 0;
    memcpy(&word, bytes + i, left < 8 ? left : 8);
    h = hash_mixed(h + 0x9e3779b97f4a7c15u + word);
  }
  return hash_mixed(h + count);
}

// Sums the hashes of all blocks of the first `length` bytes. False: see errno.
static bool file_hash(const struct comm *c, int fd, int64_t length, uint64_t *hash)
{
  char *bytes = memory_create(BLOCK, 1);
  bool good = fd >= 0;
  *hash = 0;
  for (int64_t k = c->rank; good && k * BLOCK < length; k += c->size) {
    const int64_t left = length - k * BLOCK;
    const size_t count = (size_t)(left < BLOCK ? left : BLOCK);
    good = read_at(fd, k * BLOCK, bytes, count);
    *hash += good ? block_hash((uint64_t)k, bytes, count) : 0; // unsigned: may wrap
  }
  const int error = errno;
  memory_destroy(bytes);
  *hash = comm_sum_wrapping(c, *hash);
  errno = error;
  return good;
}

// The file length, if all ranks see the same; -1 otherwise.
static int64_t agree_length(const struct comm *c, int fd)
{
  struct stat status;
  const int64_t own = fd >= 0 && fstat(fd, &status) == 0 ? (int64_t)status.st_size : -1;
  int64_t extremes[2] = {own, -own};
  comm_max(c, extremes, 2);
  return extremes[0] == -extremes[1] ? own : -1;
}

bool seal_write(const struct comm *c, const char *path, char *reason, size_t size)
{
  struct seal seal = {.length = 0};
  const int fd = c->rank == 0 ? regular_file_change(path, 0) : regular_file_open(path);
  seal.length = agree_length(c, fd);
  bool good = file_hash(c, fd, seal.length, &seal.hash) && seal.length >= 0;
  memcpy(seal.mark, mark, sizeof mark);
  if (good && c->rank == 0)
    good = pwrite(fd, &seal, sizeof seal, seal.length) == (ssize_t)sizeof seal;
  if (!good)
    snprintf(reason, size, "cannot be read back and sealed: %s", strerror(errno));
  if (fd >= 0)
    close(fd);
  return good;
}

// The seal at the end of a file whose seal begins at `length`. What is wrong with it, or NULL; then
// *error: why it cannot be read, or 0.
static const char *read_seal(int fd, int64_t length, struct seal *seal, int *error)
{
  *error = 0;
  if (length >= 0 && !read_at(fd, length, seal, sizeof *seal) && (*error = errno) != 0)
    return strerror(*error);
  if (length < 0 || memcmp(seal->mark, mark, sizeof mark) != 0)
    return "is truncated or not a checkpoint";
  return seal->length == length ? NULL : "has another length than was written";
}

enum exit_code seal_check(const struct comm *c, const char *path, char *reason, size_t size)
{
  struct seal seal = {.length = -1};
  uint64_t hash = 0;
  const int fd = regular_file_open(path);
  int error = fd < 0 ? errno : 0;
  const int64_t length = agree_length(c, fd) - SEAL_BYTES;
  const char *fault = error ? regular_file_reason(error) : read_seal(fd, length, &seal, &error);
  const bool readable = file_hash(c, fault ? -1 : fd, length, &hash);
  if (!fault && !readable && (error = errno) != 0)
    fault = strerror(error);
  else if (!fault && (!readable || hash != seal.hash))
    fault = "is damaged: its bytes have another hash than was written";
  if (fault)
    snprintf(reason, size, "%s", fault);
  if (fd >= 0)
    close(fd);
  return error ? EXIT_IO : fault ? EXIT_CORRUPT_DATA : EXIT_DONE;
}

bool seal_exists(const char *path)
{
  struct seal seal;
  struct stat status;
  const int fd = regular_file_open(path);
  const bool found = fd >= 0 && fstat(fd, &status) == 0 && status.st_size >= SEAL_BYTES &&
                     read_at(fd, status.st_size - SEAL_BYTES, &seal, sizeof seal) &&
                     memcmp(seal.mark, mark, sizeof mark) == 0;
  if (fd >= 0)
    close(fd);
  return found;
}
