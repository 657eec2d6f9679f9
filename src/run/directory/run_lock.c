#include "run_lock.h"

#include "message.h"
#include "regular_file.h"
#include "run_directory.h"
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define WORD  160
#define TRIES 10 // others may take the lock between two of our calls

#define DYING_TRIES 20     // a rank whose job was killed ends a moment later ...
#define DYING_PAUSE 100000 // us

struct owner { // of a lock; "": unknown
  char host[WORD], machine[WORD], process[WORD], job[WORD];
};

struct run_lock {
  char *path;
  pthread_t thread;
  pthread_mutex_t mutex;
  pthread_cond_t wake;
  bool ends;
};

// ------------------------------------------------------------------------------- owners

static void first_line(const char *path, char line[WORD])
{
  FILE *f = fopen(path, "r"); // of /proc
  if (!f || !fgets(line, WORD, f))
    *line = 0;
  line[strcspn(line, "\n")] = 0;
  if (f)
    fclose(f);
}

// What tells processes apart: the boot and the name space of process numbers.
static void machine_read(char machine[WORD])
{
  char boot[WORD], space[64] = "";
  first_line("/proc/sys/kernel/random/boot_id", boot);
  if (readlink("/proc/self/ns/pid", space, sizeof space - 1) < 0)
    *space = 0;
  snprintf(machine, WORD, "%.90s %s", boot, space);
}

// A process by its number and the time of its start, since numbers return. "": there is none, or it
// has ended and its parent has not noticed.
static void process_read(long number, char process[WORD])
{
  char path[64], line[1024] = "";
  snprintf(path, sizeof path, "/proc/%ld/stat", number);
  *process = 0;
  FILE *f = fopen(path, "r");
  if (!f)
    return;
  const char *after = fgets(line, sizeof line, f) ? strrchr(line, ')') : NULL; // behind its name
  if (after && strchr("ZX", after[2]))
    after = NULL;
  for (int field = 2; after && field < 22; field++)
    after = strchr(after + 1, ' ');
  if (after)
    snprintf(process, WORD, "%ld %.*s", number, (int)strcspn(after + 1, " \n"), after + 1);
  fclose(f);
}

static void job_read(char job[WORD])
{
  const char *id = getenv("SLURM_JOB_ID"), *starts = getenv("SLURM_RESTART_COUNT");
  *job = 0;
  if (id)
    snprintf(job, WORD, "%.60s %.60s", id, starts ? starts : "0");
}

static struct owner owner_self(void)
{
  struct owner o = {0};
  gethostname(o.host, sizeof o.host - 1);
  machine_read(o.machine);
  process_read(getpid(), o.process);
  job_read(o.job);
  return o;
}

static void owner_write(const struct owner *o, FILE *f)
{
  fprintf(f, "host %s\nmachine %s\nprocess %s\njob %s\n", o->host, o->machine, o->process, o->job);
}

static struct owner owner_read(const char *path)
{
  struct owner o = {0};
  const struct {
    const char *key;
    char *value;
  } words[] = {
      {"host ", o.host}, {"machine ", o.machine}, {"process ", o.process}, {"job ", o.job}};
  char line[2 * WORD];
  FILE *f = regular_file_read(path);
  while (f && fgets(line, sizeof line, f))
    for (int k = 0; k < 4; k++)
      if (strncmp(line, words[k].key, strlen(words[k].key)) == 0)
        snprintf(words[k].value, WORD, "%.*s", (int)strcspn(line + strlen(words[k].key), "\n"),
                 line + strlen(words[k].key));
  if (f)
    fclose(f);
  return o;
}

static bool same(const char *a, const char *b)
{
  return *a && strcmp(a, b) == 0;
}

static bool restarted(const char *job, const char *mine)
{
  const size_t id = strcspn(job, " ");
  return id > 0 && strncmp(job, mine, id + 1) == 0 && strcmp(job, mine) != 0;
}

