// Checkpoints that do not fit on the disk: exit code 74, and the older checkpoint stays good.
#include "checkpoint.h"
#include "extent.h"
#include <sys/mount.h>
#include <sys/stat.h>

#define CROWD                                                                                      \
  "world: {extent: [0, 0, 200, 200]}\n"                                                            \
  "time: {end: 2}\n"                                                                               \
  "sources: [{area: {rectangle: [2, 2, 198, 198]}, count: 20000, offset: [1, 1]}]\n"               \
  "output: {snapshot_every: 0, series_every: 2}\n"

static void full_disk(int ranks)
{
  write_file("square.yaml", CROWD);
  run_to("whole", "");
  run_to("disk/part", "--set output.checkpoint_every=1 --steps 13");
  struct launched l = launch("sh -c 'dd if=/dev/zero of=disk/fill bs=1k count=99999 2>/dev/null; "
                             "truncate -s -100k disk/fill'");
  launched_destroy(&l);
  l = launch_ranks(ranks,
                   "'%s' run square.yaml -q -o disk/part --restart auto "
                   "--set output.checkpoint_every=0.5",
                   THRONG);
  cr_expect(l.code == 74, "exit code %d: %s", l.code, l.err);
  cr_expect(launch_count(l.err, "checkpoint-00000015.h5: cannot be written: ") == 1, "%s", l.err);
  cr_expect(newest_checkpoint("disk/part") == 10 && count_checkpoints("disk/part") == 1);
  launched_destroy(&l);
  unlink("disk/fill");
  run_to("disk/part", "--restart auto");
  expect_same_end("whole", "disk/part");
}

TestSuite(checkpoint_space, .init = launch_without_leaks);

Test(checkpoint_space, without_room_ends_the_run)
{
#if SHORT
  cr_skip_test("takes too long in this build");
#endif
  launch_folder();
  mkdir("disk", 0777);
  if (mount("none", "disk", "tmpfs", 0, "size=8m") != 0)
    cr_skip_test("SKIPPED: only root may mount a small disk");
  for (int ranks = 0; ranks <= 3; ranks += 3)
    full_disk(ranks);
  umount("disk");
}

// The same without privileges: a limit on the file size.
Test(checkpoint_space, too_large_for_the_disk_ends_the_run)
{
  write_file("square.yaml", "world: {extent: [0, 0, 400, 400]}\n"
                            "sources: [{area: {rectangle: [2, 2, 398, 398]}, count: 100000, goal: "
                            "[200, 200]}]\noutput: {snapshot_every: 0, series_every: 9}\n");
  write_file("limited.sh", "trap '' XFSZ; ulimit -f 16384; exec \"$THRONG\" run square.yaml -q "
                           "-o limited --steps 12 --set output.checkpoint_every=1\n");
  struct launched l = launch("env THRONG='%s' sh limited.sh", THRONG);
  expect_refusal(&l, 74, "checkpoint-00000010.h5: cannot be written: ");
  cr_expect(count_checkpoints("limited") == 0);
  launched_destroy(&l);
}
