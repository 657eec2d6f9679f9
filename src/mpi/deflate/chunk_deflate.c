#include "chunk_deflate.h"

#include <assert.h>
#include <libdeflate.h>
#include <zlib.h>

#define SHUFFLED_VALUES 1024 // at once
#define CHECKSUM_BYTES  4
#define ZLIB_MEMORY     8          // as deflateInit has it: compressBound holds for it
#define CHUNK_BYTES_MAX (1u << 30) // of zlib's and HDF5's sizes, which have 32 bits

struct chunk_deflater {
  struct libdeflate_compressor *matches; // NULL: `runs` is used
  z_stream runs;
  uint8_t *shuffled;
  size_t capacity; // of `shuffled`
};

struct chunk_deflater *chunk_deflater_create(int32_t level, enum deflate_search search)
{
  struct chunk_deflater *d = memory_create(1, sizeof *d);
  bool is_created;
  assert(level >= 1 && level <= 9);
  if (search == DEFLATE_RUNS && level == 1) {
    is_created = deflateInit2(&d->runs, level, Z_DEFLATED, MAX_WBITS, ZLIB_MEMORY, Z_RLE) == Z_OK;
  } else {
    d->matches = libdeflate_alloc_compressor(level);
    is_created = d->matches != NULL;
  }
  if (!is_created)
    memory_fail(1 << 20); // about as much as both need
  return d;
}

void chunk_deflater_destroy(struct chunk_deflater *d)
{
  if (!d)
    return;
  if (d->matches)
    libdeflate_free_compressor(d->matches);
  else
    deflateEnd(&d->runs);
  memory_destroy(d->shuffled);
  memory_destroy(d);
}

int64_t chunk_deflate_bound(int64_t bytes)
{
  const size_t matches = libdeflate_zlib_compress_bound(NULL, (size_t)bytes),
               runs = compressBound((uLong)bytes);
  return (int64_t)(matches > runs ? matches : runs) + CHECKSUM_BYTES;
}

// The filter shuffle: first the first bytes of all values, then the second ones, ...
static void shuffle(const uint8_t *values, int64_t count, int64_t size, uint8_t *out)
{
  for (int64_t begin = 0; begin < count; begin += SHUFFLED_VALUES) { // in the cache
    const int64_t end = begin + SHUFFLED_VALUES < count ? begin + SHUFFLED_VALUES : count;
    for (int64_t byte = 0; byte < size; byte++)
      for (int64_t i = begin; i < end; i++)
        out[byte * count + i] = values[i * size + byte];
  }
}

static uint32_t fold(uint64_t sum)
{
  return sum == 0 ? 0 : (uint32_t)((sum - 1) % 65535 + 1);
}

// Fletcher 1982, with words of 16 bits, the high byte first. The sums are modulo 65535, and 65535
// rather than 0 unless all words are 0, as the filter has it.
static uint32_t fletcher32(const uint8_t *bytes, int64_t count)
{
  uint64_t low = 0, high = 0;
  for (int64_t i = 0; i < count; i += 2) {
    low += (uint32_t)bytes[i] << 8 | (i + 1 < count ? bytes[i + 1] : 0);
    high += low;
    if (i % (1 << 16) == 0) { // before they overflow
      low = fold(low);
      high = fold(high);
    }
  }
  return fold(high) << 16 | fold(low);
}

static void append_checksum(uint8_t *bytes, int64_t count)
{
  const uint32_t sum = fletcher32(bytes, count);
  for (int k = 0; k < CHECKSUM_BYTES; k++)
    bytes[count + k] = (uint8_t)(sum >> 8 * k);
}

static void reserve(struct chunk_deflater *d, size_t bytes)
{
  if (bytes <= d->capacity)
    return;
  memory_destroy(d->shuffled);
  d->shuffled = memory_create(bytes, 1);
  d->capacity = bytes;
}

static int64_t compress_runs(z_stream *z, uint8_t *bytes, size_t count, void *out, size_t most)
{
  deflateReset(z);
  z->next_in = bytes;
  z->avail_in = (uInt)count;
  z->next_out = out;
  z->avail_out = (uInt)most;
  return deflate(z, Z_FINISH) == Z_STREAM_END ? (int64_t)z->total_out : 0;
}

int64_t chunk_deflate(struct chunk_deflater *d, const void *values, int64_t count, int64_t size,
                      bool checksum, void *out)
{
  const size_t bytes = (size_t)(count * size),
               most = (size_t)chunk_deflate_bound((int64_t)bytes) - CHECKSUM_BYTES;
  int64_t stored;
  assert(count > 0 && size > 0 && bytes <= CHUNK_BYTES_MAX);
  reserve(d, bytes);
  shuffle(values, count, size, d->shuffled);
  if (d->matches)
    stored = (int64_t)libdeflate_zlib_compress(d->matches, d->shuffled, bytes, out, most);
  else
    stored = compress_runs(&d->runs, d->shuffled, bytes, out, most);
  if (stored <= 0) // never: the bound holds for all bytes
    fail(EXIT_INTERNAL_ERROR, "a chunk of %zu bytes cannot be compressed", bytes);
  if (checksum) {
    append_checksum(out, stored);
    stored += CHECKSUM_BYTES;
  }
  return stored;
}
