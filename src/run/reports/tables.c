#include "tables_internal.h"

#include "message.h"
#include "regular_file.h"
#include "run_directory.h"
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum exit_code tables_agree(const struct tables *t, const struct simulation *s, bool good)
{
  if (!good && s->comm->rank == 0)
    message_print("%s: cannot be written: %s", t->directory, strerror(errno));
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

FILE *table_open(const struct tables *t, const char *name, const char *head)
{
  char *path = run_directory_file(t->directory, name);
  FILE *file = regular_file_create(path);
  if (file)
    fprintf(file, "%s\n", head);
  free(path);
  return file;
}

static bool wants_alarms(const struct scenario *c)
{
  return c->alarms.density > 0 || c->alarms.jam > 0;
}

#define PEOPLE_HEAD                                                                                \
  "id,source,profile,destination,exit,entered_s,start_x,start_y,left_s,x,y,delay_s,removed"

static bool open_files(struct tables *t, const struct simulation *s, bool resuming)
{
  const struct measure *m = &s->scenario->measure;
  const struct {
    bool wanted;
    struct append_file *file;
    const char *name, *head;
  } files[] = {
      {m->line_count, &t->lines, "lines.csv", "step,time_s,line,forward,backward,flow_per_s"},
      {m->area_count, &t->areas, "areas.csv",
       "step,time_s,area,count,density_per_m2,mean_speed_m_s"},
      {wants_alarms(s->scenario), &t->alarms, "alarms.csv", "time_s,kind,x,y,value,id"},
      {m->lists_people, &t->people, "people.csv", PEOPLE_HEAD},
      {tables_want_queues(s), &t->queues, "queues.csv", "step,time_s,queue,waiting,served"}};
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    if (files[k].wanted &&
        !append_file_open(files[k].file, t->directory, files[k].name, files[k].head, resuming))
      return false;
  return true;
}

enum exit_code tables_create(struct tables *t, struct simulation *s, const char *directory,
                             bool quiet, bool resuming)
{
  const struct scenario *c = s->scenario;
  const struct measure *m = &c->measure;
  *t = (struct tables){.directory = text_copy(directory, strlen(directory)),
                       .quiet = quiet,
                       .first = {.step = INT64_MAX}};
  t->last_crossed = memory_create(2 * (size_t)m->line_count, sizeof *t->last_crossed);
  if (c->grid.every > 0)
    t->field_every = (int64_t)fmax(rint(fmin(c->grid.every / c->dt, STEP_LIMIT)), 1);
  const bool good = s->comm->rank > 0 || open_files(t, s, resuming);
  return comm_agree(s->comm, good ? EXIT_DONE : EXIT_IO);
}

bool tables_resume(const struct tables *t)
{
  const struct append_file *files[] = {&t->lines, &t->areas, &t->alarms, &t->people, &t->queues};
  bool good = true;
  for (size_t k = 0; k < sizeof files / sizeof *files; k++)
    good = append_file_resume(files[k]) && good;
  return good;
}

void tables_visit(struct tables *t, struct simulation *s, struct state *v)
{
  append_file_visit(&t->lines, v, "tables.lines");
  append_file_visit(&t->areas, v, "tables.areas");
  append_file_visit(&t->alarms, v, "tables.alarms");
  append_file_visit(&t->people, v, "tables.people");
  append_file_visit(&t->queues, v, "tables.queues");
  state_value(v, STATE_SAME, STATE_COUNT, "tables.last_step", &t->last_step);
  state_array(v, STATE_SAME, STATE_COUNT, "tables.last_crossed", t->last_crossed,
              2 * (int64_t)s->scenario->measure.line_count);
  state_value(v, STATE_SAME, STATE_COUNT, "tables.field_since", &t->field_since);
  state_array(v, STATE_ROOT, STATE_COUNT, "tables.alarm_count", t->alarm_count,
              s->comm->rank == 0 ? ALARM_KINDS : 0);
}

void tables_destroy(struct tables *t)
{
  append_file_close(&t->lines);
  append_file_close(&t->areas);
  append_file_close(&t->alarms);
  append_file_close(&t->people);
  append_file_close(&t->queues);
  memory_destroy(t->last_crossed);
  memory_destroy(t->unused_cells);
  memory_destroy(t->travel_total.seconds);
  memory_destroy(t->directory);
  *t = (struct tables){0};
}

// Readers trim blanks at the ends of a cell, and some take ; for the separator.
static bool needs_quotes(const char *text)
{
  const size_t length = strlen(text);
  return strpbrk(text, ",;\"\r\n") ||
         (length && (strchr(" \t", text[0]) || strchr(" \t", text[length - 1])));
}

void table_text(FILE *out, const char *text)
{
  if (!needs_quotes(text)) {
    fputs(text, out);
    return;
  }
  fputc('"', out);
  for (; *text; text++)
    fprintf(out, *text == '"' ? "\"\"" : "%c", *text);
  fputc('"', out);
}

// ----------------------------------------------------------------------------------- series

static void lines_write(struct tables *t, const struct simulation *s, const int64_t *crossed)
{
  const double seconds = (double)(s->step - t->last_step) * s->scenario->dt;
  for (int32_t l = 0; l < s->scenario->measure.line_count; l++) {
    const int64_t *now = crossed + 2 * l, *last = t->last_crossed + 2 * l;
    const int64_t gained = now[0] - now[1] - last[0] + last[1];
    fprintf(t->lines.file, "%" PRId64 ",%.9g,", s->step, simulation_time(s));
    table_text(t->lines.file, s->scenario->measure.lines[l].name);
    fprintf(t->lines.file, ",%" PRId64 ",%" PRId64 ",%.6g\n", now[0], now[1],
            seconds > 0 ? (double)gained / seconds : 0);
  }
}

static void lines_series(struct tables *t, struct simulation *s)
{
  const int64_t count = 2 * (int64_t)s->scenario->measure.line_count;
  int64_t *crossed = memory_create((size_t)count, sizeof *crossed);
  memcpy(crossed, s->measurements.crossed, (size_t)count * sizeof *crossed);
  comm_sum(s->comm, crossed, count);
  if (t->lines.file)
    lines_write(t, s, crossed);
  memcpy(t->last_crossed, crossed, (size_t)count * sizeof *crossed);
  t->last_step = s->step;
  memory_destroy(crossed);
}

static void area_write(struct tables *t, const struct simulation *s,
                       const struct measure_area *area, const struct measure_sum *sum)
{
  fprintf(t->areas.file, "%" PRId64 ",%.9g,", s->step, simulation_time(s));
  table_text(t->areas.file, area->name);
  fprintf(t->areas.file, ",%" PRId64 ",%.6g,", sum->people,
          (double)sum->people / area->walkable_area);
  if (sum->people)
    fprintf(t->areas.file, "%.6f", 1e-6 * (double)sum->speed / (double)sum->people);
  fputc('\n', t->areas.file);
}

static void areas_series(struct tables *t, struct simulation *s)
{
  const struct measure *m = &s->scenario->measure;
  struct measure_sum *sums = memory_create((size_t)m->area_count, sizeof *sums);
  simulation_sum_areas(s, sums);
  comm_sum(s->comm, &sums->people, 2 * (int64_t)m->area_count);
  for (int32_t k = 0; t->areas.file && k < m->area_count; k++)
    area_write(t, s, &m->areas[k], &sums[k]);
  memory_destroy(sums);
}

static void alarm_print(const struct alarm *alarm, double time)
{
  if (alarm->kind == ALARM_JAM)
    message_print("alarm at %.1f s: agent %" PRId64 " has been blocked for %.1f s at (%.2f, "
                  "%.2f) m; more in alarms.csv",
                  time, alarm->id, alarm->value, alarm->x, alarm->y);
  else
    message_print("alarm at %.1f s: %.2f persons/m^2 at (%.2f, %.2f) m; more in alarms.csv", time,
                  alarm->value, alarm->x, alarm->y);
}

static void alarms_series(struct tables *t, struct simulation *s)
{
  int64_t count;
  struct alarm *list = alarms_collect(&s->measurements.alarms, &count);
  for (int64_t i = 0; i < count; i++) {
    const double time = (double)list[i].step * s->scenario->dt;
    fprintf(t->alarms.file, "%.9g,%s,%.4f,%.4f,%.6g,%" PRId64 "\n", time, alarm_names[list[i].kind],
            list[i].x, list[i].y, list[i].value, list[i].id);
    if (t->alarm_count[list[i].kind]++ == 0 && !t->quiet)
      alarm_print(&list[i], time);
  }
  memory_destroy(list);
}

enum exit_code tables_series(struct tables *t, struct simulation *s)
{
  const double start = clock_seconds();
  if (s->scenario->measure.line_count)
    lines_series(t, s);
  if (s->scenario->measure.area_count)
    areas_series(t, s);
  if (wants_alarms(s->scenario))
    alarms_series(t, s);
  if (s->scenario->measure.lists_people)
    tables_people(t, s);
  tables_queues(t, s);
  const bool good = append_file_flush(&t->lines) && append_file_flush(&t->areas) &&
                    append_file_flush(&t->alarms) && append_file_flush(&t->people) &&
                    append_file_flush(&t->queues);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return tables_agree(t, s, good);
}
