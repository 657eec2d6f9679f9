// Chunks as HDF5's filters shuffle and deflate write them, compressed by all ranks.
#pragma once
#include "comm.h"
#include "trajectory_file.h"

// Compresses chunks[count], which rank 0 has, in the order of the ranks; their bytes, which hold
// chunk_rows rows each, are replaced. Without compression it does nothing. Collective, but with one
// rank it makes no call of MPI.
void chunks_compress(const struct comm *c, const struct trajectory_format *format,
                     struct trajectory_chunk *chunks, int64_t count);
