// Reads log.jsonl, summary.json, alarms.csv, the lock and the names of the checkpoints.
#include "run_status.h"

#include "json.h"
#include "message.h"
#include "run_directory.h"
#include "utf8.h"
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#define LOG_TAIL    (256 << 10) // bytes: hundreds of lines
#define SPEED_OVER  10.0        // s
#define ALARMS_TAIL (4 << 10)
#define SUMMARY_MAX (16 << 20)

// -------------------------------------------------------------------------------------- files

struct tail {
  char *text; // NUL-terminated; NULL: there is no such file, or see error
  size_t length;
  bool whole; // it begins where the file does
  double age; // s since the file was written
  int error;  // errno
};

static double age_of(const struct stat *about)
{
  struct timespec now;
  clock_gettime(CLOCK_REALTIME, &now);
  const double age = difftime(now.tv_sec, about->st_mtim.tv_sec) +
                     1e-9 * (double)(now.tv_nsec - about->st_mtim.tv_nsec);
  return fmax(0, age);
}

static void descriptor_read(struct tail *t, int fd, size_t limit)
{
  struct stat about;
  if (fstat(fd, &about) != 0 || !S_ISREG(about.st_mode)) {
    t->error = EINVAL;
    return;
  }
  const size_t size = (size_t)about.st_size;
  const off_t start = size > limit ? (off_t)(size - limit) : 0;
  char *text = memory_create((size < limit ? size : limit) + 1, 1);
  ssize_t got;
  while (t->length < limit && t->length < size &&
         (got = pread(fd, text + t->length, (size < limit ? size : limit) - t->length,
                      start + (off_t)t->length)) > 0)
    t->length += (size_t)got;
  text[t->length] = 0;
  t->text = text;
  t->whole = start == 0;
  t->age = age_of(&about);
}

// The last bytes of a file.
static struct tail tail_read(const char *directory, const char *name, size_t limit)
{
  struct tail t = {0};
  char *path = run_directory_file(directory, name);
  const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // it may be a pipe
  if (fd >= 0) {
    descriptor_read(&t, fd, limit);
    close(fd);
  } else if (errno != ENOENT) {
    t.error = errno;
  }
  free(path);
  return t;
}

// --------------------------------------------------------------------------------------- JSON

static bool is_object(const char *text, size_t length)
{
  struct json j = {.text = text, .at = text, .end = text + length};
  json_skip(&j);
  while (j.at < j.end && strchr(" \t\r\n", *j.at) && *j.at)
    j.at++;
  return !j.error && j.at == j.end && length > 0 && *text == '{';
}

static double number_of(struct json_span object, const char *key)
{
  const struct json_span value = json_find(object, key);
  char text[64];
  double number;
  if (!value.begin || value.end - value.begin >= (ptrdiff_t)sizeof text)
    return NAN;
  snprintf(text, sizeof text, "%.*s", (int)(value.end - value.begin), value.begin);
  return number_parse(text, &number) ? number : NAN;
}

static void take_number(double *to, struct json_span object, const char *key)
{
  const double number = number_of(object, key);
  if (!isnan(number))
    *to = number;
}

static void take_text(char **to, struct json_span object, const char *key)
{
  const struct json_span value = json_find(object, key);
  if (!value.begin || *value.begin != '"')
    return;
  memory_destroy(*to);
  *to = json_decode(value);
}

// ---------------------------------------------------------------------------------- log.jsonl

static void take_log_line(struct run_status *s, struct json_span line)
{
  const struct json_span densest = json_find(line, "densest"), alarms = json_find(line, "alarms");
  take_text(&s->name, line, "name");
  take_text(&s->stopped, line, "stopped");
  take_number(&s->step, line, "step");
  take_number(&s->steps, line, "steps");
  take_number(&s->time, line, "time_s");
  take_number(&s->end, line, "end_s");
  take_number(&s->wall, line, "wall_s");
  take_number(&s->eta, line, "eta_s");
  take_number(&s->inside, line, "agents");
  take_number(&s->arrived, line, "arrived");
  take_number(&s->speed, line, "agent_steps_per_s");
  take_number(&s->factor, line, "real_time_factor");
  take_number(&s->memory, line, "memory_bytes");
  take_number(&s->ranks, line, "ranks");
  take_number(&s->threads, line, "threads");
  take_number(&s->densest, densest, "density");
  take_number(&s->densest_x, densest, "x");
  take_number(&s->densest_y, densest, "y");
  take_number(&s->alarms_density, alarms, "density");
  take_number(&s->alarms_jam, alarms, "jam");
}

