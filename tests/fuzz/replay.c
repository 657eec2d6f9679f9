// Gives files to the entry of a fuzz program, one after the other: regressions in builds without
// libFuzzer. Arguments: files, and folders of files. A hang ends by SIGALRM.
#include "files.h"

#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#define LIMIT 60 // s; each takes milliseconds

static int count;

static int replay(const char *path, const struct stat *about, int kind, struct FTW *at)
{
  (void)at;
  if (kind == FTW_D)
    return 0;
  const size_t size = (size_t)about->st_size;
  uint8_t *data = malloc(size + 1);
  FILE *file = fopen(path, "rb");
  if (!data || !file || fread(data, 1, size, file) != size) {
    perror(path);
    exit(1);
  }
  fclose(file);
  fprintf(stderr, "%s: %zu bytes\n", path, size);
  alarm(LIMIT);
  LLVMFuzzerTestOneInput(data, size);
  free(data);
  count++;
  return 0;
}

int main(int argc, char **argv)
{
  for (int i = 1; i < argc; i++)
    if (nftw(argv[i], replay, 8, FTW_PHYS) != 0) {
      perror(argv[i]);
      return 1;
    }
  printf("%d inputs\n", count);
  return count == 0;
}
