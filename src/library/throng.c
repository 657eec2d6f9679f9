#include "library.h"

#include "build_info.h"
#include "message.h"
#include "simulation_change.h"
#include <omp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------- the library

#define MESSAGES 65536 // bytes kept of the messages of a call

static struct {
  bool begun, embedded, owns_mpi;
  double start; // clock_seconds
  char messages[MESSAGES];
  bool trapping;            // a call that a fatal error may end early is in progress
  enum exit_code trap_code; // of that error
} library;

jmp_buf call_trap;

// Several ranks cannot continue without each other, nor several threads of a parallel region.
static void end_call(enum exit_code code)
{
  if (library.trapping && !omp_in_parallel()) {
    library.trap_code = code;
    longjmp(call_trap, 1);
  }
  fputs(library.messages, stderr);
  comm_abort(code);
}

int throng_begin(enum throng_mode mode)
{
  int initialized;
  if (library.begun)
    return THRONG_DONE;
  library.start = clock_seconds();
  MPI_Initialized(&initialized);
  library.owns_mpi = !initialized;
  library.embedded = mode == THRONG_EMBEDDED;
  struct comm all;
  comm_begin(&all, NULL, NULL);
  if (library.embedded) {
    message_capture(library.messages, sizeof library.messages);
    fail_set_handler(end_call);
  }
  library.begun = true;
  return THRONG_DONE;
}

void throng_end(void)
{
  if (library.begun && library.owns_mpi)
    comm_end(NULL);
  library.begun = false;
}

int throng_api(void)
{
  return THRONG_API;
}

const char *throng_version(void)
{
  return build_info_full();
}

const char *throng_messages(void)
{
  return library.messages;
}

// --------------------------------------------------------------------------------------- calls

void call_begin(struct call *call, struct throng *t)
{
  *call = (struct call){.code = THRONG_DONE, .throng = t};
  library.messages[0] = 0;
  library.trapping = library.embedded && (!t || t->comm.size == 1);
}

bool call_may_run(struct call *call)
{
  if (library.begun && !(call->throng && call->throng->failed))
    return true;
  message_print(library.begun ? "this simulation has failed before: it can only be destroyed"
                              : "throng_begin comes first");
  call->code = THRONG_BAD_INPUT;
  return false;
}

int call_trapped(void)
{
  return (int)library.trap_code;
}

int call_refuse(const struct throng *t, const char *format, ...)
{
  char text[600];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  if (library.embedded || t->comm.rank == 0)
    message_print("%s", text);
  return THRONG_BAD_INPUT;
}

// ------------------------------------------------------------------------------ the simulation

struct throng_options throng_default_options(void)
{
  return (struct throng_options){.size = sizeof(struct throng_options),
                                 .backend = "auto",
                                 .steps = -1,
                                 .path = "scenario.yaml"};
}

// Options of an older caller are shorter: what they lack has its default.
static struct throng_options complete_options(const struct throng_options *given)
{
  struct throng_options o = throng_default_options();
  memcpy(&o, given, given->size < sizeof o ? given->size : sizeof o);
  o.size = sizeof o;
  return o;
}

static const char *keep_text(struct throng *t, const char *text)
{
  if (!text)
    return NULL;
  t->texts =
      memory_grow(t->texts, (size_t)t->text_count, (size_t)t->text_count + 1, sizeof *t->texts);
  const size_t bytes = strlen(text) + 1;
  char *copy = memory_create(bytes, 1);
  memcpy(copy, text, bytes);
  return t->texts[t->text_count++] = copy;
}

static const char *keep_default_directory(struct throng *t)
{
  char *name = run_default_directory(t->session.scenario);
  const char *kept = keep_text(t, name);
  free(name);
  return kept;
}

static int create(struct throng *t, const struct throng_options *o)
{
  const struct session_options session = {
      .path = o->path,
      .text = o->text,
      .overrides = o->set,
      .override_count = o->set_count,
      .backend = o->backend,
      .threads = o->threads,
      .hints = !o->quiet,
  };
  struct run_options run = {.directory = keep_text(t, o->directory),
                            .steps = o->steps,
                            .quiet = o->quiet,
                            .restart = keep_text(t, o->restart),
                            .replays = keep_text(t, o->replay),
                            .replay_from = o->replay_from,
                            .identity = o->replay_identity,
                            .max_wall = o->max_wall,
                            .program_start = library.start};
  enum exit_code code = session_open(&t->session, &t->comm, &session);
  if (code != EXIT_DONE)
    return (int)code;
  run.threads = t->session.threads;
  if (!session_fits_memory(&t->session))
    return THRONG_OUT_OF_MEMORY;
  if (run.directory && !*run.directory)
    run.directory = keep_default_directory(t);
  t->run = run_create(&t->comm, t->session.scenario, t->session.backend, &run, &code);
  t->simulation = t->run ? run_simulation(t->run) : NULL;
  return (int)code;
}

