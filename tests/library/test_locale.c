// The library in a program whose locale writes decimals with a comma or another sign, as any with
// Qt or GTK may.
#include "../launch.h"
#include <stdlib.h>
#include <string.h>

#define COMMA "de_DE.UTF-8"

// Makes a locale of UTF-8 for the programs that are launched; the machine need not have it.
static void make_locale(const char *language)
{
  char folders[600];
  const char *here = launch_folder();
  struct launched l = launch("localedef -c -i %s -f UTF-8 '%s/%s.UTF-8'", language, here, language);
  snprintf(folders, sizeof folders, "%s", here);
  setenv("LOCPATH", folders, 1);
  const bool made = l.code == 0;
  if (!made)
    cr_log_warn("localedef: %s", l.err);
  launched_destroy(&l);
  if (!made)
    cr_skip_test("localedef cannot make %s.UTF-8 (package locales)", language);
}

// In a folder of this name.
static void drive(const char *folder, const char *locale, const char *when, const char *more,
                  char checksum[17])
{
  struct launched l = launch("'%s' locale '" HERE "/decimals.yaml' %s %s %s %s", PROGRAM, folder,
                             locale, when, more);
  cr_assert(l.code == 0, "%s %s: exit code %d: %s", when, more, l.code, l.err);
  snprintf(checksum, 17, "%s", l.out);
  launched_destroy(&l);
}

// Those that have no times of this machine are the same to the byte.
static void expect_same_files(const char *folder)
{
  static const char *const names[] = {"series.csv",     "people.csv",    "travel.csv",
                                      "snapshots.xdmf", "trajectory.h5", "totals.vtkhdf"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    struct launched l = launch("cmp point/%s %s/%s", names[k], folder, names[k]);
    cr_expect(l.code == 0, "%s%s", l.out, l.err);
    launched_destroy(&l);
  }
}

static void expect_json(const char *folder)
{
  struct launched l =
      launch("python3 -c 'import json, sys\n"
             "for name in sys.argv[1:]:\n"
             "    for text in open(name) if name.endswith(\"l\") else [open(name).read()]:\n"
             "        json.loads(text)' %s/summary.json %s/log.jsonl",
             folder, folder);
  cr_expect(l.code == 0, "%s", l.err);
  launched_destroy(&l);
}

TestSuite(locale, .init = launch_without_leaks);

Test(locale, of_the_caller_changes_nothing)
{
  char point[17], before[17], after[17];
  make_locale("de_DE");
  drive("point", "C", "before", "", point);
  drive("before", COMMA, "before", "", before);
  drive("after", COMMA, "after", "", after);
  cr_expect_str_eq(before, point);
  cr_expect_str_eq(after, point);
  expect_same_files("before");
  expect_same_files("after");
  expect_json("before");
  expect_json("after");
}

// A decimal point of two bytes.
Test(locale, of_another_language_changes_nothing)
{
  char point[17], other[17];
  make_locale("ps_AF");
  drive("point", "C", "before", "", point);
  drive("other", "ps_AF.UTF-8", "before", "", other);
  cr_expect_str_eq(other, point);
  expect_same_files("other");
  expect_json("other");
}

#define HALVING                                                                                    \
  "#include \"throng_plugin.h\"\n"                                                                 \
  "#include <stdio.h>\n"                                                                           \
  "#include <stdlib.h>\n"                                                                          \
  "static float half;\n"                                                                           \
  "__attribute__((constructor)) static void prepare(void) { half = strtof(\"0.5\", NULL); }\n"     \
  "static vec2 halved(const struct perception *s, const float *p)\n"                               \
  "{ char text[20]; (void)p; snprintf(text, sizeof text, \"%.2f\", 1.25);\n"                       \
  "  const float f = half * strtof(\"1.25\", NULL) * (text[1] == '.' ? 1 : 0);\n"                  \
  "  return vec2_of(s->preferred_velocity.x * splat(f), s->preferred_velocity.y * splat(f)); }\n"  \
  "THRONG_PREFERENCE(\"halved\", halved, {\"unused\", 0})\n"

// Whatever a plug-in reads and writes, on all threads.
Test(locale, of_the_caller_is_none_of_a_plug_in)
{
  char point[17], before[17], after[17];
  make_locale("de_DE");
  FILE *file = fopen("halved.c", "w");
  cr_assert(file);
  fputs(HALVING, file);
  fclose(file);
  struct launched l = launch("'%s' halved.c -o halved.so", COMPILE);
  cr_assert(l.code == 0, "%s%s", l.out, l.err);
  launched_destroy(&l);
  drive("plain", "C", "before", "", before);
  drive("point", "C", "before", "$PWD/halved.so", point);
  cr_expect_str_neq(before, point);
  drive("before", COMMA, "before", "$PWD/halved.so", before);
  drive("after", COMMA, "after", "$PWD/halved.so", after);
  cr_expect_str_eq(before, point);
  cr_expect_str_eq(after, point);
}
