// Bad input is refused before the first step, with one message that names file, line and column, on
// any number of ranks, within seconds, and leaves no folder.
#include "cli.h"
#include "extent.h"

#if SHORT
#define EVERY 5 // tests every fifth case: a rank takes seconds to start and end
#else
#define EVERY 1
#endif
#if LONG
#define FOUR_RANKS 1
#else
#define FOUR_RANKS 4
#endif
#define WALKERS                                                                                    \
  "sources:\n"                                                                                     \
  "  - {area: {rectangle: [2, 2, 8, 8]}, count: 10, goal: [18, 18]}\n"
#define WALLED                                                                                     \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 20, 20]\n"                                                                     \
  "  obstacles: ['POLYGON ((10 10, 18 10, 18 18, 10 18, 10 10))']\n"                               \
  "agents: agents.csv\n"
#define ISLAND /* a ring of walls around (14, 14) to (16, 16) */                                   \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 20, 20]\n"                                                                     \
  "  obstacles: ['POLYGON ((10 10, 19 10, 19 19, 10 19, 10 10), "                                  \
  "(13 13, 17 13, 17 17, 13 17, 13 13))']\n"                                                       \
  "navigation: {model: field}\n"

struct bad {
  const char *name;
  const char *yaml;           // bad.yaml
  const char *file, *text;    // another file that it needs; NULL: none
  const char *place, *detail; // how the message begins, and what it also contains
};

static const struct bad cases[] = {
#include "bad_input.inc"
};
#define CASES (sizeof cases / sizeof *cases)

static void expect_refused(const struct bad *bad, int ranks, const char *command)
{
  struct launched l = launch_ranks(ranks, "'%s' %s bad.yaml%s", THRONG, command,
                                   strcmp(command, "run") == 0 ? " --output left" : "");
  const char *message = strstr(l.err, bad->place);
  cr_expect(l.code == 64, "%s: exit code %d on %d ranks", bad->name, l.code, ranks);
  cr_expect(message && launch_count(l.err, bad->place) == 1, "%s on %d ranks: \"%s\" in\n%s",
            bad->name, ranks, bad->place, l.err);
  cr_expect(message && strstr(message, bad->detail), "%s on %d ranks: \"%s\" in\n%s", bad->name,
            ranks, bad->detail, l.err);
  cr_expect(ranks > 0 || launch_count(l.err, "\n") == 1, "%s: one line, not\n%s", bad->name, l.err);
  cr_expect(l.seconds < SECONDS, "%s on %d ranks took %.1f s", bad->name, ranks, l.seconds);
  cr_expect(!exists("left") && !exists("runs"), "%s left a folder", bad->name);
  launched_destroy(&l);
}

static void refuse(int ranks, const char *command, size_t every)
{
  for (size_t k = 0; k < CASES; k += every) {
    write_file("bad.yaml", cases[k].yaml);
    if (cases[k].file)
      write_file(cases[k].file, cases[k].text);
    expect_refused(&cases[k], ranks, command);
    if (cases[k].file)
      remove(cases[k].file);
  }
}

Test(bad_input, is_refused_without_mpirun)
{
  refuse(0, "run", EVERY);
}

// What is refused does not depend on the ranks; here only how they agree on it.
Test(bad_input, is_refused_by_four_ranks)
{
  refuse(4, "run", FOUR_RANKS * EVERY);
}

Test(bad_input, is_refused_by_check_too)
{
  refuse(0, "check", 5 * EVERY);
}

Test(bad_input, of_several_kinds_is_reported_in_one_run)
{
  write_file("bad.yaml", "time: {step: quick, end: 2}\navoidance: {method: orcaa}\n" SQUARE);
  struct launched l = launch("'%s' check bad.yaml", THRONG);
  cr_expect(l.code == 64, "exit code %d", l.code);
  cr_expect(strstr(l.err, "bad.yaml:1:14: ") && strstr(l.err, "bad.yaml:2:21: "), "%s", l.err);
  launched_destroy(&l);
}
