#include "launch.h"
#include "extent.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#if defined(SANITIZED) && LONG
#define LIMIT "1800"
#elif SHORT
#define LIMIT "600"
#elif LONG
#define LIMIT "300"
#else
#define LIMIT "60"
#endif

#define NO_LEAKS "detect_leaks=0:fast_unwind_on_malloc=1"
// Leaks are looked for on up to two ranks, in the long form on any number: half the time of a rank
// that does little goes into it.
#if SHORT
#define WITHOUT_LEAKS "ASAN_OPTIONS=$ASAN_OPTIONS:" NO_LEAKS " "
#else
#define WITHOUT_LEAKS ""
#endif

static char folder[] = "/tmp/throng-test-XXXXXX";
static int folder_made;

static void remove_folder(void)
{
  char command[sizeof folder + 20];
  snprintf(command, sizeof command, "rm -rf '%s'", folder);
  if (chdir("/") != 0 || system(command) != 0)
    fprintf(stderr, "%s could not be removed\n", folder);
}

// Allows root and more ranks than cores, and binds no rank to a core.
static void prepare_mpi(void)
{
  char sessions[sizeof folder + 10];
  setenv("OMPI_ALLOW_RUN_AS_ROOT", "1", 1);
  setenv("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1", 1);
  setenv("OMPI_MCA_mpi_yield_when_idle", "1", 1);
  setenv("OMPI_MCA_hwloc_base_binding_policy", "none", 1);
  setenv("OMPI_MCA_btl_vader_single_copy_mechanism", "none", 1);
  setenv("OMPI_MCA_orte_allowed_exit_without_sync", "1", 1); // as tools/common.sh says
  setenv("OMPI_MCA_pml", "ob1", 1);        // or each start looks for networks: .2 s
  setenv("OMP_WAIT_POLICY", "passive", 1); // more threads than cores must not spin
  // Nor does MPI need the names of all PCI devices: in AddressSanitizer, where each realloc copies,
  // reading them takes ten times as long as all the rest of a start.
  setenv("HWLOC_COMPONENTS", "-gl,-opencl,-pci", 1);
  // A program without mpirun needs no daemon, which would take longer to start than most runs take.
  // All such programs use the same session directory, and the first to end removes it: one each.
  setenv("OMPI_MCA_ess_singleton_isolated", "1", 1);
  snprintf(sessions, sizeof sessions, "%s/.ompi", folder);
  setenv("OMPI_MCA_orte_tmpdir_base", sessions, 1);
}

#ifdef SANITIZED
static void add_sanitizer_options(const char *more)
{
  char options[500];
  const char *given = getenv("ASAN_OPTIONS");
  snprintf(options, sizeof options, "%s:%s", given ? given : "", more);
  setenv("ASAN_OPTIONS", options, 1);
}
#endif

// tests/leaks.supp names libraries without frame pointers: only the slow unwinder sees them.
static void prepare_sanitizers(void)
{
#ifdef SANITIZED
  add_sanitizer_options("fast_unwind_on_malloc=0");
#endif
}

void launch_without_leaks(void)
{
  launch_folder();
#if SHORT
  add_sanitizer_options(NO_LEAKS);
#endif
}

const char *launch_folder(void)
{
  if (folder_made)
    return folder;
  if (!mkdtemp(folder) || chdir(folder) != 0) {
    perror(folder);
    exit(1);
  }
  folder_made = 1;
  prepare_mpi();
  prepare_sanitizers();
  atexit(remove_folder);
  return folder;
}

char *launch_read(const char *path)
{
  FILE *file = fopen(path, "r");
  if (!file)
    return NULL;
  size_t length = 0, capacity = 1 << 16;
  char *text = malloc(capacity);
  for (size_t got; text && (got = fread(text + length, 1, capacity - length - 1, file)) > 0;) {
    length += got;
    if (length + 1 == capacity)
      text = realloc(text, capacity *= 2);
  }
  fclose(file);
  if (text)
    text[length] = 0;
  return text;
}

int launch_count(const char *text, const char *part)
{
  int count = 0;
  assert(*part);
  for (const char *c = text; (c = strstr(c, part)); c += strlen(part))
    count++;
  return count;
}

static double now(void)
{
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static struct launched launch_command(int ranks, const char *format, va_list arguments)
{
  char *words = NULL, *command = NULL, mpirun[400] = "";
  launch_folder();
  if (ranks > 0)
    snprintf(mpirun, sizeof mpirun, LAUNCHER " -n %d", ranks);
  if (vasprintf(&words, format, arguments) < 0 ||
      asprintf(&command, "%stimeout -k 5 " LIMIT " %s %s >'%s/.out' 2>'%s/.err' </dev/null",
               ranks > 2 ? WITHOUT_LEAKS : "", mpirun, words, folder, folder) < 0)
    abort();
  struct launched l = {0};
  const double start = now();
  const int status = system(command);
  l.seconds = now() - start;
  l.code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
  snprintf(mpirun, sizeof mpirun, "%s/.out", folder);
  l.out = launch_read(mpirun);
  snprintf(mpirun, sizeof mpirun, "%s/.err", folder);
  l.err = launch_read(mpirun);
  free(words);
  free(command);
  return l;
}

struct launched launch(const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const struct launched l = launch_command(0, format, arguments);
  va_end(arguments);
  return l;
}

struct launched launch_ranks(int ranks, const char *format, ...)
{
  va_list arguments;
  va_start(arguments, format);
  const struct launched l = launch_command(ranks, format, arguments);
  va_end(arguments);
  return l;
}

void launched_destroy(struct launched *l)
{
  free(l->out);
  free(l->err);
  *l = (struct launched){0};
}
