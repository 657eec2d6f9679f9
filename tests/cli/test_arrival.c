// Who has arrived: one rule for all navigation models, cells and radii; who rests; who is led
// around walls without asking for it.
#include "cli.h"
#include <math.h>

struct outcome {
  int arrived, of;
  double seconds; // of simulated time
  char checksum[20];
  struct launched printed;
};

static struct outcome run(const char *yaml, const char *options)
{
  struct outcome o = {-1, -1, -1, "", {0}};
  write_file("arrival.yaml", yaml);
  o.printed = launch("rm -rf out; '%s' run arrival.yaml -o out %s", THRONG, options);
  const char *line = strstr(o.printed.out, "arrival: "), *sum = strstr(o.printed.out, "checksum ");
  if (line)
    sscanf(line, "arrival: %d of %d agents arrived in %lf s", &o.arrived, &o.of, &o.seconds);
  if (sum)
    sscanf(sum, "checksum %19s", o.checksum);
  return o;
}

static void expect_all_arrive(const char *yaml, const char *options, double within)
{
  struct outcome o = run(yaml, options);
  cr_expect(o.arrived > 0 && o.arrived == o.of && o.seconds <= within,
            "%d of %d in %g s, limit %g s\n%s%s%s", o.arrived, o.of, o.seconds, within, yaml,
            o.printed.out, o.printed.err);
  launched_destroy(&o.printed);
}

// ----------------------------------------------------------------------------- shallow areas

// An exit along the wall, `depth` deep.
static void exit_strip(char *yaml, const char *navigation, double depth, double radius)
{
  snprintf(yaml, 900,
           "world: {walkable: [\"POLYGON ((0 0, 20 0, 20 6, 0 6, 0 0))\"], margin: 0}\n"
           "navigation: %s\n"
           "destinations: [{name: out, areas: [{rectangle: [%g, 2, 20, 4]}]}]\n"
           "sources: [{area: {rectangle: [1, 1, 5, 5]}, count: 10, destination: out}]\n"
           "profiles: [{name: p, radius: %g}]\n"
           "time: {end: 60}\n"
           "output: {snapshot_every: 0}\n",
           navigation, 20 - depth, radius);
}

Test(arrival, exits_shallower_than_a_person_let_everybody_out)
{
  const char *const navigations[] = {"{model: field, cell: 0.1}", "{model: field, cell: 0.25}",
                                     "{model: field, cell: 0.5}", "{model: direct}"};
  const double depths[] = {0.05, 0.15, 0.3}, radii[] = {0.1, 0.2, 0.4};
  char yaml[900];
  for (size_t n = 0; n < sizeof navigations / sizeof *navigations; n++)
    for (int k = 0; k < 3; k++) {
      exit_strip(yaml, navigations[n], depths[(k + (int)n) % 3], radii[k]);
      expect_all_arrive(yaml, "", 30);
    }
}

// Exits along walls that no cell is parallel to, wedges, and half behind a wall.
Test(arrival, shallow_exits_of_any_shape_let_everybody_out)
{
  static const char *const exits[][2] = {
      {"{wkt: 'POLYGON ((15.7 12.58, 14.61 14.26, 14.49 14.18, 15.58 12.5, 15.7 12.58))'}", "0.25"},
      {"{wkt: 'POLYGON ((15.97 12.16, 14.34 14.68, 15.01 13.33, 15.97 12.16))'}", "0.2"},
      {"{circle: [15.14, 13.41, 0.15]}", "0.3"}};
  static const char *const models[] = {"{model: field}", "{model: field, cell: 0.2}",
                                       "{model: direct}"};
  char yaml[900];
  for (int k = 0; k < 9; k++) {
    snprintf(yaml, sizeof yaml,
             "world: {walkable: ['POLYGON ((0 0, 16.77 10.89, 13.51 15.92, -3.27 5.03, 0 0))'],\n"
             "  margin: 0}\nnavigation: %s\n"
             "destinations: [{name: out, areas: [%s]}]\n"
             "sources: [{area: {circle: [0.88, 4.15, 1.8]}, count: 10, destination: out}]\n"
             "profiles: [{name: p, radius: %s}]\ntime: {end: 90}\noutput: {snapshot_every: 0}\n",
             models[k / 3], exits[k % 3][0], exits[k % 3][1]);
    expect_all_arrive(yaml, "", 60);
  }
}

