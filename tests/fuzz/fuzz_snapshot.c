// A snapshot, a file of walls or a density field as `throng info` reads it.
#include "file_info.h"
#include "files.h"
#include "mpi_begin.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
  mpi_begin();
  file_describe(files_write("snapshot-00000001.vtkhdf", data, size));
  return 0;
}
