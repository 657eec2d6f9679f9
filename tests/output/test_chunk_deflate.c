// HDF5 reads what chunk_deflate makes, through its own filters, and finds every damaged bit of it.
#include "chunk_deflate.h"
#include "extent.h"
#include "oracle.h"

#include <criterion/criterion.h>
#include <hdf5.h>
#include <string.h>

#define LONGEST 3000 // values

static hid_t file_in_memory(void)
{
  const hid_t list = H5Pcreate(H5P_FILE_ACCESS);
  H5Pset_fapl_core(list, 1 << 16, false);
  const hid_t file = H5Fcreate("memory.h5", H5F_ACC_TRUNC, H5P_DEFAULT, list);
  H5Pclose(list);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL); // damage is expected
  return file;
}

// One chunk of `count` values of `size` bytes.
static hid_t dataset_create(hid_t file, hid_t type, int64_t count, bool checksum)
{
  const hsize_t rows = (hsize_t)count;
  const hid_t space = H5Screate_simple(1, &rows, NULL), list = H5Pcreate(H5P_DATASET_CREATE);
  H5Pset_chunk(list, 1, &rows);
  H5Pset_shuffle(list);
  H5Pset_deflate(list, 1);
  if (checksum)
    H5Pset_fletcher32(list);
  const hid_t dataset = H5Dcreate2(file, "values", type, space, H5P_DEFAULT, list, H5P_DEFAULT);
  H5Pclose(list);
  H5Sclose(space);
  return dataset;
}

// Whether HDF5 reads these values from the stored bytes.
static bool is_read(const void *values, int64_t count, int64_t size, bool checksum,
                    const void *bytes, int64_t stored)
{
  static char found[LONGEST * 16];
  const hsize_t start = 0;
  const hid_t file = file_in_memory(), type = H5Tcreate(H5T_OPAQUE, (size_t)size);
  const hid_t dataset = dataset_create(file, type, count, checksum);
  cr_assert(H5Dwrite_chunk(dataset, H5P_DEFAULT, 0, &start, (size_t)stored, bytes) >= 0);
  const bool good = H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, found) >= 0;
  H5Dclose(dataset);
  H5Tclose(type);
  H5Fclose(file);
  return good && memcmp(found, values, (size_t)(count * size)) == 0;
}

// Noise, zeros, or a column of slowly growing numbers.
static void values_make(char *values, int64_t bytes, int kind, uint64_t *seed)
{
  for (int64_t i = 0; i < bytes; i++) {
    const int64_t growing = i % 8 == 0 ? i / 8 : 0;
    values[i] = (char)(kind == 0 ? oracle_whole(seed, 0, 255) : kind == 1 ? 0 : growing);
  }
}

// One deflater makes chunks of all sizes, one after the other.
static void check_level(int32_t level, enum deflate_search search)
{
  static const int64_t sizes[] = {1, 2, 4, 8, 12, 16}, counts[] = {1, 2, 7, 1000, 1024, 1025, 3000};
  static char values[LONGEST * 16], bytes[LONGEST * 16 * 2];
  struct chunk_deflater *deflater = chunk_deflater_create(level, search);
  uint64_t seed = 1;
  for (int s = 0; s < 6; s++)
    for (int c = 0; c < 7; c++)
      for (int kind = 0; kind < 3; kind++) {
        const bool checksum = (c + kind) % 2 == 0;
        values_make(values, sizes[s] * counts[c], kind, &seed);
        const int64_t stored =
            chunk_deflate(deflater, values, counts[c], sizes[s], checksum, bytes);
        cr_expect_leq(stored, chunk_deflate_bound(sizes[s] * counts[c]));
        cr_expect(is_read(values, counts[c], sizes[s], checksum, bytes, stored),
                  "%lld values of %lld bytes, kind %d, level %d, search %d", (long long)counts[c],
                  (long long)sizes[s], kind, level, search);
      }
  chunk_deflater_destroy(deflater);
}

Test(chunk_deflate, hdf5_reads_what_it_makes)
{
  for (int32_t level = 1; level <= 9; level += 4) {
    check_level(level, DEFLATE_MATCHES);
    check_level(level, DEFLATE_RUNS);
  }
  chunk_deflater_destroy(NULL);
}

// More than zlib's window, of noise, which no method makes smaller.
Test(chunk_deflate, noise_fits_in_the_bound)
{
  enum { BYTES = 163840 };
  static char values[BYTES], bytes[2 * BYTES];
  uint64_t seed = 3;
  values_make(values, BYTES, 0, &seed);
  for (int search = DEFLATE_MATCHES; search <= DEFLATE_RUNS; search++) {
    struct chunk_deflater *deflater = chunk_deflater_create(1, search);
    const int64_t stored = chunk_deflate(deflater, values, BYTES, 1, true, bytes);
    cr_expect_leq(stored, chunk_deflate_bound(BYTES));
    cr_expect_gt(stored, BYTES);
    chunk_deflater_destroy(deflater);
  }
}

// An odd and an even number of bytes before the checksum.
Test(chunk_deflate, a_damaged_bit_is_found)
{
  static char values[LONGEST * 4];
  static uint8_t bytes[LONGEST * 4];
  struct chunk_deflater *deflater = chunk_deflater_create(1, DEFLATE_RUNS);
  uint64_t seed = 2;
  for (int64_t count = 40; count < (SHORT ? 44 : 60); count++) {
    values_make(values, 4 * count, 0, &seed);
    const int64_t stored = chunk_deflate(deflater, values, count, 4, true, bytes);
    for (int64_t i = 0; i < stored; i++) {
      bytes[i] ^= (uint8_t)(1 << (i % 8));
      cr_expect(!is_read(values, count, 4, true, bytes, stored), "byte %lld of %lld", (long long)i,
                (long long)stored);
      bytes[i] ^= (uint8_t)(1 << (i % 8));
    }
  }
  chunk_deflater_destroy(deflater);
}
