// The guarantees of snapshots, tested from outside by rank_snapshot.c on several ranks.
#include "../launch.h"
#include "base.h"
#include <criterion/criterion.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <unistd.h>

#define PROGRAM      "'" PROGRAMS "/rank_snapshot'"
#define SKIPPED_CODE 11
#define FAILED_CODE  12

static struct launched written(int ranks, const char *folder, const char *words)
{
  launch_folder();
  mkdir(folder, 0777);
  return launch_ranks(ranks, PROGRAM " write %s %s", folder, words);
}

static void must_write(int ranks, const char *folder, const char *words)
{
  struct launched l = written(ranks, folder, words);
  cr_assert_eq(l.code, 0, "%d ranks, %s: code %d: %s", ranks, words, l.code, l.err);
  launched_destroy(&l);
}

static int count_files(const char *pattern)
{
  struct launched l = launch("ls -d %s", pattern);
  const int count = launch_count(l.out, "\n");
  launched_destroy(&l);
  return count;
}

static void must_hold(const char *text, const char *part)
{
  cr_assert(strstr(text, part), "no \"%s\" in:\n%s", part, text);
}

Test(snapshot, is_described_the_same_for_any_ranks)
{
  for (int ranks = 0; ranks <= 3; ranks++) { // 0: without mpirun
    must_write(ranks, "run", "1000 2 f64 1");
    struct launched l = launch(PROGRAM " describe run/snapshot-00000010.vtkhdf");
    cr_assert_eq(l.code, EXIT_DONE, "%s", l.err);
    must_hold(l.out, "agents     1000\n");
    must_hold(l.out, "step       10, at 1 s\n");
    must_hold(l.out, "checksum   0123456789abcdef\n");
    must_hold(l.out, "extent     x 371511.871 to 372487.541 m, y 4841511.719 to 4842485.984 m");
    must_hold(l.out, "speed      mean 1.0624 m/s, largest 1.4631 m/s\n");
    must_hold(l.out, "every array read; all checksums match");
    cr_assert_lt(launch_count(l.out, "\n"), 25, "more than a screen");
    launched_destroy(&l);
    cr_assert_eq(count_files("run/*.tmp"), 0);
  }
}

Test(snapshot, without_agents_or_of_a_single_rank)
{
  for (int ranks = 1; ranks <= 3; ranks += 2) {
    must_write(ranks, "nobody", "0 1 f32 1");
    must_write(ranks, "plain", "0 1 f64 0");
    must_write(ranks, "crowded", "5 1 f64 9 crowded");
  }
  struct launched l = launch(PROGRAM " describe crowded/snapshot-00000000.vtkhdf");
  must_hold(l.out, "3 with 5, 0, 0 agents");
  launched_destroy(&l);
}

Test(snapshot, without_a_folder_is_reported_once)
{
  for (int ranks = 1; ranks <= 3; ranks += 2) {
    launch_folder();
    struct launched l = launch_ranks(ranks, PROGRAM " write missing/folder 10 1 f32 1");
    cr_assert_eq(l.code, FAILED_CODE, "code %d", l.code);
    cr_assert_eq(launch_count(l.err, "snapshot-00000000.vtkhdf: cannot be written: No such file"),
                 1, "%s", l.err);
    launched_destroy(&l);
  }
}

// A limit on the file size acts like a full disk and needs no privileges.
Test(snapshot, too_large_for_the_disk_is_skipped)
{
  for (int ranks = 1; ranks <= 3; ranks += 2) {
    struct launched l = written(ranks, "small", "100000 2 f32 1 limited");
    cr_assert_eq(l.code, SKIPPED_CODE, "code %d: %s", l.code, l.err);
    cr_assert_eq(launch_count(l.err, ": skipped: "), 2, "%s", l.err);
    cr_assert_eq(count_files("small/snapshot-*"), 0);
    launched_destroy(&l);
  }
}

Test(snapshot, on_a_full_disk_neither_hangs_nor_leaves_anything)
{
  launch_folder();
  mkdir("full", 0777);
  if (mount("none", "full", "tmpfs", 0, "size=1m") != 0)
    cr_skip_test("SKIPPED: only root may mount a small disk");
  for (int ranks = 1; ranks <= 3; ranks += 2) {
    struct launched l = launch_ranks(ranks, PROGRAM " write full 100000 2 f32 0");
    cr_expect_eq(l.code, SKIPPED_CODE, "code %d: %s", l.code, l.err);
    cr_expect_eq(launch_count(l.err, "skipped: 5.3 MB needed, 1.0 MB free"), 2, "%s", l.err);
    cr_expect_eq(count_files("full/snapshot-*"), 0);
    launched_destroy(&l);
  }
  umount("full");
}

static int describe(const char *path)
{
  struct launched l = launch(PROGRAM " describe %s", path);
  if (l.code != EXIT_DONE) {
    cr_expect_eq(launch_count(l.err, "\n"), 1, "one line, not: %s", l.err);
    must_hold(l.err, path);
  }
  const int code = l.code;
  launched_destroy(&l);
  return code;
}

static void put(const char *path, const char *data, size_t size)
{
  FILE *file = fopen(path, "wb");
  cr_assert(file && fwrite(data, 1, size, file) == size && fclose(file) == 0);
}

static char *get(const char *path, size_t *size)
{
  struct stat status;
  cr_assert_eq(stat(path, &status), 0);
  *size = (size_t)status.st_size;
  char *data = memory_create(*size, 1);
  FILE *file = fopen(path, "rb");
  cr_assert(file && fread(data, 1, *size, file) == *size && fclose(file) == 0);
  return data;
}

// The fletcher32 checksum covers every byte of the compressed positions.
Test(snapshot, damaged_is_detected)
{
  must_write(2, "run", "20000 1 f64 1");
  size_t size;
  char *data = get("run/snapshot-00000000.vtkhdf", &size);
  cr_assert_gt(size, 100000);
  const size_t arrays = 8192; // after the headers of the first group
  for (size_t k = 0; k < 25; k++) {
    const size_t at = arrays + k * (size / 2 - arrays) / 25;
    data[at] ^= (char)(1 << k % 8);
    put("flipped", data, size);
    cr_expect_eq(describe("flipped"), EXIT_CORRUPT_DATA, "byte %zu of %zu", at, size);
    data[at] ^= (char)(1 << k % 8);
  }
  const size_t lengths[] = {0, 7, 100, 5000, size / 2, size - 1};
  for (int i = 0; i < 6; i++) {
    put("cut", data, lengths[i]);
    cr_expect_eq(describe("cut"), EXIT_CORRUPT_DATA, "cut to %zu", lengths[i]);
  }
  memory_destroy(data);
}

Test(snapshot, differs_from_other_files)
{
  launch_folder();
  put("text", "hello\n", 6);
  cr_expect_eq(describe("text"), EXIT_CORRUPT_DATA);
  cr_expect_eq(describe("/tmp"), EXIT_CORRUPT_DATA);
  cr_expect_eq(describe("missing.vtkhdf"), EXIT_BAD_INPUT);
}
