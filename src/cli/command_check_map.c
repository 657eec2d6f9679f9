// `throng check MAP`: what a map holds, on one screen, and a picture of it.
#include "commands_internal.h"

#include "map.h"
#include "message.h"
#include "tool.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// DIR/NAME-map.png, to be freed; DIR: --output, or here.
static char *picture_path(const struct command_line *line)
{
  const char *slash = strrchr(line->file, '/'), *name = slash ? slash + 1 : line->file;
  const char *dot = strrchr(name, '.'), *folder = line->run.directory;
  char *path = NULL;
  if (asprintf(&path, "%s%s%.*s-map.png", folder ? folder : "", folder && *folder ? "/" : "",
               (int)(dot && dot > name ? dot - name : (ptrdiff_t)strlen(name)), name) < 0)
    memory_fail(0);
  return path;
}

// The tool prints the path, or why there is no picture: that is no error of the map.
static void draw(const struct map *map, const struct command_line *line)
{
  char *path = picture_path(line), *arguments[] = {NULL, path, NULL};
  FILE *file = tmpfile();
  printf("picture       ");
  fflush(stdout);
  if (!file || !map_write(map, file))
    printf("none: no temporary file can be written: %s\n", strerror(errno));
  else if (!tool_run("plot_map", arguments, file))
    printf("none: tools/plot_map.py cannot be started: %s\n", strerror(errno));
  if (file)
    fclose(file);
  free(path);
}

enum exit_code command_check_map(const struct comm *c, const struct command_line *line)
{
  enum exit_code code = EXIT_DONE;
  if (c->rank == 0) {
    struct diagnostics p = {0};
    struct map *map = map_create(line->file, line->run.set, line->run.set_count, &p);
    if (p.warnings)
      message_print_lines(p.warnings);
    if (p.text)
      message_print_lines(p.text);
    code = p.count ? EXIT_BAD_INPUT : EXIT_DONE;
    if (map && !line->run.quiet) {
      map_describe(map, stdout);
      draw(map, line);
    }
    map_destroy(map);
    diagnostics_destroy(&p);
  }
  return comm_agree(c, code);
}
