// A run: its directory, its files and their contents.
#include "cli.h"
#include <sys/stat.h>

static void expect_files(const char *run, const char *more)
{
  struct launched l = launch("python3 '%s/check_files.py' %s %s", HERE, run, more);
  expect_success(&l);
  launched_destroy(&l);
}

Test(run, works_without_mpirun)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml", THRONG);
  expect_success(&l);
  expect_files("runs/square", "steps=20 agents=10 ranks=1");
  launched_destroy(&l);
}

Test(run, works_on_eight_ranks)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch_ranks(8, "'%s' run square.yaml --output eight", THRONG);
  expect_success(&l);
  expect_files("eight", "steps=20 agents=10 ranks=8");
  launched_destroy(&l);
}

Test(run, takes_options_from_the_command_line)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml --set time.end=1 --set sources.0.count=7 "
                             "--backend scalar -t 2 -o one/two/three",
                             THRONG);
  expect_success(&l);
  expect_files("one/two/three", "steps=10 agents=7 threads=2 backend=scalar");
  launched_destroy(&l);
}

Test(run, ends_when_all_agents_have_arrived)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml -o out --set time.end=500 --quiet", THRONG);
  expect_success(&l);
  cr_expect(!*l.out && !*l.err, "quiet: %s%s", l.out, l.err);
  expect_files("out", "agents=10 arrived=10 inside=0");
  launched_destroy(&l);
}

Test(run, keeps_the_earlier_run)
{
  write_file("square.yaml", SQUARE);
  for (int again = 0; again < 3; again++) {
    struct launched l = launch("'%s' run square.yaml -o kept --steps %d", THRONG, 3 + again);
    expect_success(&l);
    cr_expect(launch_count(l.err, "kept/previous") == (again > 0), "%s", l.err);
    launched_destroy(&l);
  }
  expect_files("kept", "steps=5");
  expect_files("kept/previous", "steps=4");
  cr_expect(!exists("kept/previous/previous"));
}

Test(run, reports_where_it_cannot_write)
{
  static const char *const places[] = {"/proc/throng", "way", "way/in", "/dev/null"};
  write_file("square.yaml", SQUARE);
  write_file("way", "a file\n");
  for (size_t k = 0; k < sizeof places / sizeof *places; k++)
    for (int ranks = 0; ranks <= 4; ranks += 4) {
      struct launched l = launch_ranks(ranks, "'%s' run square.yaml -o %s", THRONG, places[k]);
      char message[100];
      snprintf(message, sizeof message, "output directory %s: cannot be written", places[k]);
      expect_refusal(&l, 74, message);
      launched_destroy(&l);
    }
  struct stat info;
  cr_expect(stat("way", &info) == 0 && S_ISREG(info.st_mode) && info.st_size == 7);
}

Test(run, reports_a_folder_without_permission)
{
  write_file("square.yaml", SQUARE);
  if (geteuid() == 0)
    cr_skip_test("root may write anywhere");
  cr_expect(mkdir("closed", 0555) == 0);
  struct launched l = launch("'%s' run square.yaml -o closed", THRONG);
  expect_refusal(&l, 74, "output directory closed: cannot be written");
  launched_destroy(&l);
}

// A file that must not grow is a full disk to whoever writes it. Each limit is met by another file.
Test(run, reports_a_full_disk)
{
  static const struct {
    int blocks; // of 512 bytes
    const char *file;
  } limits[] = {{1, "full: cannot be written"}, {4, "full/summary.json: cannot be written"}};
  write_file("square.yaml", SQUARE);
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++) {
    struct launched l =
        launch("sh -c 'rm -rf full; trap \"\" XFSZ; ulimit -f %d; exec \"%s\" run square.yaml -o "
               "full --set output.series_every=%d'",
               limits[k].blocks, THRONG, k ? 10 : 0);
    cr_expect(l.code == 74, "%s: exit code %d\n%s", limits[k].file, l.code, l.err);
    cr_expect(launch_count(l.err, limits[k].file) == 1, "%s: %s", limits[k].file, l.err);
    launched_destroy(&l);
  }
}

