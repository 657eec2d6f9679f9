#include "summary.h"

#include "build_info.h"
#include "hash.h"
#include "machine.h"
#include "message.h"
#include "regular_file.h"
#include "report_text.h"
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
  FILE *file = regular_file_create(path);
  if (!file)
    message_print("%s: cannot be written: %s", path, strerror(errno));
  free(path);
  return file;
}

static void write_text(FILE *file, const char *key, const char *text)
{
  fprintf(file, "  \"%s\": ", key);
  utf8_write_json(text, file);
  fprintf(file, ",\n");
}

struct contact summary_contact(const struct simulation *s, int64_t agent_steps)
{
  // agent_steps counts who left or entered during a step with the agents after it.
  const double states = (double)(agent_steps - s->all.entered + s->last.agents);
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
      utf8_write_json(events->events[i].name, f);
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

// The scenario wherever one is: its folder without symbolic links. The file itself may be one, and
// names other files relative to where it stands.
static void write_config_path(FILE *f, const char *path)
{
  const char *slash = strrchr(path, '/'), *name = slash ? slash + 1 : path;
  char *folder = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
  char *absolute = folder ? realpath(folder, NULL) : NULL, *joined = NULL;
  if (absolute && asprintf(&joined, "%s/%s", absolute, name) < 0)
    joined = NULL;
  write_text(f, "config_path", joined ? joined : path);
  free(folder);
  free(absolute);
  free(joined);
}

// What `throng replay` starts from.
static void write_origin(FILE *f, const struct scenario *s, uint64_t identity)
{
  char hash[17];
  write_config_path(f, s->path);
  snprintf(hash, sizeof hash, "%016" PRIx64, identity);
  write_text(f, "identity", hash);
  fprintf(f, "  \"overrides\": [");
  for (int i = 0; i < s->override_count; i++) {
    fprintf(f, "%s", i ? ", " : "");
    utf8_write_json(s->overrides[i], f);
  }
  fprintf(f, "],\n");
}

static void write_machine(FILE *f)
{
  char text[512];
  machine_text(text, sizeof text);
  write_text(f, "machine", text);
  machine_time(text, sizeof text);
  write_text(f, "finished", text);
}

static void write_summary(FILE *f, const struct summary *m, const struct simulation *s)
{
  const struct observables *o = &m->observables;
  char hash[17];
  const double evacuated = simulation_evacuation_time(s);
  fprintf(f, "{\n");
  write_text(f, "name", s->scenario->name);
  write_text(f, "config", s->scenario->path);
  write_origin(f, s->scenario, m->identity);
  fprintf(f, "  \"changed_by_caller\": %s,\n", s->steering.changes > 0 ? "true" : "false");
  write_text(f, "version", build_info_version());
  write_text(f, "revision", build_info_revision());
  write_text(f, "compiler", build_info_compiler());
  snprintf(hash, sizeof hash, "%016" PRIx64,
           hash_bytes(HASH_START, s->scenario->text, strlen(s->scenario->text)));
  write_text(f, "config_hash", hash);
  snprintf(hash, sizeof hash, "%016" PRIx64, m->checksum);
  write_text(f, "checksum", hash);
  write_text(f, "backend", s->backend->name);
  write_machine(f);
  fprintf(f, "  \"seed\": %" PRIu64 ",\n  \"ranks\": %d,\n  \"threads\": %d,\n", s->scenario->seed,
          s->comm->size, m->threads);
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
  write_contact(f, &m->contact, s);
  write_events(f, s);
  write_balance(f, &s->load_balance);
  if (m->tables)
    tables_write_summary(m->tables, s, f);
  fprintf(f,
          "  \"ghosts\": %" PRId64 ",\n  \"ghost_bytes\": %" PRId64
          ",\n  \"ghost_waiting_s\": %.3f,\n",
          s->all.ghosts, s->all.ghosts * (int64_t)agents_packed_size(SCOPE_GHOST), o->ghost_wait);
  fprintf(f,
          "  \"agent_steps\": %" PRId64 ",\n  \"agent_steps_per_s\": %.6g,\n"
          "  \"wall_s\": %.3f,\n  \"waiting_for_cores_share\": %.4f,\n"
          "  \"memory_bytes\": %" PRId64 ",\n  \"seconds\": ",
          m->agent_steps, (double)m->agent_steps / (m->wall + 1e-9), m->wall, m->waiting_for_cores,
          o->memory);
  phases_write(f, s->seconds);
  fprintf(f, ",\n  \"step_seconds\": ");
  step_times_write(m->step_times, f);
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

// Unless the run ended with it.
static void print_evacuation(const struct simulation *s)
{
  const double evacuated = simulation_evacuation_time(s);
  if (evacuated < simulation_time(s))
    printf("  the last agent left after %.1f s\n", evacuated);
}

static void print_balance(const struct simulation *s)
{
  const struct load_balance *b = &s->load_balance;
  if (s->comm->size > 1)
    printf("  load of the slowest rank %.2f times the mean; rebalanced %" PRId64
           " times in %.2f s, %" PRId64 " agents moved\n",
           load_imbalance(b->all), b->rebalances, b->seconds, b->agents_moved);
}

#define WAITING_LONG 0.25 // share of the time: the machine is busy

static void print_waiting(const struct summary *m)
{
  if (m->waiting_for_cores >= WAITING_LONG)
    printf(
        "  threads waited for a core in %.0f %% of the time: other programs use this machine, or "
        "there are too many threads\n",
        100 * m->waiting_for_cores);
}

void summary_print(const struct summary *m, const struct simulation *s)
{
  char speed[32], spent[32];
  count_text(speed, sizeof speed, (double)m->agent_steps / (m->wall + 1e-9));
  clock_text(spent, sizeof spent, m->wall);
  printf("%s: %" PRId64 " of %" PRId64 " agents arrived in %.1f s of simulated time (%" PRId64
         " steps)\n",
         printable(s->scenario->name).text, s->all.arrived, s->all.agents, simulation_time(s),
         s->step);
  printf("  wall time %s, %s agent-steps/s on %d rank%s x %d thread%s, backend %s\n", spent, speed,
         s->comm->size, s->comm->size > 1 ? "s" : "", m->threads, m->threads > 1 ? "s" : "",
         s->backend->name);
  print_evacuation(s);
  print_waiting(m);
  print_contact(&m->contact, s);
  printf("  agents in walls %" PRId64 ", checksum %016" PRIx64 "\n", m->observables.agents_in_walls,
         m->checksum);
  print_balance(s);
  print_events(s);
  if (m->tables)
    tables_print(m->tables, s);
  printf("  written to %s\n", printable(m->directory).text);
}

bool summary_write(const struct summary *m, const struct simulation *s)
{
  FILE *f = open_output(m->directory, "summary.json");
  if (!f)
    return false;
  write_summary(f, m, s);
  const bool written = !ferror(f);
  const bool good = fclose(f) == 0 && written;
  if (!good)
    message_print("%s/summary.json: cannot be written: %s", m->directory, strerror(errno));
  return good;
}
