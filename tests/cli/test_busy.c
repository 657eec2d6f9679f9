// Runs beside programs that never rest, on the cores that both may use.
#include "cli.h"

#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#define SPINNERS 2
// The tests make all threads sleep; users do not.
#define AS_USERS "env -u OMP_WAIT_POLICY"

static pid_t spinners[SPINNERS];

static void start_spinners(int count)
{
  for (int k = 0; k < count; k++) {
    spinners[k] = fork();
    cr_assert(spinners[k] >= 0);
    if (spinners[k] > 0)
      continue;
    prctl(PR_SET_PDEATHSIG, SIGKILL); // with the test
    for (volatile unsigned n = 0;; n++)
      ;
  }
}

static void stop_spinners(void)
{
  for (int k = 0; k < SPINNERS; k++)
    if (spinners[k] > 0) {
      kill(spinners[k], SIGKILL);
      waitpid(spinners[k], NULL, 0);
      spinners[k] = 0;
    }
}

// This process and its children run on the first cores that it has. False: there are not so many.
static bool keep_cores(int count)
{
  cpu_set_t all, first;
  CPU_ZERO(&first);
  sched_getaffinity(0, sizeof all, &all);
  for (size_t k = 0; k < CPU_SETSIZE && CPU_COUNT(&first) < count; k++)
    if (CPU_ISSET(k, &all))
      CPU_SET(k, &first);
  return CPU_COUNT(&first) == count && sched_setaffinity(0, sizeof first, &first) == 0;
}

TestSuite(busy, .init = launch_without_leaks, .fini = stop_spinners);

#define CROWD                                                                                      \
  "world: {extent: [0, 0, 110, 110]}\ntime: {end: 60}\ngoal: {on_arrival: stay}\n"                 \
  "sources: [{area: {rectangle: [5, 5, 105, 105]}, count: 8000, "                                  \
  "goal: [55, 55]}]\noutput: {snapshot_every: 0}\n"

static double steps_seconds(const char *how)
{
  struct launched l = launch("%s '%s' run crowd.yaml --threads 2 -q -o crowd", how, THRONG);
  expect_success(&l);
  launched_destroy(&l);
  char *summary = launch_read("crowd/summary.json");
  const char *wall = summary ? strstr(summary, "\"wall_s\": ") : NULL;
  const double seconds = wall ? strtod(wall + 10, NULL) : 0;
  cr_assert(seconds > 0, "%s", summary);
  free(summary);
  l = launch("rm -r crowd");
  launched_destroy(&l);
  return seconds;
}

// Threads that spin take eight times as long as those that sleep. The best of three pairs counts,
// since others use the machine, too.
Test(busy, a_run_is_nearly_as_fast_as_with_threads_that_sleep)
{
#ifdef SANITIZED
  cr_skip_test("takes too long");
#endif
  if (!keep_cores(2))
    cr_skip_test("two threads need two cores");
  write_file("crowd.yaml", CROWD);
  start_spinners(1);
  double least = 1e9;
  for (int k = 0; k < 3 && least > 1.3; k++) {
    const double asleep = steps_seconds(""), ratio = steps_seconds(AS_USERS) / asleep;
    least = ratio < least ? ratio : least;
  }
  cr_expect(least < 2.5, "%g times as long", least);
}

Test(busy, a_summary_says_that_threads_waited)
{
  if (!keep_cores(1))
    cr_skip_test("the cores of a process cannot be chosen here");
  if (access("/proc/thread-self/schedstat", R_OK) != 0)
    cr_skip_test("this system does not say how long threads wait");
  write_file("crowd.yaml", CROWD);
  start_spinners(2);
  struct launched l = launch("'%s' run crowd.yaml --threads 1 --steps 40 -o crowd", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.out, "  threads waited for a core in ") == 1, "%s", l.out);
  launched_destroy(&l);
  char *summary = launch_read("crowd/summary.json");
  const char *share = summary ? strstr(summary, "\"waiting_for_cores_share\": ") : NULL;
  cr_assert(share, "%s", summary);
  const double number = strtod(share + 27, NULL);
  cr_expect(number > 0.25 && number <= 1, "%g", number);
  free(summary);
}

static double seconds_predicted(void)
{
  struct launched l = launch(AS_USERS " '%s' check crowd.yaml --threads 2", THRONG);
  expect_success(&l);
  const char *about = strstr(l.out, "of this machine about ");
  double seconds = 0;
  char unit[8] = "";
  cr_assert(about && sscanf(about, "of this machine about %lf %7s", &seconds, unit) == 2, "%s",
            l.out);
  launched_destroy(&l);
  return seconds * (strcmp(unit, "min") == 0 ? 60 : strcmp(unit, "h") == 0 ? 3600 : 1);
}

// It counts CPU time: by the clock, one beside two such programs was thirty times as long.
Test(busy, a_prediction_is_the_same)
{
#ifdef SANITIZED
  cr_skip_test("sanitizers take most of the time");
#endif
  write_file("crowd.yaml", "world: {extent: [0, 0, 150, 150]}\ntime: {end: 5000}\n"
                           "goal: {on_arrival: stay}\n"
                           "sources: [{area: {rectangle: [5, 5, 145, 145]}, count: 12000, "
                           "goal: [75, 75]}]\n");
  const double before = seconds_predicted();
  start_spinners(2);
  for (int k = 0; k < 3; k++) {
    const double beside = seconds_predicted();
    cr_expect(beside < 2.5 * before && before < 2.5 * beside, "%g s, beside others %g", before,
              beside);
  }
}

Test(busy, more_threads_than_a_process_can_have_are_refused)
{
  write_file("square.yaml", SQUARE);
  const char *const commands[] = {"run", "check"};
  const char *const numbers[] = {"1025", "99999", "2147483648", "4294967297"};
  for (int ranks = 0; ranks <= 2; ranks += 2)
    for (int k = 0; k < 4; k++) {
      char message[100];
      snprintf(message, sizeof message,
               "OMP_NUM_THREADS: at most 1024 threads are possible, not %s\n", numbers[k]);
      struct launched l = launch_ranks(ranks, "env OMP_NUM_THREADS=%s '%s' %s square.yaml",
                                       numbers[k], THRONG, commands[k % 2]);
      expect_refusal(&l, 64, message);
      launched_destroy(&l);
    }
  struct launched l =
      launch("env OMP_NUM_THREADS=99999 '%s' run square.yaml --threads 2 -o out", THRONG);
  expect_success(&l);
  launched_destroy(&l);
}
