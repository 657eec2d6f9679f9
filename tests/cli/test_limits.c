// What the system grants to a process, and files that have no room: a message and a code, no crash
// and no half of a run.
#include "cli.h"

TestSuite(limits, .init = launch_without_leaks);

#define CROWD                                                                                      \
  "world: {extent: [0, 0, 40, 40]}\n"                                                              \
  "time: {step: 0.1, end: 20}\n"                                                                   \
  "sources: [{area: {rectangle: [2, 2, 38, 38]}, count: 300, opposite: [20, 20]}]\n"               \
  "output: {trajectory: {every: 0.1}, checkpoint_every: 5, series_every: 0}\n"

// A file may have so many blocks of 512 bytes: the first one of a run, the trajectory, a
// checkpoint.
Test(limits, of_the_size_of_a_file_end_a_run_as_a_full_disk_does)
{
  static const int sizes[] = {0, 1, 30, 100};
  write_file("crowd.yaml", CROWD);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    struct launched l = launch("ulimit -f %d; exec '%s' run crowd.yaml -q -t 1 -o run%d", sizes[k],
                               THRONG, sizes[k]);
    cr_expect(l.code == 74, "%d blocks: exit code %d: %s", sizes[k], l.code, l.err);
    cr_expect(launch_count(l.err, "File too large") >= 1, "%d blocks: %s", sizes[k], l.err);
    launched_destroy(&l);
    l = launch("ls -a run%d | grep -e lock -e '\\.tmp$'", sizes[k]);
    cr_expect(!*l.out, "%d blocks: left %s", sizes[k], l.out);
    launched_destroy(&l);
    l = launch("'%s' run crowd.yaml -q -t 1 -o run%d --restart auto", THRONG, sizes[k]);
    expect_success(&l);
    launched_destroy(&l);
  }
}

#ifndef SANITIZED // which needs a stack and files of its own
Test(limits, too_small_for_mpi_are_named)
{
  static const struct {
    const char *limit, *says;
    int code;
  } limits[] = {
      {"-s 64", "the stack of a process may have 64 kB (ulimit -s); at least 512 kB are", 71},
      {"-s 256", "the stack of a process may have 256 kB (ulimit -s)", 71},
      {"-n 8", "a process may have 8 files open (ulimit -n); at least 32 are needed", 74},
      {"-n 16", "a process may have 16 files open (ulimit -n)", 74},
  };
  static const char *const commands[] = {"run square.yaml -q", "check square.yaml", "options"};
  write_file("square.yaml", SQUARE);
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
      struct launched l = launch("ulimit %s; exec '%s' %s", limits[k].limit, THRONG, commands[c]);
      expect_refusal(&l, limits[k].code, limits[k].says);
      cr_expect(launch_count(l.err, "\n") == 1 && !*l.out && !exists("runs"), "%s", l.err);
      launched_destroy(&l);
    }
  struct launched l =
      launch("ulimit -s 512; ulimit -n 32; exec '%s' run square.yaml -q -t 2", THRONG);
  expect_success(&l);
  launched_destroy(&l);
}
#endif

Test(limits, of_cpu_time_stop_a_run_after_a_checkpoint)
{
  write_file("long.yaml", CROWD);
  struct launched l = launch("ulimit -S -t 2; exec '%s' run long.yaml -q -t 1 -o long --set "
                             "time.end=100000 --set sources.0.count=1000",
                             THRONG);
  cr_expect(l.code == 75, "exit code %d: %s", l.code, l.err);
  launched_destroy(&l);
  l = launch("ls long/checkpoint-*.h5");
  expect_success(&l);
  launched_destroy(&l);
}

// Standard output is what was asked for.
Test(limits, of_standard_output_are_errors)
{
  static const char *const commands[] = {"options",
                                         "check square.yaml",
                                         "info made/checkpoint-00000020.h5",
                                         "--help",
                                         "--version",
                                         "status made",
                                         "run square.yaml -t 1"};
  static const char *const outputs[] = {"> /dev/full", ">&-"};
  write_file("square.yaml", SQUARE);
  struct launched l =
      launch("'%s' run square.yaml -q -o made --set output.checkpoint_every=2", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  for (size_t k = 0; k < sizeof commands / sizeof *commands; k++)
    for (int o = 0; o < 2; o++) {
      l = launch("'%s' %s %s", THRONG, commands[k], outputs[o]);
      expect_refusal(&l, 74, "standard output: cannot be written: ");
      cr_expect(launch_count(l.err, o ? "Bad file descriptor" : "No space left on device") == 1,
                "%s", l.err);
      launched_destroy(&l);
    }
  l = launch("'%s' run square.yaml -q -t 1 >&-", THRONG); // says nothing
  expect_success(&l);
  launched_destroy(&l);
  l = launch_ranks(2, "sh -c \"exec '%s' options > /dev/full\"", THRONG);
  expect_refusal(&l, 74, "standard output: cannot be written: No space left on device");
  launched_destroy(&l);
}

// As another user, since root may write everywhere.
static struct launched launch_as_user(const char *words)
{
  return geteuid() == 0
             ? launch("setpriv --reuid 65534 --regid 65534 --clear-groups '%s' %s", THRONG, words)
             : launch("'%s' %s", THRONG, words);
}

Test(limits, of_a_folder_have_their_reason)
{
  static const char *const outputs[] = {"closed/run", "closed/a/b", "closed", "closed/run/"};
  struct launched l = launch_as_user("--version");
  const int runs = l.code == 0;
  launched_destroy(&l);
  write_file("square.yaml", SQUARE);
  l = launch("chmod 755 . && mkdir closed && chmod 555 closed && echo > file");
  expect_success(&l);
  launched_destroy(&l);
  if (!runs)
    cr_skip_test("no other user can run the program here");
  for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
    char words[100];
    snprintf(words, sizeof words, "run square.yaml -q -t 1 -o %s", outputs[k]);
    l = launch_as_user(words);
    expect_refusal(&l, 74, "cannot be written: Permission denied");
    launched_destroy(&l);
  }
  l = launch("'%s' run square.yaml -q -t 1 -o file/run", THRONG);
  expect_refusal(&l, 74, "output directory file/run: cannot be written: Not a directory");
  launched_destroy(&l);
}