// Reads a state, makes one step and compares the velocities.
Test(run, of_one_step_from_a_table)
{
  write_file("table.yaml", "world: {extent: [-50, -50, 50, 50]}\n"
                           "agents: table.csv\n"
                           "output: {positions: f64, snapshot_every: 0.1}\n");
  write_file("table.csv", "id,x,y,vx,vy,radius,speed,goal_x,goal_y\n"
                          "7,-20,0,0,0,0.25,1.5,40,0\n"
                          "1000000000000,20,10,0.5,-0.25,0.5,1,20,-40\n"
                          "11,-4,0.25,1,0,0.25,1,40,0.25\n"
                          "12,-3,0.25,-1,0,0.25,1,-40,0.25\n");
  for (int ranks = 0; ranks <= 3; ranks += 3) {
    struct launched l = launch_ranks(ranks, "'%s' run table.yaml --steps 1 -o table", THRONG);
    expect_success(&l);
    launched_destroy(&l);
    l = launch("sh '%s/../python.sh' '%s/check_step.py' table", HERE, HERE);
    skip_if_told(&l);
    expect_success(&l);
    launched_destroy(&l);
  }
}

Test(run, of_no_step_writes_the_start)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml --steps 0 -o start", THRONG);
  expect_success(&l);
  expect_files("start", "steps=0 agents=10");
  cr_expect(exists("start/snapshot-00000000.vtkhdf"));
  launched_destroy(&l);
}

Test(run, is_described_by_info)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml -o told -q", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  for (int ranks = 0; ranks <= 2; ranks += 2) {
    l = launch_ranks(ranks, "'%s' info told/snapshot-00000020.vtkhdf", THRONG);
    expect_success(&l);
    cr_expect(launch_count(l.out, "step") >= 1 && strstr(l.out, "20"), "%s", l.out);
    launched_destroy(&l);
  }
}

Test(run, finds_its_files_from_anywhere)
{
  struct launched l = launch("mkdir -p 'a place/b'");
  launched_destroy(&l);
  write_file("a place/walls.wkt", "POLYGON ((10 4, 11 4, 11 16, 10 16, 10 4))\n");
  write_file("a place/far.yaml", "world: {geometry: walls.wkt, extent: [0, 0, 20, 20]}\n"
                                 "sources:\n"
                                 "  - {area: {rectangle: [2, 2, 8, 8]}, count: 5, goal: [9, 5]}\n");
  l = launch_ranks(2, "'%s' run 'a place/far.yaml' --steps 2 -o 'a place/b/out put'", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  expect_files("'a place/b/out put'", "agents=5 steps=2");
}

// A selection on three ranks holds the same rows as the full snapshots on one.
Test(run, snapshots_hold_the_selection)
{
#define EXACT "--set output.snapshot_every=0.5 --set output.positions=f64 -q"
  write_file("square.yaml", SQUARE);
  struct launched l =
      launch("'%s' run square.yaml --set sources.0.count=60 " EXACT " -o whole", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  l = launch_ranks(3,
                   "'%s' run square.yaml --set sources.0.count=60 " EXACT
                   " -o part --set 'output.fields=[id, velocity]' --set output.stride=3 "
                   "--set 'output.region=[2, 1, 6, 9]'",
                   THRONG);
  expect_success(&l);
  launched_destroy(&l);
  l = launch("sh '%s/../python.sh' '%s/check_selection.py' whole part", HERE, HERE);
  cr_expect(l.code == 0 || l.code == 77, "%s%s", l.out, l.err);
  launched_destroy(&l);
  l = launch("'%s' info part/snapshot-00000005.vtkhdf", THRONG);
  expect_success(&l);
  cr_expect(!strstr(l.out, "speed      "), "%s", l.out);
  launched_destroy(&l);
  l = launch("'%s' run square.yaml --set 'output.fields=[id, colour]'", THRONG);
  expect_refusal(&l, 64,
                 "output.fields: \"colour\" is not a field (id, velocity, speed, radius, "
                 "destination)");
  launched_destroy(&l);
  l = launch("'%s' run square.yaml --set 'output.region=[6, 1, 2, 9]'", THRONG);
  expect_refusal(&l, 64, "output.region: x0 < x1 and y0 < y1 are expected");
  launched_destroy(&l);
}

// SIGNALS raises SIGUSR1 when MPI starts, which takes a second: it is caught by then.
Test(run, a_signal_in_the_first_moments_gives_75)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("cp '%s' signals.so", SIGNALS); // LD_PRELOAD takes no spaces
  expect_success(&l);
  launched_destroy(&l);
  l = launch("env LD_PRELOAD=./signals.so ASAN_OPTIONS=verify_asan_link_order=0:detect_leaks=0 "
             "'%s' run square.yaml --quiet",
             THRONG);
  cr_expect_eq(l.code, 75, "exit code %d: %s", l.code, l.err);
  cr_expect(exists("runs/square/checkpoint-00000001.h5"));
  launched_destroy(&l);
}