// The last whole line before *end that is a line of a log; *end becomes its beginning. NULLs: there
// is none. What follows the last line end is a line that is being written.
static struct json_span line_before(const struct tail *t, size_t *end, int *damaged)
{
  while (*end > 0) {
    const size_t stop = *end - 1; // the line end
    const char *before = stop > 0 ? memrchr(t->text, '\n', stop) : NULL;
    const size_t start = before ? (size_t)(before - t->text) + 1 : 0;
    const struct json_span line = {t->text + start, t->text + stop};
    *end = start;
    if (start == 0 && !t->whole)
      break; // begins before the tail
    if (is_object(line.begin, stop - start) && !isnan(number_of(line, "step")))
      return line;
    ++*damaged;
  }
  return (struct json_span){NULL, NULL};
}

// Speeds vary from line to line: the mean of some seconds before `end`.
static void speeds_read(struct run_status *s, const struct tail *t, size_t end)
{
  double wall = s->wall, steps = 0, speed = s->speed;
  int ignored = 0;
  for (struct json_span line; s->wall - wall < SPEED_OVER;) {
    line = line_before(t, &end, &ignored);
    const double before = line.begin ? number_of(line, "wall_s") : NAN;
    if (!(before <= wall) || isnan(speed)) // it may be equal: wall_s has three digits
      break;
    if (isnan(s->interval))
      s->interval = wall - before;
    steps += speed * (wall - before);
    wall = before;
    if (wall < s->wall) {
      s->speed = steps / (s->wall - wall);
      s->factor = (s->time - number_of(line, "time_s")) / (s->wall - wall);
    }
    speed = number_of(line, "agent_steps_per_s");
  }
}

// False: there is no line.
static bool log_read(struct run_status *s, const struct tail *t)
{
  const char *last = t->text ? memrchr(t->text, '\n', t->length) : NULL;
  size_t end = last ? (size_t)(last - t->text) + 1 : 0;
  const struct json_span line = line_before(t, &end, &s->damaged);
  if (!line.begin)
    return false;
  take_log_line(s, line);
  s->log_age = t->age;
  if (!s->stopped) // whose line has the mean of the run
    speeds_read(s, t, end);
  return true;
}

// -------------------------------------------------------------------------- the other files

// False: there is none, or it is not complete.
static bool summary_read(struct run_status *s)
{
  struct tail t = tail_read(s->directory, "summary.json", SUMMARY_MAX);
  if (!t.text)
    return false;
  const struct json_span all = {t.text, t.text + t.length};
  const bool good = is_object(t.text, t.length) && !isnan(number_of(all, "steps"));
  if (good) {
    take_text(&s->name, all, "name");
    take_number(&s->step, all, "steps");
    take_number(&s->time, all, "time_s");
    take_number(&s->wall, all, "wall_s");
    take_number(&s->inside, all, "inside");
    take_number(&s->agents, all, "agents");
    take_number(&s->arrived, all, "arrived");
    take_number(&s->speed, all, "agent_steps_per_s");
    take_number(&s->memory, all, "memory_bytes");
    take_number(&s->ranks, all, "ranks");
    take_number(&s->threads, all, "threads");
    s->factor = s->time / (s->wall + 1e-9);
    s->eta = 0;
  }
  memory_destroy(t.text);
  return good;
}

static void last_alarm_read(struct run_status *s)
{
  struct tail t = tail_read(s->directory, "alarms.csv", ALARMS_TAIL);
  char kind[16];
  double time, x, y, value;
  char *end = t.text ? strrchr(t.text, '\n') : NULL;
  if (end) {
    *end = 0;
    const char *before = strrchr(t.text, '\n');
    if (sscanf(before ? before + 1 : t.text, "%lf,%15[a-z],%lf,%lf,%lf", &time, kind, &x, &y,
               &value) == 5)
      snprintf(s->last_alarm, sizeof s->last_alarm, "%s at %.1f s: %.3g %s at (%.2f, %.2f) m", kind,
               time, value, strcmp(kind, "jam") == 0 ? "s blocked" : "persons/m^2", x, y);
  } else {
    s->alarms_density = s->alarms_jam = NAN; // none are asked for
  }
  memory_destroy(t.text);
}

