// Shared by the tests of the command line.
#pragma once
#include "../launch.h"
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef SANITIZED
#define SECONDS 120.0
#else
#define SECONDS 20.0 // enough on a machine that runs other tests
#endif

// Ten agents that cross a square; computes in half a second.
#define SQUARE                                                                                     \
  "world: {extent: [0, 0, 20, 20]}\n"                                                              \
  "time: {step: 0.1, end: 2}\n"                                                                    \
  "sources:\n"                                                                                     \
  "  - {area: {rectangle: [2, 2, 8, 8]}, count: 10, goal: [18, 18]}\n"

static inline void write_file(const char *name, const char *text)
{
  launch_folder();
  FILE *file = fopen(name, "w");
  cr_assert(file, "%s", name);
  fputs(text, file);
  fclose(file);
}

static inline int exists(const char *path)
{
  return access(path, F_OK) == 0;
}

// Expects the exit code and exactly one such message.
static inline void expect_refusal(const struct launched *l, int code, const char *message)
{
  cr_expect(l->code == code, "exit code %d instead of %d\n%s", l->code, code, l->err);
  cr_expect(launch_count(l->err, message) == 1, "not one \"%s\":\n%s", message, l->err);
  cr_expect(l->seconds < SECONDS, "took %.1f s", l->seconds);
}

static inline void expect_success(const struct launched *l)
{
  cr_expect(l->code == 0, "exit code %d\n%s%s", l->code, l->out, l->err);
}

// A script that lacks what it needs says so, and ends with this code.
static inline void skip_if_told(const struct launched *l)
{
  if (l->code == 77)
    cr_skip_test("%s%s", l->out, l->err);
}
