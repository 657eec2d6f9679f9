#include "usage.h"

#include "base.h"
#include <string.h>

enum { COLUMNS = 100, COMMAND_COLUMN = 34, OPTION_COLUMN = 26 };

const char usage_title[] = "message-passing simulator for massive crowds";

const struct usage_command usage_commands[] = {
    {"run", "CONFIG", "*.yaml *.yml", 1,
     "run a scenario; write snapshots, series.csv and summary.json"},
    {"replay", "RUN", "*", 1,
     "run a part of a finished run again, from the checkpoint before it, with other output"},
    {"status", "RUN...", "*", 1,
     "say what runs do, from their files: progress, densest place, alarms, last checkpoint"},
    {"check", "FILE", "*.yaml *.yml *.geojson *.json *.wkt", 1,
     "validate a scenario and summarise it, or describe a map and draw it; run nothing"},
    {"info", "FILE", "*.vtkhdf *.h5", 0,
     "describe a snapshot, a walls file, a trajectory or a checkpoint"},
    {"export", "RUN", "*", 0,
     "write a run for PedPy, QGIS, ParaView, Blender and others; see throng export --help"},
    {"plot", "KIND RUN", "*", 0, "draw maps, curves and films of a run; see throng plot --help"},
    {"report", "RUN...", "*", 0,
     "write one HTML file with maps, curves and tables of runs; see throng report --help"},
    {"view", "RUN", "*", 0,
     "write one HTML file that plays a run in a browser; see throng view --help"},
    {"options", NULL, NULL, 0, "print every option of a scenario, as Markdown"},
    {NULL, NULL, NULL, 0, NULL},
};

const struct usage_option usage_options[] = {
    {'o', "output", "DIR", USAGE_DIRECTORY, NULL, "output directory (default: runs/NAME)"},
    {'s', "set", "KEY=VALUE", USAGE_OVERRIDE, NULL,
     "override an option of the scenario: --set time.end=60 (repeatable)"},
    {'n', "steps", "N", USAGE_NUMBER, NULL, "run N steps"},
    {'r', "restart", "auto|FILE", USAGE_RESTART, "auto",
     "continue from the newest valid checkpoint in the output directory (from the start if there "
     "is none), or from FILE"},
    {'F', "from", "S", USAGE_NUMBER, NULL, "replay: write files from this simulated time on, in s"},
    {'T', "to", "S", USAGE_NUMBER, NULL,
     "replay: end at this simulated time (default: as the run)"},
    {'c', "config", "CONFIG", USAGE_SCENARIO, NULL,
     "replay: the scenario's file, if it is no longer where the run found it"},
    {'w', "max-wall", "TIME", USAGE_NUMBER, NULL,
     "stop with a checkpoint after this wall time, in seconds or as HH:MM:SS"},
    {'b', "backend", "NAME", USAGE_CHOICE, "auto|scalar|simd|simd4|simd8|simd16|emulated|cuda",
     "auto, scalar, simd, simd4, simd8, simd16, emulated or cuda (default: auto)"},
    {'t', "threads", "N", USAGE_NUMBER, NULL,
     "threads per rank (default: OMP_NUM_THREADS, or the cores of the node divided by the ranks on "
     "it)"},
    {'W', "watch", "[TIME]", USAGE_NO_VALUE, NULL,
     "status: look again after so many seconds (2 on a terminal, else 10), until the run ends, and "
     "return its exit code"},
    {'j', "json", NULL, USAGE_NO_VALUE, NULL, "status: a line of JSON for each run"},
    {'L', "load-plugin", NULL, USAGE_NO_VALUE, NULL,
     "check: load the plug-in that the scenario names, which runs its code, and check its "
     "parameters"},
    {'q', "quiet", NULL, USAGE_NO_VALUE, NULL, "print errors only"},
    {'h', "help", NULL, USAGE_NO_VALUE, NULL, "print this help"},
    {'V', "version", NULL, USAGE_NO_VALUE, NULL, "print the version"},
    {0, NULL, NULL, USAGE_NO_VALUE, NULL, NULL},
};

const struct usage_exit_code usage_exit_codes[] = {
    {EXIT_DONE, "done"},
    {EXIT_BAD_INPUT, "bad command line or scenario"},
    {EXIT_CORRUPT_DATA, "damaged file"},
    {EXIT_INTERNAL_ERROR, "internal error"},
    {EXIT_OUT_OF_MEMORY, "out of memory"},
    {EXIT_IO, "input/output error"},
    {EXIT_RESUMABLE, "stopped early after a checkpoint; continue with --restart auto"},
    {0, NULL},
};

const char usage_stop[] = "SIGTERM, SIGINT, SIGUSR1 or a file named stop in the output directory "
                          "ends a run after the current step, with a checkpoint.";

const struct usage_command *usage_command_find(const char *name)
{
  for (const struct usage_command *c = usage_commands; c->text; c++)
    if (strcmp(name, c->name) == 0)
      return c;
  return NULL;
}

int usage_wrap(FILE *out, const char *text, int column, int indent)
{
  while (*text) {
    const int length = (int)strcspn(text, " ");
    if (column > indent && column + 1 + length > COLUMNS) {
      fprintf(out, "\n%*s", indent, "");
      column = indent;
    } else if (column > indent) {
      fputc(' ', out);
      column++;
    }
    fprintf(out, "%.*s", length, text);
    column += length;
    text += length;
    text += strspn(text, " ");
  }
  return column;
}

// A term that begins at column 2, and its description in a column of its own.
static void entry_print(FILE *out, const char *term, int indent, const char *text)
{
  fprintf(out, "  %-*s", indent - 2, term);
  usage_wrap(out, text, indent, indent);
  fputc('\n', out);
}

static void commands_print(FILE *out)
{
  for (const struct usage_command *c = usage_commands; c->text; c++) {
    char term[80];
    snprintf(term, sizeof term, "throng %s%s%s%s", c->name, c->argument ? " " : "",
             c->argument ? c->argument : "", c->takes_options ? " [options]" : "");
    entry_print(out, term, COMMAND_COLUMN, c->text);
  }
}

static void options_print(FILE *out)
{
  for (const struct usage_option *o = usage_options; o->text; o++) {
    char term[80];
    snprintf(term, sizeof term, "-%c, --%s%s%s", o->letter, o->name, o->value ? " " : "",
             o->value ? o->value : "");
    entry_print(out, term, OPTION_COLUMN, o->text);
  }
}

static void exit_codes_print(FILE *out)
{
  int column = usage_wrap(out, "Exit codes:", 0, 0);
  for (const struct usage_exit_code *e = usage_exit_codes; e->text; e++) {
    char item[120];
    snprintf(item, sizeof item, "%d %s%s", e->code, e->text, e[1].text ? "," : ".");
    column = usage_wrap(out, item, column, 0);
  }
  fputc('\n', out);
}

void usage_print(FILE *out)
{
  fprintf(out, "throng: a %s\n\n", usage_title);
  commands_print(out);
  fputc('\n', out);
  options_print(out);
  fputc('\n', out);
  entry_print(out, "mpirun -n 4 throng run CONFIG", COMMAND_COLUMN,
              "run on 4 ranks: the same result, bit for bit");
  fputc('\n', out);
  usage_wrap(out, usage_stop, 0, 0);
  fputs("\n\n", out);
  exit_codes_print(out);
  fputs("Documentation: man throng, docs/\n", out);
}
