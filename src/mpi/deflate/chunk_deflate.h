// Chunks of a dataset as HDF5's filters shuffle, deflate and Fletcher-32 store them, made by
// libdeflate, which takes less than half of zlib's time. H5Dwrite_chunk writes them.
#pragma once
#include "base.h"

// values[count] of `size` bytes each: a whole chunk. level: 1 to 9. checksum: with Fletcher-32.
// Returns the *stored bytes of the chunk, which the caller frees by memory_destroy.
void *chunk_deflate(const void *values, int64_t count, int64_t size, int32_t level, bool checksum,
                    int64_t *stored);
