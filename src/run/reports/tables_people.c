// Rows of people: those who leave the world, and how many wait in queues.
#include "tables_internal.h"

#include <inttypes.h>

// ----------------------------------------------------------------------------------- people

static const char *source_name(const struct scenario *c, int32_t source)
{
  return source < 0 ? "(table)" : c->source_names[source];
}

static const char *target_name(const struct scenario *c, int32_t target)
{
  return target < 0 ? "(point)" : c->destination_names[target];
}

static void person_write(FILE *out, const struct scenario *c, const struct person *p)
{
  const struct frame *frame = &c->world.frame;
  fprintf(out, "%" PRId64 ",", p->id);
  table_text(out, source_name(c, p->source));
  fputc(',', out);
  table_text(out, c->profile_names[p->profile]);
  fputc(',', out);
  table_text(out, target_name(c, p->target));
  fputc(',', out);
  if (p->exit >= 0)
    fprintf(out, "%d", p->exit);
  fprintf(out, ",%.9g,", p->born * c->dt);
  if (p->start_x || p->start_y)
    fprintf(out, "%.4f,%.4f,", frame_x(frame, p->start_x - 1), frame_y(frame, p->start_y - 1));
  else
    fprintf(out, ",,"); // a replay of a run that did not ask
  if (p->left >= 0)
    fprintf(out, "%.9g", (double)p->left * c->dt);
  fprintf(out, ",%.4f,%.4f,%.9g,%d\n", frame_x(frame, p->x), frame_y(frame, p->y),
          p->waited * c->dt, p->removed);
}

static void people_write(const struct tables *t, const struct simulation *s, struct person *list,
                         int64_t count)
{
  for (int64_t i = 0; t->people.file && i < count; i++)
    person_write(t->people.file, s->scenario, &list[i]);
  memory_destroy(list);
}

void tables_people(struct tables *t, struct simulation *s)
{
  int64_t count;
  struct person *list = people_collect(&s->measurements.people, &count);
  people_write(t, s, list, count);
}

void tables_people_inside(struct tables *t, struct simulation *s)
{
  int64_t count;
  simulation_sync_to_host(s);
  struct person *list = people_inside(&s->measurements.people, &s->agents, &count);
  people_write(t, s, list, count);
}

// ----------------------------------------------------------------------------------- queues

bool tables_want_queues(const struct simulation *s)
{
  for (int32_t k = 0; k < s->journeys.stop_count; k++)
    if (s->journeys.queues[k].places > 0)
      return true;
  return false;
}

void tables_queues(struct tables *t, const struct simulation *s)
{
  FILE *out = t->queues.file;
  for (int32_t k = 0; out && k < s->journeys.stop_count; k++) {
    const struct queue_state *queue = &s->journeys.queues[k];
    if (queue->places == 0)
      continue;
    fprintf(out, "%" PRId64 ",%.9g,", s->step, simulation_time(s));
    table_text(out, s->scenario->destination_names[k]);
    fprintf(out, ",%" PRId64 ",%" PRId64 "\n", queue->issued - queue->served, queue->served);
  }
}
