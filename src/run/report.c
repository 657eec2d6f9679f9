#include "report.h"

#include "build_info.h"
#include "hash.h"
#include "message.h"
#include "run_directory.h"
#include "utf8.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// The counts in summary.json: name, format, and value of a simulation s with the observables o.
// clang-format off
#define SUMMARY_TOTALS(X)                                                                          \
  X("overlaps", "%" PRId64, s->all.overlaps)                                                       \
  X("agents_in_walls", "%" PRId64, o->agents_in_walls)                                             \
  X("wall_stops", "%" PRId64, s->all.wall_stops)                                                   \
  X("kept_inside", "%" PRId64, s->all.kept_inside)                                                 \
  X("infeasible", "%" PRId64, s->all.infeasible)                                                   \
  X("relaxed", "%" PRId64, s->all.relaxed)                                                         \
  X("full_neighbourhoods", "%" PRId64, s->all.full_neighbourhoods)
// clang-format on

static FILE *open_output(const char *directory, const char *name)
{
  char *path = run_directory_file(directory, name);
  FILE *file = fopen(path, "w");
  if (!file)
    message_print("%s: cannot be written: %s", path, strerror(errno));
  free(path);
  return file;
}

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

static void clock_text(char *text, size_t size, double seconds)
{
  const long s = seconds < 0 ? 0 : seconds > 3.5e6 ? 3500000 : lrint(seconds);
  if (s < 3600)
    snprintf(text, size, "%ld:%02ld", s / 60, s % 60);
  else
    snprintf(text, size, "%ld:%02ld:%02ld", s / 3600, s / 60 % 60, s % 60);
}

