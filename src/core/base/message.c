#include "message.h"

#include "terminal.h"
#include "utf8.h"
#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

// Several threads may print: what uses it is critical.
static volatile sig_atomic_t progress_width; // columns of the progress line before the cursor

struct capture {
  char *text; // [size]; NULL: messages are printed
  size_t size;
};
static struct capture captured;                // of all threads
static _Thread_local struct capture collected; // of this one, which comes first

void message_capture(char *text, size_t size)
{
  captured = (struct capture){text, size};
}

void message_collect(char *text, size_t size)
{
  collected = (struct capture){text, size};
}

static const struct capture *capture(void)
{
  return collected.text ? &collected : captured.text ? &captured : NULL;
}

// A line that a narrower window has broken into rows cannot be erased: some terminals break it,
// some cut it, so nobody knows where it begins. It ends there.
static const char *erasing(void)
{
  const int width = progress_width;
  progress_width = 0;
  if (width == 0)
    return "";
  return width < terminal_measure(STDERR_FILENO).columns ? ERASE_LINE : "\n";
}

static void append(const struct capture *to, const char *text, const char *end)
{
  const size_t used = strlen(to->text);
  snprintf(to->text + used, to->size - used, "%s%s", text, end);
}

// One call a message: those of several ranks do not mix within a line.
void message_print(const char *format, ...)
{
  char text[4096];
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
#pragma omp critical(message)
  if (capture())
    append(capture(), printable(text).text, "\n");
  else
    fprintf(stderr, "%sthrong: %s\n", erasing(), printable(text).text);
}

void message_print_lines(const char *lines)
{
#pragma omp critical(message)
  if (capture())
    append(capture(), lines, "");
  else
    fprintf(stderr, "%s%s", erasing(), lines);
}

void message_print_collected(char *text)
{
  char copy[MESSAGE_COLLECTED];
#pragma omp critical(message)
  {
    snprintf(copy, sizeof copy, "%s", text);
    text[0] = 0;
  }
  char *rest;
  for (char *line = strtok_r(copy, "\n", &rest); line; line = strtok_r(NULL, "\n", &rest))
    message_print("%s", line);
}

bool message_finish_output(void)
{
  const bool lost = ferror(stdout) != 0; // an earlier full buffer, whose reason is gone
  if (fflush(stdout) == 0 && !lost)
    return true;
  message_print("standard output: cannot be written%s%s", lost ? "" : ": ",
                lost ? "" : strerror(errno));
  return false;
}

bool message_rewrites(void)
{
  return terminal_rewrites(STDERR_FILENO);
}

int message_columns(void)
{
  return terminal_measure(STDERR_FILENO).columns - 1;
}

void message_progress(const char *text)
{
  if (!message_rewrites()) {
#pragma omp critical(message)
    fprintf(stderr, "%s\n", text);
    return;
  }
  if (terminal_is_lent(STDERR_FILENO))
    return;
  const int columns = message_columns(), length = (int)strlen(text);
  const int width = length < columns ? length : columns;
#pragma omp critical(message)
  {
    fprintf(stderr, "%s%.*s", erasing(), width, text);
    progress_width = width;
  }
}

void message_erase_progress(void)
{
#pragma omp critical(message)
  fputs(erasing(), stderr);
}

void message_end_progress(void)
{
  if (progress_width > 0 && write(STDERR_FILENO, "\n", 1) == 1)
    progress_width = 0;
}
