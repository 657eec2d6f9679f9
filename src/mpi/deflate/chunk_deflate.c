#include "chunk_deflate.h"

#include <assert.h>
#include <libdeflate.h>

#define SHUFFLED_VALUES 1024 // at once
#define CHECKSUM_BYTES  4

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

void *chunk_deflate(const void *values, int64_t count, int64_t size, int32_t level, bool checksum,
                    int64_t *stored)
{
  assert(count > 0 && size > 0 && level >= 1 && level <= 9);
  const size_t bytes = (size_t)(count * size);
  uint8_t *shuffled = memory_create(bytes, 1);
  shuffle(values, count, size, shuffled);
  struct libdeflate_compressor *compressor = libdeflate_alloc_compressor(level);
  if (!compressor)
    memory_fail((double)bytes);
  const size_t most = libdeflate_zlib_compress_bound(compressor, bytes);
  uint8_t *out = memory_create(most + CHECKSUM_BYTES, 1);
  *stored = (int64_t)libdeflate_zlib_compress(compressor, shuffled, bytes, out, most);
  assert(*stored > 0);
  libdeflate_free_compressor(compressor);
  memory_destroy(shuffled);
  if (checksum) {
    append_checksum(out, *stored);
    *stored += CHECKSUM_BYTES;
  }
  return out;
}
