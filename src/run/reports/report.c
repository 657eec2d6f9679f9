#include "report.h"

#include "message.h"
#include "report_text.h"
#include "summary.h"
#include "totals_gather.h"
#include "utf8.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

enum exit_code report_create(struct report *r, const struct simulation *s, const char *directory,
                             int threads, bool quiet, bool resuming)
{
  *r = (struct report){
      .directory = text_copy(directory, strlen(directory)), .quiet = quiet, .threads = threads};
  r->rewrites = message_rewrites();
  r->started = r->last_progress = r->last_log = clock_seconds();
  bool good = true;
  if (s->comm->rank == 0)
    good = series_open(&r->series, directory, resuming) &&
           append_file_open(&r->log, directory, "log.jsonl", NULL, resuming);
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

bool report_resume(const struct report *r)
{
  const bool series = append_file_resume(&r->series.file), log = append_file_resume(&r->log);
  return series && log;
}

void report_visit(struct report *r, const struct simulation *s, struct state *v)
{
  const double now = clock_seconds();
  double spent = now - r->started;
  series_visit(&r->series, v);
  append_file_visit(&r->log, v, "report.log");
  state_value(v, STATE_SAME, STATE_COUNT, "report.agent_steps", &r->agent_steps);
  state_value(v, STATE_SAME, STATE_COUNT, "report.most_in_walls", &r->most_in_walls);
  state_value(v, STATE_SAME, STATE_FINITE, "report.spent", &spent);
  if (!v->reading)
    return;
  r->started = now - spent;
  r->last_log_step = s->step;
  r->logged_agent_steps = r->agent_steps;
}

// Extrapolates the wall time to the time limit and, if agents leave and no more come, to the
// departure of the last.
static double seconds_left(const struct report *r, const struct simulation *s, double now)
{
  const double spent = now - r->started;
  const double by_limit =
      s->step ? spent / (double)s->step * (double)(s->scenario->steps - s->step) : 0;
  const bool empties = s->all.arrived && !inflow_spawner_pending(&s->inflow_spawner, s->scenario);
  const double by_leaving =
      empties ? spent * (double)s->last.agents / (double)s->all.arrived : by_limit;
  return by_leaving < by_limit ? by_leaving : by_limit;
}

// The parts of the progress line, and the order in which they give way on a narrow terminal.
enum { PART_STEP, PART_TIME, PART_AGENTS, PART_SPEED, PART_LEFT, PARTS };
static const int parts_yield[] = {PART_TIME, PART_SPEED, PART_AGENTS, PART_LEFT};

static void join_parts(char parts[PARTS][64], int columns, char *line, size_t size)
{
  size_t length = 0, used = 0;
  for (int p = 0; p < PARTS; p++)
    length += strlen(parts[p]);
  for (int k = 0; k < PARTS - 1 && length > (size_t)columns; k++) {
    length -= strlen(parts[parts_yield[k]]);
    parts[parts_yield[k]][0] = 0;
  }
  for (int p = 0; p < PARTS && used < size; p++)
    used += (size_t)snprintf(line + used, size - used, "%s", parts[p]);
}

static void print_progress(struct report *r, const struct simulation *s, double now)
{
  char parts[PARTS][64], text[32], line[PARTS * 64];
  snprintf(parts[PART_STEP], sizeof *parts, "step %" PRId64 "/%" PRId64, s->step,
           s->scenario->steps);
  snprintf(parts[PART_TIME], sizeof *parts, "  t %.1f s", simulation_time(s));
  count_text(text, sizeof text, (double)s->last.agents);
  snprintf(parts[PART_AGENTS], sizeof *parts, "  %s agents left", text);
  count_text(text, sizeof text, (double)r->agent_steps / (now - r->started + 1e-9));
  snprintf(parts[PART_SPEED], sizeof *parts, "  %s agent-steps/s", text);
  clock_text(text, sizeof text, seconds_left(r, s, now));
  snprintf(parts[PART_LEFT], sizeof *parts, "  ETA %s", text);
  join_parts(parts, r->rewrites ? message_columns() : (int)sizeof line, line, sizeof line);
  message_progress(line);
  r->last_progress = now;
}

// Lines in a file: every 10 s in the first ten minutes, rarer in a run of days.
static double progress_interval(const struct report *r, double now)
{
  return r->rewrites ? 0.2 : fmax(10, (now - r->started) / 60);
}

void report_step(struct report *r, const struct simulation *s)
{
  r->agent_steps += s->last.agents + s->last.arrived;
  if (s->comm->rank > 0 || r->quiet)
    return;
  const double now = clock_seconds();
  if (now - r->last_progress > progress_interval(r, now))
    print_progress(r, s, now);
}

// The place of the last sample where most people are, if the cells of a grid are sampled.
static void densest_write(FILE *file, const struct densest_cell *densest)
{
  if (densest)
    fprintf(file, ", \"densest\": {\"density\": %.6g, \"x\": %.4f, \"y\": %.4f}", densest->density,
            densest->x, densest->y);
  else
    fprintf(file, ", \"densest\": null");
}

// What `throng status` needs besides: the newest line alone says it, however long the file is.
static void write_log_about(const struct report *r, const struct simulation *s)
{
  fprintf(r->log.file, "\"name\": ");
  utf8_write_json(s->scenario->name, r->log.file);
  fprintf(
      r->log.file,
      ", \"steps\": %" PRId64 ", \"end_s\": %.9g, \"ranks\": %d, \"threads\": %d, \"alarms\": {",
      s->scenario->steps, (double)s->scenario->steps * s->scenario->dt, s->comm->size, r->threads);
  for (int k = 0; k < ALARM_KINDS; k++)
    fprintf(r->log.file, "%s\"%s\": %" PRId64, k ? ", " : "", alarm_names[k],
            r->tables->alarm_count[k]);
  fprintf(r->log.file, "}, ");
}

// stopped: by what the run ends early after this step; NULL: it goes on. Speeds are those since the
// line before; at the end, those of the run.
static void write_log(struct report *r, const struct simulation *s, const struct observables *o,
                      const struct densest_cell *densest, const char *stopped)
{
  const double now = clock_seconds(), wall = now - (stopped ? r->started : r->last_log);
  const int64_t steps = s->step - (stopped ? 0 : r->last_log_step);
  const int64_t agent_steps = r->agent_steps - (stopped ? 0 : r->logged_agent_steps);
  const double speed = (double)agent_steps / (wall + 1e-9);
  const double simulated = (double)steps * s->scenario->dt;
  fprintf(r->log.file,
          "{\"step\": %" PRId64 ", \"time_s\": %.6g, \"wall_s\": %.3f, \"agents\": %" PRId64
          ", \"arrived\": %" PRId64 ", \"agent_steps_per_s\": %.6g, \"real_time_factor\": %.4g, "
          "\"eta_s\": %.1f, \"imbalance\": %.4f, \"ghosts\": %" PRId64
          ", \"memory_bytes\": %" PRId64 ", ",
          s->step, simulation_time(s), now - r->started, s->last.agents, s->all.arrived, speed,
          simulated / (wall + 1e-9), seconds_left(r, s, now), o->imbalance, s->last.ghosts,
          o->memory);
  write_log_about(r, s);
  if (stopped)
    fprintf(r->log.file, "\"stopped\": \"%s\", ", stopped);
  fprintf(r->log.file, "\"seconds\": ");
  phases_write(r->log.file, s->seconds);
  if (s->scenario->measure.counts_cells && !stopped)
    densest_write(r->log.file, densest);
  fprintf(r->log.file, "}\n");
  r->last_log = now;
  r->last_log_step = s->step;
  r->logged_agent_steps = r->agent_steps;
}

void report_stop(struct report *r, const struct simulation *s, const char *reason)
{
  const struct observables o = simulation_observe(s);
  if (s->comm->rank > 0)
    return;
  write_log(r, s, &o, NULL, reason);
  append_file_flush(&r->log); // the checkpoint counts, not this line
}

static enum exit_code report_agree(const struct report *r, const struct simulation *s, bool good)
{
  if (!good)
    message_print("%s: cannot be written: %s", r->directory, strerror(errno));
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

enum exit_code report_complete_series(struct report *r, const struct simulation *s)
{
  if (!r->series.row.begun)
    return EXIT_DONE;
  return report_agree(r, s, series_complete_row(&r->series, s));
}

enum exit_code report_series(struct report *r, const struct simulation *s)
{
  const struct observables o = simulation_observe(s);
  struct densest_cell densest;
  const bool has_densest =
      s->scenario->measure.counts_cells && totals_densest(&s->measurements, &densest);
  bool good = true;
  if (o.agents_in_walls > r->most_in_walls)
    r->most_in_walls = o.agents_in_walls;
  series_begin_row(&r->series, s, &o);
  if (s->comm->rank == 0) {
    write_log(r, s, &o, has_densest ? &densest : NULL, NULL);
    good = append_file_flush(&r->log);
  }
  return report_agree(r, s, good);
}

void report_step_time(struct report *r, const struct simulation *s, double seconds)
{
  step_times_add(&r->step_times, s->step, seconds);
}

// Share of the time that a thread waited for a core, on the rank where it is longest. Collective.
static double waiting_for_cores(const struct report *r, const struct simulation *s)
{
  const struct thread_waits *w = &r->thread_waits;
  int64_t share = w->watched > 0 ? (int64_t)(1e4 * w->kept / w->watched) : 0; // 1e-4
  comm_max(s->comm, &share, 1);
  return 1e-4 * (double)share;
}

enum exit_code report_finish(struct report *r, const struct simulation *s, uint64_t checksum)
{
  struct summary summary = {.directory = r->directory,
                            .identity = r->identity,
                            .tables = r->tables,
                            .threads = r->threads,
                            .agent_steps = r->agent_steps,
                            .step_times = &r->step_times,
                            .checksum = checksum};
  summary.observables = simulation_observe(s);
  if (r->most_in_walls > summary.observables.agents_in_walls)
    summary.observables.agents_in_walls = r->most_in_walls;
  summary.contact = summary_contact(s, r->agent_steps);
  summary.waiting_for_cores = waiting_for_cores(r, s);
  bool good = true;
  if (s->comm->rank == 0) {
    summary.wall = clock_seconds() - r->started;
    message_erase_progress();
    good = summary_write(&summary, s);
    if (good && !r->quiet)
      summary_print(&summary, s);
  }
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

void report_destroy(struct report *r)
{
  if (r->rewrites)
    message_erase_progress(); // of a run that nobody finished
  append_file_close(&r->series.file);
  append_file_close(&r->log);
  memory_destroy(r->directory);
  *r = (struct report){0};
}
