#include "run_directory.h"
#include "message.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

char *run_directory_file(const char *directory, const char *name)
{
  char *path = NULL;
  if (asprintf(&path, "%s/%s", directory, name) < 0)
    memory_fail((double)(strlen(directory) + strlen(name) + 2));
  return path;
}

static bool ensure_directory(const char *path)
{
  struct stat info;
  if (mkdir(path, 0777) == 0)
    return true;
  const int error = errno; // also where there is nothing: the folder above may be read-only
  const bool exists = stat(path, &info) == 0;
  if (exists && S_ISDIR(info.st_mode))
    return true;
  errno = exists ? ENOTDIR : error;
  return false;
}

static bool make_with_parents(const char *directory)
{
  char *path = strdup(directory);
  bool good = path && *path;
  for (char *c = path + good; good && *c; c++)
    if (*c == '/') {
      *c = 0;
      good = ensure_directory(path);
      *c = '/';
    }
  good = good && ensure_directory(path);
  const int error = errno;
  free(path);
  errno = error;
  return good;
}

static bool has_file(const char *directory, const char *name)
{
  char *path = run_directory_file(directory, name);
  const bool exists = access(path, F_OK) == 0;
  free(path);
  return exists;
}

static bool is_run_file(const char *name)
{
  static const char *const names[] = {
      "snapshots.xdmf", "walls.vtkhdf",  "series.csv", "log.jsonl",  "summary.json",
      "lines.csv",      "areas.csv",     "travel.csv", "alarms.csv", "trajectory.h5",
      "map.geojson",    "totals.vtkhdf", "people.csv", "queues.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return strncmp(name, "snapshot-", 9) == 0 || strncmp(name, "density-", 8) == 0 ||
         strncmp(name, "checkpoint-", 11) == 0;
}

// Moves the files of a run to another directory; to NULL: deletes them.
static bool move_files(const char *from, const char *to)
{
  DIR *d = opendir(from);
  bool good = d != NULL;
  for (struct dirent *e; d && (e = readdir(d));) {
    if (!is_run_file(e->d_name))
      continue;
    char *old_path = run_directory_file(from, e->d_name);
    char *new_path = to ? run_directory_file(to, e->d_name) : NULL;
    good = (new_path ? rename(old_path, new_path) : unlink(old_path)) == 0 && good;
    free(old_path);
    free(new_path);
  }
  if (d)
    closedir(d);
  return good;
}

// Deletes the unfinished files of a killed run.
static void remove_partial(const char *directory)
{
  DIR *d = opendir(directory);
  for (struct dirent *e; d && (e = readdir(d));) {
    const size_t length = strlen(e->d_name);
    if (length < 4 || !is_run_file(e->d_name) || strcmp(e->d_name + length - 4, ".tmp") != 0)
      continue;
    char *path = run_directory_file(directory, e->d_name);
    unlink(path);
    free(path);
  }
  if (d)
    closedir(d);
}

static bool move_earlier_run(const char *directory)
{
  char *previous = run_directory_file(directory, "previous");
  remove_partial(directory);
  const bool good =
      ensure_directory(previous) && move_files(previous, NULL) && move_files(directory, previous);
  if (good)
    message_print("%s: holds an earlier run, which is moved to %s", directory, previous);
  free(previous);
  return good;
}

static bool make_writable(const char *directory)
{
  return make_with_parents(directory) && access(directory, W_OK | X_OK) == 0;
}

static bool report_result(bool good, const char *directory)
{
  if (!good)
    message_print("output directory %s: cannot be written: %s", directory,
                  *directory ? strerror(errno) : "it has no name");
  return good;
}

bool run_directory_create(const char *directory)
{
  return report_result(make_writable(directory), directory);
}

bool run_directory_prepare(const char *directory)
{
  return report_result(!has_file(directory, "log.jsonl") || move_earlier_run(directory), directory);
}

static int descending(const void *a, const void *b)
{
  const int64_t x = *(const int64_t *)a, y = *(const int64_t *)b;
  return (x < y) - (x > y);
}

// The 42 of "snapshot-00000042.vtkhdf"; -1: another kind of name.
static int64_t file_step(const char *name, const char *prefix, const char *extension)
{
  const size_t length = strlen(prefix);
  if (strncmp(name, prefix, length) != 0 || name[length] != '-')
    return -1;
  char *end;
  const char *digits = name + length + 1;
  const long long step = strtoll(digits, &end, 10);
  const bool matches =
      end > digits && *digits != '-' && *end == '.' && strcmp(end + 1, extension) == 0;
  return matches ? step : -1;
}

int64_t *run_directory_list_steps(const char *directory, const char *prefix, const char *extension,
                                  int64_t *count)
{
  int64_t *list = NULL, capacity = 0;
  DIR *d = opendir(directory);
  *count = d || errno == ENOENT ? 0 : -1;
  for (struct dirent *e; d && (e = readdir(d));) {
    const int64_t step = file_step(e->d_name, prefix, extension);
    if (step < 0)
      continue;
    list = memory_reserve(list, *count, &capacity, sizeof *list);
    list[(*count)++] = step;
  }
  if (d)
    closedir(d);
  if (*count > 0)
    qsort(list, (size_t)*count, sizeof *list, descending);
  return list;
}

void run_directory_remove_after(const char *directory, const char *prefix, int64_t step)
{
  int64_t count;
  int64_t *steps = run_directory_list_steps(directory, prefix, "vtkhdf", &count);
  for (int64_t i = 0; i < count && steps[i] > step; i++) {
    char name[80];
    snprintf(name, sizeof name, "%s-%08" PRId64 ".vtkhdf", prefix, steps[i]);
    char *path = run_directory_file(directory, name);
    unlink(path);
    free(path);
  }
  memory_destroy(steps);
}

void run_directory_remove_final(const char *directory)
{
  static const char *const final[] = {"summary.json", "travel.csv", "totals.vtkhdf"};
  for (size_t k = 0; k < sizeof final / sizeof *final; k++) {
    char *path = run_directory_file(directory, final[k]);
    unlink(path);
    free(path);
  }
}

void run_directory_resume(const char *directory)
{
  remove_partial(directory);
}

// The clock of a file server may be behind that of this machine.
#define CLOCKS_DIFFER 60 // s

static bool sync_file(const char *path, double since)
{
  struct stat about;
  const int fd = open(path, O_RDONLY | O_NONBLOCK); // it may be a pipe
  bool good = fd >= 0 && fstat(fd, &about) == 0;
  if (good && S_ISREG(about.st_mode) && (double)about.st_mtim.tv_sec >= since - CLOCKS_DIFFER)
    good = fsync(fd) == 0 || errno == EINVAL;        // no file system that syncs
  if (!good && (errno == ENOENT || errno == EACCES)) // deleted meanwhile, or hidden by the user
    good = true;
  if (!good)
    message_print("%s: cannot be written: %s", path, strerror(errno));
  if (fd >= 0)
    close(fd);
  return good;
}

bool run_directory_sync(const char *directory, double *since)
{
  DIR *d = opendir(directory);
  struct timespec now;
  clock_gettime(CLOCK_REALTIME_COARSE, &now); // that of file times
  bool good = d != NULL && (fsync(dirfd(d)) == 0 || errno == EINVAL);
  if (!good)
    message_print("%s: cannot be written: %s", directory, strerror(errno));
  for (struct dirent *e; good && (e = readdir(d));)
    if (is_run_file(e->d_name) && strncmp(e->d_name, "checkpoint-", 11) != 0) { // is there already
      char *path = run_directory_file(directory, e->d_name);
      good = sync_file(path, *since);
      free(path);
    }
  if (d)
    closedir(d);
  *since = (double)now.tv_sec;
  return good;
}

bool run_directory_prepare_empty(const char *directory)
{
  if (!has_file(directory, "log.jsonl"))
    return true;
  message_print("output directory %s: holds another run than the checkpoint's: choose a new "
                "directory",
                directory);
  return false;
}

bool run_directory_contains(const char *directory, const char *path)
{
  char *file = realpath(path, NULL);
  struct stat wanted, actual;
  const bool same = file && stat(directory, &wanted) == 0 && stat(dirname(file), &actual) == 0 &&
                    wanted.st_dev == actual.st_dev && wanted.st_ino == actual.st_ino;
  free(file);
  return same;
}
