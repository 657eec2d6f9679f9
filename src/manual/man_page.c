// The manual page in the man macros of roff (man 7 groff_man).
#include "manual_pages.h"

#include "options_reference.h"
#include "usage.h"
#include <string.h>

// Writes text that roff must not interpret. Backquotes set `words` in bold, if there are any.
static void text_print(FILE *out, const char *text)
{
  int bold = 0;
  if (*text == '.')
    fputs("\\&", out);
  for (const char *c = text; *c; c++) {
    static const char special[] = "\\-'^~";
    static const char *const escaped[] = {"\\e", "\\-", "\\(aq", "\\(ha", "\\(ti"};
    const char *found = strchr(special, *c);
    if (*c == '`')
      fputs((bold = !bold) ? "\\fB" : "\\fR", out);
    else if (found)
      fputs(escaped[found - special], out);
    else
      fputc(*c, out);
    if (*c == ',' && c[1] != ' ')
      fputs("\\:", out); // a list of names may be broken here
  }
}

static void line_print(FILE *out, const char *text)
{
  text_print(out, text);
  fputc('\n', out);
}

static void bold_print(FILE *out, const char *text)
{
  fputs("\\fB", out);
  text_print(out, text);
  fputs("\\fR", out);
}

static void italic_print(FILE *out, const char *text)
{
  fputs("\\fI", out);
  text_print(out, text);
  fputs("\\fR", out);
}

struct entry {
  const char *term, *text;
};

static void entries_print(FILE *out, const char *section, const struct entry *entries)
{
  fprintf(out, ".SH %s\n", section);
  for (const struct entry *e = entries; e->term; e++) {
    fputs(".TP\n", out);
    bold_print(out, e->term);
    fputc('\n', out);
    line_print(out, e->text);
  }
}

static void synopsis_print(FILE *out)
{
  fputs(".SH SYNOPSIS\n", out);
  for (const struct usage_command *c = usage_commands; c->text; c++) {
    fprintf(out, "\\fBthrong %s\\fR", c->name);
    if (c->argument) {
      fputc(' ', out);
      italic_print(out, c->argument);
    }
    fputs(c->takes_options ? " [\\fIoptions\\fR]\n.br\n" : "\n.br\n", out);
  }
  fputs("\\fBmpirun \\-n\\fR \\fIN\\fR \\fBthrong run\\fR \\fICONFIG\\fR [\\fIoptions\\fR]\n", out);
}

static void description_print(FILE *out)
{
  static const char *const paragraphs[] = {
      "throng simulates massive crowds of pedestrians, on anything from one core to a cluster. "
      "Each "
      "agent perceives nearby agents and walls, computes a preferred velocity towards its "
      "destination, and takes the closest collision-free velocity.",
      "The same scenario and seed give the same bits on any number of ranks and threads and at any "
      "SIMD width. Every run ends with a checksum that verifies it.",
      "`CONFIG` is a scenario: one YAML file, whose options are listed below. A scenario with an "
      "error is refused before the first step, with file, line and column of the error.",
      NULL,
  };
  fputs(".SH DESCRIPTION\n", out);
  for (int i = 0; paragraphs[i]; i++) {
    fputs(i ? ".PP\n" : "", out);
    line_print(out, paragraphs[i]);
  }
}

static void commands_print(FILE *out)
{
  fputs(".SH COMMANDS\n", out);
  for (const struct usage_command *c = usage_commands; c->text; c++) {
    fputs(".TP\n", out);
    bold_print(out, c->name);
    if (c->argument) {
      fputc(' ', out);
      italic_print(out, c->argument);
    }
    fputc('\n', out);
    line_print(out, c->text);
  }
}

static void options_print(FILE *out)
{
  fputs(".SH OPTIONS\n", out);
  for (const struct usage_option *o = usage_options; o->text; o++) {
    fprintf(out, ".TP\n\\fB\\-%c\\fR, ", o->letter);
    fputs("\\fB\\-\\-", out);
    text_print(out, o->name);
    fputs("\\fR", out);
    if (o->value) {
      fputc(' ', out);
      italic_print(out, o->value);
    }
    fputc('\n', out);
    line_print(out, o->text);
  }
  fputs(".PP\n", out);
  line_print(out, usage_stop);
}

