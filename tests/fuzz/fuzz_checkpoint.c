// A checkpoint as `throng info` reads it: as it is, and with a seal that matches, without which
// nothing behind it would be read.
#include "checkpoint_file.h"
#include "files.h"
#include "mpi_begin.h"
#include "seal.h"
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  const struct comm self = comm_self();
  char reason[200];
  mpi_begin();
  const char *path = files_write("checkpoint-00000001.h5", data, size);
  if (!checkpoint_recognise(path))
    abort();
  checkpoint_describe(path);
  if (!seal_write(&self, path, reason, sizeof reason))
    abort();
  checkpoint_describe(path);
  return 0;
}
