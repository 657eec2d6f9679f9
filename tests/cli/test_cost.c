// What `throng check` says a run will cost, and which runs are refused.
#include "cli.h"

#include <sys/resource.h>

#define PEOPLE                                                                                     \
  "goal: {on_arrival: stay}\n"                                                                     \
  "sources: [{area: {rectangle: [5, 5, 145, 145]}, count: 12000, "

// Everybody stays, so that only the time of a step is in doubt.
static const char *const scenes[] = {
    "world: {extent: [0, 0, 150, 150]}\ntime: {end: 50}\n" PEOPLE "goal: [75, 75]}]\n",
    "world: {extent: [0, 0, 150, 150]}\ntime: {end: 30}\n"
    "navigation: {model: field, cell: 0.5}\n"
    "destinations: [{name: out, areas: [{rectangle: [70, 1, 80, 4]}]}]\n" PEOPLE
    "destination: out}]\n"};

static double seconds_predicted(const char *text)
{
  const char *about = strstr(text, "of this machine about ");
  double seconds = 0;
  char unit[8] = "";
  cr_assert(about, "%s", text);
  cr_assert(sscanf(about, "of this machine about %lf %7s", &seconds, unit) == 2, "%s", about);
  return strcmp(unit, "min") == 0 ? 60 * seconds : seconds;
}

static double children_cpu_seconds(void)
{
  struct rusage used;
  getrusage(RUSAGE_CHILDREN, &used);
  return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
         1e-6 * (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

TestSuite(cost, .init = launch_without_leaks);

// The prediction is meant to be right within a factor of 2 on a quiet machine. Here others work:
// the run takes longer by the clock than it would there, and its CPU time, with one thread, is
// about what it would take.
Test(cost, is_about_what_the_run_takes)
{
#ifdef SANITIZED
  cr_skip_test("sanitizers slow the parts of a step differently");
#endif
  for (int k = 0; k < 2; k++) {
    write_file("crowd.yaml", scenes[k]);
    struct launched l = launch("'%s' check crowd.yaml --threads 1", THRONG);
    expect_success(&l);
    const double predicted = seconds_predicted(l.out);
    launched_destroy(&l);
    const double before = children_cpu_seconds();
    l = launch("'%s' run crowd.yaml --threads 1 -q -o crowd", THRONG);
    expect_success(&l);
    const double taken = children_cpu_seconds() - before;
    cr_expect(predicted < 4 * l.seconds && taken < 4 * predicted + 1,
              "scene %d: %g s predicted, %g s taken, %g s of CPU time", k, predicted, l.seconds,
              taken);
    launched_destroy(&l);
  }
}

Test(cost, of_people_who_leave_is_a_range)
{
  write_file("square.yaml", "world: {extent: [0, 0, 400, 400]}\ntime: {end: 100000}\n"
                            "sources: [{area: {rectangle: [5, 5, 200, 200]}, count: 5000, "
                            "goal: [300, 300]}]\n");
  struct launched l = launch("'%s' check square.yaml", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.out, "cost          5000 people, at most 1000000 steps; on 1 rank") ==
                    1 &&
                launch_count(l.out, "(all walk freely) to ") == 1,
            "%s", l.out);
  launched_destroy(&l);
}

#define INFLOW                                                                                     \
  "world: {extent: [0, 0, 200, 200]}\ntime: {end: 600}\n"                                          \
  "sources: [{area: {rectangle: [10, 10, 26, 25]}, goal: [100, 100], "

Test(cost, more_people_than_can_enter_are_refused_or_named)
{
  write_file("crowd.yaml", INFLOW "rate: 100000}]\n");
  struct launched l = launch_ranks(3, "'%s' check crowd.yaml", THRONG);
  expect_refusal(
      &l, 64,
      "crowd.yaml:3:18: sources[0]: 6e+07 people are to enter before time.end, 600 s; at "
      "most about 7.58e+04 can come out of this area");
  launched_destroy(&l);
  write_file("trips.csv", "from,to,people,begin,end\n"
                          "in,out,5000000,0,100\nin,out,5000000,100,200\n");
  write_file("crowd.yaml", "world: {extent: [0, 0, 200, 200]}\ntime: {end: 600}\n"
                           "destinations: [{name: out, areas: [{rectangle: [90, 90, 99, 99]}]}]\n"
                           "sources: [{name: in, area: {rectangle: [10, 10, 26, 25]}}]\n"
                           "trips: trips.csv\n");
  l = launch("'%s' check crowd.yaml", THRONG);
  expect_refusal(&l, 64, "1e+07 people are to enter before time.end, 600 s; at most about");
  launched_destroy(&l);
  write_file("crowd.yaml", INFLOW "rate: 600}]\n");
  l = launch("'%s' check crowd.yaml", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.err, "the others wait outside") == 1, "%s", l.err);
  launched_destroy(&l);
  write_file("crowd.yaml", INFLOW "rate: 100}]\n");
  l = launch("'%s' check crowd.yaml", THRONG);
  expect_success(&l);
  cr_expect(!*l.err, "%s", l.err);
  launched_destroy(&l);
}

#ifndef SANITIZED // its runtime wants to be the first library
Test(cost, more_memory_than_the_machine_has_is_refused)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("cp '%s' small.so", SMALL_MACHINE); // LD_PRELOAD takes no spaces
  expect_success(&l);
  launched_destroy(&l);
  l = launch("env LD_PRELOAD=./small.so '%s' check square.yaml", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.err, "GB are needed on this machine, which has 0.02 GB") == 1, "%s",
            l.err);
  launched_destroy(&l);
  l = launch("env LD_PRELOAD=./small.so '%s' run square.yaml", THRONG);
  expect_refusal(&l, 71, "GB are needed on this machine, which has 0.02 GB");
  launched_destroy(&l);
}

static double run_bytes(int side, int64_t people)
{
  char yaml[400];
  snprintf(yaml, sizeof yaml,
           "world: {extent: [-10, -10, %d, %d]}\n"
           "profiles: [{name: person, speed: 1.3, walking: {model: none}}]\n"
           "sources: [{area: {rectangle: [0, 0, %d, %d]}, count: %lld, goal: [5, 5]}]\n"
           "output: {snapshot_every: 0}\n",
           side + 10, side + 10, side, side, (long long)people);
  write_file("plain.yaml", yaml);
  struct launched l = launch("'%s' run plain.yaml --steps 4 --output plain", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  char *summary = launch_read("plain/summary.json");
  const char *bytes = summary ? strstr(summary, "\"memory_bytes\": ") : NULL;
  const double needs = bytes ? strtod(bytes + 16, NULL) : 0;
  cr_expect(needs > 0, "%s", summary);
  free(summary);
  l = launch("rm -r plain");
  launched_destroy(&l);
  return needs;
}

// Without journeys, groups, routes and headway. 36 of them are a copy for the first snapshot.
Test(cost, a_plain_crowd_takes_at_most_140_bytes_per_agent)
{
  const double each = (run_bytes(800, 600000) - run_bytes(330, 100000)) / 500000;
  cr_log_info("%.1f bytes per agent\n", each);
  cr_expect(each > 60 && each < 140, "%g", each);
}
#endif
