// Plug-ins: methods of one's own, compiled outside of throng.
#include "../launch.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HALL                                                                                       \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 30, 20]\n"                                                                     \
  "  obstacles: ['POLYGON ((20 0, 20.2 0, 20.2 9, 20 9, 20 0))',\n"                                \
  "              'POLYGON ((20 11, 20.2 11, 20.2 20, 20 20, 20 11))']\n"                           \
  "navigation: {model: field, cell: 0.25}\n"                                                       \
  "destinations: [{name: out, areas: [{rectangle: [28, 0, 30, 20]}]}]\n"                           \
  "sources: [{area: {rectangle: [1, 1, 15, 19]}, count: 120, destination: out}]\n"                 \
  "time: {end: 300}\n"                                                                             \
  "output: {series_every: 1}\n"

static void write_text(const char *name, const char *text)
{
  FILE *file = fopen(name, "w");
  cr_assert(file);
  fputs(text, file);
  fclose(file);
}

static void prepare(void)
{
  launch_folder();
  write_text("hall.yaml", HALL);
}

static void compile(const char *source, const char *file)
{
  struct launched l = launch("'%s' '%s' -o %s", COMPILE, source, file);
  cr_assert(l.code == 0, "%s%s", l.out, l.err);
  launched_destroy(&l);
}

#define AUDIT "{\"non_finite\": 0, \"escapes\": 0, \"too_fast\": 0, \"wall_crossings\": 0"

// The text of a member of the summary of a run.
static char *value_of_run(int ranks, const char *options, const char *member)
{
  char key[60];
  struct launched l = launch_ranks(ranks, "'%s' run hall.yaml -q -t 1 -o run %s", THRONG, options);
  cr_assert(l.code == 0, "%s: %s", options, l.err);
  launched_destroy(&l);
  char *summary = launch_read("run/summary.json");
  snprintf(key, sizeof key, "\"%s\": ", member);
  const char *found = strstr(summary, key);
  cr_assert(found, "%s", member);
  found += strlen(key);
  const size_t length = *found == '{' ? strlen(AUDIT) : strcspn(found, ",\n");
  char *value = strndup(found, length);
  free(summary);
  return value;
}

static void expect_value(int ranks, const char *options, const char *member, const char *expected)
{
  char *value = value_of_run(ranks, options, member);
  cr_expect_str_eq(value, expected, "%s on %d ranks", options, ranks);
  free(value);
}

#define SOCIAL_FORCE "--set avoidance.plugin.file=social_force.so"

TestSuite(plugins, .init = launch_without_leaks);

// The same with every width of the lanes, and with any compiler.
Test(plugins, have_one_result_on_any_lanes_and_ranks)
{
  static const int ranks[] = {2, 3, 4, 7};
  prepare();
  compile(EXAMPLES "/social_force.c", "social_force.so");
  char *one = value_of_run(0, SOCIAL_FORCE " --backend scalar", "checksum");
  expect_value(0, SOCIAL_FORCE " --backend simd4", "checksum", one);
  expect_value(0, SOCIAL_FORCE " --backend simd", "checksum", one);
  for (size_t k = 0; k < sizeof ranks / sizeof *ranks; k++)
    expect_value(ranks[k], SOCIAL_FORCE, "checksum", one);
  char *plain = value_of_run(0, "", "checksum");
  cr_expect_str_neq(plain, one);
  free(plain);
  free(one);
}

Test(plugins, take_parameters)
{
  prepare();
  compile(EXAMPLES "/calm.c", "calm.so");
  char *plain = value_of_run(0, "", "evacuation_time_s");
  char *calm = value_of_run(0, "--set avoidance.plugin.file=calm.so", "evacuation_time_s");
  char *calmer = value_of_run(0,
                              "--set avoidance.plugin.file=calm.so --set "
                              "'avoidance.plugin.parameters={slowing: 0.3, radius: 2.5}'",
                              "evacuation_time_s");
  cr_expect(atof(plain) + 2 < atof(calm) && atof(calm) + 2 < atof(calmer), "%s, %s, %s s", plain,
            calm, calmer);
  free(plain);
  plain = value_of_run(0, "--set avoidance.max_acceleration=2", "checksum");
  expect_value(0,
               "--set avoidance.plugin.file=calm.so --set avoidance.max_acceleration=2 --set "
               "'avoidance.plugin.parameters={slowing: 0}'",
               "checksum", plain);
  free(plain);
  free(calm);
  free(calmer);
}

#define WRITTEN(expression)                                                                        \
  "#include \"throng_plugin.h\"\n"                                                                 \
  "static vec2 wild(const struct perception *s, const float *p)\n"                                 \
  "{ (void)s, (void)p; return " expression "; }\n"                                                 \
  "THRONG_METHOD(\"wild\", wild, {\"unused\", 0})\n"

