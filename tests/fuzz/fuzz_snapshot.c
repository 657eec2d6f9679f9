// A snapshot, a file of walls or a density field as `throng info` reads it.
#include "files.h"
#include "mpi_begin.h"
#include "snapshot.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  mpi_begin();
  snapshot_describe(files_write("snapshot-00000001.vtkhdf", data, size));
  return 0;
}