// Narrow and wide people before one exit.
Test(arrival, wide_people_do_not_block_a_shallow_exit)
{
  expect_all_arrive("world: {walkable: [\"POLYGON ((0 0, 20 0, 20 6, 0 6, 0 0))\"], margin: 0}\n"
                    "navigation: {model: field, cell: 0.2}\n"
                    "destinations: [{name: out, areas: [{rectangle: [19.7, 2, 20, 4]}]}]\n"
                    "sources: [{area: {rectangle: [1, 0.5, 9, 5.5]}, count: 40, destination: out,\n"
                    "  profile: {narrow: 1, wide: 1}}]\n"
                    "profiles: [{name: narrow, radius: 0.15}, {name: wide, radius: 0.4}]\n"
                    "time: {end: 90}\n"
                    "output: {snapshot_every: 0}\n",
                    "", 90);
}

Test(arrival, along_a_roadmap_too_shallow_an_area_is_refused_by_name)
{
  char yaml[900];
  exit_strip(yaml, "{model: roadmap}", 0.2, 0.2); // just what the inflated walls leave
  expect_all_arrive(yaml, "", 30);
  exit_strip(yaml, "{model: roadmap}", 0.15, 0.2);
  struct outcome o = run(yaml, "");
  expect_refusal(&o.printed, 64,
                 "unreachable destination: everywhere around \"out\", walls are closer than the "
                 "clearance of 0.16 m");
  launched_destroy(&o.printed);
}

Test(arrival, a_waypoint_smaller_than_a_person_is_passed)
{
  static const char *const models[] = {"direct", "field", "roadmap"};
  char yaml[900];
  for (int m = 0; m < 3; m++)
    for (int big = 0; big < 2; big++) {
      snprintf(yaml, sizeof yaml,
               "world: {extent: [0, 0, 20, 10]}\nnavigation: {model: %s}\n"
               "destinations:\n  - {name: way, areas: [{circle: [10, 5, %g]}]}\n"
               "  - {name: out, areas: [{rectangle: [18, 0, 20, 10]}]}\n"
               "journeys: [{name: j, via: [way, out]}]\n"
               "sources: [{area: {rectangle: [1, 1, 5, 9]}, count: 8, journey: j}]\n"
               "time: {end: 120}\noutput: {snapshot_every: 0}\n",
               models[m], big ? 0.1 : 0.005);
      expect_all_arrive(yaml, "", 40);
    }
}

// With fields, too: the area, not the cells that it touches. Cells of 0.5 m would end at 15.
Test(arrival, people_leave_inside_the_area_not_in_its_cells)
{
  struct outcome o =
      run("world: {walkable: [\"POLYGON ((0 0, 20 0, 20 6, 0 6, 0 0))\"], margin: 0}\n"
          "navigation: {model: field}\n"
          "destinations: [{name: out, areas: [{rectangle: [15.45, 0, 20, 6]}]}]\n"
          "sources: [{area: {rectangle: [1, 1, 5, 5]}, count: 10, destination: out}]\n"
          "time: {end: 60}\nmeasure: {people: true}\n"
          "output: {snapshot_every: 0}\n",
          "");
  cr_expect(o.arrived == 10);
  launched_destroy(&o.printed);
  char *people = launch_read("out/people.csv");
  int rows = 0;
  double x;
  for (char *line = people; (line = strchr(line, '\n')) && *++line;)
    if (sscanf(line, "%*[^,],%*[^,],%*[^,],%*[^,],%*[^,],%*f,%*f,%*f,%*f,%lf", &x) == 1) {
      cr_expect(x >= 15.45 && x < 15.45 + 0.25, "left at %g", x);
      rows++;
    }
  cr_expect(rows == 10);
  free(people);
}

