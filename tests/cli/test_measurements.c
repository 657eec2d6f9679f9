// Measurements are the same on any ranks and threads and agree with the snapshots.
#include "cli.h"
#include "extent.h"

#define EVERY (LONG ? 1 : 2) // each number of ranks, or every other one

#define FAST "--set time.end=25 --set measure.grid.every=5 --set measure.people=true -q"

static void expect_same_file(const char *name, const char *one, const char *other)
{
  char path[2][100];
  snprintf(path[0], sizeof path[0], "%s/%s", one, name);
  snprintf(path[1], sizeof path[1], "%s/%s", other, name);
  char *a = launch_read(path[0]), *b = launch_read(path[1]);
  cr_expect(a && b && strcmp(a, b) == 0, "%s differs from %s", path[0], path[1]);
  free(a);
  free(b);
}

static void expect_same(const char *one, const char *other)
{
  static const char *const tables[] = {"lines.csv", "areas.csv", "travel.csv", "alarms.csv",
                                       "people.csv"};
  for (size_t k = 0; k < sizeof tables / sizeof *tables; k++)
    expect_same_file(tables[k], one, other);
  struct launched l =
      launch("sh '%s/../python.sh' '%s/compare_fields.py' %s %s", HERE, HERE, one, other);
  cr_expect(l.code == 0 || l.code == 77, "%s%s", l.out, l.err);
  launched_destroy(&l);
}

static void measured_run(int ranks, int threads, const char *name)
{
  struct launched l = launch_ranks(ranks, "'%s' run '%s/../measuring.yaml' " FAST " -t %d -o %s",
                                   THRONG, PAPERS, threads, name);
  expect_success(&l);
  launched_destroy(&l);
}

TestSuite(measurements, .init = launch_without_leaks);

Test(measurements, are_the_same_on_any_ranks_and_threads)
{
  static const int ranks[] = {0, 2, 3, 4, 7}, threads[] = {5, 1, 2, 1, 1};
  measured_run(1, 1, "one");
  for (int k = 0; k < 5; k += EVERY) {
    char name[20];
    snprintf(name, sizeof name, "run%d", ranks[k]);
    measured_run(ranks[k], threads[k], name);
    expect_same("one", name);
  }
}

static void expect_agreement(int ranks, const char *more)
{
  struct launched l = launch_ranks(ranks,
                                   "'%s' run '%s/../measuring.yaml' " FAST " -o told "
                                   "--set output.snapshot_every=0.1 --set output.series_every=0 "
                                   "--set output.positions=f64 --set output.checkpoint_every=2 "
                                   "--set output.checkpoint_keep=all %s",
                                   THRONG, PAPERS, more);
  expect_success(&l);
  launched_destroy(&l);
  l = launch("sh '%s/../python.sh' '%s/check_measuring.py' told", HERE, HERE);
  skip_if_told(&l);
  expect_success(&l);
  launched_destroy(&l);
}

Test(measurements, are_described_by_info)
{
  struct launched l = launch("'%s' run '%s/../station.yaml' -q -t 1 --set time.end=40 --set "
                             "measure.grid.cell=0.5 --set measure.grid.every=10 -o described",
                             THRONG, PAPERS);
  expect_success(&l);
  launched_destroy(&l);
  l = launch("sh '%s/../python.sh' '%s/check_info.py' '%s' described", HERE, HERE, THRONG);
  skip_if_told(&l);
  expect_success(&l);
  launched_destroy(&l);
}

Test(measurements, agree_with_the_snapshots)
{
  if (!LONG)
    cr_skip_test("the fine grid shows more");
  expect_agreement(2, "");
}

// 240 x 140 cells, those of most chunks of a density field empty.
Test(measurements, agree_with_the_snapshots_on_a_fine_grid)
{
  expect_agreement(1, "--set measure.grid.cell=0.1 --set output.compression=0");
}

