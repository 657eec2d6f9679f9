// Results that the papers report for their scenes, run from configs/papers.
#include "cli.h"
#include "extent.h"

// Sanitizers need no second seed.
#if SHORT
#define SEEDS 1
#else
#define SEEDS 3
#endif

static double summary_number(const char *name)
{
  char *summary = launch_read("run/summary.json");
  const char *found = strstr(summary, name);
  cr_assert(found, "%s", name);
  const double value = strtod(found + strlen(name) + 3, NULL); // after `": `
  free(summary);
  return value;
}

static void run_scene(const char *scene, const char *options)
{
  struct launched l =
      launch("'%s' run '%s/%s' %s --quiet --output run", THRONG, PAPERS, scene, options);
  expect_success(&l);
  launched_destroy(&l);
}

// Guy et al. 2009, section 6: steering alone collides; with ClearPath there is no collision.
Test(papers, back_and_forth_overlaps_without_clearpath_alone)
{
  static const char *const seeds[] = {"--set seed=1", "--set seed=2", "--set seed=3"};
  for (int i = 0; i < SEEDS; i++) {
    run_scene("clearpath-back-and-forth.yaml", seeds[i]);
    cr_expect(summary_number("\"overlaps") == 0, "%g overlaps", summary_number("\"overlaps"));
  }
  run_scene("clearpath-back-and-forth.yaml", "--set avoidance.method=none");
  cr_expect(summary_number("\"overlaps") > 300, "%g overlaps", summary_number("\"overlaps"));
}

static double last_of_series(const char *column)
{
  char *series = launch_read("run/series.csv");
  cr_assert(series);
  char *row = strrchr(series, '\n');
  while (row > series && row[-1] != '\n')
    row--;
  char *name = series, *value = row;
  while (strncmp(name, column, strlen(column)) != 0) {
    name = strchr(name, ',') + 1;
    value = strchr(value, ',') + 1;
  }
  const double found = strtod(value, NULL);
  free(series);
  return found;
}

// Guy et al. 2009, section 3: agents have a greatest acceleration. Without one, a jam trembles: the
// speed of the steps stays high, but nobody gets anywhere.
Test(papers, four_streams_flow_with_an_acceleration_limit_and_tremble_without)
{
  run_scene("clearpath-4-streams.yaml", "--set time.end=90");
  const double flow = last_of_series("net_speed_m_s") / last_of_series("mean_speed_m_s");
  cr_expect(flow > 0.95, "%g", flow);
  run_scene("clearpath-4-streams.yaml", "--set time.end=90 --set avoidance.max_acceleration=0");
  const double tremble = last_of_series("net_speed_m_s") / last_of_series("mean_speed_m_s");
  cr_expect(tremble < 0.3, "%g", tremble);
}

// Bleiweiss 2009, Simple: the paper needs 607 frames; a straight line at full speed needs 566.
Test(papers, simple_takes_about_as_long)
{
  static const char *const options[] = {"", "--set seed=2", "--set seed=3"};
  for (int i = 0; i < SEEDS; i++) {
    run_scene("bleiweiss-simple.yaml", options[i]);
    cr_expect(summary_number("\"arrived") == 4 && summary_number("\"overlaps") == 0);
    const double frames = summary_number("\"steps");
    cr_expect(frames >= 566 && frames <= 700, "%g frames", frames);
  }
}
