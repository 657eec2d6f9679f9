// What is said, and where on the screen.
#include "cli.h"
#include "extent.h"

// Agents in front of a wall, between others: the run lasts, and all are soon blocked for good.
#define JAM                                                                                        \
  "world: {extent: [0, 0, 200, 200], obstacles: "                                                  \
  "['LINESTRING (100 0, 100 200)', 'LINESTRING (150 0, 150 200)']}\n"                              \
  "time: {end: 20000}\n"                                                                           \
  "avoidance: {jam: report}\n"                                                                     \
  "alarms: {jam: 2}\n"                                                                             \
  "sources: [{area: {rectangle: [94, 2, 99, 62]}, count: 400, goal: [180, 100]}]\n"

TestSuite(messages, .init = launch_without_leaks);

// A law of times, not of memory.
Test(messages, and_progress_never_share_a_line, .disabled = SHORT)
{
  write_file("jam.yaml", JAM);
  struct launched l =
      launch("python3 -B '%s/check_progress.py' '%s' jam.yaml " LAUNCHER, HERE, THRONG);
  skip_if_told(&l);
  expect_success(&l);
  launched_destroy(&l);
}

#ifndef SANITIZED // it takes address space as it likes
static void expect_out_of_memory(const char *yaml, int mb, const char *message)
{
  write_file("large.yaml", yaml);
  struct launched l = launch("cp '%s' limit.so", LIMIT_MEMORY); // LD_PRELOAD takes no spaces
  expect_success(&l);
  launched_destroy(&l);
  l = launch("env LD_PRELOAD=./limit.so MEMORY_MB=%d '%s' run large.yaml -q --steps 1", mb, THRONG);
  expect_refusal(&l, 71, message);
  launched_destroy(&l);
}

#define FEW_AGENTS "sources: [{area: {rectangle: [10, 10, 99, 99]}, count: 9, destination: out}]\n"
#define EXIT       "destinations: [{name: out, areas: [{rectangle: [1, 1, 5, 5]}]}]\n"

Test(messages, about_memory_say_for_what_and_how_much)
{
  expect_out_of_memory(
      "world: {extent: [0, 0, 20000, 20000]}\nnavigation: {model: field, cell: 1}\n" EXIT
          FEW_AGENTS,
      200,
      "throng: out of memory: cannot allocate 400 MB for a navigation grid of "
      "20000 x 20000 cells; larger cells (navigation.cell) need less\n");
  expect_out_of_memory(
      "world: {extent: [0, 0, 8000, 8000]}\nmeasure: {grid: {cell: 1, every: 1}}\n" EXIT FEW_AGENTS,
      500,
      "throng: out of memory: cannot allocate 1.02 GB for a measuring grid of "
      "8000 x 8000 cells; larger cells (measure.grid.cell) need less\n");
}

// Where the last of the memory goes to something small, MPI must still find some to end.
Test(messages, about_memory_do_not_depend_on_how_much_is_left)
{
  for (int mb = 14; mb <= 24; mb += 2)
    expect_out_of_memory("world: {extent: [0, 0, 2000, 2000]}\nsources: [{area: {rectangle: "
                         "[0, 0, 2000, 2000]}, count: 1000000, goal: [1, 1]}]\n",
                         mb,
                         " for the places of the agents at the start; fewer agents need less\n");
}

Test(messages, about_a_bus_error_name_full_shared_memory)
{
  write_file("square.yaml", SQUARE);
  struct launched l = launch("cp '%s' full.so", FULL_SHARED_MEMORY); // LD_PRELOAD takes no spaces
  expect_success(&l);
  launched_destroy(&l);
  l = launch("env LD_PRELOAD=./full.so '%s' run square.yaml", THRONG);
  expect_refusal(&l, 71, "throng: out of memory: shared memory (/dev/shm) is full");
  launched_destroy(&l);
}
#endif

// In every place that has a name: control characters of a terminal, and line ends.
#define NAMES                                                                                      \
  "name: \"a\\e[31m\\nb\"\n"                                                                       \
  "world: {extent: [0, 0, 20, 20]}\n"                                                              \
  "time: {step: 0.1, end: 3}\n"                                                                    \
  "navigation: {model: field}\n"                                                                   \
  "profiles: [{name: \"p\\e1\\n\", speed: 1.2}, {name: \"q\\u009b\\n\"}]\n"                        \
  "doors: [{name: \"d\\eoor\\n\", line: [[10, 0], [10, 2]]}]\n"                                    \
  "destinations:\n"                                                                                \
  "  - {name: \"x\\ny\", areas: [{rectangle: [17, 17, 19, 19]}], stay: {uniform: [1, 2]}}\n"       \
  "  - {name: \"e\\exit\\n\", areas: [{rectangle: [17, 1, 19, 3]}], flow: 2}\n"                    \
  "journeys: [{name: \"j\\er\\n\", via: [\"x\\ny\", \"e\\exit\\n\"]}]\n"                           \
  "zones: [{name: \"z\\en\\n\", areas: [{rectangle: [8, 8, 9, 9]}], speed: 0.5}]\n"                \
  "sources:\n"                                                                                     \
  "  - {name: \"s\\rq\", area: {rectangle: [2, 2, 8, 8]}, rate: 5, journey: \"j\\er\\n\", "        \
  "profile: \"p\\e1\\n\"}\n"                                                                       \
  "events:\n"                                                                                      \
  "  - {name: \"v\\e\\u009b\\n\", at: 1, close: [\"d\\eoor\\n\"], open: [\"e\\exit\\n\"], "        \
  "rate: {\"s\\rq\": 2}, call: [\"x\\ny\"]}\n"                                                     \
  "measure:\n"                                                                                     \
  "  lines: [{name: \"l\\\"\\e\\n\", from: [10, 0], to: [10, 20]}]\n"                              \
  "  areas: [{name: \" \\ta\", areas: [{rectangle: [5, 5, 9, 9]}]}]\n"

static void expect_printable(const char *format, const char *path)
{
  char command[500];
  snprintf(command, sizeof command, format, THRONG, path);
  struct launched l = launch("%s", command);
  expect_success(&l);
  cr_expect(strstr(l.out, "a\\x1b[31m\\x0ab"), "%s", l.out);
  for (const char *c = l.out; *c; c++)
    cr_assert((unsigned char)*c >= ' ' || *c == '\n', "byte %d in \"%s\"", *c, l.out);
  cr_expect(!strstr(l.out, "\xc2\x9b"), "%s", l.out);
  launched_destroy(&l);
}

Test(messages, show_names_without_control_characters)
{
  write_file("names.yaml", NAMES);
  expect_printable("'%s' check names.yaml%s", "");
  expect_printable("'%s' run names.yaml -o '%s'", "na\x1b[1m\nmes");
  expect_printable("'%s' info '%s/snapshot-00000000.vtkhdf'", "na\x1b[1m\nmes");
  struct launched l = launch("python3 -B '%s/check_names.py' 'na\x1b[1m\nmes'", HERE);
  expect_success(&l);
  launched_destroy(&l);
  l = launch("'%s' check 'no\x1b[1m.yaml'", THRONG);
  expect_refusal(&l, 64, "no\\x1b[1m.yaml: cannot read");
  launched_destroy(&l);
  l = launch("'%s' 'ru\x1bn'", THRONG);
  expect_refusal(&l, 64, "throng: \"ru\\x1bn\" is not a command");
  launched_destroy(&l);
}
