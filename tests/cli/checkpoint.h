// Shared by the tests of checkpoints.
#pragma once
#include "cli.h"

static inline int64_t newest_checkpoint(const char *run) // step of the newest checkpoint; -1: none
{
  struct launched l = launch("ls %s", run);
  long long newest = -1;
  for (const char *c = l.out; (c = strstr(c, "checkpoint-")); c++)
    if (strstr(c, ".h5"))
      sscanf(c, "checkpoint-%lld", &newest);
  launched_destroy(&l);
  return newest;
}

static inline int count_checkpoints(const char *run)
{
  struct launched l = launch("ls %s", run);
  const int count = launch_count(l.out, "checkpoint-");
  cr_expect(launch_count(l.out, ".tmp") == 0, "%s", l.out);
  launched_destroy(&l);
  return count;
}

static inline void read_hex(const char *path, const char *key, char value[17])
{
  char *text = launch_read(path);
  const char *found = text ? strstr(text, key) : NULL;
  value[0] = 0;
  if (found)
    sscanf(found + strlen(key), "%16[0-9a-f]", value);
  free(text);
}

static inline void expect_same_end(const char *one, const char *other)
{
  char path[100], sums[2][17];
  snprintf(path, sizeof path, "%s/summary.json", one);
  read_hex(path, "\"checksum\": \"", sums[0]);
  snprintf(path, sizeof path, "%s/summary.json", other);
  read_hex(path, "\"checksum\": \"", sums[1]);
  cr_expect(sums[0][0] && strcmp(sums[0], sums[1]) == 0, "%s and %s", sums[0], sums[1]);
}

static inline void run_to(const char *run, const char *more)
{
  struct launched l = launch("'%s' run square.yaml -q -o %s %s", THRONG, run, more);
  expect_success(&l);
  launched_destroy(&l);
}