static void checkpoint_read_name(struct run_status *s)
{
  int64_t count;
  int64_t *steps = run_directory_list_steps(s->directory, "checkpoint", "h5", &count);
  struct stat about;
  if (count > 0) {
    char name[80];
    snprintf(name, sizeof name, "checkpoint-%08" PRId64 ".h5", steps[0]);
    char *path = run_directory_file(s->directory, name);
    s->checkpoint = (double)steps[0];
    if (stat(path, &about) == 0)
      s->checkpoint_age = age_of(&about);
    free(path);
  }
  memory_destroy(steps);
}

// ---------------------------------------------------------------------------------- the whole

static enum run_state state_of(const struct run_status *s, bool locked, bool logged, bool finished)
{
  if (locked && s->owner.lives)
    return logged ? RUN_RUNNING : RUN_STARTING;
  if (finished)
    return RUN_FINISHED;
  if (s->stopped)
    return RUN_STOPPED;
  if (locked)
    return RUN_DEAD;
  return s->checkpoint >= s->step ? RUN_STOPPED : RUN_FAILED;
}

static enum exit_code complain(const struct run_status *s, const struct tail *log, bool locked,
                               bool finished)
{
  if (log->error) {
    message_print("%s/log.jsonl: cannot be read: %s", s->directory, strerror(log->error));
    return EXIT_IO;
  }
  if (!log->text && !locked && !finished) {
    message_print("%s: this is no run: it has neither log.jsonl nor summary.json", s->directory);
    return EXIT_BAD_INPUT;
  }
  if (isnan(s->step) && !locked) {
    message_print("%s/log.jsonl: is damaged: not one line of its end is one of a log",
                  s->directory);
    return EXIT_CORRUPT_DATA;
  }
  return EXIT_DONE;
}

enum exit_code run_status_read(struct run_status *s, const char *directory)
{
  struct stat about;
  *s = (struct run_status){.directory = directory};
  s->step = s->steps = s->time = s->end = s->wall = s->eta = s->inside = s->arrived = s->speed =
      NAN;
  s->factor = s->memory = s->ranks = s->threads = s->densest = s->densest_x = s->densest_y = NAN;
  s->alarms_density = s->alarms_jam = s->checkpoint = s->checkpoint_age = NAN;
  s->log_age = s->interval = s->agents = NAN;
  const char *why = stat(directory, &about) != 0 ? strerror(errno)
                    : S_ISDIR(about.st_mode)     ? NULL
                                                 : strerror(ENOTDIR);
  if (why) {
    message_print("%s: this is no run: %s", directory, why);
    return EXIT_BAD_INPUT;
  }
  // First of all: a run that ends meanwhile has written its summary by then.
  const bool locked = run_lock_look(directory, &s->owner);
  struct tail log = tail_read(directory, "log.jsonl", LOG_TAIL);
  const bool logged = log_read(s, &log);
  const bool finished = !(locked && s->owner.lives) && summary_read(s);
  last_alarm_read(s);
  checkpoint_read_name(s);
  const enum exit_code code = complain(s, &log, locked, finished);
  s->state = state_of(s, locked, logged, finished);
  memory_destroy(log.text);
  return code;
}

void run_status_destroy(struct run_status *s)
{
  memory_destroy(s->name);
  memory_destroy(s->stopped);
  *s = (struct run_status){0};
}

bool run_status_is_over(const struct run_status *s)
{
  return s->state != RUN_STARTING && s->state != RUN_RUNNING;
}

enum exit_code run_status_code(const struct run_status *s)
{
  return s->state == RUN_FINISHED  ? EXIT_DONE
         : s->state == RUN_STOPPED ? EXIT_RESUMABLE
                                   : EXIT_INTERNAL_ERROR;
}

const char *run_status_ending(const struct run_status *s)
{
  if (s->state != RUN_FINISHED || !(s->step < s->steps))
    return NULL;
  return s->inside > 0             ? "the program that ran it ended it"
         : s->arrived >= s->agents ? "everybody has arrived"
                                   : "nobody is left";
}

#define QUIET_MIN 120 // s
#define QUIET     10  // times the seconds between the last two lines

bool run_status_is_quiet(const struct run_status *s)
{
  return s->state == RUN_RUNNING && s->log_age > QUIET_MIN && !(s->log_age < QUIET * s->interval);
}
