#include "directory.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

char *directory_file(const char *directory, const char *name)
{
  char *path = NULL;
  if (asprintf(&path, "%s/%s", directory, name) < 0)
    fail(EXIT_OUR_FAULT, "out of memory");
  return path;
}

static bool made(const char *path)
{
  struct stat info;
  return mkdir(path, 0777) == 0 || (stat(path, &info) == 0 && S_ISDIR(info.st_mode));
}

static bool make_with_parents(const char *directory)
{
  char *path = strdup(directory);
  bool good = path && *path;
  for (char *c = path + good; good && *c; c++)
    if (*c == '/') {
      *c = 0;
      good = made(path);
      *c = '/';
    }
  good = good && made(path);
  free(path);
  return good;
}

static bool has_file(const char *directory, const char *name)
{
  char *path = directory_file(directory, name);
  const bool there = access(path, F_OK) == 0;
  free(path);
  return there;
}

static bool is_ours(const char *name)
{
  static const char *const names[] = {"snapshots.xdmf", "walls.vtkhdf", "series.csv",
                                      "log.jsonl",      "summary.json", "lines.csv",
                                      "areas.csv",      "travel.csv",   "alarms.csv"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strcmp(name, names[i]) == 0)
      return true;
  return strncmp(name, "snapshot-", 9) == 0 || strncmp(name, "density-", 8) == 0;
}

// Moves the files of a run from one directory to another; to NULL: removes them.
static bool move_files(const char *from, const char *to)
{
  bool good = true;
  DIR *d = opendir(from);
  for (struct dirent *e; d && (e = readdir(d));) {
    if (!is_ours(e->d_name))
      continue;
    char *old_path = directory_file(from, e->d_name);
    char *new_path = to ? directory_file(to, e->d_name) : NULL;
    good = (new_path ? rename(old_path, new_path) : unlink(old_path)) == 0 && good;
    free(old_path);
    free(new_path);
  }
  if (d)
    closedir(d);
  return good;
}

static bool keep_earlier_run(const char *directory)
{
  char *kept = directory_file(directory, "previous");
  const bool good = made(kept) && move_files(kept, NULL) && move_files(directory, kept);
  if (good)
    fprintf(stderr, "throng: %s holds an earlier run: kept in %s\n", directory, kept);
  free(kept);
  return good;
}

bool directory_prepare(const char *directory)
{
  bool good = make_with_parents(directory) && access(directory, W_OK | X_OK) == 0;
  if (good && has_file(directory, "log.jsonl"))
    good = keep_earlier_run(directory);
  if (!good)
    fprintf(stderr, "throng: output directory %s: cannot be written: %s\n", directory,
            *directory ? strerror(errno) : "it has no name");
  return good;
}
