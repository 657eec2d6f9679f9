// `throng status RUN...`: what runs do, from their files. Starts no MPI: it runs on a login node,
// beside the run.
#include "command_status.h"

#include "message.h"
#include "run_status.h"
#include "terminal.h"
#include "utf8.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define LOOK 1.0 // s between two looks at the files: a run that ends is noticed

struct watched {
  struct run_status *runs;
  enum exit_code *codes; // of reading them
  int count;
  int shown_rows, shown_columns; // of the screen that the cursor is below; 0: none
  bool rewrites, json;
};

static void read_all(struct watched *w, char **directories)
{
  for (int i = 0; i < w->count; i++) {
    if (w->codes[i] != EXIT_DONE) // said once
      continue;
    run_status_destroy(&w->runs[i]);
    w->codes[i] = run_status_read(&w->runs[i], directories[i]);
  }
}

static bool all_over(const struct watched *w)
{
  for (int i = 0; i < w->count; i++)
    if (w->codes[i] == EXIT_DONE && !run_status_is_over(&w->runs[i]))
      return false;
  return true;
}

// Of the first run, if any, whose code is not 0. watching: codes of runs count, too.
static enum exit_code code_of(const struct watched *w, bool watching)
{
  enum exit_code code = EXIT_DONE;
  for (int i = 0; i < w->count && code == EXIT_DONE; i++)
    code = w->codes[i] != EXIT_DONE || !watching ? w->codes[i] : run_status_code(&w->runs[i]);
  return code;
}

// lines: one for each run.
static void print_all(const struct watched *w, bool lines, FILE *out)
{
  int width = 0;
  for (int i = 0; i < w->count; i++) {
    const int length = (int)strlen(printable(w->runs[i].directory).text);
    if (w->codes[i] == EXIT_DONE && length > width)
      width = length;
  }
  for (int i = 0; i < w->count; i++)
    if (w->codes[i] != EXIT_DONE)
      continue;
    else if (w->json)
      run_status_print_json(&w->runs[i], out);
    else if (lines)
      run_status_print_line(&w->runs[i], width, out);
    else
      run_status_print(&w->runs[i], out);
}

// ---------------------------------------------------------------------------------- in place

// The bytes of a line that fit. A character beyond ASCII may take two columns.
static int fitting(const char *line, size_t length, int columns)
{
  size_t used = 0, bytes;
  unsigned code;
  while (used < length) {
    utf8_next(line + used, &bytes, &code);
    columns -= bytes > 1 ? 2 : 1;
    if (columns < 0)
      break;
    used += bytes;
  }
  return (int)used;
}

// Over what was shown before, unless the window has changed, which moves the lines about.
static void show(struct watched *w, const char *text)
{
  const struct terminal_size size = terminal_measure(STDOUT_FILENO);
  int rows = 0;
  if (w->shown_rows > 0 && w->shown_columns == size.columns && w->shown_rows < size.rows)
    printf("\033[%dA", w->shown_rows);
  for (const char *end; (end = strchr(text, '\n')) && rows < size.rows - 1; text = end + 1) {
    printf("%.*s\033[K\n", fitting(text, (size_t)(end - text), size.columns - 1), text);
    rows++;
  }
  printf("\033[J");
  w->shown_rows = rows;
  w->shown_columns = size.columns;
}

static void show_all(struct watched *w)
{
  char *text = NULL;
  size_t length;
  FILE *memory = open_memstream(&text, &length);
  if (!memory)
    memory_fail(0);
  print_all(w, w->count > 1, memory);
  if (fclose(memory) == 0 && !terminal_is_lent(STDOUT_FILENO))
    show(w, text);
  free(text);
}

static void print_now(struct watched *w)
{
  if (w->rewrites)
    show_all(w);
  else
    print_all(w, true, stdout);
}

static void watch(struct watched *w, char **directories, double interval)
{
  const double pause = fmin(interval, LOOK);
  const struct timespec look = {(time_t)pause, (long)(1e9 * (pause - floor(pause)))};
  double shown = clock_seconds();
  print_now(w);
  for (bool over = all_over(w); !over && fflush(stdout) == 0;) {
    nanosleep(&look, NULL);
    read_all(w, directories);
    over = all_over(w);
    if (over || clock_seconds() - shown >= interval - 0.5 * pause) {
      print_now(w);
      shown = clock_seconds();
    }
  }
}

bool command_status_is(const struct command_line *line)
{
  return line->command && strcmp(line->command, "status") == 0 && line->file && !line->problem[0] &&
         !line->help && !line->version;
}

enum exit_code command_status(const struct command_line *line)
{
  struct watched w = {.count = line->file_count, .json = line->json};
  w.rewrites = terminal_rewrites(STDOUT_FILENO) && !w.json;
  w.runs = memory_create((size_t)w.count, sizeof *w.runs);
  w.codes = memory_create((size_t)w.count, sizeof *w.codes);
  const bool watches = line->watches;
  read_all(&w, line->files);
  if (watches)
    watch(&w, line->files, line->watch > 0 ? line->watch : w.rewrites ? 2 : 10);
  else
    print_all(&w, w.count > 1, stdout);
  enum exit_code code = code_of(&w, watches);
  if (!message_finish_output() && code == EXIT_DONE)
    code = EXIT_IO;
  for (int i = 0; i < w.count; i++)
    run_status_destroy(&w.runs[i]);
  memory_destroy(w.runs);
  memory_destroy(w.codes);
  return code;
}