static bool process_lives(const struct owner *o) // on this machine
{
  char now[WORD];
  process_read(atol(o->process), now);
  return strcmp(now, o->process) == 0;
}

// age: s since it last touched its lock.
static bool owner_is_dead(const struct owner *o, const struct owner *self, double age)
{
  if (same(o->machine, self->machine) && *o->process)
    return !process_lives(o);
  return restarted(o->job, self->job) || age > RUN_LOCK_DEAD;
}

// The first word, or "?".
static int word_length(const char *text)
{
  return *text ? (int)strcspn(text, " ") : 1;
}

// "the run on node17, process 4711, job 12"
static void owner_name(const struct owner *o, char *name, size_t size)
{
  const char *host = *o->host ? o->host : "?", *process = *o->process ? o->process : "?";
  snprintf(name, size, "the run on %.60s, process %.*s%s%.*s", host, word_length(o->process),
           process, *o->job ? ", job " : "", word_length(o->job), o->job);
}

// ------------------------------------------------------------------------------- the file

// Our lock under a name of its own, from where it is linked. NULL: see errno.
static char *draft_create(const char *directory, const struct owner *self)
{
  char name[2 * WORD];
  snprintf(name, sizeof name, "lock-%.80s-%ld.tmp", self->host, (long)getpid());
  char *path = run_directory_file(directory, name);
  FILE *f = regular_file_create(path);
  if (f) {
    owner_write(self, f);
    if (fclose(f) == 0)
      return path;
  }
  const int error = errno;
  if (f)
    unlink(path);
  free(path);
  errno = error;
  return NULL;
}

static double age_of(const struct stat *lock, const char *draft)
{
  struct stat now; // by the clock of the file server
  utimensat(AT_FDCWD, draft, NULL, AT_SYMLINK_NOFOLLOW);
  if (lstat(draft, &now) != 0)
    return 0;
  return (double)(now.st_mtim.tv_sec - lock->st_mtim.tv_sec);
}

static bool is_file(const char *path, const struct stat *file)
{
  struct stat now;
  return lstat(path, &now) == 0 && now.st_ino == file->st_ino &&
         now.st_mtim.tv_sec == file->st_mtim.tv_sec;
}

// Removes the lock that was seen as `dead`, unless another run has replaced it meanwhile.
static void remove_dead(const char *path, const char *draft, const struct stat *dead)
{
  char *aside = NULL;
  if (asprintf(&aside, "%s.dead", draft) < 0)
    memory_fail((double)strlen(draft) + 6);
  if (is_file(path, dead) && rename(path, aside) == 0) {
    if (!is_file(aside, dead) && link(aside, path) != 0)
      message_print("%s: cannot be restored: %s", path, strerror(errno));
    unlink(aside);
  }
  free(aside);
}

// One try. False: *code says why, EXIT_DONE: try again. waits: for a run that may be dying.
static bool lock_try(const char *directory, const char *path, const char *draft,
                     const struct owner *self, bool waits, enum exit_code *code)
{
  char name[3 * WORD];
  struct stat found;
  *code = EXIT_DONE;
  if (link(draft, path) == 0)
    return true;
  if (errno != EEXIST) {
    message_print("output directory %s: cannot be locked: %s", directory, strerror(errno));
    *code = EXIT_IO;
    return false;
  }
  if (lstat(path, &found) != 0) // released meanwhile
    return false;
  const struct owner other = S_ISREG(found.st_mode) ? owner_read(path) : (struct owner){0};
  const double age = age_of(&found, draft);
  owner_name(&other, name, sizeof name);
  if (owner_is_dead(&other, self, age)) {
    message_print("output directory %s: takes over from %s, which has ended", directory, name);
    remove_dead(path, draft, &found);
    return false;
  }
  if (waits && same(other.machine, self->machine)) {
    usleep(DYING_PAUSE);
    return false;
  }
  message_print("output directory %s: %s is at work there (last seen %.0f s ago): choose another "
                "directory, or wait for its end; a lock is void %d s after the run has died",
                directory, name, age > 0 ? age : 0, RUN_LOCK_DEAD);
  *code = EXIT_BAD_INPUT;
  return false;
}

