// One run at a time in an output directory.
#include "../launch.h"
#include "run_lock.h"

#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#define RUN "'" THRONG "' run x.yaml --output d --quiet --threads 1 --steps 2"

static void write_file(const char *path, const char *text)
{
  FILE *f = fopen(path, "w");
  cr_assert(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static void begin(void)
{
  launch_folder();
  unsetenv("SLURM_JOB_ID");
  write_file("x.yaml", "world: {extent: [0, 0, 9, 9]}\n"
                       "sources: [{area: {rectangle: [1, 1, 2, 2]}, count: 1, goal: [8, 8]}]\n");
  mkdir("d", 0777);
}

static bool exists(const char *path)
{
  return access(path, F_OK) == 0;
}

static void expect_run(int code, const char *message)
{
  struct launched l = launch(RUN);
  cr_expect_eq(l.code, code, "exit code %d: %s", l.code, l.err);
  cr_expect(strstr(l.err, message), "\"%s\" instead of \"%s\"", l.err, message);
  launched_destroy(&l);
}

static bool can_take(void)
{
  enum exit_code code;
  struct run_lock *l = run_lock_take("d", &code);
  cr_expect_eq(code, l ? EXIT_DONE : EXIT_BAD_INPUT);
  run_lock_release(l);
  return l != NULL;
}

TestSuite(run_lock, .init = launch_without_leaks);

Test(run_lock, a_second_run_is_refused_and_touches_nothing)
{
  begin();
  enum exit_code code;
  struct run_lock *l = run_lock_take("d", &code);
  cr_assert(l && exists("d/lock"));
  expect_run(EXIT_BAD_INPUT, "is at work there");
  cr_expect(exists("d/lock") && !exists("d/log.jsonl"));
  run_lock_release(l);
  cr_expect(!exists("d/lock"));
  expect_run(EXIT_DONE, "");
  cr_expect(!exists("d/lock") && exists("d/summary.json"));
}

Test(run_lock, the_lock_of_a_dead_process_is_taken_over)
{
  begin();
  const pid_t child = fork();
  if (child == 0) {
    enum exit_code code;
    _exit(run_lock_take("d", &code) ? 0 : 1);
  }
  int status;
  cr_assert(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
  cr_assert(exists("d/lock"));
  expect_run(EXIT_DONE, "which has ended");
  cr_expect(!exists("d/lock"));
}

// Its parent has not waited for it: it has an entry in /proc still.
Test(run_lock, a_zombie_is_dead)
{
  begin();
  const pid_t child = fork();
  if (child == 0) {
    enum exit_code code;
    _exit(run_lock_take("d", &code) ? 0 : 1);
  }
  siginfo_t ended;
  cr_assert_eq(waitid(P_PID, (id_t)child, &ended, WEXITED | WNOWAIT), 0);
  cr_assert(exists("d/lock"));
  cr_expect(can_take());
  waitpid(child, NULL, 0);
}

static void age_lock(int seconds)
{
  struct stat now;
  cr_assert_eq(stat("d/lock", &now), 0);
  const struct timespec then[2] = {{now.st_mtim.tv_sec - seconds, 0},
                                   {now.st_mtim.tv_sec - seconds, 0}};
  cr_assert_eq(utimensat(AT_FDCWD, "d/lock", then, 0), 0);
}

// On another machine only its clock tells, or the scheduler.
Test(run_lock, the_lock_of_another_machine_is_void_after_a_while)
{
  begin();
  write_file("d/lock", "host node17\nmachine other\nprocess 4711 99\njob \n");
  cr_expect(!can_take());
  age_lock(RUN_LOCK_DEAD - 5);
  expect_run(EXIT_BAD_INPUT, "the run on node17, process 4711 is at work there");
  age_lock(10);
  cr_expect(can_take());
}

Test(run_lock, an_earlier_start_of_the_same_job_is_dead)
{
  begin();
  setenv("SLURM_JOB_ID", "7", 1);
  setenv("SLURM_RESTART_COUNT", "1", 1);
  write_file("d/lock", "host node17\nmachine other\nprocess 4711 99\njob 7 1\n");
  cr_expect(!can_take());
  write_file("d/lock", "host node17\nmachine other\nprocess 4711 99\njob 71 0\n");
  cr_expect(!can_take());
  write_file("d/lock", "host node17\nmachine other\nprocess 4711 99\njob 7 0\n");
  cr_expect(can_take());
}

// A file that is cut short names nobody.
Test(run_lock, an_empty_lock_holds_until_it_is_old)
{
  begin();
  write_file("d/lock", "");
  cr_expect(!can_take());
  age_lock(RUN_LOCK_DEAD + 5);
  cr_expect(can_take());
}

#define CHILDREN 8

// Each child tells whether it took the lock, and ends when all have tried.
static int count_winners(void)
{
  int told[2], go[2], winners = 0;
  cr_assert(pipe(told) == 0 && pipe(go) == 0);
  for (int k = 0; k < CHILDREN; k++)
    if (fork() == 0) {
      enum exit_code code;
      close(go[1]);
      const char won = run_lock_take("d", &code) != NULL;
      char end;
      _exit(write(told[1], &won, 1) == 1 && read(go[0], &end, 1) == 0 ? 0 : 1);
    }
  for (int k = 0; k < CHILDREN; k++) {
    char won;
    cr_assert_eq(read(told[0], &won, 1), 1);
    winners += won;
  }
  close(go[1]);
  for (int k = 0; k < CHILDREN; k++)
    wait(NULL);
  close(go[0]);
  close(told[0]);
  close(told[1]);
  return winners;
}

// The lock that each round leaves is that of a dead process.
Test(run_lock, one_of_many_takes_it)
{
  begin();
  for (int round = 0; round < 5; round++)
    cr_assert_eq(count_winners(), 1, "round %d", round);
}
