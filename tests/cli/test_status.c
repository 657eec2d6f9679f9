// `throng status`: what it says of runs in every state, from their files alone.
#include "cli.h"

TestSuite(status, .init = launch_without_leaks);

// Ten agents that never arrive.
#define ENDLESS                                                                                    \
  "world: {extent: [0, 0, 20, 20], obstacles: ['LINESTRING (12 0, 12 20)']}\n"                     \
  "time: {step: 0.1, end: 100000}\n"                                                               \
  "measure: {grid: {cell: 5, every: 1}}\n"                                                         \
  "alarms: {density: 20}\n"                                                                        \
  "output: {checkpoint_every: 100, series_every: 10}\n"                                            \
  "sources:\n"                                                                                     \
  "  - {area: {rectangle: [2, 2, 8, 8]}, count: 10, goal: [18, 18]}\n"

static struct launched status(const char *words)
{
  return launch("'%s' status %s", THRONG, words);
}

static void expect_status(const char *words, int code, const char *part)
{
  struct launched l = status(words);
  cr_expect(l.code == code, "status %s: exit code %d instead of %d\n%s", words, l.code, code,
            l.err);
  cr_expect(strstr(l.out, part), "status %s: no \"%s\" in\n%s", words, part, l.out);
  cr_expect(!strchr(l.out, '\r') && !strchr(l.out, '\x1b'), "%s", l.out);
  launched_destroy(&l);
}

static void expect_complaint(const char *words, int code, const char *message)
{
  struct launched l = status(words);
  expect_refusal(&l, code, message);
  launched_destroy(&l);
}

// Runs check_status.py, which plays one of its scenes.
static void expect_scene(const char *scene)
{
  write_file("endless.yaml", ENDLESS);
  struct launched l = launch("python3 -B '%s/check_status.py' %s '%s'", HERE, scene, THRONG);
  skip_if_told(&l);
  expect_success(&l);
  launched_destroy(&l);
}

Test(status, of_a_run_that_lives_is_killed_and_goes_on)
{
  expect_scene("life");
}

Test(status, is_watched_on_a_terminal_in_place)
{
  expect_scene("watch");
}

#ifndef SANITIZED // its memory and time are not the program's
Test(status, reads_the_end_of_a_huge_log_only)
{
  expect_scene("huge");
}
#endif

Test(status, of_a_run_that_ended_before_its_last_step)
{
  expect_scene("early");
}

Test(status, shows_names_without_control_characters)
{
  expect_scene("names");
}

#define LINE(step)                                                                                 \
  "{\"step\": " #step                                                                              \
  ", \"time_s\": 1.5, \"wall_s\": 2, \"agents\": 7, \"arrived\": 3, \"name\": "                    \
  "\"old\", \"densest\": {\"density\": 4.25, \"x\": -1.5, \"y\": 2}}\n"

static void write_log(const char *text)
{
  launch_folder();
  if (!exists("d")) {
    struct launched l = launch("mkdir d");
    expect_success(&l);
    launched_destroy(&l);
  }
  write_file("d/log.jsonl", text);
}

Test(status, ignores_a_line_that_is_being_written)
{
  static const char *const torn[] = {"{", "{\"step\": 3", "{\"step\": 30, \"time_s\": 3}", "\xff",
                                     ""};
  for (size_t k = 0; k < sizeof torn / sizeof *torn; k++) {
    char text[1000];
    snprintf(text, sizeof text, LINE(10) LINE(20) "%s", torn[k]);
    write_log(text);
    expect_status("d", 0, "step        20\n");
    expect_status("d", 0, "densest     4.25 persons/m^2 at (-1.50, 2.00) m\n");
  }
}

Test(status, names_damaged_lines)
{
  write_log(LINE(10) "{\"step\": }\nnothing\n{}\n");
  expect_status("d", 0, "step        10\n");
  expect_status("d", 0, "the last 3 lines of log.jsonl are damaged");
  write_log("{\"step\": }\nnothing\n{}\n");
  expect_complaint("d", 65, "d/log.jsonl: is damaged");
  write_log("");
  expect_complaint("d", 65, "d/log.jsonl: is damaged");
}

Test(status, of_what_is_no_run)
{
  launch_folder();
  expect_complaint("nothing", 64, "nothing: this is no run: No such file or directory");
  write_file("file", "");
  expect_complaint("file", 64, "file: this is no run: Not a directory");
  expect_complaint(".", 64, "this is no run: it has neither log.jsonl nor summary.json");
  expect_complaint("--watch soon .", 64, "soon: this is no run");
  expect_complaint(". --watch=soon", 64, "--watch soon: a time above 0 is expected");
  expect_complaint(". --watch 0", 64, "--watch 0: a time above 0 is expected");
  struct launched l = launch("'%s' info . --json", THRONG);
  expect_refusal(&l, 64, "throng info takes neither --watch nor --json");
  launched_destroy(&l);
  l = launch("mkdir pipe && mkfifo pipe/log.jsonl pipe/lock pipe/summary.json && '%s' status pipe",
             THRONG);
  expect_refusal(&l, 74, "pipe/log.jsonl: cannot be read");
  launched_destroy(&l);
}

Test(status, of_several_runs_is_a_line_each)
{
  write_log(LINE(10));
  struct launched l = launch("mkdir elsewhere && cp d/log.jsonl elsewhere && '%s' status d nothing "
                             "elsewhere",
                             THRONG);
  cr_expect_eq(l.code, 64);
  cr_expect_eq(launch_count(l.out, "\n"), 2, "%s", l.out);
  cr_expect(strstr(l.out, "d          failed"), "%s", l.out);
  cr_expect(strstr(l.out, "elsewhere  failed"), "%s", l.out);
  cr_expect_eq(launch_count(l.err, "\n"), 1, "%s", l.err);
  launched_destroy(&l);
}

Test(status, of_a_run_on_another_machine_goes_by_its_last_touch)
{
  write_log(LINE(10));
  write_file("d/lock", "host far\nmachine 1 2\nprocess 77 1\njob 8812 0\n");
  expect_status("d", 0, "old: running on far, process 77, job 8812");
  struct launched l = launch("touch -d '4 minutes ago' d/lock");
  expect_success(&l);
  launched_destroy(&l);
  expect_status("d", 0, "old: dead: the run on far, process 77, job 8812 has ended without a word");
  expect_status("d --watch", 70, "dead");
}

Test(status, says_that_nothing_is_heard_of_a_run)
{
  write_log(LINE(10));
  write_file("d/lock", "host far\nmachine 1 2\nprocess 77 1\njob \n");
  struct launched l = launch("touch -d '1 hour ago' d/log.jsonl");
  expect_success(&l);
  launched_destroy(&l);
  expect_status("d", 0, "no line in log.jsonl for 1:00:0");
  expect_status("d --json", 0, "\"quiet\": true");
}
