#include "tool.h"

#include "base.h"
#include "message.h"
#include <errno.h>
#include <libgen.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const struct tool {
  const char *command;
  const char *places[2]; // relative to the folder of this program: installed, in a build folder
} tools[] = {{"export", {"throng-export", "../../tools/export.py"}}};
#define TOOLS (sizeof tools / sizeof *tools)

static const struct tool *tool_named(const char *command)
{
  for (size_t i = 0; i < TOOLS; i++)
    if (strcmp(tools[i].command, command) == 0)
      return &tools[i];
  return NULL;
}

bool tool_is(const char *command)
{
  return tool_named(command) != NULL;
}

int tool_execute(const char *command, char **arguments)
{
  const struct tool *tool = tool_named(command);
  char *self = realpath("/proc/self/exe", NULL), *path = NULL;
  const char *folder = self ? dirname(self) : ".";
  int error = ENOENT;
  for (int i = 0; i < 2; i++) {
    if (asprintf(&path, "%s/%s", folder, tool->places[i]) < 0)
      memory_fail(0);
    arguments[0] = path;
    execv(path, arguments);
    error = errno == ENOENT ? error : errno;
    free(path);
  }
  message_print("throng %s: %s cannot be started: %s; it is a Python program (docs/python.md)",
                command, tool->places[0], strerror(error));
  free(self);
  return EXIT_IO;
}
