// libthrong as a caller sees it.
#include "../launch.h"
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define STATION "'" SCENES "/station.yaml'"

// The checksum of `throng run`, in folder run.
static void checksum_of_run(const char *options, char checksum[17])
{
  launch_folder();
  struct launched l = launch("'%s' run %s -q -t 1 -o run --set output.trajectory.every=0.5 %s",
                             THRONG, STATION, options);
  cr_assert(l.code == 0, "%s", l.err);
  launched_destroy(&l);
  char *summary = launch_read("run/summary.json");
  const char *found = strstr(summary, "\"checksum\": \"");
  cr_assert(found);
  snprintf(checksum, 17, "%s", found + strlen("\"checksum\": \""));
  free(summary);
}

static void expect_start(int ranks, const char *words, const char *start)
{
  struct launched l = launch_ranks(ranks, "'%s' %s", PROGRAM, words);
  cr_assert(l.code == 0, "%d ranks: exit code %d: %s", ranks, l.code, l.err);
  cr_expect(strncmp(l.out, start, strlen(start)) == 0, "%d ranks: %s instead of %s", ranks, l.out,
            start);
  launched_destroy(&l);
}

Test(library, advances_to_the_result_of_a_run_in_steps_of_any_size)
{
  launch_without_leaks();
  char checksum[17];
  checksum_of_run("", checksum);
  expect_start(0, "steps " STATION " 1", checksum);
  expect_start(3, "steps " STATION " 2", checksum);
  expect_start(4, "steps " STATION " 3", checksum);
}

static void expect_same(const char *name, const char *folder)
{
  struct launched l = launch("cmp 'run/%s' '%s/%s'", name, folder, name);
  cr_expect(l.code == 0, "%s%s", l.out, l.err);
  launched_destroy(&l);
}

Test(library, writes_the_files_of_a_run)
{
  launch_without_leaks();
  char checksum[17];
  checksum_of_run("--set output.trajectory.every=0.1", checksum);
  expect_start(0, "steps " STATION " 4 one", checksum);
  expect_same("series.csv", "one");
  expect_start(2, "steps " STATION " 5 two", checksum);
  expect_same("travel.csv", "two");
  expect_same("trajectory.h5", "two");
  cr_expect(access("two/summary.json", R_OK) == 0);
}

Test(library, is_driven_alike_on_any_ranks)
{
  launch_without_leaks(); // those of one rank, below
  struct launched one = launch_ranks(0, "'%s' drive %s scalar", PROGRAM, STATION);
  cr_assert(one.code == 0, "%s", one.err);
  cr_assert(strlen(one.out) > 16);
#ifdef SANITIZED
  static const int ranks[] = {2};
#else
  static const int ranks[] = {2, 3, 4, 7};
#endif
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++)
    expect_start(ranks[k], "drive " STATION " simd", one.out);
  launched_destroy(&one);
}

// What is measured while a caller adds, moves and removes agents.
Test(library, measures_alike_on_any_ranks)
{
  static const char *const files[] = {"people.csv", "queues.csv", "totals.vtkhdf"};
#ifdef SANITIZED
  static const int ranks[] = {3};
#else
  static const int ranks[] = {2, 3, 4, 7};
#endif
  launch_without_leaks();
  struct launched one = launch_ranks(0, "'%s' drive %s scalar run", PROGRAM, STATION);
  cr_assert(one.code == 0, "%s", one.err);
  for (size_t r = 0; r < sizeof ranks / sizeof *ranks; r++) {
    char words[200], folder[20];
    snprintf(folder, sizeof folder, "ranks%d", ranks[r]);
    snprintf(words, sizeof words, "drive %s simd %s", STATION, folder);
    expect_start(ranks[r], words, one.out);
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
      expect_same(files[k], folder);
  }
  launched_destroy(&one);
}

// The rows of people.csv of those whom the caller has removed, as far as the condition of awk
// holds.
static struct launched removed_rows(const char *folder, const char *condition)
{
  struct launched l = launch("awk -F, 'NR > 1 && $13 == 1 && %s' %s/people.csv", condition, folder);
  cr_assert(l.code == 0, "%s", l.err);
  return l;
}

// Those removed at 26 s wait in the checkpoint of that time.
Test(library, marks_who_was_removed)
{
  int64_t removed;
  launch_without_leaks();
  struct launched one = launch_ranks(2, "'%s' drive %s simd run", PROGRAM, STATION);
  cr_assert(one.code == 0, "%s", one.err);
  cr_assert(sscanf(strstr(one.out, "arrived, "), "arrived, %" SCNd64, &removed) == 1);
  struct launched marked = removed_rows("run", "$5 == \"\"");
  cr_expect(removed > 15 && launch_count(marked.out, "\n") == removed, "%s", marked.out);
  struct launched again = launch_ranks(3,
                                       "'%s' run --restart run/checkpoint-00000260.h5 %s -q -t 1 "
                                       "--set measure.people=true --set measure.grid.every=10 "
                                       "-o again",
                                       THRONG, STATION);
  cr_assert(again.code == 0, "%s", again.err);
  struct launched before = removed_rows("run", "$9 == 26"), after = removed_rows("again", "1");
  cr_expect(*before.out && strcmp(before.out, after.out) == 0, "%s instead of %s", after.out,
            before.out);
  launched_destroy(&one);
  launched_destroy(&marked);
  launched_destroy(&again);
  launched_destroy(&before);
  launched_destroy(&after);
}

// There the preferred velocities stay on the device.
Test(library, is_driven_alike_where_agents_live_on_a_device)
{
  launch_folder();
  struct launched one = launch_ranks(0, "'%s' drive %s emulated", PROGRAM, STATION);
  cr_assert(one.code == 0, "%s", one.err);
  expect_start(2, "drive " STATION " emulated", one.out);
  launched_destroy(&one);
}

Test(library, shows_columns_and_neighbours_as_they_are)
{
  launch_folder();
  expect_start(0, "laws " STATION, "");
}

Test(library, says_what_is_wrong_and_goes_on)
{
  launch_folder();
  expect_start(0, "wrong " STATION,
               "64 x.yaml:2:1: sourcs: unknown option; did you mean sources?\n"
               "64 0 to 1024 threads are possible, not -1\n"
               "64 0 to 1024 threads are possible, not -3\n"
               "64 0 to 1024 threads are possible, not -2147483648\n"
               "64 0 to 1024 threads are possible, not 1025\n"
               "64 0 to 1024 threads are possible, not 2147483647\n"
               "64 there is no column \"speeed\" of agents\n"
               "64 agent 0 of 1, at (21, 5), is inside a wall\n"
               "64 agent 0 of 1, at (-3, 5), lies outside world.extent\n"
               "64 agent 0 of 1: there is no such source, profile, destination or journey\n"
               "64 a goal lies outside world.extent\n"
               "64 a point lies outside world.extent\n"
               "64 1 to 32 neighbours within a range above 0 m can be asked for\n"
               "64 there is no destination 77\n"
               "64 a checkpoint needs a directory of files, and no replay\n"
               "64 agent 4 has an impossible velocity\n"
               "0 "
               "64 --backend emulated: it holds the agents of another simulation of this process; "
               "destroy that one first, or use a CPU backend\n");
}
