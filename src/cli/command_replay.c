// `throng replay RUN`: a part of a finished run again, with other output. The scenario and its
// --set come from the summary of the run.
#include "commands_internal.h"

#include "message.h"
#include "run_directory.h"
#include "steps.h"
#include "yaml_tree.h"
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define SUMMARY_LIMIT (64 << 20) // bytes

struct replay {
  struct node *summary; // JSON is YAML
  struct command_line line;
  char *directory;     // free; NULL: given
  enum exit_code code; // with a problem
  char problem[400];
};

__attribute__((format(printf, 2, 3))) static bool replay_fail(struct replay *r, const char *format,
                                                              ...)
{
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(r->problem, sizeof r->problem, format, arguments);
  va_end(arguments);
  r->code = EXIT_BAD_INPUT;
  return false;
}

static bool summary_read(struct replay *r, const char *run)
{
  struct diagnostics p = {0};
  char *path = run_directory_file(run, "summary.json");
  size_t length;
  char *text = file_read(path, SUMMARY_LIMIT, "", (struct location){path, NULL, 0, 0}, &length, &p);
  r->summary = text ? yaml_tree_parse(text, length, path, NULL, &p) : NULL;
  if (!text)
    replay_fail(r, "%s: a finished run is needed, whose folder has a summary.json", run);
  else if (p.count) {
    replay_fail(r, "%s: is damaged", path);
    r->code = EXIT_CORRUPT_DATA;
  }
  diagnostics_destroy(&p);
  memory_destroy(text);
  free(path);
  return !r->problem[0];
}

static const char *summary_text(const struct replay *r, const char *key) // NULL: there is none
{
  const struct node *n = node_item(r->summary, key);
  return n && n->kind == NODE_SCALAR ? n->text : NULL;
}

static double summary_number(const struct replay *r, const char *key)
{
  double value;
  const char *text = summary_text(r, key);
  return text && number_parse(text, &value) ? value : NAN;
}

static bool is_list_of_texts(const struct node *list)
{
  if (!list || list->kind != NODE_LIST)
    return false;
  for (const struct node *n = list->first; n; n = n->next)
    if (n->kind != NODE_SCALAR)
      return false;
  return true;
}

static bool summary_is_valid(const struct replay *r)
{
  const double step = summary_number(r, "step_s"), steps = summary_number(r, "steps");
  return summary_text(r, "config_path") && summary_text(r, "identity") && step > 0 && steps >= 0 &&
         steps <= STEP_LIMIT && is_list_of_texts(node_item(r->summary, "overrides"));
}

// The --set of the run, then those of this command, which count where both set an option.
static void overrides_join(struct replay *r, const struct command_line *given)
{
  const struct node *list = node_item(r->summary, "overrides");
  const char **all = memory_create((size_t)list->count + (size_t)given->run.set_count, sizeof *all);
  int count = 0;
  for (const struct node *n = list->first; n; n = n->next)
    all[count++] = n->text;
  for (int i = 0; i < given->run.set_count; i++)
    all[count++] = given->overrides[i];
  r->line.run.set = r->line.overrides = all;
  r->line.run.set_count = count;
}

static bool window_set(struct replay *r, const struct command_line *given)
{
  const double step = summary_number(r, "step_s"), last = summary_number(r, "steps");
  const double begin = given->from < 0 ? 0 : given->from;
  const double from = rint(begin / step), to = given->to < 0 ? last : rint(given->to / step);
  if (!(from < to && to <= last))
    return replay_fail(r,
                       "--from %.10g --to %.10g: two times within the run are expected, at least a "
                       "step of %.10g s apart; it ended after %.10g s",
                       begin, given->to < 0 ? last * step : given->to, step, last * step);
  r->line.run.replay_from = (int64_t)from;
  r->line.run.steps = (int64_t)to;
  return true;
}

static bool directory_set(struct replay *r, const struct command_line *given)
{
  char name[80];
  const double step = summary_number(r, "step_s");
  snprintf(name, sizeof name, "replay-%.10g-%.10g", (double)r->line.run.replay_from * step,
           (double)r->line.run.steps * step);
  if (!*given->run.directory)
    r->line.run.directory = r->directory = run_directory_file(given->file, name);
  struct stat about;
  if (r->directory && lstat(r->directory, &about) == 0 && S_ISLNK(about.st_mode))
    return replay_fail(r, "%s: is a symbolic link; choose another folder by --output",
                       r->directory);
  char *summary = run_directory_file(given->file, "summary.json");
  const bool same = run_directory_contains(r->line.run.directory, summary);
  free(summary);
  return !same || replay_fail(r, "--output %s: is the folder of the run itself; choose another one",
                              given->run.directory);
}

static bool replay_prepare(struct replay *r, const struct command_line *given)
{
  if (given->run.steps >= 0 || given->run.restart)
    return replay_fail(r, "throng replay takes --from and --to, not --steps or --restart");
  if (!summary_read(r, given->file))
    return false;
  if (!summary_is_valid(r)) {
    replay_fail(r,
                "%s/summary.json: is damaged, or of an older throng, which did not keep what a "
                "replay needs",
                given->file);
    r->code = EXIT_CORRUPT_DATA;
    return false;
  }
  const char *changed = summary_text(r, "changed_by_caller");
  if (changed && strcmp(changed, "true") == 0)
    return replay_fail(r,
                       "%s: a program changed its agents while it ran (libthrong): the scenario "
                       "alone does not lead to its states",
                       given->file);
  r->line.run.path = given->config ? given->config : summary_text(r, "config_path");
  r->line.run.replay = given->file;
  r->line.run.replay_identity = strtoull(summary_text(r, "identity"), NULL, 16);
  overrides_join(r, given);
  if (access(r->line.run.path, R_OK) != 0)
    return replay_fail(r, "%s: cannot be read: %s; give the scenario of the run by --config",
                       r->line.run.path, strerror(errno));
  return window_set(r, given) && directory_set(r, given);
}

enum exit_code command_replay(const struct comm *c, const struct command_line *line)
{
  struct replay r = {.line = *line};
  r.line.overrides = NULL;
  const bool good = replay_prepare(&r, line);
  const int32_t reporter = comm_lowest_rank(c, !good);
  enum exit_code code = comm_agree(c, r.code);
  if (c->rank == reporter)
    message_print("%s", r.problem);
  if (reporter == c->size)
    code = command_run(c, &r.line);
  memory_destroy(r.line.overrides);
  free(r.directory);
  if (r.summary)
    node_destroy(r.summary);
  return code;
}
