// Runs that stop early, continue or are refused. same_bits/test_restart.c tests that a restarted
// run has the same bits, mpi/rank_checkpoint.c that all damage is detected.
#include "checkpoint.h"

// Agents walk to and fro without end.
#define ENDLESS SQUARE "goal: {on_arrival: turn_back}\n"
#define FOREVER "run endless.yaml --set time.end=1e6 --set output.series_every=1e5 -t 1"

static void expect_stopped(const struct launched *l, const char *run, const char *by)
{
  cr_expect(l->code == 75, "exit code %d\n%s%s", l->code, l->out, l->err);
  cr_expect(launch_count(l->out, by) == 1, "not one \"%s\": %s", by, l->out);
  cr_expect(newest_checkpoint(run) > 0 && !exists("endless/summary.json"), "%s", l->out);
}

// ----------------------------------------------------------------------------------- ended early

TestSuite(checkpoint, .init = launch_without_leaks);

Test(checkpoint, when_time_is_up)
{
  static const char *const times[] = {"1", "00:00:01", "0.5"};
  write_file("endless.yaml", ENDLESS);
  for (int ranks = 0; ranks <= 2; ranks++) {
    const int64_t before = ranks ? newest_checkpoint("endless") : -1;
    struct launched l = launch_ranks(2 * ranks, "'%s' " FOREVER " -o endless --max-wall %s %s",
                                     THRONG, times[ranks], ranks ? "--restart auto" : "");
    expect_stopped(&l, "endless", "stopped by --max-wall");
    cr_expect(newest_checkpoint("endless") > before);
    cr_expect(!ranks || strstr(l.out, "continuing from step"), "%s", l.out);
    launched_destroy(&l);
  }
  cr_expect(count_checkpoints("endless") == 2);
}

// $1: the launcher, $2: the run directory, $3: the command applied to process $p once it steps
#define WHEN_STEPPING                                                                              \
  "$1 \"$THRONG\" " FOREVER " -o $2 & p=$!\n"                                                      \
  "while [ ! -f $2/snapshot-00000000.vtkhdf ]; do sleep 0.05; done\n"                              \
  "sleep 0.2; eval \"$3\"; wait $p\n"

static void expect_ended_by(const char *start, const char *deed, const char *by)
{
  write_file("endless.yaml", ENDLESS);
  write_file("when.sh", WHEN_STEPPING);
  struct launched l = launch("rm -rf endless");
  launched_destroy(&l);
  l = launch("env THRONG='%s' sh when.sh '%s' endless '%s'", THRONG, start, deed);
  expect_stopped(&l, "endless", by);
  launched_destroy(&l);
}

Test(checkpoint, at_a_signal)
{
  expect_ended_by("", "kill -TERM $p", "stopped by a signal");
  expect_ended_by("", "kill -INT $p", "stopped by a signal");
  expect_ended_by("", "kill -USR1 $p", "stopped by a signal");
  expect_ended_by(LAUNCHER " -n 3", "kill -USR1 $p", "stopped by a signal");
}

Test(checkpoint, at_a_signal_to_one_rank_of_many)
{
  expect_ended_by(LAUNCHER " -n 3", "kill -TERM $(pgrep -P $p | tail -n 1)", "stopped by a signal");
}

Test(checkpoint, at_a_file)
{
  expect_ended_by("", "touch $2/stop", "stopped by the file");
  cr_expect(!exists("endless/stop"));
  expect_ended_by(LAUNCHER " -n 2", "touch $2/stop", "stopped by the file");
  cr_expect(!exists("endless/stop"));
}

// A slow machine needs more than 3 s for two checkpoints.
Test(checkpoint, after_wall_time)
{
  int found = 0;
  write_file("endless.yaml", ENDLESS);
  for (int seconds = 3; found < 2 && seconds <= 48; seconds *= 4) {
    struct launched l = launch_ranks(
        2, "'%s' " FOREVER " -o endless --max-wall %d --set output.checkpoint_wall=0.2", THRONG,
        seconds);
    expect_stopped(&l, "endless", "stopped by --max-wall");
    found = count_checkpoints("endless");
    launched_destroy(&l);
  }
  cr_expect(found == 2, "only the two newest, but %d", found);
}

