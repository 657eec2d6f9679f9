// Help, version and options; a mistake in the command line is refused with one message.
#include "cli.h"

TestSuite(command_line, .init = launch_without_leaks);

Test(command_line, help_goes_to_standard_output)
{
  static const char *const ways[] = {"--help", "-h", "run --help", "--help run x --quiet"};
  for (size_t k = 0; k < sizeof ways / sizeof *ways; k++) {
    struct launched l = launch("'%s' %s", THRONG, ways[k]);
    expect_success(&l);
    cr_expect(strstr(l.out, "throng run CONFIG") && strstr(l.out, "Exit codes"), "%s", l.out);
    cr_expect(!*l.err, "%s", l.err);
    launched_destroy(&l);
  }
}

Test(command_line, help_and_version_come_once_from_many_ranks)
{
  struct launched l = launch_ranks(4, "'%s' --help", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.out, "Exit codes") == 1, "%s", l.out);
  launched_destroy(&l);
  l = launch_ranks(4, "'%s' --version", THRONG);
  expect_success(&l);
  cr_expect(launch_count(l.out, "throng ") == 1, "%s", l.out);
  launched_destroy(&l);
}

Test(command_line, version_is_a_number)
{
  struct launched l = launch("'%s' --version", THRONG);
  int major, minor, patch;
  expect_success(&l);
  cr_expect(sscanf(l.out, "throng %d.%d.%d (", &major, &minor, &patch) == 3, "%s", l.out);
  launched_destroy(&l);
}

Test(command_line, options_are_a_page)
{
  struct launched l = launch("'%s' options", THRONG);
  expect_success(&l);
  cr_expect(strstr(l.out, "| `time.step` |"), "%s", l.out);
  launched_destroy(&l);
}

struct mistake {
  const char *words, *says;
  int code;
};

Test(command_line, mistakes_are_named)
{
  static const struct mistake mistakes[] = {
      {"", "a command is missing", 64},
      {"walk",
       "\"walk\" is not a command (run, replay, status, check, info, export, plot, report, view, "
       "options)",
       64},
      {"run", "throng run: a file is missing", 64},
      {"check", "throng check: a file is missing", 64},
      {"info", "throng info: a file is missing", 64},
      {"status", "throng status: a file is missing", 64},
      {"run square.yaml more", "more: one argument too many", 64},
      {"run square.yaml --stops 3", "--stops: no such option", 64},
      {"run square.yaml -z", "-z: no such option", 64},
      {"run square.yaml --steps", "--steps: a value is missing", 64},
      {"run square.yaml --set", "--set: a value is missing", 64},
      {"run square.yaml --steps many", "--steps many: a whole number of at least 0", 64},
      {"run square.yaml --steps -1", "--steps -1: a whole number of at least 0", 64},
      {"run square.yaml --steps 1.5", "--steps 1.5: a whole number of at least 0", 64},
      {"run square.yaml --steps 3x", "--steps 3x: a whole number of at least 0", 64},
      {"run square.yaml --steps ''", "--steps : a whole number of at least 0", 64},
      {"run square.yaml --steps 99999999999999999999", "a whole number of at least 0", 64},
      {"run square.yaml --threads 0", "--threads 0: a whole number of at least 1", 64},
      {"run square.yaml --threads 10000", "--threads 10000: at most 1024 are possible", 64},
      {"run square.yaml --threads two", "--threads two: a whole number of at least 1", 64},
      {"run square.yaml --max-wall 0", "--max-wall 0: a time above 0", 64},
      {"run square.yaml --max-wall soon", "--max-wall soon: a time above 0", 64},
      {"run square.yaml --max-wall 1:2", "--max-wall 1:2: a time above 0", 64},
      {"run square.yaml --max-wall 1:60:00", "--max-wall 1:60:00: a time above 0", 64},
      {"run square.yaml --max-wall nan", "--max-wall nan: a time above 0", 64},
      {"run square.yaml --restart", "--restart: a value is missing", 64},
      {"run square.yaml --restart none.h5", "none.h5: No such file", 64},
      {"info none.h5", "none.h5: No such file", 64},
      {"run square.yaml --backend abacus", "--backend abacus: not one of auto, scalar, simd", 64},
      {"run square.yaml --set time.ende=3", "time.ende", 64},
      {"run square.yaml --set time.end", "time.end", 64},
      {"run square.yaml --set time.end=soon", "time.end", 64},
      {"run square.yaml --set time.end=-3", "time.end", 64},
      {"run square.yaml --set =3", "=3", 64},
      {"info nothing.vtkhdf", "nothing.vtkhdf", 64},
      {"info square.yaml", "square.yaml", 65},
      {"run nothing.yaml", "nothing.yaml", 64},
      {"check nothing.yaml", "nothing.yaml", 64},
      {"run .", ".", 64},
  };
  write_file("square.yaml", SQUARE);
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
    struct launched l = launch("'%s' %s", THRONG, mistakes[k].words);
    cr_expect(l.code == mistakes[k].code, "throng %s: exit code %d\n%s", mistakes[k].words, l.code,
              l.err);
    cr_expect(launch_count(l.err, "\n") == 1 && strstr(l.err, mistakes[k].says), "throng %s: %s",
              mistakes[k].words, l.err);
    cr_expect(!*l.out, "%s", l.out);
    cr_expect(!exists("runs"), "throng %s left a folder", mistakes[k].words);
    launched_destroy(&l);
  }
}

