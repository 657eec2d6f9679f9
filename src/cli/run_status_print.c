// A run's status as a screen, as a line, and as JSON.
#include "run_status.h"

#include "report_text.h"
#include "utf8.h"
#include <math.h>
#include <string.h>
#include <time.h>

static const char *const state_names[] = {
    [RUN_STARTING] = "starting", [RUN_RUNNING] = "running", [RUN_FINISHED] = "finished",
    [RUN_STOPPED] = "stopped",   [RUN_FAILED] = "failed",   [RUN_DEAD] = "dead",
};

#define TEXT  200
#define FRESH 5.0 // s: younger numbers count as the present ones

// "1.2 k", or "?".
static const char *count_of(double count, char text[32])
{
  snprintf(text, 32, "?");
  if (!isnan(count))
    count_text(text, 32, count);
  return text;
}

static const char *duration_of(double seconds, char text[32])
{
  snprintf(text, 32, "?");
  if (!isnan(seconds))
    clock_text(text, 32, seconds);
  return text;
}

// The log is as old as its last line.
static double eta_now(const struct run_status *s)
{
  return fmax(0, s->eta - s->log_age);
}

static double wall_now(const struct run_status *s)
{
  return s->state == RUN_RUNNING ? s->wall + s->log_age : s->wall;
}

static const char *name_of(const struct run_status *s)
{
  return s->name ? s->name : "a run";
}

// " on node17, process 4711, job 12"
static void owner_text(const struct run_status *s, char *text, size_t size)
{
  const struct run_lock_owner *o = &s->owner;
  snprintf(text, size, "%s%.60s%s%.30s%s%.60s", *o->host ? " on " : "", o->host,
           *o->process ? ", process " : "", o->process, *o->job ? ", job " : "", o->job);
}

// ------------------------------------------------------------------------------------- screen

static void state_print(const struct run_status *s, FILE *out)
{
  char owner[TEXT], age[32];
  owner_text(s, owner, sizeof owner);
  fprintf(out, "%s: ", printable(name_of(s)).text);
  switch (s->state) {
  case RUN_STARTING:
    fprintf(out, "starting%s", printable(owner).text);
    break;
  case RUN_RUNNING:
    fprintf(out, "running%s", printable(owner).text);
    if (s->log_age > FRESH)
      fprintf(out, "; as of %s ago", duration_of(s->log_age, age));
    break;
  case RUN_FINISHED:
    fprintf(out, "finished");
    if (run_status_ending(s))
      fprintf(out, " at step %.0f: %s", s->step, run_status_ending(s));
    break;
  case RUN_STOPPED:
    fprintf(out, "stopped early%s%s", s->stopped ? " by " : "",
            s->stopped ? printable(s->stopped).text : "");
    break;
  case RUN_FAILED:
    fprintf(out, "ended early, without a result; its messages say why");
    break;
  case RUN_DEAD:
    fprintf(out, "dead: the run%s has ended without a word", printable(owner).text);
    break;
  }
  fputc('\n', out);
}

static void advice_print(const struct run_status *s, FILE *out)
{
  char age[32], usual[32];
  if (run_status_is_quiet(s))
    fprintf(out,
            "  attention   no line in log.jsonl for %s, one came every %s: it waits or hangs\n",
            duration_of(s->log_age, age), duration_of(s->interval, usual));
  if (s->damaged > 0)
    fprintf(out, "  attention   the last %d lines of log.jsonl are damaged\n", s->damaged);
  if (!run_status_is_over(s) || s->state == RUN_FINISHED)
    return;
  fprintf(out, "  continue    %s\n",
          isnan(s->checkpoint) ? "there is no checkpoint: start it again"
                               : "the same command with --restart auto");
}

static void steps_print(const struct run_status *s, FILE *out)
{
  const bool early = run_status_ending(s);
  fprintf(out, "  step        %.0f", s->step);
  if (early)
    fprintf(out, "; %.0f at most", s->steps);
  else if (s->steps > 0)
    fprintf(out, " of %.0f (%.0f %%)", s->steps, floor(100 * s->step / s->steps));
  fprintf(out, "\n  simulated   %.1f s", s->time);
  if (!isnan(s->end))
    fprintf(out, "%s %.10g s%s", early ? ";" : " of", s->end,
            s->state == RUN_FINISHED && !early ? "" : " at most");
}

static void progress_print(const struct run_status *s, FILE *out)
{
  char wall[32], left[32], clock[32] = "";
  if (isnan(s->step))
    return;
  steps_print(s, out);
  fprintf(out, "\n  wall time   %s", duration_of(wall_now(s), wall));
  if (s->state == RUN_RUNNING && !isnan(s->eta)) {
    const time_t end = time(NULL) + (time_t)eta_now(s);
    struct tm local;
    if (localtime_r(&end, &local))
      strftime(clock, sizeof clock, eta_now(s) > 43200 ? " (%a %H:%M)" : " (%H:%M)", &local);
    fprintf(out, ", ETA %s%s", duration_of(eta_now(s), left), clock);
  }
  fprintf(out, "\n  people      %.0f inside, %.0f arrived\n", s->inside, s->arrived);
}