int throng_create(struct throng **out, const struct throng_options *options)
{
  struct call call;
  *out = NULL;
  CALL(&call, NULL)
  {
    const struct throng_options o = complete_options(options);
    struct throng *t = *out = memory_create(1, sizeof *t);
    t->comm = o.has_communicator ? comm_of(MPI_Comm_f2c((MPI_Fint)o.communicator))
                                 : comm_of(MPI_COMM_WORLD);
    call.throng = t;
    library.trapping = library.embedded && t->comm.size == 1;
    call.code = create(t, &o);
  }
  if (call.code != THRONG_DONE && *out) {
    (*out)->failed = true;
    throng_destroy(*out);
    *out = NULL;
  }
  return call.code;
}

void throng_destroy(struct throng *t)
{
  if (!t)
    return;
  run_destroy(t->run);
  session_close(&t->session);
  for (int i = 0; i < t->text_count; i++)
    memory_destroy(t->texts[i]);
  memory_destroy(t->texts);
  memory_destroy(t);
}

// A function that failed leaves the simulation in the middle of something.
static int finished(struct throng *t, const struct call *call)
{
  t->failed = call->code != THRONG_DONE && call->code != THRONG_RESUMABLE;
  return call->code;
}

int throng_advance(struct throng *t, int64_t steps)
{
  struct call call;
  char problem[200];
  CALL(&call, t)
  {
    if (!simulation_accept(t->simulation, problem, sizeof problem)) {
      return call_refuse(t, "%s", problem);
    }
    call.code = (int)run_advance(t->run, steps);
  }
  return finished(t, &call);
}

int throng_finish(struct throng *t)
{
  struct call call;
  CALL(&call, t)
  {
    call.code = (int)run_finish(t->run);
  }
  return finished(t, &call);
}

int throng_checkpoint(struct throng *t)
{
  struct call call;
  CALL(&call, t)
  {
    call.code = (int)run_checkpoint(t->run);
    if (call.code == THRONG_BAD_INPUT) // it has no directory
      return call.code;
  }
  return finished(t, &call);
}

void throng_get_state(const struct throng *t, struct throng_state *state)
{
  const struct simulation *s = t->simulation;
  const struct frame *frame = &s->scenario->world.frame;
  const struct box bounds = s->scenario->world.bounds;
  *state = (struct throng_state){
      .step = s->step,
      .time = simulation_time(s),
      .dt = s->scenario->dt,
      .agents = s->last.agents,
      .created = s->all.agents,
      .arrived = s->all.arrived,
      .removed = s->all.removed,
      .overlaps = s->last.overlaps,
      .is_over = simulation_is_over(s),
      .rank = t->comm.rank,
      .ranks = t->comm.size,
      .origin_x = frame->origin_x,
      .origin_y = frame->origin_y,
      .quantum = (double)frame_quantum(frame),
      .extent = {frame_x(frame, bounds.lo.x), frame_y(frame, bounds.lo.y),
                 frame_x(frame, bounds.hi.x), frame_y(frame, bounds.hi.y)},
  };
}

int throng_checksum(struct throng *t, uint64_t *checksum)
{
  struct call call;
  CALL(&call, t)
  {
    *checksum = simulation_checksum(t->simulation);
  }
  return finished(t, &call);
}

const char *throng_name(const struct throng *t, enum throng_names of, int k)
{
  const struct scenario *s = t->session.scenario;
  switch (of) {
  case THRONG_PROFILES:
    return k >= 0 && k < s->profile_count ? s->profile_names[k] : NULL;
  case THRONG_SOURCES:
    return k >= 0 && k < s->source_count ? s->source_names[k] : NULL;
  case THRONG_DESTINATIONS:
    return k >= 0 && k < s->destination_count ? s->destination_names[k] : NULL;
  case THRONG_JOURNEYS:
    return scenario_journey_name(s, k);
  }
  return NULL;
}