Test(command_line, mistakes_are_named_once_by_many_ranks)
{
  static const struct mistake mistakes[] = {
      {"", "a command is missing", 64},
      {"run square.yaml --steps many", "--steps many: a whole number", 64},
      {"run square.yaml --backend abacus", "--backend abacus: not one of", 64},
      {"info nothing.vtkhdf", "nothing.vtkhdf", 64},
      {"run square.yaml --set time.ende=3", "time.ende", 64},
  };
  write_file("square.yaml", SQUARE);
  for (size_t k = 0; k < sizeof mistakes / sizeof *mistakes; k++) {
    struct launched l = launch_ranks(4, "'%s' %s", THRONG, mistakes[k].words);
    cr_expect(l.code == mistakes[k].code, "throng %s: exit code %d", mistakes[k].words, l.code);
    cr_expect(launch_count(l.err, mistakes[k].says) == 1, "throng %s: %s", mistakes[k].words,
              l.err);
    launched_destroy(&l);
  }
}

Test(command_line, machines_without_a_gpu_say_so)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("'%s' run square.yaml --backend cuda --output gpu", THRONG);
  if (l.code != 0)
    expect_refusal(&l, 64, "--backend cuda: ");
  launched_destroy(&l);
}

Test(command_line, check_describes_the_scenario_and_runs_nothing)
{
  write_file("square.yaml", SQUARE);
  for (int ranks = 0; ranks <= 4; ranks += 4) {
    struct launched l = launch_ranks(ranks, "'%s' check square.yaml", THRONG);
    expect_success(&l);
    cr_expect(strstr(l.out, "10") && launch_count(l.out, "agents") > 0, "%s", l.out);
    cr_expect(!exists("runs"));
    launched_destroy(&l);
  }
}

// A copy of the program, beside a tool whose Python is not there; and without the tool.
Test(command_line, says_why_a_tool_does_not_start)
{
  launch_folder();
  struct launched l = launch("mkdir -p tools build/release; cp '%s' build/release/throng; "
                             "printf '#!/no/python3\\n' >tools/plot.py; chmod +x tools/plot.py; "
                             "build/release/throng plot runs/hall",
                             THRONG);
  expect_refusal(&l, 74, "the Python that its first line names is not installed");
  expect_refusal(&l, 74, "tools/plot.py cannot be started");
  launched_destroy(&l);
  l = launch("rm tools/plot.py; build/release/throng plot runs/hall");
  expect_refusal(&l, 74, "throng-plot cannot be started: No such file");
  launched_destroy(&l);
}