// One option of a scenario: its key and value, then meaning, range and default.
static void scenario_option_print(FILE *out, const struct option *o)
{
  fputs(".TP\n", out);
  bold_print(out, o->path);
  fputc(' ', out);
  if (o->choices)
    for (const char *c = o->choices; *c; c++)
      fprintf(out, *c == '|' ? " | " : "%c", *c);
  else
    italic_print(out, option_type_text(o));
  fputc('\n', out);
  line_print(out, o->meaning);
  char range[200] = "";
  FILE *text = fmemopen(range, sizeof range, "w");
  if (text) {
    option_range_print(o, text);
    fclose(text);
  }
  if (*range) {
    fputs(strchr("-0123456789", *range) ? "Range: " : "Unit: ", out);
    text_print(out, range);
    fputs(".\n", out);
  }
  if (o->fallback && strcmp(o->fallback, "!") == 0) {
    fputs("Required.\n", out);
  } else if (o->fallback) {
    fputs("Default: ", out);
    bold_print(out, o->fallback);
    fputs(".\n", out);
  }
}

static void scenario_options_print(FILE *out)
{
  fputs(".SH SCENARIO OPTIONS\n", out);
  line_print(out, "All numbers are in SI units. `--set` overrides any option by its key: "
                  "`--set time.end=60`, `--set sources.0.count=500` by index or "
                  "`--set sources.west.count=500` by name. The notation of areas and "
                  "distributions is explained in options.md, which `throng options` prints.");
  for (int scope = SCOPE_FILE; scope < SCOPE_COUNT; scope++) {
    if (option_scopes[scope].title) {
      fprintf(out, ".SS %s\n", option_scopes[scope].title);
      text_print(out, option_scopes[scope].text);
      fputs(":\n", out);
    }
    const struct option *o;
    for (int i = 0; (o = option_at((enum option_scope)scope, i)); i++)
      scenario_option_print(out, o);
  }
}

static void exit_status_print(FILE *out)
{
  fputs(".SH EXIT STATUS\n", out);
  for (const struct usage_exit_code *e = usage_exit_codes; e->text; e++) {
    fprintf(out, ".TP\n\\fB%d\\fR\n", e->code);
    line_print(out, e->text);
  }
}

static const struct entry environment[] = {
    {"OMP_NUM_THREADS", "Threads per rank, at most 1024, unless `--threads` is given."},
    {"OMP_WAIT_POLICY",
     "How threads wait for each other. Not set, they spin where each has a core, and sleep where "
     "other programs need the cores."},
    {"OMPI_ALLOW_RUN_AS_ROOT, OMPI_ALLOW_RUN_AS_ROOT_CONFIRM",
     "Open MPI requires that both are 1 if root starts `mpirun`."},
    {NULL, NULL},
};

static const struct entry files[] = {
    {"snapshot-STEP.vtkhdf, snapshots.xdmf",
     "Snapshots of all agents in HDF5, and the series for ParaView."},
    {"walls.vtkhdf", "The walls."},
    {"series.csv", "Numbers of the whole crowd over time."},
    {"travel.csv", "Travel times."},
    {"log.jsonl, summary.json", "What the run cost, and its result with the checksum."},
    {"previous/", "The run that the directory held before."},
    {NULL, NULL},
};

static const struct entry programs[] = {
    {"throng-plot KIND RUN", "As throng plot: draws maps, curves and films of a run. Needs Python "
                             "with numpy, h5py and matplotlib."},
    {"throng-collect DIR", "Prints means and confidence intervals of a sweep."},
    {"throng-sweep CONFIG -o DIR --over KEY VALUE...",
     "Runs many values and seeds. Needs Python 3."},
    {"throng-plugin SOURCE.c", "Compiles an avoidance method of one's own. Needs a C compiler."},
    {"throng-osm2geojson IN OUT", "Converts OpenStreetMap data to a map. Needs osmium and Python "
                                  "with shapely."},
    {"throng-dxf2geojson IN OUT", "Converts layers of a CAD drawing to a map. Needs Python with "
                                  "ezdxf."},
    {"throng-bench", "Measures the speed of the parts of a step."},
    {NULL, NULL},
};

void man_page_print(FILE *out)
{
  fprintf(out, ".TH THRONG 1 \"%s\" \"throng %s\" \"User Commands\"\n", MANUAL_DATE,
          MANUAL_VERSION);
  fputs(".nh\n.ad l\n", out); // keys are too long to be hyphenated or spread
  fprintf(out, ".SH NAME\nthrong \\- %s\n", usage_title);
  synopsis_print(out);
  description_print(out);
  commands_print(out);
  options_print(out);
  scenario_options_print(out);
  exit_status_print(out);
  entries_print(out, "ENVIRONMENT", environment);
  entries_print(out, "FILES", files);
  entries_print(out, "OTHER PROGRAMS", programs);
  fputs(".SH EXAMPLES\n.EX\n", out);
  fputs("throng check hall.yaml\n"
        "mpirun \\-n 4 throng run hall.yaml \\-\\-set time.end=60\n"
        "throng status runs/hall \\-\\-watch\n"
        "throng\\-plot runs/hall \\-\\-movie\n.EE\n",
        out);
  fputs(".SH SEE ALSO\n.BR mpirun (1)\n", out);
}