static void measures_print(const struct run_status *s, FILE *out)
{
  char text[32];
  if (!isnan(s->speed))
    fprintf(out, "  speed       %s agent-steps/s, %.*f times real time\n", count_of(s->speed, text),
            s->factor < 100, s->factor);
  if (!isnan(s->densest))
    fprintf(out, "  densest     %.2f persons/m^2 at (%.2f, %.2f) m\n", s->densest, s->densest_x,
            s->densest_y);
  if (!isnan(s->alarms_density))
    fprintf(out, "  alarms      %.0f density, %.0f jam%s%s\n", s->alarms_density, s->alarms_jam,
            *s->last_alarm ? "; the last: " : "", s->last_alarm);
  else if (*s->last_alarm)
    fprintf(out, "  alarms      the last: %s\n", s->last_alarm);
}

static void resources_print(const struct run_status *s, FILE *out)
{
  char text[32];
  if (!isnan(s->memory))
    fprintf(out, "  memory      %sB%s\n", count_of(s->memory, text),
            s->ranks > 1 ? " in the largest rank" : "");
  if (!isnan(s->ranks))
    fprintf(out, "  runs on     %.0f rank%s x %.0f thread%s\n", s->ranks, s->ranks > 1 ? "s" : "",
            s->threads, s->threads > 1 ? "s" : "");
  if (isnan(s->checkpoint))
    fprintf(out, "  checkpoint  none\n");
  else
    fprintf(out, "  checkpoint  step %.0f, written %s ago\n", s->checkpoint,
            duration_of(s->checkpoint_age, text));
  fprintf(out, "  folder      %s\n", printable(s->directory).text);
}

void run_status_print(const struct run_status *s, FILE *out)
{
  state_print(s, out);
  progress_print(s, out);
  measures_print(s, out);
  resources_print(s, out);
  advice_print(s, out);
}

// --------------------------------------------------------------------------------------- line

void run_status_print_line(const struct run_status *s, int width, FILE *out)
{
  char inside[32], arrived[32], left[32];
  fprintf(out, "%-*s  %-8s", width, printable(s->directory).text, state_names[s->state]);
  if (!isnan(s->step)) {
    fprintf(out, "  step %.0f", s->step);
    if (s->steps > 0 && !run_status_ending(s))
      fprintf(out, "/%.0f", s->steps);
    fprintf(out, "  t %.1f s  %s inside  %s arrived", s->time, count_of(s->inside, inside),
            count_of(s->arrived, arrived));
  }
  if (s->alarms_density + s->alarms_jam > 0)
    fprintf(out, "  %.0f alarms", s->alarms_density + s->alarms_jam);
  if (s->state == RUN_RUNNING)
    fprintf(out, "  ETA %s", duration_of(eta_now(s), left));
  else if (!isnan(s->wall))
    fprintf(out, "  wall time %s", duration_of(s->wall, left));
  if (run_status_is_quiet(s))
    fprintf(out, "  no news for %s", duration_of(s->log_age, left));
  fputc('\n', out);
}

// --------------------------------------------------------------------------------------- JSON

static void json_number(FILE *out, const char *key, double value)
{
  if (isnan(value))
    fprintf(out, ", \"%s\": null", key);
  else
    fprintf(out, ", \"%s\": %.12g", key, value);
}

static void json_string(FILE *out, const char *key, const char *text) // NULL or "": unknown
{
  fprintf(out, ", \"%s\": ", key);
  if (text && *text)
    utf8_write_json(text, out);
  else
    fprintf(out, "null");
}

static void json_places(const struct run_status *s, FILE *out)
{
  fprintf(out, ", \"densest\": ");
  if (isnan(s->densest))
    fprintf(out, "null");
  else
    fprintf(out, "{\"density\": %.9g, \"x\": %.9g, \"y\": %.9g}", s->densest, s->densest_x,
            s->densest_y);
  fprintf(out, ", \"alarms\": ");
  if (isnan(s->alarms_density))
    fprintf(out, "null");
  else
    fprintf(out, "{\"density\": %.0f, \"jam\": %.0f}", s->alarms_density, s->alarms_jam);
}

void run_status_print_json(const struct run_status *s, FILE *out)
{
  const bool over = run_status_is_over(s);
  fprintf(out, "{\"folder\": ");
  utf8_write_json(s->directory, out);
  json_string(out, "name", s->name);
  json_string(out, "state", state_names[s->state]);
  json_number(out, "exit_code", over ? (double)run_status_code(s) : NAN);
  json_string(out, "stopped_by", s->stopped);
  json_string(out, "ended_early", run_status_ending(s));
  json_number(out, "step", s->step);
  json_number(out, "steps", s->steps);
  json_number(out, "time_s", s->time);
  json_number(out, "end_s", s->end);
  json_number(out, "wall_s", wall_now(s));
  json_number(out, "eta_s", s->state == RUN_RUNNING ? eta_now(s) : NAN);
  json_number(out, "inside", s->inside);
  json_number(out, "arrived", s->arrived);
  json_number(out, "agent_steps_per_s", s->speed);
  json_number(out, "real_time_factor", s->factor);
  json_places(s, out);
  json_number(out, "memory_bytes", s->memory);
  json_number(out, "ranks", s->ranks);
  json_number(out, "threads", s->threads);
  json_number(out, "checkpoint_step", s->checkpoint);
  json_number(out, "checkpoint_age_s", s->checkpoint_age);
  json_number(out, "log_age_s", s->log_age);
  fprintf(out, ", \"quiet\": %s", run_status_is_quiet(s) ? "true" : "false");
  json_string(out, "host", s->owner.host);
  json_string(out, "process", s->owner.process);
  json_string(out, "job", s->owner.job);
  fprintf(out, "}\n");
}