// ----------------------------------------------------------------------------------- looking

bool run_lock_look(const char *directory, struct run_lock_owner *owner)
{
  struct stat found;
  struct timespec now;
  char machine[WORD];
  char *path = run_directory_file(directory, "lock");
  const bool exists = lstat(path, &found) == 0 && S_ISREG(found.st_mode);
  *owner = (struct run_lock_owner){0};
  if (exists) {
    const struct owner other = owner_read(path);
    clock_gettime(CLOCK_REALTIME, &now);
    machine_read(machine);
    snprintf(owner->host, sizeof owner->host, "%s", other.host);
    snprintf(owner->process, sizeof owner->process, "%.*s",
             *other.process ? word_length(other.process) : 0, other.process);
    snprintf(owner->job, sizeof owner->job, "%.*s", *other.job ? word_length(other.job) : 0,
             other.job);
    owner->age = fmax(0, difftime(now.tv_sec, found.st_mtim.tv_sec));
    owner->lives = same(other.machine, machine) && *other.process ? process_lives(&other)
                                                                  : owner->age <= 3 * RUN_LOCK_DEAD;
  }
  free(path);
  return exists;
}

// ------------------------------------------------------------------------------- the thread

static void *touch_until_the_end(void *argument)
{
  struct run_lock *l = argument;
  pthread_mutex_lock(&l->mutex);
  while (!l->ends) {
    struct timespec next;
    clock_gettime(CLOCK_REALTIME, &next);
    next.tv_sec += RUN_LOCK_TOUCH;
    pthread_cond_timedwait(&l->wake, &l->mutex, &next);
    utimensat(AT_FDCWD, l->path, NULL, AT_SYMLINK_NOFOLLOW);
  }
  pthread_mutex_unlock(&l->mutex);
  return NULL;
}

// Signals are for the main thread.
static struct run_lock *lock_watch(char *path)
{
  struct run_lock *l = memory_create(1, sizeof *l);
  sigset_t all, before;
  l->path = path;
  pthread_mutex_init(&l->mutex, NULL);
  pthread_cond_init(&l->wake, NULL);
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
  const int error = pthread_create(&l->thread, NULL, touch_until_the_end, l);
  pthread_sigmask(SIG_SETMASK, &before, NULL);
  if (error)
    fail(EXIT_OUT_OF_MEMORY, "cannot start a thread: %s", strerror(error));
  return l;
}

struct run_lock *run_lock_take(const char *directory, enum exit_code *code)
{
  const struct owner self = owner_self();
  char *path = run_directory_file(directory, "lock"), *draft = draft_create(directory, &self);
  bool taken = false;
  *code = draft ? EXIT_DONE : EXIT_IO;
  if (!draft)
    message_print("output directory %s: cannot be written: %s", directory, strerror(errno));
  for (int k = 0; k < DYING_TRIES + TRIES && !taken && *code == EXIT_DONE; k++)
    taken = lock_try(directory, path, draft, &self, k < DYING_TRIES, code);
  if (!taken && *code == EXIT_DONE) {
    message_print("output directory %s: other runs start there at the same time", directory);
    *code = EXIT_BAD_INPUT;
  }
  if (draft)
    unlink(draft);
  free(draft);
  if (taken)
    return lock_watch(path);
  free(path);
  return NULL;
}

void run_lock_release(struct run_lock *l)
{
  if (!l)
    return;
  pthread_mutex_lock(&l->mutex);
  l->ends = true;
  pthread_cond_signal(&l->wake);
  pthread_mutex_unlock(&l->mutex);
  pthread_join(l->thread, NULL);
  unlink(l->path);
  pthread_mutex_destroy(&l->mutex);
  pthread_cond_destroy(&l->wake);
  free(l->path);
  memory_destroy(l);
}
