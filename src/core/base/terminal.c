#include "terminal.h"

#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

bool terminal_rewrites(int file)
{
  const char *kind = getenv("TERM");
  return isatty(file) && kind && *kind && strcmp(kind, "dumb") != 0;
}

bool terminal_is_lent(int file)
{
  const pid_t foreground = tcgetpgrp(file); // negative: it does not control this program
  return foreground > 0 && foreground != getpgrp();
}

// A shell exports COLUMNS rarely, and does not correct it when the window changes, so the smaller
// number is right: a line that is too long leaves its first rows behind when it is rewritten.
static int smaller(int measured, const char *variable, int unknown)
{
  const char *text = getenv(variable);
  const long wanted = text ? strtol(text, NULL, 10) : 0;
  if (wanted > 0 && (measured <= 0 || wanted < measured))
    return wanted < 10000 ? (int)wanted : 10000;
  return measured > 0 ? measured : unknown;
}

struct terminal_size terminal_measure(int file)
{
  struct winsize size = {0};
  if (ioctl(file, TIOCGWINSZ, &size) != 0)
    size = (struct winsize){0};
  return (struct terminal_size){smaller(size.ws_col, "COLUMNS", 80),
                                smaller(size.ws_row, "LINES", 24)};
}
