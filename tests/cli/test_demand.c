// Agents that enter over time, and their activities at destinations.
#include "cli.h"
#include <stdlib.h>

#define CORRIDOR                                                                                   \
  "world: {extent: [0, 0, 40, 10]}\n"                                                              \
  "profiles: [{name: p, speed: 1.3}]\n"                                                            \
  "output: {snapshot_every: 0, series_every: 0.1}\n"

struct row {
  double time;
  long agents, arrived; // inside now, arrived so far
};

// The last row of series.csv up to that time, s.
static struct row series_at(const char *run, double time)
{
  char path[100];
  snprintf(path, sizeof path, "%s/series.csv", run);
  char *text = launch_read(path);
  struct row row = {-1, -1, -1}, one;
  for (char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (sscanf(line, "%*d,%lf,%ld,%ld", &one.time, &one.agents, &one.arrived) == 3 &&
        one.time < time + 0.01)
      row = one;
  cr_assert(row.time >= 0, "no row of %g s in\n%s", time, text ? text : "nothing");
  free(text);
  return row;
}

static void run(const char *yaml, const char *options)
{
  write_file("demand.yaml", yaml);
  struct launched l = launch("'%s' run demand.yaml -o out --quiet %s", THRONG, options);
  expect_success(&l);
  launched_destroy(&l);
}

static long come_until(double time)
{
  const struct row row = series_at("out", time);
  return row.agents + row.arrived;
}

Test(demand, comes_evenly_at_its_rate)
{
  run(CORRIDOR "time: {end: 20}\nsources:\n  - {area: {rectangle: [1, 1, 9, 9]}, rate: 2, begin: 3,"
               " end: 13, goal: [39, 5]}\n",
      "");
  cr_expect(come_until(3) == 0);
  for (int t = 4; t <= 13; t++)
    cr_expect(come_until(t) == 2 * (t - 3), "%d s: %ld", t, come_until(t));
  cr_expect(come_until(20) == 20);
}

Test(demand, at_random_comes_about_as_often)
{
  run(CORRIDOR "time: {end: 300}\nsources:\n  - {area: {rectangle: [1, 1, 9, 9]}, rate: 2, "
               "arrivals: random, goal: [39, 5]}\n",
      "");
  const double come = (double)come_until(300); // 600, deviation 24.5
  cr_expect(come > 600 - 100 && come < 600 + 100 && come != 600, "%g", come);
  int unlike = 0; // intervals that differ from the mean
  for (int t = 10; t < 290; t += 10)
    unlike += come_until(t + 10) - come_until(t) != 20;
  cr_expect(unlike > 10, "%d", unlike);
}

Test(demand, of_a_timetable_waits_for_room)
{
  run(CORRIDOR "time: {end: 60}\nsources:\n  - {area: {rectangle: [1, 1, 3, 3]}, timetable: [[5, "
               "60]], goal: [39, 5]}\n",
      "");
  cr_expect(come_until(4.9) == 0);
  cr_expect(come_until(5) > 0 && come_until(5) < 60, "not all of them fit at once: %ld",
            come_until(5));
  cr_expect(come_until(60) == 60);
  char *summary = launch_read("out/summary.json");
  const char *deepest = summary ? strstr(summary, "\"deepest_overlap_m\": ") : NULL;
  cr_expect(deepest && strtod(deepest + 21, NULL) < 0.03, "no agent entered on top of another: %s",
            summary);
  free(summary);
}

static void expect_all_trips(const char *trips)
{
  write_file("trips.csv", trips);
  run(CORRIDOR "time: {end: 90}\ndestinations:\n  - {name: east, areas: [{rectangle: [38, 0, 40, "
               "10]}]}\n  - {name: south, areas: [{rectangle: [15, 0, 20, 1]}]}\n"
               "sources:\n  - {name: west, area: {rectangle: [1, 1, 9, 9]}}\ntrips: trips.csv\n",
      "");
  cr_expect(series_at("out", 0).agents == 3);
  cr_expect(come_until(4) == 3 + 3 + 5, "%ld", come_until(4));
  char *summary = launch_read("out/summary.json");
  cr_expect(summary && strstr(summary, "\"arrived\": 15"), "%s", summary);
  free(summary);
}

Test(demand, by_trips_is_counted_to_the_last)
{
  expect_all_trips("from,to,people,begin,end\nwest,east,7,0,10\nwest,south,5,2,4\n"
                   "west,east,3,,\n");
  expect_all_trips("from;to;people;begin;end\r\nwest;\"east\";7;0,0;10\r\n\"west\";south;5;2;4\r\n"
                   "west;east;3;;\r\n");
}

Test(demand, is_served_one_after_the_other)
{
  run(CORRIDOR "time: {end: 60}\ndestinations:\n  - {name: desk, areas: [{rectangle: [15, 3, 18, "
               "7]}], queue: {line: [[20, 5], [14, 5]], service: 3}}\n  - {name: out, areas: "
               "[{rectangle: [22, 0, 24, 10]}]}\njourneys: [{name: buy, via: [desk, out]}]\n"
               "sources:\n  - {area: {rectangle: [10, 2, 14, 8]}, count: 12, journey: buy}\n",
      "");
  const struct row end = series_at("out", 60);
  cr_expect(end.arrived <= 19 && end.arrived >= 11, "%ld in a minute, 3 s each", end.arrived);
  for (int t = 15; t < 50; t += 3) { // one in three seconds, two if both ends count one
    const long more = series_at("out", t + 3).arrived - series_at("out", t).arrived;
    cr_expect(more <= 2, "%ld in three seconds", more);
  }
}

Test(demand, leaves_no_faster_than_the_exit_lets_out)
{
  run(CORRIDOR "time: {end: 100}\nnavigation: {model: field}\ndestinations:\n  - {name: out, areas:"
               " [{rectangle: [30, 0, 40, 10]}], flow: 0.5}\n"
               "sources:\n  - {area: {rectangle: [10, 1, 20, 9]}, count: 30, destination: out}\n",
      "");
  const long by_80 = series_at("out", 80).arrived;
  cr_expect(by_80 == 30, "%ld", by_80);
  for (int t = 10; t < 80; t += 10) {
    const long more = series_at("out", t + 10).arrived - series_at("out", t).arrived;
    cr_expect(more <= 6, "%ld in ten seconds", more);
  }
  cr_expect(series_at("out", 40).arrived <= 20);
}

Test(demand, stays_and_comes_again)
{
  run(CORRIDOR "time: {end: 90}\ndestinations:\n  - {name: a, areas: [{circle: [10, 5, 2]}], stay: "
               "5}\n  - {name: b, areas: [{circle: [20, 5, 2]}]}\n"
               "journeys: [{name: round, via: [a, b], then: again}, {name: once, via: [a, b]}]\n"
               "sources:\n  - {area: {rectangle: [1, 1, 5, 9]}, count: 4, journey: round}\n"
               "  - {area: {rectangle: [31, 1, 35, 9]}, count: 4, journey: once}\n",
      "");
  const struct row end = series_at("out", 90);
  cr_expect(end.agents == 4 && end.arrived == 4, "%ld, %ld", end.agents, end.arrived);
  // From x = 35 to 12, a stay of 5 s, then to 18: at least 27 m and 5 s.
  cr_expect(series_at("out", 20).arrived == 0);
}

Test(demand, refuses_what_makes_no_sense)
{
  write_file("demand.yaml", CORRIDOR
             "destinations:\n"
             "  - {name: east, areas: [{rectangle: [38, 0, 40, 10]}]}\n"
             "journeys: [{name: tour, via: [{nearest: [east, eats]}]}]\n"
             "sources:\n"
             "  - {area: {rectangle: [1, 1, 9, 9]}, rate: 2, end: 3, begin: 4, goal: [5, 5]}\n"
             "  - {area: {rectangle: [1, 1, 9, 9]}, count: 2, journey: tuor}\n"
             "  - {area: {rectangle: [1, 1, 9, 9]}, timetable: [[3, 1], [2, 4]], "
             "destination: east}\n");
  struct launched l = launch("'%s' check demand.yaml", THRONG);
  cr_expect(l.code == 64, "%d", l.code);
  static const char *const lines[] = {
      "demand.yaml:10:50: sources[2].timetable: times must increase: 2 s comes after 3 s"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    cr_expect(strstr(l.err, lines[i]), "%s\nis missing in\n%s", lines[i], l.err);
  launched_destroy(&l);
  l = launch("'%s' check demand.yaml --set sources.2.timetable=[[1,2]]", THRONG);
  static const char *const more[] = {
      "demand.yaml:8:53: sources[0].end: must be later than begin\n",
      "demand.yaml:9:58: sources[1].journey: \"tuor\" is not a journey; did you mean tour?\n",
      "demand.yaml:6:48: journeys[0].via[0]: \"eats\" is not a destination (east); did you mean "
      "east?\n"};
  for (size_t i = 0; i < sizeof more / sizeof *more; i++)
    cr_expect(strstr(l.err, more[i]), "%s\nis missing in\n%s", more[i], l.err);
  launched_destroy(&l);
}

#define DOORS                                                                                      \
  CORRIDOR "time: {end: 60}\nnavigation: {model: field}\n"                                         \
           "destinations: [{name: out, areas: [{rectangle: [36, 0, 40, 4]}, {rectangle: [36, 6, "  \
           "40, 10]}]}]\n"                                                                         \
           "doors: [{name: gate, line: [[20, 0], [20, 10]]}]\n"                                    \
           "sources:\n  - {name: west, area: {rectangle: [1, 1, 9, 9]}, count: 20, destination: "  \
           "out}\n"

Test(demand, waits_behind_a_door_that_has_closed)
{
  run(DOORS "events: [{at: 1, close: [gate]}, {at: 30, open: [gate]}]\n", "");
  cr_expect(series_at("out", 30).arrived == 0, "nobody gets through");
  cr_expect(series_at("out", 60).arrived == 20, "everybody does, once it is open again: %ld",
            series_at("out", 60).arrived);
  run(DOORS, "--set profiles.p.walking.model=none"); // all walk at 1.3 m/s, straight
  cr_expect(series_at("out", 28).arrived == 20, "without events no agent waits: %ld",
            series_at("out", 28).arrived);
}

Test(demand, waits_behind_a_door_by_the_roadmap_too)
{
  run(DOORS "events: [{at: 1, close: [gate]}, {at: 30, open: [gate]}]\n",
      "--set navigation.model=roadmap");
  cr_expect(series_at("out", 30).arrived == 0, "nobody gets through");
  cr_expect(series_at("out", 60).arrived == 20, "everybody does, once it is open again: %ld",
            series_at("out", 60).arrived);
}

// One of two exits is unreachable: agents blocked there are re-routed to the other.
Test(demand, turns_to_another_exit_when_it_is_blocked)
{
  static const char yaml[] =
      "world:\n  extent: [0, 0, 40, 10]\n  obstacles:\n"
      "    - \"POLYGON ((30 0, 31 0, 31 10, 30 10, 30 0))\"\n"
      "navigation: {model: direct}\n"
      "profiles: [{name: p, speed: 1.3}]\noutput: {snapshot_every: 0, series_every: 0.1}\n"
      "time: {end: 90}\ndestinations:\n"
      "  - {name: behind, areas: [{rectangle: [33, 0, 40, 10]}]}\n"
      "  - {name: open, areas: [{rectangle: [0, 8, 2, 10]}]}\n"
      "journeys: [{name: out, via: [{random: {behind: 1, open: 1}}]}]\n"
      "sources: [{area: {rectangle: [10, 1, 20, 9]}, count: 20, journey: out}]\n";
  run(yaml, "");
  const long stuck = series_at("out", 90).agents;
  cr_expect(stuck > 0 && stuck < 20, "%ld", stuck);
  run(yaml, "--set avoidance.jam=re_route");
  cr_expect(series_at("out", 90).agents == 0, "%ld", series_at("out", 90).agents);
}

Test(demand, of_events_by_count)
{
  run(DOORS "events:\n  - {area: {rectangle: [21, 0, 40, 10]}, count_above: 3, close: [gate]}\n"
            "  - {area: {rectangle: [0, 0, 40, 10]}, count_below: 2, open: [gate]}\n",
      "");
  const struct row end = series_at("out", 60);
  cr_expect(end.arrived + end.agents == 20 && end.arrived > 0 && end.arrived < 20,
            "some were through before: %ld", end.arrived);
}

Test(demand, follows_a_change_of_rate)
{
  run(CORRIDOR "time: {end: 40}\nsources:\n  - {name: west, area: {rectangle: [1, 1, 9, 9]}, rate: "
               "1, goal: [39, 5]}\nevents: [{at: 10, rate: {west: 3}}, {at: 20, rate: {west: 0}}, "
               "{at: 30, rate: {west: 1}}]\n",
      "");
  cr_expect(come_until(10) == 10);
  cr_expect(labs(come_until(20) - 40) <= 1, "%ld", come_until(20));
  cr_expect(come_until(29.5) == come_until(20.5), "%ld", come_until(29.5));
  cr_expect(labs(come_until(40) - come_until(30) - 10) <= 1, "%ld", come_until(40));
}

Test(demand, refuses_events_that_make_no_sense)
{
  write_file("demand.yaml", DOORS "events:\n"
                                  "  - {at: 3}\n"
                                  "  - {close: [gat]}\n"
                                  "  - {at: 3, call: [oot], rate: {wst: 2}}\n"
                                  "  - {at: 3, open: [out.2]}\n");
  struct launched l = launch("'%s' check demand.yaml", THRONG);
  cr_expect(l.code == 64, "%d", l.code);
  static const char *const lines[] = {
      "demand.yaml:11:5: events[0]: one of open, close, call and rate is expected\n",
      "demand.yaml:12:5: events[1]: at is expected, or an area and one of count_above, count_below "
      "and density_above\n",
      "demand.yaml:12:14: events[1].close: \"gat\" is neither a door, nor a destination, nor an "
      "area of one (name.0)\n",
      "demand.yaml:13:20: events[2].call: \"oot\" is not a destination (out); did you mean out?\n",
      "demand.yaml:13:33: events[2].rate: {source: factor} is expected, \"wst\" is not a source\n",
      "demand.yaml:14:20: events[3].open: \"out.2\" is neither a door, nor a destination, nor an "
      "area of one (name.0)\n"};
  for (size_t i = 0; i < sizeof lines / sizeof *lines; i++)
    cr_expect(strstr(l.err, lines[i]), "%s\nis missing in\n%s", lines[i], l.err);
  launched_destroy(&l);
}

// Two exits, the far one free: only with live travel times some agents go there.
Test(demand, avoids_a_jam_when_travel_times_are_live)
{
  static const char scene[] =
      "world:\n  extent: [0, 0, 34, 40]\n  obstacles:\n"
      "    - \"POLYGON ((30 0, 31 0, 31 4, 30 4, 30 0))\"\n"
      "    - \"POLYGON ((30 5, 31 5, 31 33, 30 33, 30 5))\"\n"
      "    - \"POLYGON ((30 34, 31 34, 31 40, 30 40, 30 34))\"\n"
      "time: {end: 40}\nnavigation: {model: field, cell: 0.25}\n"
      "output: {snapshot_every: 0, series_every: 0.1}\n"
      "destinations: [{name: out, areas: [{rectangle: [31, 4, 33, 5]}, {rectangle: [31, 33, 33, "
      "34]}]}]\n"
      "sources: [{area: {rectangle: [2, 1, 28, 9]}, count: 300, destination: out}]\n"
      "events: [{area: {rectangle: [22, 26, 30, 40]}, count_above: 3, close: [out]}]\n";
  write_file("demand.yaml", scene);
  struct launched l = launch("'%s' run demand.yaml -o still --quiet", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  l = launch("'%s' run demand.yaml -o live --quiet --set navigation.live.period=2", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  char *still = launch_read("still/summary.json"), *live = launch_read("live/summary.json");
  cr_expect(still && strstr(still, "\"events\": []"), "no agent comes to the far exit: %s", still);
  cr_expect(live && strstr(live, "\"events\": [{\"name\": \"events[0]\""), "some do: %s", live);
  free(still);
  free(live);
}

// Regression tests: each was once accepted, and no agent ever moved.
Test(demand, refuses_what_no_agent_could_do)
{
  static const struct {
    const char *more, *message;
  } cases[] = {
      {"sources: [{name: a, area: {rectangle: [1, 1, 9, 9]}, count: 2, goal: [5, 5]}, {name: a, "
       "area: {rectangle: [1, 1, 9, 9]}, count: 2, goal: [5, 5]}]\n",
       "sources[1].name: sources[0] already has this name\n"},
      {"sources: [{area: {rectangle: [1, 1, 9, 9]}, rate: 2, begin: 900, goal: [5, 5]}]\n",
       "sources[0].begin: must be earlier than time.end\n"},
      {"goal: {on_arrival: turn_back}\ndestinations: [{name: d, areas: [{rectangle: [30, 0, 40, "
       "9]}], flow: 1}]\nsources: [{area: {rectangle: [1, 1, 9, 9]}, count: 2, destination: d}]\n",
       "turn_back does not work with journeys or with destinations that have a flow\n"},
      {"destinations: [{name: e, areas: [{rectangle: [30, 0, 40, 9]}]}]\nnavigation: {model: "
       "field}\nsources: [{area: {rectangle: [1, 1, 9, 9]}, count: 2, destination: e}]\n"
       "events: [{at: 1, close: [e.4294967296]}]\n",
       "\"e.4294967296\" is neither a door, nor a destination, nor an area of one"},
      {"sources: [{name: s, area: {rectangle: [1, 1, 9, 9]}, count: 2, goal: [5, 5]}]\n"
       "events: [{at: 1, rate: {s: 2}}]\n",
       "events[0].rate: \"s\" has no rate to change\n"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char yaml[2000];
    snprintf(yaml, sizeof yaml, "%s%s", CORRIDOR, cases[k].more);
    write_file("demand.yaml", yaml);
    struct launched l = launch("'%s' check demand.yaml", THRONG);
    cr_expect(l.code == 64 && strstr(l.err, cases[k].message), "%d: %s\nis missing in\n%s", l.code,
              cases[k].message, l.err);
    launched_destroy(&l);
  }
}

Test(demand, of_groups_on_more_ranks_than_agents)
{
  write_file("demand.yaml", CORRIDOR "time: {end: 5}\nsources:\n  - {area: {rectangle: [1, 1, 3, "
                                     "3]}, count: 1, goal: [39, 5], group: {uniform: [1, 2]}}\n"
                                     "  - {area: {rectangle: [30, 1, 38, 9]}, count: 2, begin: 1, "
                                     "goal: [2, 5]}\n");
  struct launched l = launch_ranks(7, "'%s' run demand.yaml -o out --quiet --threads 1", THRONG);
  expect_success(&l);
  launched_destroy(&l);
  cr_expect(come_until(5) == 3);
}

// Travel times that one rank solves only where agents are, and several ranks everywhere. Agents
// enter far from all others, and one destination closes.
#define LATE                                                                                       \
  "seed: 5\n"                                                                                      \
  "world:\n"                                                                                       \
  "  extent: [0, 0, 130, 130]\n"                                                                   \
  "  obstacles: ['POLYGON ((10 50, 120 50, 120 51, 10 51, 10 50))']\n"                             \
  "time: {step: 0.1, end: 40}\n"                                                                   \
  "navigation: {model: field, cell: 0.25, live: {period: 5}}\n"                                    \
  "destinations:\n"                                                                                \
  "  - {name: near, areas: [{circle: [10, 10, 3]}, {circle: [120, 20, 2]}]}\n"                     \
  "  - {name: far, areas: [{circle: [120, 120, 3]}]}\n"                                            \
  "sources:\n"                                                                                     \
  "  - {area: {rectangle: [20, 5, 30, 15]}, begin: 0, end: 30, count: 150, destination: near}\n"   \
  "  - {area: {rectangle: [90, 90, 100, 100]}, begin: 12, end: 15, count: 60,\n"                   \
  "     destination: {near: 1, far: 1}}\n"                                                         \
  "  - {area: {rectangle: [5, 110, 15, 120]}, begin: 33, end: 34, count: 20, destination: near}\n" \
  "events: [{name: shut, at: 22, close: [near.1]}]\n"                                              \
  "output: {snapshot_every: 0}\n"

Test(demand, follows_the_same_travel_times_on_any_number_of_ranks)
{
  char *first = NULL;
  write_file("late.yaml", LATE);
  for (int ranks = 1; ranks <= 3; ranks++) {
    struct launched l = launch_ranks(ranks, "'%s' run late.yaml -o late --quiet --threads %d",
                                     THRONG, ranks == 1 ? 2 : 1);
    expect_success(&l);
    launched_destroy(&l);
    char *summary = launch_read("late/summary.json"), *checksum = strstr(summary, "\"checksum\"");
    cr_assert(checksum);
    strchr(checksum, ',')[0] = 0;
    cr_expect(!first || strcmp(first, checksum) == 0, "%d ranks: %s, not %s", ranks, checksum,
              first ? first : "");
    first = first ? first : strdup(checksum);
    free(summary);
  }
  free(first);
}