// --------------------------------------------------------------------------------- restarting

// Creates an interrupted run in `part`, with checkpoints of steps 5 and 10, and a complete one in
// `whole`.
static void prepare(void)
{
  if (exists("whole")) {
    struct launched l = launch("sh -c 'rm -rf part && cp -r kept part'");
    launched_destroy(&l);
    return;
  }
  write_file("square.yaml", SQUARE);
  run_to("whole", "");
  run_to("kept", "--set output.checkpoint_every=0.5 --steps 12");
  prepare();
  cr_assert(count_checkpoints("part") == 2 && newest_checkpoint("part") == 10);
}

Test(checkpoint, none_there_begins_at_the_start)
{
  write_file("square.yaml", SQUARE);
  for (int ranks = 0; ranks <= 3; ranks += 3) {
    struct launched l = launch_ranks(ranks, "'%s' run square.yaml -o new --restart auto", THRONG);
    expect_success(&l);
    cr_expect(launch_count(l.err, "new: has no checkpoint: starting from the beginning") == 1, "%s",
              l.err);
    launched_destroy(&l);
  }
}

static void change(const char *file, const char *how)
{
  struct launched l = launch("env f='part/%s' sh -c '%s'", file, how);
  cr_assert(l.code == 0, "%s: %s", how, l.err);
  launched_destroy(&l);
}

#define NEWEST "checkpoint-00000010.h5"
#define OLDER  "checkpoint-00000005.h5"

Test(checkpoint, a_damaged_one_gives_way_to_the_older)
{
  static const char *const damages[] = {"truncate -s 3000 $f",
                                        "truncate -s -1 $f",
                                        ": > $f",
                                        "echo hello > $f",
                                        "printf x | dd of=$f bs=1 seek=4000 conv=notrunc",
                                        "rm $f && mkdir $f"};
  for (size_t k = 0; k < sizeof damages / sizeof *damages; k++) {
    prepare();
    change(NEWEST, damages[k]);
    struct launched l =
        launch_ranks(k % 2 ? 3 : 0, "'%s' run square.yaml -q -o part --restart auto", THRONG);
    expect_success(&l);
    cr_expect(launch_count(l.err, "part/" NEWEST ": ") == 1 && !strstr(l.err, "HDF5-DIAG"), "%s",
              l.err);
    expect_same_end("whole", "part");
    launched_destroy(&l);
  }
}

Test(checkpoint, all_damaged_ends_the_run)
{
  for (int ranks = 0; ranks <= 3; ranks += 3) {
    prepare();
    change(NEWEST, "truncate -s 3000 $f");
    change(OLDER, ": > $f");
    struct launched l =
        launch_ranks(ranks, "'%s' run square.yaml -q -o part --restart auto", THRONG);
    expect_refusal(&l, 65, "part: none of its checkpoints is good");
    cr_expect(launch_count(l.err, "is truncated") == 2, "%s", l.err);
    launched_destroy(&l);
  }
}

Test(checkpoint, a_given_one)
{
  prepare();
  run_to("part", "--restart part/" OLDER);
  expect_same_end("whole", "part");
  struct launched l = launch("'%s' run square.yaml -o part --restart missing.h5", THRONG);
  expect_refusal(&l, 64, "missing.h5: No such file");
  launched_destroy(&l);
  l = launch_ranks(2, "'%s' run square.yaml -o part --restart square.yaml", THRONG);
  expect_refusal(&l, 65, "square.yaml: is truncated or not a checkpoint");
  launched_destroy(&l);
}

