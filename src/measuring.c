#include "measuring.h"

#include <math.h>
#include <stdio.h>

void measuring_create(struct measuring *m, const struct scenario *scenario, const struct comm *comm)
{
  *m = (struct measuring){.scenario = scenario, .comm = comm};
  m->crossed = memory_create(2 * (size_t)scenario->measure.line_count, sizeof *m->crossed);
  if (scenario->grid.every > 0)
    m->cells = memory_create((size_t)measure_cell_count(&scenario->measure.grid), sizeof *m->cells);
  const int64_t sample = llrint(fmin(scenario->grid.sample / scenario->dt, STEP_LIMIT));
  m->sample = sample < 1 ? 1 : sample;
  travel_create(&m->travel, scenario->source_count, scenario->profile_count,
                scenario->destination_count, scenario->dt, scenario->steps);
  alarms_create(&m->alarms, scenario, comm);
  audit_create(&m->audit);
}

void measuring_destroy(struct measuring *m)
{
  memory_destroy(m->crossed);
  memory_destroy(m->cells);
  travel_destroy(&m->travel);
  alarms_destroy(&m->alarms);
}

void measuring_choices(struct measuring *m, struct agents *a, int64_t step)
{
  audit_choices(&m->audit, a, m->scenario->world.bounds, step);
}

void measuring_overlap(struct measuring *m, const struct neighbours *crowd, const struct agents *a,
                       int64_t step)
{
  audit_overlap(&m->audit, a, crowd, frame_quantum(&m->scenario->world.frame), step);
}

void measuring_moves(struct measuring *m, const struct tree *tree, const struct agents *a,
                     int64_t step)
{
  const struct world *world = &m->scenario->world;
  const double way = (double)m->audit.fastest * m->scenario->dt;
  audit_moves(&m->audit, a, &world->obstacles, step);
  if (a->count > 0 && m->scenario->measure.line_count > 0)
    measure_lines(&m->scenario->measure, tree, a, frame_length(&world->frame, 1.001 * way) + 2,
                  m->crossed);
}

void measuring_leave(struct measuring *m, const struct agents *a, int64_t i, int64_t step)
{
  travel_note(&m->travel, a->source[i], a->profile[i], a->target[i], step + 1 - a->born[i],
              a->waited[i]);
}

void measuring_state(struct measuring *m, const struct agents *a, int64_t step)
{
  if (m->cells && step % m->sample == 0) {
    measure_grid_add(&m->scenario->measure.grid, a, m->cells);
    m->samples++;
  }
  alarms_look(&m->alarms, a, step);
}

// ------------------------------------------------------------------------------------ audit

static int64_t least_of_ranks(const struct comm *c, int64_t mine)
{
  MPI_Allreduce(MPI_IN_PLACE, &mine, 1, MPI_INT64_T, MPI_MIN, c->mpi);
  return mine;
}

// One part of the key after the other: who is not among the least so far stands back.
static struct offender first_of_ranks(const struct comm *c, const struct offender *mine)
{
  struct offender first = {.step = least_of_ranks(c, mine->step)};
  bool in = mine->step == first.step && first.step < INT64_MAX;
  first.kind = least_of_ranks(c, in ? mine->kind : INT64_MAX);
  in = in && mine->kind == first.kind;
  first.id = least_of_ranks(c, in ? mine->id : INT64_MAX);
  in = in && mine->id == first.id;
  first.at.x = (int32_t)least_of_ranks(c, in ? mine->at.x : INT32_MAX);
  first.at.y = (int32_t)least_of_ranks(c, in ? mine->at.y : INT32_MAX);
  first.other = least_of_ranks(c, in ? mine->other : INT64_MAX);
  return first;
}

struct offender measuring_first(const struct measuring *m)
{
  return first_of_ranks(m->comm, &m->audit.first);
}

struct offender measuring_first_overlap(const struct measuring *m)
{
  return first_of_ranks(m->comm, &m->audit.overlap);
}

void offender_text(const struct offender *one, const struct frame *frame, char *text, size_t size)
{
  char whom[40] = "";
  if (one->kind == AUDIT_OVERLAP)
    snprintf(whom, sizeof whom, " agent %lld", (long long)one->other);
  snprintf(text, size, "agent %lld %s%s at (%.3f, %.3f) m in step %lld", (long long)one->id,
           audit_words[one->kind], whom, frame_x(frame, one->at.x), frame_y(frame, one->at.y),
           (long long)one->step);
}

void measuring_judge(struct measuring *m, const int64_t *counts)
{
  for (int k = 0; k < AUDIT_KINDS; k++)
    m->found[k] += counts[k];
  if (counts[AUDIT_NOT_FINITE] == 0 && counts[AUDIT_ESCAPE] == 0)
    return;
  const struct offender first = first_of_ranks(m->comm, &m->audit.fatal);
  char text[200];
  offender_text(&first, &m->scenario->world.frame, text, sizeof text);
  if (m->comm->rank == 0)
    fail(EXIT_OUR_FAULT, "%s", text);
  MPI_Barrier(m->comm->mpi); // rank 0 ends everybody
}