// Also where agents live on a device, and on ranks.
Test(measurements, of_queues_and_exits)
{
  struct launched l =
      launch("'%s' run '%s/queues.yaml' -q -t 1 -o queues --set balance.when=never", THRONG, HERE);
  expect_success(&l);
  launched_destroy(&l);
  l = launch_ranks(3,
                   "'%s' run '%s/queues.yaml' -q -t 1 -o ranks --backend emulated-reversed "
                   "--set output.snapshot_every=0 --set balance.when=always",
                   THRONG, HERE);
  expect_success(&l);
  launched_destroy(&l);
  expect_same_file("queues.csv", "queues", "ranks");
  expect_same_file("people.csv", "queues", "ranks");
  l = launch("cmp queues/totals.vtkhdf ranks/totals.vtkhdf");
  expect_success(&l);
  launched_destroy(&l);
  l = launch("sh '%s/../python.sh' '%s/check_queues.py' queues", HERE, HERE);
  skip_if_told(&l);
  expect_success(&l);
  launched_destroy(&l);
}

// A grid of many chunks, some of them empty. On one core, files are written in turns with the
// steps.
Test(measurements, files_have_the_same_bytes_with_any_threads)
{
  static const int threads[] = {1, 2, 5, 2};
  for (int k = 0; k < 4; k++) {
    // The first one that this process may use.
    const char *cores = k < 3 ? "" : "taskset -c $(taskset -cp $$ | sed 's/.*: *//; s/[^0-9].*//')";
    struct launched l =
        launch("%s '%s' run '%s/../open-million.yaml' -q -t %d -o files%d --steps 16 "
               "--set sources.0.count=20000 --set measure.grid.cell=1 "
               "--set measure.grid.every=0.3 --set measure.grid.sample=0.1 "
               "--set output.snapshot_every=0.2",
               cores, THRONG, PAPERS, threads[k], k);
    expect_success(&l);
    launched_destroy(&l);
    l = launch("ls files0/density-00000016.vtkhdf files0/snapshot-00000016.vtkhdf && "
               "for file in files0/*.vtkhdf; do cmp $file files%d/${file#*/} || exit 1; done",
               k);
    expect_success(&l);
    launched_destroy(&l);
  }
}

Test(measurements, do_not_change_the_result)
{
  char checksums[2][60];
  static const char *const more[] = {"",
                                     "measure:\n"
                                     "  lines: [{name: a, from: [10, 0], to: [10, 20]}]\n"
                                     "  areas: [{name: b, areas: [{rectangle: [5, 5, 9, 9]}]}]\n"
                                     "  grid: {every: 1}\n"
                                     "alarms: {density: 0.5, jam: 1}\n"};
  for (int k = 0; k < 2; k++) {
    char text[2000];
    snprintf(text, sizeof text, SQUARE "%s", more[k]);
    write_file("square.yaml", text);
    struct launched l = launch("'%s' run square.yaml -o square -q", THRONG);
    expect_success(&l);
    launched_destroy(&l);
    char *summary = launch_read("square/summary.json");
    const char *found = summary ? strstr(summary, "\"checksum\"") : NULL;
    cr_assert(found);
    snprintf(checksums[k], sizeof checksums[k], "%.31s", found);
    free(summary);
  }
  cr_expect_str_eq(checksums[0], checksums[1]);
}

Test(measurements, write_only_configured_files)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml -o plain -q", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  cr_expect(exists("plain/travel.csv"));
  cr_expect(!exists("plain/lines.csv") && !exists("plain/areas.csv") &&
            !exists("plain/alarms.csv"));
  cr_expect(!exists("plain/people.csv") && !exists("plain/queues.csv") &&
            !exists("plain/totals.vtkhdf"));
}

// The first alarm of each kind is printed; the table has a row for every jam.
Test(measurements, report_jams_once)
{
  write_file("jam.yaml",
             "world: {extent: [0, 0, 20, 20], obstacles: "
             "['LINESTRING (10 0, 10 20)', 'LINESTRING (15 0, 15 20)']}\n"
             "time: {end: 60}\n"
             "avoidance: {jam: report}\n"
             "alarms: {jam: 5}\n"
             "navigation: {model: direct}\n"
             "sources: [{area: {rectangle: [2, 2, 8, 18]}, count: 6, goal: [18, 10]}]\n");
  struct launched l = launch("'%s' run jam.yaml -o jam", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.err, "throng: alarm at") == 1, "%s", l.err);
  char *table = launch_read("jam/alarms.csv");
  cr_expect(table && launch_count(table, ",jam,") == 6, "%s", table);
  free(table);
  launched_destroy(&l);
}