// A new output directory gets a copy of the checkpoint and can be continued by itself.
Test(checkpoint, in_another_folder)
{
  prepare();
  run_to("other", "--restart part/" NEWEST " --set output.checkpoint_every=0 --steps 11");
  struct launched l = launch("sh -c 'ls other; sed 1d other/series.csv'");
  cr_expect(launch_count(l.out, "walls.vtkhdf") == 1, "%s", l.out);
  cr_expect(launch_count(l.out, NEWEST) == 1, "%s", l.out);
  cr_expect(launch_count(l.out, "snapshot-00000000") == 0, "%s", l.out);
  cr_expect(launch_count(l.out, "\n10,") == 1 && launch_count(l.out, "\n11,") == 1, "%s", l.out);
  launched_destroy(&l);
  l = launch_ranks(2, "'%s' run square.yaml -q -o other --restart auto", THRONG);
  expect_success(&l);
  expect_same_end("whole", "other");
  launched_destroy(&l);
}

// A run is never overwritten by another, even if the checkpoint is named through a link.
Test(checkpoint, in_a_folder_of_another_run_is_refused)
{
  prepare();
  struct launched l = launch("sh -c 'cp -r whole full && mkdir full/previous && cp part/" NEWEST
                             " full/previous && find full -type f | sort | xargs md5sum > before'");
  cr_assert_eq(l.code, 0);
  launched_destroy(&l);
  for (int ranks = 0; ranks <= 2; ranks += 2) {
    l = launch_ranks(ranks, "'%s' run square.yaml -o full --restart full/previous/" NEWEST, THRONG);
    expect_refusal(&l, 64, "full: holds another run than the checkpoint's");
    launched_destroy(&l);
  }
  l = launch("sh -c 'find full -type f | sort | xargs md5sum | diff before - && "
             "ln -s part/" NEWEST " latest.h5'");
  cr_expect(l.code == 0, "%s", l.out);
  launched_destroy(&l);
  run_to("part", "--restart latest.h5");
  expect_same_end("whole", "part");
}

// The list in the checkpoint tells which snapshots exist, not their current interval.
Test(checkpoint, keeps_the_snapshots_it_lists)
{
  prepare();
  run_to("listed", "--set output.checkpoint_every=0.5 --set output.snapshot_every=0.5 --steps 15");
  run_to("listed", "--restart auto --set output.snapshot_every=0.4");
  struct launched l = launch("sh -c 'cd listed && grep -o \"snapshot-[0-9]*.vtkhdf\" snapshots.xdmf"
                             " | sort -u > named; ls snapshot-*.vtkhdf | diff named -'");
  cr_expect(l.code == 0, "%s%s", l.out, l.err);
  cr_expect(exists("listed/snapshot-00000015.vtkhdf"));
  launched_destroy(&l);
}

static void expect_other_world(const char *options, const char *says)
{
  struct launched l =
      launch_ranks(2, "'%s' run square.yaml -o part --restart auto %s", THRONG, options);
  expect_refusal(&l, 64, says);
  launched_destroy(&l);
}

Test(checkpoint, of_another_scenario_is_refused)
{
  prepare();
  expect_other_world("--set seed=2", "seed: 2 here, not given in the checkpoint");
  expect_other_world("--set sources.0.count=11", "sources[0].count: 10 in the checkpoint, 11 here");
  expect_other_world("--set avoidance.method=hrvo", "avoidance.method: hrvo here");
  expect_other_world("--steps 9", "is of step 10, but this run ends at step 9");
  run_to("part", "--restart auto --set time.step=0.10"); // the same in other words
  expect_same_end("whole", "part");
}

