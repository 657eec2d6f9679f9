#include "regular_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define RIGHTS 0666 // less what umask takes

// No system call on a regular file fails for these reasons.
#define NOT_REGULAR ESPIPE
#define OTHER_NAMES EMLINK

const char *regular_file_reason(int error)
{
  return error == NOT_REGULAR   ? "it is not a regular file"
         : error == OTHER_NAMES ? "it has other names (hard links), under which it would change too"
         : error == ELOOP       ? "it is a symbolic link"
                                : strerror(error);
}

static int kind_error(const struct stat *about, bool only_name)
{
  return S_ISLNK(about->st_mode)            ? ELOOP
         : S_ISDIR(about->st_mode)          ? EISDIR
         : !S_ISREG(about->st_mode)         ? NOT_REGULAR
         : only_name && about->st_nlink > 1 ? OTHER_NAMES
                                            : 0;
}

// Looks before it opens, since to open a device may do something, and afterwards, since the file
// may have been exchanged. Without O_NONBLOCK, a pipe would wait for somebody at its other end.
static int open_checked(const char *path, int flags, bool only_name)
{
  struct stat about;
  const bool known = (flags & O_NOFOLLOW ? lstat : stat)(path, &about) == 0;
  int error = known ? kind_error(&about, only_name) : 0;
  const int fd = error ? -1 : open(path, flags | O_NONBLOCK | O_NOCTTY | O_CLOEXEC, RIGHTS);
  if (!error)
    error = fd < 0 || fstat(fd, &about) != 0 ? errno : kind_error(&about, only_name);
  if (!error && fcntl(fd, F_SETFL, flags & O_APPEND) == 0) // no longer O_NONBLOCK
    return fd;
  error = error ? error : errno;
  if (fd >= 0)
    close(fd);
  errno = error;
  return -1;
}

static FILE *stream_of(int fd, const char *mode)
{
  FILE *file = fd < 0 ? NULL : fdopen(fd, mode);
  if (fd >= 0 && !file)
    close(fd);
  return file;
}

int regular_file_open(const char *path)
{
  return open_checked(path, O_RDONLY, false);
}

FILE *regular_file_read(const char *path)
{
  return stream_of(regular_file_open(path), "rb");
}

int regular_file_make(const char *path)
{
  if (unlink(path) != 0 && errno != ENOENT)
    return -1;
  return open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, RIGHTS);
}

FILE *regular_file_create(const char *path)
{
  return stream_of(regular_file_make(path), "wb");
}

int regular_file_change(const char *path, int flags)
{
  return open_checked(path, O_RDWR | O_NOFOLLOW | flags, true);
}

FILE *regular_file_append(const char *path)
{
  return stream_of(regular_file_change(path, O_CREAT | O_APPEND), "ab");
}