// Whatever it returns: nobody is too fast, enters a wall or is lost.
Test(plugins, cannot_break_what_throng_guarantees)
{
  prepare();
  write_text("nan.c", WRITTEN("vec2_of(splat(0) / splat(0), splat(1))"));
  compile("nan.c", "nan.so");
  expect_value(0, "--set avoidance.plugin.file=nan.so --set time.end=3", "arrived", "0");
  write_text("fast.c", WRITTEN("vec2_of(splat(1e30f), splat(-3e8f))"));
  compile("fast.c", "fast.so");
  expect_value(0, "--set avoidance.plugin.file=fast.so --set time.end=10", "audit", AUDIT);
  write_text("inf.c", WRITTEN("vec2_of(splat(1) / splat(0), s->velocity.y)"));
  compile("inf.c", "inf.so");
  expect_value(3, "--set avoidance.plugin.file=inf.so --set time.end=3", "audit", AUDIT);
}

static void expect_refusal(const char *options, const char *message)
{
  struct launched l = launch("'%s' run hall.yaml -o refused %s", THRONG, options);
  cr_expect(l.code == 64 && launch_count(l.err, message) == 1, "%d, not one \"%s\": %s", l.code,
            message, l.err);
  launched_destroy(&l);
}

Test(plugins, that_cannot_be_used_are_refused)
{
  prepare();
  compile(EXAMPLES "/social_force.c", "social_force.so");
  expect_refusal("--set avoidance.plugin.file=no.so",
                 "avoidance.plugin.file: \"no.so\" cannot be loaded: ");
  expect_refusal("--set avoidance.plugin.file=hall.yaml",
                 "avoidance.plugin.file: \"hall.yaml\" cannot be loaded: ");
  expect_refusal(SOCIAL_FORCE " --set 'avoidance.plugin.parameters={strenght: 2}'",
                 "\"strenght\" is not a parameter of social force (time, strength, range); did you "
                 "mean strength?");
  expect_refusal("--set 'avoidance.plugin.parameters={strength: 2}'",
                 "avoidance.plugin.parameters: there is no avoidance.plugin.file");
  expect_refusal(SOCIAL_FORCE " --backend emulated",
                 "a plug-in needs a CPU backend, not --backend emulated");
  write_text("empty.c", "int nothing;\n");
  struct launched l = launch("cc -shared -fPIC empty.c -o empty.so");
  launched_destroy(&l);
  expect_refusal("--set avoidance.plugin.file=empty.so", "is no plug-in, or was not compiled by");
  expect_refusal("--set avoidance.plugin.file=/dev/zero", "it is not a regular file");
  l = launch("head -c 3000 social_force.so > cut.so; mkfifo pipe.so; cp social_force.so other.so; "
             "sh -c \"printf '\\377' | dd of=other.so bs=1 seek=18 conv=notrunc\"");
  launched_destroy(&l);
  expect_refusal("--set avoidance.plugin.file=cut.so", "it is no plug-in, or was not compiled by");
  expect_refusal("--set avoidance.plugin.file=pipe.so", "it is not a regular file");
  expect_refusal("--set avoidance.plugin.file=other.so", "it is for another machine");
  l = launch("'%s' no.c", COMPILE);
  cr_expect(l.code == 64 && strstr(l.err, "no.c: no such file"), "%s", l.err);
  launched_destroy(&l);
}

#define TRACE                                                                                      \
  "#include <fcntl.h>\n"                                                                           \
  "__attribute__((constructor)) static void trace(void) { creat(\"it-ran\", 0600); }\n"

// The loader runs code before anything can be asked of it.
Test(plugins, are_looked_at_before_they_run)
{
  prepare();
  write_text("trace.c", TRACE "const int throng_plugin_1, throng_plugin_4, "
                              "throng_plugin_8, throng_plugin_16;\n");
  write_text("plugin.c", TRACE WRITTEN("s->velocity"));
  struct launched l = launch("cc -shared -fPIC trace.c -o trace.so");
  cr_assert(l.code == 0, "%s", l.err);
  launched_destroy(&l);
  compile("plugin.c", "plugin.so");
  expect_refusal("--set avoidance.plugin.file=trace.so", "is no plug-in, or was not compiled by");
  l = launch("'%s' check hall.yaml --set avoidance.plugin.file=plugin.so", THRONG);
  cr_expect(l.code == 0 && strstr(l.out, "plug-in: plugin.so, which is not loaded"), "%s", l.out);
  launched_destroy(&l);
  cr_expect(access("it-ran", F_OK) != 0);
  l = launch("'%s' check hall.yaml --load-plugin --set avoidance.plugin.file=plugin.so", THRONG);
  cr_expect(l.code == 0 && strstr(l.out, "plug-in: wild (unused 0)"), "%s", l.out);
  cr_expect(launch_count(l.err, "its code is loaded and runs with your rights") == 1, "%s", l.err);
  launched_destroy(&l);
  cr_expect(access("it-ran", F_OK) == 0);
  l = launch("'%s' run hall.yaml --load-plugin", THRONG);
  cr_expect(l.code == 64 && strstr(l.err, "throng check does"), "%s", l.err);
  launched_destroy(&l);
}
