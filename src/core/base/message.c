#include "message.h"

#include "utf8.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define ERASE_LINE "\r\033[K"

// Several threads may print: what uses it is critical.
static bool progress_stands; // the cursor is at the end of a progress line

static char *captured; // [captured_size] NULL: messages are printed
static size_t captured_size;

void message_capture(char *text, size_t size)
{
  captured = text;
  captured_size = size;
}

static const char *erasing(void)
{
  const char *const sequence = progress_stands ? ERASE_LINE : "";
  progress_stands = false;
  return sequence;
}

__attribute__((format(printf, 1, 2))) static void capture(const char *format, ...)
{
  const size_t used = strlen(captured);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(captured + used, captured_size - used, format, arguments);
  va_end(arguments);
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
  if (captured)
    capture("%s\n", printable(text).text);
  else
    fprintf(stderr, "%sthrong: %s\n", erasing(), printable(text).text);
}

void message_print_lines(const char *lines)
{
#pragma omp critical(message)
  if (captured)
    capture("%s", lines);
  else
    fprintf(stderr, "%s%s", erasing(), lines);
}

bool message_is_terminal(void)
{
  return isatty(STDERR_FILENO);
}

void message_progress(const char *text)
{
  const bool rewrites = message_is_terminal();
#pragma omp critical(message)
  {
    fprintf(stderr, "%s%s%s", rewrites ? ERASE_LINE : "", text, rewrites ? "" : "\n");
    fflush(stderr);
    progress_stands = rewrites;
  }
}

void message_erase_progress(void)
{
#pragma omp critical(message)
  fputs(erasing(), stderr);
}
