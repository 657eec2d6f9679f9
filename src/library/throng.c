#include "library.h"

#include "build_info.h"
#include "message.h"
#include "process_limits.h"
#include "simulation_change.h"
#include "worker.h"
#include <omp.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------- the library

#define MESSAGES 65536 // bytes kept of the messages of a call

static struct {
  bool begun, ended, embedded, owns_mpi;
  double start;     // clock_seconds
  pthread_t caller; // of all functions
  char messages[MESSAGES];
  struct call *call;        // the innermost one in progress; NULL: none
  struct throng *on_device; // whose agents a device holds: it holds one crowd. NULL: nobody's
  enum exit_code trap_code; // of a fatal error
} library;

// Several ranks cannot continue without each other, nor several threads of a parallel region. A
// thread that writes files has a stack of its own, and a loop of it would stay half done.
static void end_call(enum exit_code code)
{
  const bool is_caller = library.call && pthread_equal(pthread_self(), library.caller);
  if (is_caller && library.call->traps && !omp_in_parallel() && !worker_is_helped()) {
    library.trap_code = code;
    longjmp(library.call->trap, 1);
  }
  fputs(library.messages, stderr);
  comm_abort(code);
}

int throng_begin(enum throng_mode mode)
{
  int initialized;
  if (library.begun)
    return THRONG_DONE;
  if (library.ended) // MPI cannot begin again
    return THRONG_BAD_INPUT;
  library.start = clock_seconds();
  library.caller = pthread_self();
  library.embedded = mode == THRONG_EMBEDDED;
  library.messages[0] = 0;
  if (library.embedded)
    message_capture(library.messages, sizeof library.messages);
  process_limits_report_file_size();
  const enum exit_code code = process_limits_check();
  if (code != EXIT_DONE)
    return (int)code;
  MPI_Initialized(&initialized);
  library.owns_mpi = !initialized;
  struct comm all;
  const locale_t locale = c_locale_begin();
  comm_begin(&all, NULL, NULL);
  if (library.embedded) { // a program keeps the locale: it is the caller of no other function
    c_locale_end(locale);
    fail_set_handler(end_call);
  }
  library.begun = true;
  return THRONG_DONE;
}

void throng_end(void)
{
  const locale_t locale = c_locale_begin();
  worker_wait(NULL); // of simulations that were not destroyed: HDF5 calls MPI
  if (library.begun && library.owns_mpi)
    comm_end(NULL);
  library.ended = library.ended || library.owns_mpi;
  library.begun = false;
  c_locale_end(locale);
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
  call->code = THRONG_DONE;
  call->throng = t;
  call->outer = library.call;
  call->locale = c_locale_begin();
  call->traps = library.embedded && (!t || t->comm.size == 1);
  library.call = call;
}

bool call_may_run(struct call *call, enum call_when when)
{
  const struct throng *t = call->throng;
  if (!call->outer)
    library.messages[0] = 0;
  const char *why = !library.begun   ? "throng_begin comes first"
                    : t && t->failed ? "this simulation has failed before: it can only be destroyed"
                    : t && t->in_step && when == BETWEEN_STEPS
                        ? "the function of a step can only read columns, and write the preferred "
                          "velocity"
                        : NULL;
  if (why) {
    message_print("%s", why);
    call->code = THRONG_BAD_INPUT;
  }
  return !why;
}

void call_trapped(struct call *call)
{
  fail_recovered();
  call->code = (int)library.trap_code;
  if (call->throng)
    call->throng->failed = true;
}

int call_end(struct call *call)
{
  library.call = call->outer;
  c_locale_end(call->locale);
  return call->code;
}

