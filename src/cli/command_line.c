#include "command_line.h"

#include "base.h"
#include "diagnostics.h"
#include "session.h"
#include "usage.h"
#include <assert.h>
#include <errno.h>
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SECONDS_MAX 1e9
#define OPTIONS_MAX 24

static bool parse_integer(const char *text, long min, int64_t *value)
{
  char *end;
  errno = 0;
  const long long v = strtoll(text, &end, 10);
  *value = v;
  return errno == 0 && end != text && *end == 0 && v >= min;
}

static void parse_number(struct command_line *line, const char *option, const char *text, long min,
                         int64_t *value)
{
  if (!parse_integer(text, min, value))
    snprintf(line->problem, sizeof line->problem,
             "%s %s: a whole number of at least %ld is expected", option, text, min);
}

// Seconds, or HH:MM:SS.
static void parse_duration(struct command_line *line, const char *option, const char *text,
                           double *seconds)
{
  char *end, rest;
  unsigned h, m, s;
  const bool clock = strchr(text, ':') != NULL;
  errno = 0;
  *seconds = clock ? 0 : strtod(text, &end);
  bool good = !clock && end != text && *end == 0;
  if (clock && *text >= '0' && *text <= '9' &&
      sscanf(text, "%5u:%2u:%2u%c", &h, &m, &s, &rest) == 3) {
    *seconds = 3600.0 * h + 60.0 * m + s;
    good = m < 60 && s < 60;
  }
  if (!good || !(*seconds > 0 && *seconds <= SECONDS_MAX))
    snprintf(line->problem, sizeof line->problem,
             "%s %s: a time above 0 is expected, in seconds or as HH:MM:SS", option, text);
}

// Of the simulation, from 0.
static void parse_time(struct command_line *line, const char *option, const char *text,
                       double *time)
{
  if (!number_parse(text, time) || !(*time >= 0 && *time <= SECONDS_MAX))
    snprintf(line->problem, sizeof line->problem, "%s %s: a time in seconds is expected", option,
             text);
}

// The time is optional, and may be the next word.
static void parse_watch(struct command_line *line, int argc, char **argv)
{
  const char *text = optarg;
  line->watches = true;
  if (!text && optind < argc && strchr("0123456789", argv[optind][0]) && argv[optind][0] &&
      access(argv[optind], F_OK) != 0)
    text = argv[optind++];
  if (text)
    parse_duration(line, "--watch", text, &line->watch);
}

static void parse_option(struct command_line *line, int option)
{
  int64_t number = 0;
  switch (option) {
  case 'o':
    line->run.directory = optarg;
    if (!*optarg)
      snprintf(line->problem, sizeof line->problem, "--output: the name of a folder is expected");
    break;
  case 's':
    line->overrides[line->run.set_count++] = optarg;
    break;
  case 'n':
    parse_number(line, "--steps", optarg, 0, &line->run.steps);
    break;
  case 'r':
    line->run.restart = optarg;
    break;
  case 'w':
    parse_duration(line, "--max-wall", optarg, &line->run.max_wall);
    break;
  case 'F':
    parse_time(line, "--from", optarg, &line->from);
    break;
  case 'T':
    parse_time(line, "--to", optarg, &line->to);
    break;
  case 'c':
    line->config = optarg;
    break;
  case 'b':
    line->run.backend = optarg;
    break;
  case 't':
    parse_number(line, "--threads", optarg, 1, &number);
    if (number > THREADS_MAX)
      snprintf(line->problem, sizeof line->problem, "--threads %s: at most %d are possible", optarg,
               THREADS_MAX);
    else
      line->run.threads = (int)number;
    break;
  case 'j':
    line->json = true;
    break;
  case 'L':
    line->loads_plugin = true;
    break;
  case 'q':
    line->run.quiet = 1;
    break;
  case 'h':
    line->help = true;
    break;
  case 'V':
    line->version = true;
    break;
  default:
    break;
  }
}

// The options of the usage table in getopt's form. The leading colon distinguishes a missing value
// from an unknown option.
static void list_options(struct option options[OPTIONS_MAX], char letters[3 * OPTIONS_MAX + 2])
{
  int count = 0;
  *letters++ = ':';
  for (const struct usage_option *o = usage_options; o->text; o++) {
    assert(count + 1 < OPTIONS_MAX);
    const int value = !o->value          ? no_argument
                      : *o->value == '[' ? optional_argument
                                         : required_argument;
    options[count++] = (struct option){o->name, value, NULL, o->letter};
    *letters++ = o->letter;
    for (int colons = value; colons > 0; colons--) // as many as the constant of getopt_long
      *letters++ = ':';
  }
  options[count] = (struct option){NULL, 0, NULL, 0};
  *letters = 0;
}

void command_line_parse(struct command_line *line, int argc, char **argv)
{
  struct option options[OPTIONS_MAX];
  char letters[3 * OPTIONS_MAX + 2];
  list_options(options, letters);
  *line = (struct command_line){.run = throng_default_options(), .from = -1, .to = -1};
  line->run.directory = ""; // the scenario's, or runs/NAME
  line->overrides = memory_create((size_t)argc, sizeof *line->overrides);
  opterr = 0;
  for (int option; (option = getopt_long(argc, argv, letters, options, NULL)) != -1;) {
    if (line->problem[0]) // report the first mistake only
      continue;
    if (option == '?' || option == ':')
      snprintf(line->problem, sizeof line->problem,
               option == '?' ? "%s: no such option" : "%s: a value is missing", argv[optind - 1]);
    else if (option == 'W')
      parse_watch(line, argc, argv);
    else
      parse_option(line, option);
  }
  line->command = optind < argc ? argv[optind++] : NULL;
  line->files = argv + optind;
  line->file_count = argc - optind;
  line->run.path = line->file = optind < argc ? argv[optind++] : NULL;
  line->run.set = line->overrides;
  const bool takes_more = line->command && strcmp(line->command, "status") == 0;
  if (optind < argc && !line->problem[0] && !takes_more)
    snprintf(line->problem, sizeof line->problem, "%s: one argument too many", argv[optind]);
}

void command_line_destroy(struct command_line *line)
{
  memory_destroy(line->overrides);
  *line = (struct command_line){0};
}
