#include "tool.h"

#include "base.h"
#include "message.h"
#include <errno.h>
#include <libgen.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const struct tool {
  const char *name;
  bool command;
  const char *places[2]; // relative to the folder of this program: installed, in a build folder
} tools[] = {
    {"export", true, {"throng-export", "../../tools/export.py"}},
    {"plot", true, {"throng-plot", "../../tools/plot.py"}},
    {"report", true, {"throng-report", "../../tools/report.py"}},
    {"plot_map", false, {"../share/throng/tools/plot_map.py", "../../tools/plot_map.py"}},
    {"view", true, {"throng-view", "../../tools/view.py"}},
};
#define TOOLS (sizeof tools / sizeof *tools)

static const struct tool *tool_named(const char *name)
{
  for (size_t i = 0; i < TOOLS; i++)
    if (strcmp(tools[i].name, name) == 0)
      return &tools[i];
  return NULL;
}

bool tool_is(const char *command)
{
  const struct tool *tool = tool_named(command);
  return tool && tool->command;
}

// The path of the tool, to be freed. NULL and errno if it cannot be started.
static char *tool_path(const struct tool *tool)
{
  char *self = realpath("/proc/self/exe", NULL), *path = NULL;
  const char *folder = self ? dirname(self) : ".";
  int error = ENOENT;
  for (int i = 0; i < 2 && !path; i++) {
    if (asprintf(&path, "%s/%s", folder, tool->places[i]) < 0)
      memory_fail(0);
    if (access(path, X_OK) == 0)
      break;
    error = errno == ENOENT ? error : errno;
    free(path);
    path = NULL;
  }
  free(self);
  errno = error;
  return path;
}

int tool_execute(const char *command, char **arguments)
{
  const struct tool *tool = tool_named(command);
  char *path = tool_path(tool);
  if (path) {
    arguments[0] = path;
    execv(path, arguments);
  }
  if (path && errno == ENOENT) // the file is there: what its first line names is not
    message_print("throng %s: %s cannot be started: the Python that its first line names is not "
                  "installed (Debian, Ubuntu: apt-get install python3); docs/building.md lists the "
                  "packages that it needs",
                  command, path);
  else
    message_print("throng %s: %s cannot be started: %s; it is a Python program (docs/python.md)",
                  command, path ? path : tool->places[0], strerror(errno));
  free(path);
  return EXIT_IO;
}

bool tool_run(const char *name, char **arguments, FILE *input)
{
  char *path = tool_path(tool_named(name));
  posix_spawn_file_actions_t actions;
  pid_t child;
  int error = path ? 0 : errno, status;
  if (path && (error = posix_spawn_file_actions_init(&actions)) == 0) {
    arguments[0] = path;
    rewind(input);
    posix_spawn_file_actions_adddup2(&actions, fileno(input), STDIN_FILENO);
    error = posix_spawn(&child, path, &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    while (!error && waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  }
  free(path);
  errno = error;
  return error == 0;
}