locale_t call_locale(void)
{
  return library.call->locale;
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

static const struct throng_options defaults = {
    .size = sizeof defaults, .backend = "auto", .steps = -1, .path = "scenario.yaml"};

void throng_default_options_of(struct throng_options *options, size_t size)
{
  memset(options, 0, size);
  memcpy(options, &defaults, size < sizeof defaults ? size : sizeof defaults);
  options->size = size;
}

// Options of an older caller are shorter: what they lack has its default.
static struct throng_options complete_options(const struct throng_options *given)
{
  struct throng_options o = defaults;
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

#define THREADS_MAX 1024

// A device holds the agents of one simulation.
static bool take_device(struct throng *t)
{
  if (!t->session.backend->device_crowd)
    return true;
  if (library.on_device)
    return false;
  library.on_device = t;
  return true;
}

static bool texts_are_given(const struct throng_options *o)
{
  bool good = o->path && o->backend && o->set_count >= 0 && (o->set || o->set_count == 0);
  for (int i = 0; good && i < o->set_count; i++)
    good = o->set[i] != NULL;
  return good;
}

static int create(struct throng *t, const struct throng_options *o)
{
  if (!texts_are_given(o))
    return call_refuse(t, "a path, a backend and set[set_count] are expected, not NULL");
  if (o->threads < 0 || o->threads > THREADS_MAX)
    return call_refuse(t, "0 to %d threads are possible, not %d", THREADS_MAX, o->threads);
  const struct session_options session = {
      .path = o->path,
      .text = o->text,
      .overrides = o->set,
      .override_count = o->set_count,
      .backend = o->backend,
      .threads = o->threads,
      .may_take_gpu = !library.embedded,
      .hints = !o->quiet,
      .writes_map = o->directory != NULL,
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
  if (!comm_all(&t->comm, take_device(t)))
    return call_refuse(t,
                       "--backend %s: it holds the agents of another simulation of this process; "
                       "destroy that one first, or use a CPU backend",
                       t->session.backend->name);
  run.threads = t->session.threads;
  if (!session_fits_memory(&t->session))
    return THRONG_OUT_OF_MEMORY;
  if (run.directory && !*run.directory)
    run.directory = keep_default_directory(t);
  code = run_create(&t->run, &t->comm, t->session.scenario, t->session.backend, &run);
  t->simulation = run_simulation(t->run);
  return (int)code;
}

int throng_create(struct throng **out, const struct throng_options *options)
{
  struct call call;
  *out = NULL;
  CALL(&call, NULL, BETWEEN_STEPS)
  {
    const struct throng_options o = complete_options(options);
    struct throng *t = *out = memory_create(1, sizeof *t);
    t->comm = comm_duplicate(o.has_communicator ? MPI_Comm_f2c((MPI_Fint)o.communicator)
                                                : MPI_COMM_WORLD);
    call.throng = t;
    call.traps = library.embedded && t->comm.size == 1;
    call.code = create(t, &o);
  }
  call_end(&call);
  if (call.code != THRONG_DONE) {
    throng_destroy(*out);
    *out = NULL;
  }
  return call.code;
}

// A fatal error on the way leaves the rest of the memory.
void throng_destroy(struct throng *t)
{
  struct call call;
  if (!t)
    return;
  call_begin(&call, t);
  if (library.on_device == t && !t->in_step)
    library.on_device = NULL;
  if (t->in_step) {
    message_print("the function of a step cannot destroy its simulation");
  } else if (setjmp(call.trap) != 0) {
    call_trapped(&call);
  } else {
    run_destroy(t->run);
    session_close(&t->session);
    comm_part_destroy(&t->comm);
    for (int i = 0; i < t->text_count; i++)
      memory_destroy(t->texts[i]);
    memory_destroy(t->texts);
    memory_destroy(t);
  }
  call_end(&call);
}

// What the caller wrote since the last call makes sense.
static int accept(struct throng *t)
{
  char problem[200];
  const bool good = simulation_accept(t->simulation, problem, sizeof problem);
  return good ? THRONG_DONE : call_refuse(t, "%s", problem);
}

static int advance(struct throng *t, int64_t steps)
{
  int code = accept(t);
  if (code != THRONG_DONE)
    return code;
  omp_set_num_threads(t->session.threads); // another simulation may have others
  code = (int)run_advance(t->run, steps);
  t->failed = code != THRONG_DONE && code != THRONG_RESUMABLE &&
              code != THRONG_BAD_INPUT; // no step was made
  if (code == THRONG_RESUMABLE && library.embedded)
    message_print("stopped, after a checkpoint where there is a directory of files");
  simulation_watch(t->simulation);
  return code;
}

int throng_advance(struct throng *t, int64_t steps)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = advance(t, steps);
  }
  return call_end(&call);
}

int throng_finish(struct throng *t)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = accept(t);
    if (call.code == THRONG_DONE) {
      call.code = (int)run_finish(t->run);
      t->failed = call.code != THRONG_DONE;
    }
  }
  return call_end(&call);
}

int throng_checkpoint(struct throng *t)
{
  struct call call;
  CALL(&call, t, BETWEEN_STEPS)
  {
    call.code = accept(t);
    if (call.code == THRONG_DONE) {
      call.code = (int)run_checkpoint(t->run);
      t->failed = call.code != THRONG_DONE && call.code != THRONG_BAD_INPUT; // no directory
    }
  }
  return call_end(&call);
}