// 1234567 as "1.23 M".
static void count_text(char *text, size_t size, double count)
{
  static const char *const suffix[] = {"", " k", " M", " G", " T"};
  int k = 0;
  while (count >= 999.5 && k < 4) {
    count /= 1000;
    k++;
  }
  snprintf(text, size,
           count < 10 && k    ? "%.2f%s"
           : count < 100 && k ? "%.1f%s"
                              : "%.0f%s",
           count, suffix[k]);
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

static void write_phases(FILE *file, const double *seconds)
{
  fprintf(file, "{");
  for (int p = 0; p < PHASE_COUNT; p++)
    fprintf(file, "%s\"%s\": %.6f", p ? ", " : "", phase_names[p], seconds[p]);
  fprintf(file, "}");
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
  write_phases(r->log.file, s->seconds);
  fprintf(r->log.file, "}\n");
  r->last_log = now;
  r->last_log_step = s->step;
  r->logged_agent_steps = r->agent_steps;
}

static enum exit_code written(const struct report *r, const struct simulation *s, bool good)
{
  if (!good)
    message_print("%s: cannot be written: %s", r->directory, strerror(errno));
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

enum exit_code report_complete_series(struct report *r, const struct simulation *s)
{
  if (!r->series.row.begun)
    return EXIT_DONE;
  return written(r, s, series_complete_row(&r->series, s));
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
  return written(r, s, good);
}

static void write_quoted(FILE *file, const char *text)
{
  size_t length;
  fputc('"', file);
  for (unsigned code; *text; text += length) {
    const enum utf8_kind kind = utf8_next(text, &length, &code);
    if (kind == UTF8_INVALID) // of a path: JSON cannot hold the byte
      fprintf(file, "\\\\x%02x", code);
    else if (kind == UTF8_CONTROL)
      fprintf(file, "\\u%04x", code);
    else
      fprintf(file, "%s%.*s", *text == '"' || *text == '\\' ? "\\" : "", (int)length, text);
  }
  fputc('"', file);
}

static void write_text(FILE *file, const char *key, const char *text)
{
  fprintf(file, "  \"%s\": ", key);
  write_quoted(file, text);
  fprintf(file, ",\n");
}

// Overlaps as a planner reads them.
struct contact {
  double share; // of the time that people spend inside, in which they touch somebody
  struct overlap_record deepest;
};

// Counted in the states after all steps and before the first: people who enter are counted from
// then on.
static struct contact contact_of(const struct report *r, const struct simulation *s)
{
  const double states = (double)(r->agent_steps - s->all.entered + s->last.agents);
  return (struct contact){states > 0 ? (double)s->all.in_contact / states : 0,
                          simulation_deepest(s)};
}

static void write_contact(FILE *f, const struct contact *c, const struct simulation *s)
{
  const struct frame *frame = &s->scenario->world.frame;
  const struct deepest_overlap *deepest = &c->deepest.overlap;
  fprintf(f, "  \"contact_share\": %.6g,\n  \"deepest_overlap_m\": %.6f,\n", c->share,
          (double)deepest->depth);
  if (deepest->depth > 0)
    fprintf(f, "  \"deepest_overlap\": {\"time_s\": %.9g, \"x\": %.3f, \"y\": %.3f},\n",
            (double)c->deepest.step * s->scenario->dt, frame_x(frame, deepest->at.x),
            frame_y(frame, deepest->at.y));
  else
    fprintf(f, "  \"deepest_overlap\": null,\n");
}

static void print_contact(const struct contact *c, const struct simulation *s)
{
  const struct frame *frame = &s->scenario->world.frame;
  const struct deepest_overlap *deepest = &c->deepest.overlap;
  if (!(deepest->depth > 0)) {
    printf("  nobody touched anybody\n");
    return;
  }
  printf(
      "  people touched somebody in %.2g %% of their time; deepest overlap %.3f m at (%.2f, %.2f) "
      "m after %.1f s\n",
      100 * c->share, (double)deepest->depth, frame_x(frame, deepest->at.x),
      frame_y(frame, deepest->at.y), (double)c->deepest.step * s->scenario->dt);
}

static void write_events(FILE *f, const struct simulation *s)
{
  const struct events *events = &s->scenario->events;
  const char *before = "";
  fprintf(f, "  \"replans\": %" PRId64 ",\n  \"events\": [", s->world_events.replans);
  for (int32_t i = 0; i < events->count; i++)
    if (s->world_events.fired_step[i] >= 0) {
      fprintf(f, "%s{\"name\": ", before);
      write_quoted(f, events->events[i].name);
      fprintf(f, ", \"time_s\": %.9g}", (double)s->world_events.fired_step[i] * s->scenario->dt);
      before = ", ";
    }
  fprintf(f, "],\n");
}

static void write_balance(FILE *f, const struct load_balance *b)
{
  fprintf(f,
          "  \"balance\": {\"rebalances\": %" PRId64
          ", \"seconds\": %.6f, \"agents_moved\": %" PRId64
          ", \"mean_imbalance\": %.4f, \"counted_imbalance\": %.4f, \"last_imbalance\": %.4f, "
          "\"imbalance_after\": %.4f, "
          "\"weights_after\": %.4f},\n",
          b->rebalances, b->seconds, b->agents_moved, load_imbalance(b->all),
          load_imbalance(b->weighted), load_imbalance(b->last), load_imbalance(b->after_cut),
          b->weight_imbalance);
}

struct result { // of a run
  struct observables observables;
  struct contact contact;
  uint64_t checksum;
  double wall; // s
};

static void write_summary(FILE *f, const struct report *r, const struct simulation *s,
                          const struct result *result)
{
  const struct observables *o = &result->observables;
  char hash[17];
  const double evacuated = s->last.agents == 0 ? simulation_time(s) : NAN;
  fprintf(f, "{\n");
  write_text(f, "name", s->scenario->name);
  write_text(f, "config", s->scenario->path);
  write_text(f, "version", build_info_version());
  write_text(f, "revision", build_info_revision());
  write_text(f, "compiler", build_info_compiler());
  snprintf(hash, sizeof hash, "%016" PRIx64,
           hash_bytes(HASH_START, s->scenario->text, strlen(s->scenario->text)));
  write_text(f, "config_hash", hash);
  snprintf(hash, sizeof hash, "%016" PRIx64, result->checksum);
  write_text(f, "checksum", hash);
  write_text(f, "backend", s->backend->name);
  fprintf(f, "  \"seed\": %" PRIu64 ",\n  \"ranks\": %d,\n  \"threads\": %d,\n", s->scenario->seed,
          s->comm->size, r->threads);
  fprintf(f, "  \"steps\": %" PRId64 ",\n  \"time_s\": %.9g,\n  \"step_s\": %.9g,\n", s->step,
          simulation_time(s), s->scenario->dt);
  fprintf(f,
          "  \"agents\": %" PRId64 ",\n  \"inside\": %" PRId64 ",\n  \"arrived\": %" PRId64 ",\n",
          s->all.agents, s->last.agents, s->all.arrived);
  if (isnan(evacuated))
    fprintf(f, "  \"evacuation_time_s\": null,\n");
  else
    fprintf(f, "  \"evacuation_time_s\": %.9g,\n", evacuated);
#define X(name, format, value) fprintf(f, "  \"" name "\": " format ",\n", value);
  SUMMARY_TOTALS(X)
#undef X
  write_contact(f, &result->contact, s);
  write_events(f, s);
  write_balance(f, &s->load_balance);
  if (r->tables)
    tables_write_summary(r->tables, s, f);
  fprintf(f,
          "  \"ghosts\": %" PRId64 ",\n  \"ghost_bytes\": %" PRId64
          ",\n  \"ghost_waiting_s\": %.3f,\n",
          s->all.ghosts, s->all.ghosts * (int64_t)agents_packed_size(SCOPE_GHOST), o->ghost_wait);
  fprintf(f,
          "  \"agent_steps\": %" PRId64 ",\n  \"agent_steps_per_s\": %.6g,\n"
          "  \"wall_s\": %.3f,\n  \"memory_bytes\": %" PRId64 ",\n  \"seconds\": ",
          r->agent_steps, (double)r->agent_steps / (result->wall + 1e-9), result->wall, o->memory);
  write_phases(f, s->seconds);
  fprintf(f, "\n}\n");
}

static void print_events(const struct simulation *s)
{
  const struct events *events = &s->scenario->events;
  for (int32_t i = 0; i < events->count; i++)
    if (s->world_events.fired_step[i] >= 0)
      printf("  event %s at %.1f s\n", printable(events->events[i].name).text,
             (double)s->world_events.fired_step[i] * s->scenario->dt);
}

static void print_balance(const struct simulation *s)
{
  const struct load_balance *b = &s->load_balance;
  if (s->comm->size > 1)
    printf("  load of the slowest rank %.2f times the mean; rebalanced %" PRId64
           " times in %.2f s, %" PRId64 " agents moved\n",
           load_imbalance(b->all), b->rebalances, b->seconds, b->agents_moved);
}

static void print_summary(const struct report *r, const struct simulation *s,
                          const struct result *result)
{
  char speed[32], spent[32];
  count_text(speed, sizeof speed, (double)r->agent_steps / (result->wall + 1e-9));
  clock_text(spent, sizeof spent, result->wall);
  printf("%s: %" PRId64 " of %" PRId64 " agents arrived in %.1f s of simulated time (%" PRId64
         " steps)\n",
         printable(s->scenario->name).text, s->all.arrived, s->all.agents, simulation_time(s),
         s->step);
  printf("  wall time %s, %s agent-steps/s on %d rank%s x %d thread%s, backend %s\n", spent, speed,
         s->comm->size, s->comm->size > 1 ? "s" : "", r->threads, r->threads > 1 ? "s" : "",
         s->backend->name);
  print_contact(&result->contact, s);
  printf("  agents in walls %" PRId64 ", checksum %016" PRIx64 "\n",
         result->observables.agents_in_walls, result->checksum);
  print_balance(s);
  print_events(s);
  if (r->tables)
    tables_print(r->tables, s);
  printf("  written to %s\n", printable(r->directory).text);
}

static bool write_summary_file(const struct report *r, const struct simulation *s,
                               const struct result *result)
{
  FILE *f = open_output(r->directory, "summary.json");
  if (!f)
    return false;
  write_summary(f, r, s, result);
  const bool written = !ferror(f);
  const bool good = fclose(f) == 0 && written;
  if (!good)
    message_print("%s/summary.json: cannot be written: %s", r->directory, strerror(errno));
  return good;
}

enum exit_code report_finish(struct report *r, struct simulation *s)
{
  struct result result = {.observables = simulation_observe(s)};
  if (r->most_in_walls > result.observables.agents_in_walls)
    result.observables.agents_in_walls = r->most_in_walls;
  result.checksum = simulation_checksum(s);
  simulation_count_overlaps(s);
  const enum exit_code code = report_complete_series(r, s);
  if (code != EXIT_DONE)
    return code;
  result.contact = contact_of(r, s);
  bool good = true;
  if (s->comm->rank == 0) {
    result.wall = clock_seconds() - r->started;
    message_erase_progress();
    good = write_summary_file(r, s, &result);
    if (good && !r->quiet)
      print_summary(r, s, &result);
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
