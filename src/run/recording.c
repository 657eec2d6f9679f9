#include "recording.h"

#include "build_info.h"
#include "run_directory.h"
#include "scenario_text.h"
#include "steps.h"
#include <stdlib.h>

void recording_create(struct recording *r, const struct simulation *s, const char *directory)
{
  const struct scenario *scenario = s->scenario;
  const struct output_options *output = &scenario->output;
  *r = (struct recording){0};
  if (output->trajectory.every <= 0)
    return;
  r->every = steps_period(output->trajectory.every, scenario->dt);
  const struct trajectory_options options = {.layout = output->trajectory.layout,
                                             .selection = output->trajectory.selection,
                                             .frame = &scenario->world.frame,
                                             .compression = output->compression,
                                             .every = r->every};
  char *path = run_directory_file(directory, "trajectory.h5");
  trajectory_create(&r->trajectory, s->comm, path, &options);
  free(path);
}

void recording_destroy(struct recording *r)
{
  trajectory_destroy(&r->trajectory);
}

enum exit_code recording_add(struct recording *r, struct simulation *s, struct worker *writer)
{
  if (r->every == 0 || s->step % r->every != 0)
    return EXIT_DONE;
  const double start = clock_seconds();
  enum exit_code code = EXIT_DONE;
  simulation_sync_to_host(s);
  trajectory_add(&r->trajectory, s->step, &s->agents);
  if (trajectory_has_chunks(&r->trajectory))
    code = worker_wait(writer); // one thread at a time calls HDF5
  if (code == EXIT_DONE)
    code = trajectory_write(&r->trajectory);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return code;
}

enum exit_code recording_begin(struct recording *r, struct simulation *s, struct worker *writer)
{
  if (r->every == 0)
    return EXIT_DONE;
  const struct scenario *scenario = s->scenario;
  char *text = scenario_text(scenario, true);
  const struct snapshot_metadata metadata = {
      .frame = &scenario->world.frame,
      .name = scenario->name,
      .attribution = scenario->attribution[0] ? scenario->attribution : NULL,
      .projection = scenario_projection(scenario),
      .scenario_text = text,
      .version = build_info_full()};
  const struct trajectory_description description = {
      .metadata = &metadata,
      .walkable = scenario->output.trajectory.walkable,
      .frame_rate = 1 / ((double)r->every * scenario->dt),
      .step = scenario->dt};
  const enum exit_code code = trajectory_begin(&r->trajectory, &description);
  memory_destroy(text);
  return code == EXIT_DONE ? recording_add(r, s, writer) : code;
}

enum exit_code recording_end(struct recording *r, struct simulation *s)
{
  if (r->every == 0)
    return EXIT_DONE;
  const double start = clock_seconds();
  const enum exit_code code = trajectory_end(&r->trajectory);
  s->seconds[PHASE_OUTPUT] += clock_seconds() - start;
  return code;
}

void recording_visit(struct recording *r, struct state *v)
{
  trajectory_visit(&r->trajectory, v);
}

enum exit_code recording_save(struct recording *r)
{
  return trajectory_save(&r->trajectory);
}

enum exit_code recording_check(struct recording *r, const struct comm *c)
{
  return trajectory_check(c, &r->trajectory);
}

enum exit_code recording_resume(struct recording *r)
{
  return trajectory_restore(&r->trajectory);
}