// Two agents without avoidance, 2 m apart, each 1 m/s and .25 m wide in radius: they overlap from
// 0.8 s on, the state after step 8. A run that ends there counts them.
Test(measurements, count_the_last_state)
{
  static const struct {
    int ranks;
    const char *backend;
  } machines[] = {{0, "auto"}, {2, "auto"}, {2, "emulated"}};
  write_file("people.csv", "id,x,y,vx,vy,goal_x,goal_y\n1,9,10,1,0,30,10\n2,11,10,-1,0,1,10\n");
  write_file("pair.yaml", "world: {extent: [0, 0, 40, 20]}\navoidance: {method: none}\n"
                          "profiles: [{name: p, radius: 0.25, speed: 1, walking: {model: none}}]\n"
                          "agents: people.csv\n");
  for (int k = 0; k < 3; k++)
    for (int steps = 7; steps <= 8; steps++) {
      struct launched l =
          launch_ranks(machines[k].ranks, "'%s' run pair.yaml -o pair --steps %d --backend %s -t 1",
                       THRONG, steps, machines[k].backend);
      expect_success(&l);
      char *summary = launch_read("pair/summary.json");
      cr_expect(strstr(summary, steps == 8 ? "\"overlaps\": 1," : "\"overlaps\": 0,"), "%s",
                summary);
      cr_expect(launch_count(summary, "\"first_overlap\": \"agent 1 overlaps agent 2 at") ==
                    (steps == 8),
                "%s", summary);
      cr_expect(launch_count(l.out, steps == 8 ? "people touched somebody in 11 % of their time"
                                               : "nobody touched anybody") == 1,
                "%s", l.out);
      free(summary);
      launched_destroy(&l);
    }
}

// The text of a member of the summary in this folder, to be freed.
static char *summary_value(const char *folder, const char *member)
{
  char path[100], key[60];
  snprintf(path, sizeof path, "%s/summary.json", folder);
  snprintf(key, sizeof key, "\"%s\": ", member);
  char *summary = launch_read(path);
  cr_assert(summary, "%s", path);
  const char *found = strstr(summary, key);
  cr_assert(found, "%s", member);
  found += strlen(key);
  char *value = strndup(found, strcspn(found, ",}\n"));
  free(summary);
  return value;
}

static void expect_value(const char *folder, const char *member, const char *expected)
{
  char *value = summary_value(folder, member);
  cr_expect_str_eq(value, expected, "%s: %s", folder, member);
  free(value);
}

#define INFLOW "'" HERE "/inflow_ends_by_event.yaml' -t 1"

static void run_inflow(int ranks, const char *folder, const char *options)
{
  struct launched l = launch_ranks(ranks, "'%s' run " INFLOW " -o %s %s", THRONG, folder, options);
  expect_success(&l);
  const bool is_said = launch_count(l.out, "  the last agent left after 86.9 s\n") == 1;
  char *time = summary_value(folder, "evacuation_time_s");
  cr_expect(is_said == (strcmp(time, "86.9") == 0), "%s", l.out);
  free(time);
  launched_destroy(&l);
}

Test(measurements, take_the_departure_of_the_last_for_the_evacuation_time)
{
  run_inflow(0, "one", "--set output.checkpoint_every=100 --set output.checkpoint_keep=all");
  run_inflow(2, "two", "");
  run_inflow(0, "device", "--backend emulated");
  run_inflow(0, "again", "--restart one/checkpoint-00002000.h5");
  struct launched l = launch("'%s' replay one --from 150 --to 160 -q -t 1 -o later", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  static const char *const folders[] = {"one", "two", "device", "again", "later"};
  for (size_t k = 0; k < sizeof folders / sizeof *folders; k++) {
    expect_value(folders[k], "evacuation_time_s", "86.9");
    expect_value(folders[k], "inside", "0");
  }
  expect_value("one", "time_s", "600");
  expect_value("one", "last_arrival_s", "86.9");
}

Test(measurements, have_no_evacuation_time_where_nobody_was_or_somebody_is_left)
{
  run_inflow(0, "early", "--set time.end=20");
  expect_value("early", "evacuation_time_s", "null");
  expect_value("early", "last_arrival_s", "null");
  run_inflow(0, "late", "--set time.end=80");
  expect_value("late", "evacuation_time_s", "null");
  run_inflow(0, "empty", "--set events.0.at=0");
  expect_value("empty", "agents", "0");
  expect_value("empty", "evacuation_time_s", "null");
  expect_value("empty", "mean_s", "null");
}
