#include "cpu_quota.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define PATH_SIZE 4096

// A number in the file of a group's folder; NAN: none, as in `max`.
static double number_of(const char *folder, const char *name)
{
  char path[PATH_SIZE + 32];
  double number = NAN;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  FILE *f = fopen(path, "r");
  if (f && fscanf(f, "%lf", &number) != 1)
    number = NAN;
  if (f)
    fclose(f);
  return number;
}

// Version 2: "150000 100000" or "max 100000" in one file.
static double quota_of_unified(const char *folder)
{
  char path[PATH_SIZE + 32];
  double quota, period;
  snprintf(path, sizeof path, "%s/cpu.max", folder);
  FILE *f = fopen(path, "r");
  const bool has = f && fscanf(f, "%lf %lf", &quota, &period) == 2;
  if (f)
    fclose(f);
  return has && quota > 0 && period > 0 ? quota / period : INFINITY;
}

static double quota_of_folder(const char *folder)
{
  const double quota = number_of(folder, "cpu.cfs_quota_us"); // version 1; -1: none
  const double period = number_of(folder, "cpu.cfs_period_us");
  return quota > 0 && period > 0 ? quota / period : quota_of_unified(folder);
}

// Of the group and those around it, up to where the groups are mounted.
static double quota_up_to(char *folder, size_t mount_length)
{
  double least = quota_of_folder(folder);
  while (strlen(folder) > mount_length) {
    *strrchr(folder, '/') = 0;
    least = fmin(least, quota_of_folder(folder));
  }
  return least;
}

static bool names_cpu(const char *list) // "cpu,cpuacct", up to a colon or the end
{
  for (const char *at = list; at;) {
    const size_t length = strcspn(at, ",:\n");
    if (length == 3 && strncmp(at, "cpu", 3) == 0)
      return true;
    at = at[length] == ',' ? at + length + 1 : NULL;
  }
  return false;
}

// The path of this process's group: "0::/path" in version 2, "4:cpu,cpuacct:/path" in version 1.
static bool find_group(const char *cgroup, bool unified, char path[PATH_SIZE])
{
  char line[PATH_SIZE];
  bool found = false;
  FILE *f = fopen(cgroup, "r");
  while (f && !found && fgets(line, sizeof line, f)) {
    const char *list = strchr(line, ':');
    const char *at = list ? strchr(list + 1, ':') : NULL;
    found = at && (unified ? at == list + 1 : names_cpu(list + 1));
    if (found)
      snprintf(path, PATH_SIZE, "%.*s", (int)strcspn(at + 1, "\n"), at + 1);
  }
  if (f)
    fclose(f);
  return found;
}

struct mount {
  char root[PATH_SIZE], point[PATH_SIZE]; // the group that is seen at this folder
  bool unified;
};

// A line of mountinfo (proc(5)): ... root point options - type source options.
static bool read_mount(const char *line, struct mount *m)
{
  char type[64], options[512];
  const char *rest = strstr(line, " - ");
  if (!rest || sscanf(line, "%*s %*s %*s %4095s %4095s", m->root, m->point) != 2 ||
      sscanf(rest, " - %63s %*s %511s", type, options) != 2)
    return false;
  m->unified = strcmp(type, "cgroup2") == 0;
  return m->unified || (strcmp(type, "cgroup") == 0 && names_cpu(options));
}

// A container may see its own group at the folder, or all of the machine.
static double quota_in_mount(const char *cgroup, const struct mount *m)
{
  char path[PATH_SIZE], folder[2 * PATH_SIZE];
  if (!find_group(cgroup, m->unified, path))
    return INFINITY;
  const size_t root = strcmp(m->root, "/") == 0 ? 0 : strlen(m->root);
  const bool inside = strncmp(path, m->root, root) == 0 && (path[root] == '/' || !path[root]);
  const char *below = inside && strcmp(path + root, "/") != 0 ? path + root : "";
  snprintf(folder, sizeof folder, "%s%s", m->point, below);
  return quota_up_to(folder, strlen(m->point));
}

double cpu_quota_of(const char *cgroup, const char *mountinfo)
{
  double least = INFINITY;
  char *line = NULL;
  size_t size = 0;
  struct mount mount;
  FILE *f = fopen(mountinfo, "r");
  while (f && getline(&line, &size, f) > 0)
    if (read_mount(line, &mount))
      least = fmin(least, quota_in_mount(cgroup, &mount));
  free(line);
  if (f)
    fclose(f);
  return least;
}

double cpu_quota(void)
{
  return cpu_quota_of("/proc/self/cgroup", "/proc/self/mountinfo");
}
