// Chunks of a dataset as HDF5's filters shuffle, deflate and Fletcher-32 store them. H5Dwrite_chunk
// writes them.
#pragma once
#include "base.h"

// How bytes that occur again are found. Values of any kind: by libdeflate, in less than half of
// zlib's time. Values with long runs of equal bytes, such as small integers of 8 bytes: at level 1
// by zlib's run-length encoding, in half of libdeflate's time and less space; from level 2 on as
// values of any kind.
enum deflate_search { DEFLATE_MATCHES, DEFLATE_RUNS };

// Memory for one thread at a time, kept from chunk to chunk.
struct chunk_deflater;
struct chunk_deflater *chunk_deflater_create(int32_t level, enum deflate_search search); // 1 to 9
void chunk_deflater_destroy(struct chunk_deflater *d); // NULL: nothing

// The most bytes that a chunk of `bytes` bytes is stored in.
int64_t chunk_deflate_bound(int64_t bytes);
// values[count] of `size` bytes each: a whole chunk. checksum: with Fletcher-32. Writes the chunk
// to out[chunk_deflate_bound(count * size)] and returns how many bytes are stored.
int64_t chunk_deflate(struct chunk_deflater *d, const void *values, int64_t count, int64_t size,
                      bool checksum, void *out);
