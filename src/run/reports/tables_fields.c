// The grid of cells: density fields of intervals, and the totals of the run.
#include "tables_internal.h"

#include "build_info.h"
#include "run_directory.h"
#include "snapshot.h"
#include "totals_gather.h"
#include <stdlib.h>

static struct snapshot_metadata metadata_of(const struct simulation *s)
{
  const struct scenario *c = s->scenario;
  return (struct snapshot_metadata){.step = s->step,
                                    .time = simulation_time(s),
                                    .name = c->name,
                                    .attribution = c->attribution[0] ? c->attribution : NULL,
                                    .frame = &c->world.frame,
                                    .projection = scenario_projection(c),
                                    .version = build_info_full(),
                                    .compression = c->output.compression};
}

// ----------------------------------------------------------------------------------- fields

struct field_job {
  const struct comm *comm;
  char *path;
  struct snapshot_metadata metadata;
  struct snapshot_field field;
  struct cell_totals *totals;  // to which rank 0 adds the interval
  struct measure_sum **unused; // where the cells go afterwards
};

#define PIECE 65536 // cells that a thread takes at a time

static int64_t piece_end(const struct field_job *job, int64_t first)
{
  const int64_t cells = measure_cell_count(job->field.grid);
  return first + PIECE < cells ? first + PIECE : cells;
}

static void end_interval(void *context, int64_t piece, int thread)
{
  const struct field_job *job = context;
  const int64_t first = piece * PIECE;
  cell_totals_end_interval(job->totals, job->field.cells, first, piece_end(job, first),
                           job->field.samples);
  (void)thread;
}

// Those cells that nobody entered stay without memory: cells that are 0 are not written.
static void clear_cells(void *context, int64_t piece, int thread)
{
  const struct field_job *job = context;
  struct measure_sum *sums = job->field.cells;
  for (int64_t k = piece * PIECE; k < piece_end(job, piece * PIECE); k++)
    if (sums[k].people | sums[k].speed)
      sums[k] = (struct measure_sum){0};
  (void)thread;
}

static void for_all_cells(struct field_job *job, void (*make)(void *, int64_t, int))
{
  const int64_t pieces = (measure_cell_count(job->field.grid) + PIECE - 1) / PIECE;
  worker_loop(&(struct worker_loop){.count = pieces, .make = make, .context = job});
}

static enum exit_code field_job_do(void *context)
{
  struct field_job *job = context;
  if (job->comm->rank == 0)
    for_all_cells(job, end_interval);
  const enum snapshot_result result = snapshot_write_field(job->comm, job->path, &job->field);
  for_all_cells(job, clear_cells);
  // The next interval takes the cells again, whose pages are then in memory.
  memory_destroy(__atomic_exchange_n(job->unused, job->field.cells, __ATOMIC_ACQ_REL));
  free(job->path);
  memory_destroy(job);
  return result == SNAPSHOT_FAILED ? EXIT_IO : EXIT_DONE;
}

static struct measure_sum *empty_cells(struct tables *t, int64_t cells)
{
  struct measure_sum *unused = __atomic_exchange_n(&t->unused_cells, NULL, __ATOMIC_ACQ_REL);
  return unused ? unused : memory_create((size_t)cells, sizeof *unused);
}

// Takes the sums; the next ones begin at 0.
static struct field_job *field_job_create(struct tables *t, struct simulation *s)
{
  char name[64];
  const struct scenario *c = s->scenario;
  struct measurements *m = &s->measurements;
  struct field_job *job = memory_create(1, sizeof *job);
  snapshot_field_name(s->step, name, sizeof name);
  *job = (struct field_job){.comm = s->comm,
                            .path = run_directory_file(t->directory, name),
                            .metadata = metadata_of(s),
                            .field = {.metadata = &job->metadata,
                                      .grid = &c->measure.grid,
                                      .cells = m->cells,
                                      .samples = m->samples,
                                      .since = t->field_since},
                            .totals = &m->totals,
                            .unused = &t->unused_cells};
  snapshot_field_sum(s->comm, &job->field);
  m->cells = empty_cells(t, measure_cell_count(&c->measure.grid));
  m->samples = 0;
  t->field_since = s->step;
  return job;
}

bool tables_field_written(const struct tables *t, int64_t step)
{
  return t->field_since == step;
}

enum exit_code tables_field(struct tables *t, struct simulation *s, bool last,
                            struct worker *writer)
{
  const bool due = t->field_every > 0 && (last || s->step % t->field_every == 0);
  if (!due || s->measurements.samples == 0)
    return EXIT_DONE;
  const double start = clock_seconds();
  struct field_job *job = field_job_create(t, s);
  enum exit_code code = EXIT_DONE;
  if (writer) {
    worker_add(writer, field_job_do, job);
  } else {
    worker_wait(NULL); // the files of other simulations: one thread at a time calls HDF5
    code = comm_agree(s->comm, field_job_do(job));
  }
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return code;
}

// ----------------------------------------------------------------------------------- totals

enum exit_code tables_totals(const struct tables *t, struct simulation *s)
{
  const struct measurements *m = &s->measurements;
  enum exit_code code = EXIT_DONE;
  if (!m->cells || m->totals.samples == 0)
    return EXIT_DONE;
  const double start = clock_seconds();
  simulation_fetch_measurements(s);
  struct run_totals run_totals = totals_gather(m);
  if (s->comm->rank == 0) {
    const struct snapshot_metadata metadata = metadata_of(s);
    const struct snapshot_totals totals = {.metadata = &metadata,
                                           .grid = &m->totals.grid,
                                           .cells = &run_totals,
                                           .samples = m->totals.samples,
                                           .sample = (double)m->sample * s->scenario->dt};
    char *path = run_directory_file(t->directory, "totals.vtkhdf");
    code = snapshot_write_totals(path, &totals) == SNAPSHOT_FAILED ? EXIT_IO : EXIT_DONE;
    free(path);
  }
  run_totals_destroy(&run_totals);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return comm_agree(s->comm, code);
}