// ------------------------------------------------------------------------------------- resting

static void meeting(char *yaml, int people, double radius)
{
  snprintf(yaml, 900,
           "world: {extent: [-15, -15, 15, 15]}\n"
           "sources: [{area: {circle: [0, 0, 12]}, count: %d, goal: [0, 0]}]\n"
           "goal: {on_arrival: stay, radius: %g}\ntime: {end: 60}\nmeasure: {people: true}\n"
           "output: {snapshot_every: 0, series_every: 1}\n",
           people, radius);
}

// Mean speed at the end, m/s.
static double last_speed(void)
{
  char *series = launch_read("out/series.csv"), *line = series;
  double speed = -1;
  for (; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    sscanf(line, "%*d,%*f,%*d,%*d,%lf", &speed);
  free(series);
  return speed;
}

static double farthest_from_origin(void) // m, of the people at the end
{
  char *people = launch_read("out/people.csv");
  double most = -1, x, y;
  for (char *line = people; (line = strchr(line, '\n')) && *++line;)
    if (sscanf(line, "%*[^,],%*[^,],%*[^,],%*[^,],,%*f,%*f,%*f,,%lf,%lf", &x, &y) == 2 &&
        sqrt((x) * (x) + (y) * (y)) > most)
      most = sqrt((x) * (x) + (y) * (y));
  free(people);
  return most;
}

Test(arrival, people_who_meet_at_a_point_come_to_rest_around_it)
{
  const int counts[] = {1, 30, 100};
  const double radii[] = {0.5, 0.5, 3};
  char yaml[900];
  for (int k = 0; k < 3; k++) {
    meeting(yaml, counts[k], radii[k]);
    struct outcome o = run(yaml, "");
    const double need = radii[k] + sqrt(counts[k] / (2 * M_PI)) + 0.5;
    cr_expect(last_speed() == 0, "%d people at %g m/s", counts[k], last_speed());
    const double farthest = farthest_from_origin();
    cr_expect(farthest >= 0 && farthest < need, "%d people: %g m away", counts[k], farthest);
    struct outcome gpu = run(yaml, "--backend emulated --threads 1");
    cr_expect(strcmp(o.checksum, gpu.checksum) == 0 && o.checksum[0], "%s %s", o.checksum,
              gpu.checksum);
    launched_destroy(&o.printed);
    launched_destroy(&gpu.printed);
  }
}

// ---------------------------------------------------------------------------- the default model

#define BEHIND_WALL                                                                                \
  "world: {extent: [0, 0, 20, 10], obstacles: [\"POLYGON ((10 0, 10.2 0, 10.2 9, 10 9, 10 "        \
  "0))\"]}\n"                                                                                      \
  "destinations: [{name: out, areas: [{rectangle: [18, 0, 20, 3]}]}]\n"                            \
  "sources: [{area: {rectangle: [1, 1, 8, 3]}, count: 20, destination: out}]\n"                    \
  "time: {end: 60}\noutput: {snapshot_every: 0}\n"
#define WARNING "direct leads straight on, but 100 % of the agents have a wall between them"

static void expect_model(const char *yaml, const char *model)
{
  write_file("arrival.yaml", yaml);
  struct launched l = launch("'%s' check arrival.yaml", THRONG);
  cr_expect(strstr(l.out, model) != NULL, "not %s: %s%s", model, l.out, l.err);
  launched_destroy(&l);
}

Test(arrival, where_there_are_walls_a_field_leads_around_them)
{
  expect_all_arrive(BEHIND_WALL, "", 40);
  expect_model(BEHIND_WALL, " field of ");
  expect_model("world: {extent: [0, 0, 20, 10]}\n"
               "destinations: [{name: out, areas: [{rectangle: [18, 0, 20, 3]}]}]\n"
               "sources: [{area: {rectangle: [1, 1, 8, 3]}, count: 20, destination: out}]\n",
               " direct");
  expect_model("world: {extent: [0, 0, 20, 10]}\n"
               "doors: [{name: d, line: [[10, 0], [10, 5]]}]\n"
               "destinations: [{name: out, areas: [{rectangle: [18, 0, 20, 3]}]}]\n"
               "sources: [{area: {rectangle: [1, 1, 8, 3]}, count: 20, destination: out}]\n",
               " field of ");
  expect_model(BEHIND_WALL "goal: {on_arrival: turn_back}\n", " direct");
}

Test(arrival, direct_says_that_it_leads_against_walls)
{
  struct outcome o = run(BEHIND_WALL "navigation: {model: direct}\n", "");
  cr_expect(o.arrived == 0 && launch_count(o.printed.err, WARNING) == 1, "%s", o.printed.err);
  launched_destroy(&o.printed);
  o = run("world: {extent: [0, 0, 20, 10], obstacles: [\"LINESTRING (10 0, 10 9)\"]}\n"
          "sources: [{area: {rectangle: [1, 1, 8, 3]}, count: 20, goal: [19, 2]}]\n"
          "time: {end: 5}\noutput: {snapshot_every: 0}\n",
          "");
  cr_expect(launch_count(o.printed.err, WARNING) == 1, "%s", o.printed.err);
  launched_destroy(&o.printed);
  o = run("world: {extent: [0, 0, 20, 10], obstacles: [\"LINESTRING (10 0, 10 9)\"]}\n"
          "navigation: {model: direct}\n"
          "destinations: [{name: way, areas: [{rectangle: [5, 5, 6, 6]}]},\n"
          "  {name: out, areas: [{rectangle: [18, 0, 20, 3]}]}]\n"
          "journeys: [{name: j, via: [way, out]}]\n"
          "sources: [{area: {rectangle: [1, 1, 8, 3]}, count: 20, journey: j}]\n"
          "time: {end: 5}\noutput: {snapshot_every: 0}\n",
          "");
  cr_expect(launch_count(o.printed.err, WARNING) == 1, "%s", o.printed.err);
  launched_destroy(&o.printed);
  o = run(SQUARE, "");
  cr_expect(launch_count(o.printed.err, "direct") == 0, "%s", o.printed.err);
  launched_destroy(&o.printed);
}

// ------------------------------------------------------------------------ spreading on a roadmap

// One person around a house, and out of a U: no seed costs more than 5 % of the shortest way.
Test(arrival, a_lone_person_on_a_roadmap_takes_hardly_a_detour)
{
  static const char *const scenes[][4] = {
      {"25 25, 35 25, 35 35, 25 35, 25 25", "39, 29, 41, 31", "20,29", "22.4"},
      {"25 20, 35 20, 35 45, 25 45, 25 20", "39, 29, 41, 31", "20,29", "31.2"},
      {"20 20, 40 20, 40 40, 39 40, 39 21, 21 21, 21 40, 20 40, 20 20", "29, 15, 31, 17", "30,30",
       "44.9"}};
  char yaml[900], table[80];
  for (int k = 0; k < 3; k++)
    for (int seed = 1; seed <= 4; seed++) {
      snprintf(table, sizeof table, "id,x,y,speed,destination\n1,%s,1,out\n", scenes[k][2]);
      write_file("one.csv", table);
      snprintf(yaml, sizeof yaml,
               "seed: %d\nworld: {extent: [0, 0, 60, 60], obstacles: [\"POLYGON ((%s))\"]}\n"
               "navigation: {model: roadmap}\n"
               "destinations: [{name: out, areas: [{rectangle: [%s]}]}]\nagents: one.csv\n"
               "profiles: [{name: p, radius: 0.2}]\ntime: {end: 200}\n"
               "output: {snapshot_every: 0}\n",
               seed, scenes[k][0], scenes[k][1]);
      expect_all_arrive(yaml, "", 1.05 * strtod(scenes[k][3], NULL));
    }
}
