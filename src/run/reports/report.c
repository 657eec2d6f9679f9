#include "report.h"

#include "message.h"
#include "report_text.h"
#include "summary.h"
#include <errno.h>
#include <inttypes.h>
#include <string.h>

enum exit_code report_create(struct report *r, const struct simulation *s, const char *directory,
                             int threads, bool quiet, bool resuming)
{
  *r = (struct report){
      .directory = text_copy(directory, strlen(directory)), .quiet = quiet, .threads = threads};
  r->terminal = message_is_terminal();
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
  state_value(v, STATE_SAME, "report.agent_steps", &r->agent_steps);
  state_value(v, STATE_SAME, "report.most_in_walls", &r->most_in_walls);
  state_value(v, STATE_SAME, "report.spent", &spent);
  if (!v->reading)
    return;
  r->started = now - spent;
  r->last_log_step = s->step;
  r->logged_agent_steps = r->agent_steps;
}

// Extrapolates the wall time to the time limit and, if agents leave, to the departure of the last.
static double seconds_left(const struct report *r, const struct simulation *s, double now)
{
  const double spent = now - r->started;
  const double by_limit =
      s->step ? spent / (double)s->step * (double)(s->scenario->steps - s->step) : 0;
  const double by_leaving =
      s->all.arrived ? spent * (double)s->last.agents / (double)s->all.arrived : by_limit;
  return by_leaving < by_limit ? by_leaving : by_limit;
}

static void print_progress(struct report *r, const struct simulation *s, double now)
{
  char left[32], speed[32], agents[32], line[200];
  clock_text(left, sizeof left, seconds_left(r, s, now));
  count_text(speed, sizeof speed, (double)r->agent_steps / (now - r->started + 1e-9));
  count_text(agents, sizeof agents, (double)s->last.agents);
  snprintf(line, sizeof line,
           "step %" PRId64 "/%" PRId64 "  t %.1f s  %s agents left  %s agent-steps/s  ETA %s",
           s->step, s->scenario->steps, simulation_time(s), agents, speed, left);
  message_progress(line);
  r->last_progress = now;
}

void report_step(struct report *r, const struct simulation *s)
{
  r->agent_steps += s->last.agents + s->last.arrived;
  if (s->comm->rank > 0 || r->quiet)
    return;
  const double now = clock_seconds();
  if (now - r->last_progress > (r->terminal ? 0.2 : 10.0))
    print_progress(r, s, now);
}

static void write_log(struct report *r, const struct simulation *s, const struct observables *o)
{
  const double now = clock_seconds(), wall = now - r->last_log;
  const double speed = (double)(r->agent_steps - r->logged_agent_steps) / (wall + 1e-9);
  const double simulated = (double)(s->step - r->last_log_step) * s->scenario->dt;
  fprintf(r->log.file,
          "{\"step\": %" PRId64 ", \"time_s\": %.6g, \"wall_s\": %.3f, \"agents\": %" PRId64
          ", \"arrived\": %" PRId64 ", \"agent_steps_per_s\": %.6g, \"real_time_factor\": %.4g, "
          "\"eta_s\": %.1f, \"imbalance\": %.4f, \"ghosts\": %" PRId64
          ", \"memory_bytes\": %" PRId64 ", \"seconds\": ",
          s->step, simulation_time(s), now - r->started, s->last.agents, s->all.arrived, speed,
          simulated / (wall + 1e-9), seconds_left(r, s, now), o->imbalance, s->last.ghosts,
          o->memory);
  phases_write(r->log.file, s->seconds);
  fprintf(r->log.file, "}\n");
  r->last_log = now;
  r->last_log_step = s->step;
  r->logged_agent_steps = r->agent_steps;
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
  bool good = true;
  if (o.agents_in_walls > r->most_in_walls)
    r->most_in_walls = o.agents_in_walls;
  series_begin_row(&r->series, s, &o);
  if (s->comm->rank == 0) {
    write_log(r, s, &o);
    good = append_file_flush(&r->log);
  }
  return report_agree(r, s, good);
}

void report_step_time(struct report *r, const struct simulation *s, double seconds)
{
  step_times_add(&r->step_times, s->step, seconds);
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
  append_file_close(&r->series.file);
  append_file_close(&r->log);
  memory_destroy(r->directory);
  *r = (struct report){0};
}
