#include "files.h"

#include <assert.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char folder[3000];

static int entry_remove(const char *path, const struct stat *about, int kind, struct FTW *at)
{
  (void)about, (void)kind, (void)at;
  return remove(path);
}

static void folder_remove(void)
{
  nftw(folder, entry_remove, 8, FTW_DEPTH | FTW_PHYS);
}

static void folder_create(void)
{
  const char *parent = getenv("TMPDIR");
  snprintf(folder, sizeof folder, "%s/throng-fuzz-XXXXXX", parent ? parent : "/tmp");
  if (!mkdtemp(folder)) {
    perror(folder);
    exit(1);
  }
  atexit(folder_remove);
}

const char *files_path(const char *name)
{
  static char paths[8][4096];
  static const char *names[8];
  int k = 0;
  if (!*folder)
    folder_create();
  while (k < 8 && names[k] && strcmp(names[k], name) != 0)
    k++;
  assert(k < 8);
  if (!names[k])
    snprintf(paths[k], sizeof paths[k], "%s/%s", folder, name);
  names[k] = name;
  return paths[k];
}

const char *files_write(const char *name, const void *data, size_t size)
{
  const char *path = files_path(name);
  FILE *file = fopen(path, "wb");
  const size_t written = file && size ? fwrite(data, 1, size, file) : 0;
  if (!file || fclose(file) != 0 || written != size) {
    perror(path);
    exit(1);
  }
  return path;
}

const char *files_write_text(const char *name, const char *text)
{
  return files_write(name, text, strlen(text));
}
