// What the system grants to a process, and files that have no room: a message and a code, no crash
// and no half of a run.
#include "cli.h"
#include <stdarg.h>

TestSuite(limits, .init = launch_without_leaks);

// A line with redirections and commands of the shell.
__attribute__((format(printf, 1, 2))) static struct launched shell(const char *format, ...)
{
  char line[800];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(line, sizeof line, format, arguments);
  va_end(arguments);
  write_file("line.sh", line);
  return launch("sh line.sh");
}

#define CROWD                                                                                      \
  "world: {extent: [0, 0, 40, 40]}\n"                                                              \
  "time: {step: 0.1, end: 20}\n"                                                                   \
  "sources: [{area: {rectangle: [2, 2, 38, 38]}, count: 300, opposite: [20, 20]}]\n"               \
  "output: {trajectory: {every: 0.1}, checkpoint_every: 5, series_every: 0}\n"

// A file may have so many blocks of 512 bytes: the lock, the first files of a run, the trajectory,
// a checkpoint. The messages go through a pipe, which has no size. LLVM's OpenMP needs a file of
// its own before throng begins.
#ifdef __clang__
#define LEAST_BLOCKS 30
#else
#define LEAST_BLOCKS 0
#endif

Test(limits, of_the_size_of_a_file_end_a_run_as_a_full_disk_does)
{
  static const int sizes[] = {0, 1, 30, 100, 400, 1000};
  write_file("crowd.yaml", CROWD);
  for (size_t k = 0; k < sizeof sizes / sizeof *sizes; k++) {
    if (sizes[k] < LEAST_BLOCKS)
      continue;
    struct launched l = shell("(ulimit -f %d; '%s' run crowd.yaml -q -t 1 -o run%d; echo code $?) "
                              "2>&1 | cat",
                              sizes[k], THRONG, sizes[k]);
    cr_expect(launch_count(l.out, "code 74\n") == 1, "%d blocks: %s", sizes[k], l.out);
    cr_expect(launch_count(l.out, "File too large") >= 1, "%d blocks: %s", sizes[k], l.out);
    launched_destroy(&l);
    l = shell("ls -a run%d | grep -e lock -e '\\.tmp$'", sizes[k]);
    cr_expect(!*l.out, "%d blocks: left %s", sizes[k], l.out);
    launched_destroy(&l);
    l = launch("'%s' run crowd.yaml -q -t 1 -o run%d --restart auto", THRONG, sizes[k]);
    expect_success(&l);
    launched_destroy(&l);
  }
}

// The same on ranks, whose shared memory is a file of 5 MB.
Test(limits, of_the_size_of_a_file_end_ranks_together)
{
  write_file("crowd.yaml", CROWD);
  write_file("line.sh", "ulimit -f 12000; exec '" THRONG "' run crowd.yaml -q -t 1 -o ranks --set "
                        "sources.0.count=3000 --set output.compression=0 --set "
                        "output.checkpoint_every=0\n");
  struct launched l = launch_ranks(2, "sh line.sh");
  expect_refusal(&l, 74, "throng: ranks/trajectory.h5: cannot be written: File too large");
  cr_expect(!exists("ranks/lock"));
  launched_destroy(&l);
}

Test(limits, too_small_for_mpi_are_named)
{
#ifdef SANITIZED
  cr_skip_test("SKIPPED: a sanitizer needs more stack and files than these limits grant");
#endif
  static const struct {
    const char *limit, *says;
    int code;
  } limits[] = {
      {"-s 64", "the stack of a process may have 64 kB (ulimit -s); at least 512 kB are", 71},
      {"-s 256", "the stack of a process may have 256 kB (ulimit -s)", 71},
      {"-n 8", "a process may have 8 files open (ulimit -n); at least 32 are needed", 74},
      {"-n 16", "a process may have 16 files open (ulimit -n)", 74},
  };
  static const char *const commands[] = {"run square.yaml -q", "check square.yaml", "options",
                                         "view square", "info square.yaml"};
  write_file("square.yaml", SQUARE);
  for (size_t k = 0; k < sizeof limits / sizeof *limits; k++)
    for (size_t c = 0; c < sizeof commands / sizeof *commands; c++) {
      struct launched l = shell("ulimit %s; exec '%s' %s", limits[k].limit, THRONG, commands[c]);
      expect_refusal(&l, limits[k].code, limits[k].says);
      cr_expect(launch_count(l.err, "\n") == 1 && !*l.out && !exists("runs"), "%s", l.err);
      launched_destroy(&l);
    }
  struct launched l =
      shell("ulimit -s 512; ulimit -n 32; exec '%s' run square.yaml -q -t 2", THRONG);
  expect_success(&l);
  launched_destroy(&l);
}

Test(limits, of_cpu_time_stop_a_run_after_a_checkpoint)
{
  write_file("long.yaml", SQUARE);
  struct launched l = shell("ulimit -S -t 3; exec '%s' run long.yaml -q -t 1 -o long --set "
                            "time.end=1e6 --set goal.on_arrival=turn_back --set "
                            "output.series_every=1000 --set output.snapshot_every=0",
                            THRONG);
  cr_expect(l.code == 75, "exit code %d: %s", l.code, l.err);
  launched_destroy(&l);
  l = shell("ls long/checkpoint-*.h5");
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
      l = shell("'%s' %s %s", THRONG, commands[k], outputs[o]);
      expect_refusal(&l, 74, "throng: standard output: cannot be written");
      launched_destroy(&l);
    }
  l = shell("'%s' run square.yaml -q -t 1 >&-", THRONG); // says nothing
  expect_success(&l);
  launched_destroy(&l);
  write_file("line.sh", "exec '" THRONG "' options > /dev/full\n");
  l = launch_ranks(2, "sh line.sh");
  expect_refusal(&l, 74, "throng: standard output: cannot be written");
  launched_destroy(&l);
}

// Without the right of root to write everywhere.
static struct launched launch_without_rights(const char *words)
{
  return geteuid() == 0 ? launch("setpriv --bounding-set=-dac_override,-dac_read_search "
                                 "--inh-caps=-all '%s' %s",
                                 THRONG, words)
                        : launch("'%s' %s", THRONG, words);
}

Test(limits, of_a_folder_have_their_reason)
{
  static const char *const outputs[] = {"closed/run", "closed/a/b", "closed", "closed/run/"};
  struct launched l = launch_without_rights("--version");
  const int runs = l.code == 0;
  launched_destroy(&l);
  write_file("square.yaml", SQUARE);
  l = shell("mkdir closed && chmod 555 closed && echo > file");
  expect_success(&l);
  launched_destroy(&l);
  if (!runs)
    cr_skip_test("SKIPPED: setpriv cannot take the rights of root here");
  for (size_t k = 0; k < sizeof outputs / sizeof *outputs; k++) {
    char words[100];
    snprintf(words, sizeof words, "run square.yaml -q -t 1 -o %s", outputs[k]);
    l = launch_without_rights(words);
    expect_refusal(&l, 74, "cannot be written: Permission denied");
    launched_destroy(&l);
  }
  l = launch("'%s' run square.yaml -q -t 1 -o file/run", THRONG);
  expect_refusal(&l, 74, "output directory file/run: cannot be written: Not a directory");
  launched_destroy(&l);
}