Test(checkpoint, of_other_files_is_refused)
{
  write_file("square.yaml", "world: {extent: [0, 0, 20, 20], geometry: walls.wkt}\n"
                            "time: {end: 2}\nagents: table.csv\n");
  write_file("table.csv", "id,x,y,goal_x,goal_y\n1,2,2,18,18\n2,3,2,18,18\n");
  write_file("walls.wkt", "POLYGON ((10 4, 11 4, 11 16, 10 16, 10 4))\n");
  run_to("part", "--set output.checkpoint_every=0.5 --steps 12");
  write_file("table.csv", "id,x,y,goal_x,goal_y\n1,2,2,18,18\n2,3,2.1,18,18\n");
  expect_other_world("", "contents of the file that is agents");
  write_file("table.csv", "id,x,y,goal_x,goal_y\n1,2,2,18,18\n2,3,2,18,18\n");
  write_file("walls.wkt", "POLYGON ((10 4, 11 4, 11 15, 10 16, 10 4))\n");
  expect_other_world("", "contents of the file that is world.geometry");
}

// The end time and the output options may change at a restart.
Test(checkpoint, may_last_longer)
{
  prepare();
  run_to("longer", "--set time.end=3");
  run_to("part", "--restart auto --set time.end=3 --set output.snapshot_every=0.5");
  expect_same_end("longer", "part");
}

// The final snapshot of the shorter run, at a step where none is due, is deleted.
Test(checkpoint, may_end_where_one_was_written)
{
  prepare();
  run_to("longer", "--set time.end=3 --set output.snapshot_every=1");
  run_to("short",
         "--set time.end=1.5 --set output.snapshot_every=1 --set output.checkpoint_every=0.5");
  struct launched l = launch("test -f short/snapshot-00000015.vtkhdf");
  cr_expect_eq(l.code, 0);
  launched_destroy(&l);
  run_to("short", "--restart auto --set time.end=3 --set output.snapshot_every=1");
  expect_same_end("longer", "short");
  l = launch("sh -c '(cd longer; ls snapshot*) > a; (cd short; ls snapshot*) | diff a -'");
  cr_expect(l.code == 0, "%s", l.out);
  launched_destroy(&l);
}

// --------------------------------------------------------------------------------------- the rest

Test(checkpoint, is_described_by_info)
{
  prepare();
  for (int ranks = 0; ranks <= 2; ranks += 2) {
    struct launched l = launch_ranks(ranks, "'%s' info part/" NEWEST, THRONG);
    expect_success(&l);
    cr_expect(strstr(l.out, "a checkpoint of throng") && strstr(l.out, "10, at 1 s") &&
                  strstr(l.out, "agents     10\n"),
              "%s", l.out);
    launched_destroy(&l);
  }
  change(NEWEST, "truncate -s 3000 $f");
  struct launched l = launch("'%s' info part/" NEWEST, THRONG);
  expect_refusal(&l, 65, "part/" NEWEST ": is truncated or not a checkpoint");
  launched_destroy(&l);
}

Test(checkpoint, of_a_fresh_run_leaves_the_earlier_ones)
{
  prepare();
  run_to("part", "--steps 3");
  cr_expect(newest_checkpoint("part") == -1 && newest_checkpoint("part/previous") == 10);
}

Test(checkpoint, files_that_are_lost_are_written_anew_or_named)
{
  prepare();
  struct launched l =
      launch("sh -c 'cp part/walls.vtkhdf walls; truncate -s 100 part/walls.vtkhdf; "
             "rm part/snapshot-00000000.vtkhdf; mkdir part/checkpoint-00000020.h5'");
  expect_success(&l);
  launched_destroy(&l);
  l = launch("'%s' run square.yaml -q -o part --restart part/" NEWEST
             " --set output.checkpoint_every=1",
             THRONG);
  expect_success(&l);
  cr_expect(strstr(l.err, "snapshots are missing, the first is snapshot-00000000.vtkhdf"), "%s",
            l.err);
  cr_expect(strstr(l.err, "part/checkpoint-00000020.h5: is a directory, which is moved to "
                          "part/checkpoint-00000020.h5.directory"),
            "%s", l.err);
  launched_destroy(&l);
  l = launch("h5diff walls part/walls.vtkhdf");
  cr_expect_eq(l.code, 0, "%s%s", l.out, l.err);
  launched_destroy(&l);
  cr_expect_eq(newest_checkpoint("part"), 20);
}
