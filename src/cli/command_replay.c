// `throng replay RUN`: a part of a finished run again, with other output. The scenario and its
// --set come from the summary of the run.
#include "commands_internal.h"

#include "message.h"
#include "run_directory.h"
#include "yaml_tree.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define SUMMARY_LIMIT (64 << 20) // bytes

struct replay {
  struct node *summary; // JSON is YAML
  struct command_line line;
  char *directory, *checkpoint; // free; NULL: given; from the start
};

// The summary of the run. NULL after a message of rank 0.
static struct node *summary_read(const struct comm *c, const char *run)
{
  struct diagnostics p = {0};
  char *path = run_directory_file(run, "summary.json");
  size_t length;
  char *text = file_read(path, SUMMARY_LIMIT, "", (struct location){path, NULL, 0, 0}, &length, &p);
  struct node *root = text ? yaml_tree_parse(text, length, path, NULL, &p) : NULL;
  if (p.count && c->rank == 0) {
    message_print_lines(p.text);
    message_print("%s: a finished run is needed, whose folder has a summary.json", run);
  }
  if (p.count && root) {
    node_destroy(root);
    root = NULL;
  }
  diagnostics_destroy(&p);
  memory_destroy(text);
  free(path);
  return root;
}

static double summary_number(const struct node *summary, const char *key)
{
  double value = NAN;
  const struct node *n = node_item(summary, key);
  if (n && n->kind == NODE_SCALAR)
    number_parse(n->text, &value);
  return value;
}

// The --set of the run, then those of this command, which count where both set an option.
static void overrides_join(struct replay *r, const struct command_line *given)
{
  const struct node *list = node_item(r->summary, "overrides");
  const size_t most = (size_t)(list ? list->count : 0) + (size_t)given->override_count;
  const char **all = memory_create(most, sizeof *all);
  int count = 0;
  for (const struct node *n = list ? list->first : NULL; n; n = n->next)
    all[count++] = n->text;
  for (int i = 0; i < given->override_count; i++)
    all[count++] = given->overrides[i];
  r->line.overrides = all;
  r->line.override_count = count;
}

// The newest checkpoint at or before the step; NULL: there is none.
static char *checkpoint_before(const char *run, int64_t step)
{
  char name[64];
  int64_t count, k = 0;
  int64_t *steps = run_directory_list_steps(run, "checkpoint", "h5", &count); // descending
  while (k < count && steps[k] > step)
    k++;
  snprintf(name, sizeof name, "checkpoint-%08" PRId64 ".h5", k < count ? steps[k] : 0);
  char *path = k < count ? run_directory_file(run, name) : NULL;
  memory_destroy(steps);
  return path;
}

// False after a message of rank 0.
static bool window_set(struct replay *r, const struct comm *c, const struct command_line *given)
{
  const double step = summary_number(r->summary, "step_s");
  const double last = summary_number(r->summary, "steps");
  const double from = rint(given->from / step), to = given->to < 0 ? last : rint(given->to / step);
  if (from < to && to <= last) {
    r->line.run.replay_from = (int64_t)from;
    r->line.run.steps = (int64_t)to;
    return true;
  }
  if (c->rank == 0)
    message_print("--from %.10g --to %.10g: two times within the run are expected, which ended "
                  "after %.10g s",
                  given->from, given->to < 0 ? last * step : given->to, last * step);
  return false;
}

static void directory_set(struct replay *r, const struct command_line *given)
{
  char name[80];
  const double step = summary_number(r->summary, "step_s");
  snprintf(name, sizeof name, "replay-%.6g-%.6g", (double)r->line.run.replay_from * step,
           (double)r->line.run.steps * step);
  if (!given->run.directory)
    r->line.run.directory = r->directory = run_directory_file(given->file, name);
}

static bool replay_prepare(struct replay *r, const struct comm *c, const struct command_line *given)
{
  const struct node *config = r->summary ? node_item(r->summary, "config_path") : NULL;
  if (r->summary && !config && c->rank == 0)
    message_print("%s: written by an older throng, which did not keep what a replay needs",
                  given->file);
  if (!config || !window_set(r, c, given))
    return false;
  r->line.file = config->text;
  overrides_join(r, given);
  directory_set(r, given);
  r->line.run.restart = r->checkpoint = checkpoint_before(given->file, r->line.run.replay_from);
  return true;
}

enum exit_code command_replay(const struct comm *c, const struct command_line *line)
{
  struct replay r = {.summary = summary_read(c, line->file), .line = *line};
  r.line.overrides = NULL;
  enum exit_code code = EXIT_BAD_INPUT;
  if (comm_all(c, replay_prepare(&r, c, line)))
    code = command_run(c, &r.line);
  memory_destroy(r.line.overrides);
  free(r.directory);
  free(r.checkpoint);
  if (r.summary)
    node_destroy(r.summary);
  return code;
}
