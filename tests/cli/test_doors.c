// People reach their destinations through doors and round walls, whatever the cells of the grid.
#include "cli.h"

// The time of the last row of series.csv with anybody inside; the run ends when all have arrived.
static double run_until_empty(const char *yaml, const char *options)
{
  write_file("doors.yaml", yaml);
  struct launched l = launch("'%s' run doors.yaml -o out --quiet %s", THRONG, options);
  expect_success(&l);
  launched_destroy(&l);
  char *text = launch_read("out/series.csv");
  double time = -1, one;
  long agents = -1, left = -1;
  for (char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
    if (sscanf(line, "%*d,%lf,%ld", &one, &agents) == 2) {
      time = one;
      left = agents;
    }
  free(text);
  return left == 0 ? time : 1e9;
}

// A door of .8 m right ahead, and one of 1.2 m 24 m away.
#define TWO_DOORS(x, y)                                                                            \
  "world:\n  extent: [0, 0, 20, 32]\n  obstacles:\n"                                               \
  "    - \"POLYGON ((" x " 0, 10.3 0, 10.3 3." y ", " x " 3." y ", " x " 0))\"\n"                  \
  "    - \"POLYGON ((" x " 4." y ", 10.3 4." y ", 10.3 28, " x " 28, " x " 4." y "))\"\n"          \
  "    - \"POLYGON ((" x " 29.2, 10.3 29.2, 10.3 32, " x " 32, " x " 29.2))\"\n"                   \
  "destinations: [{name: out, areas: [{rectangle: [18, 0, 20, 8]}]}]\n"                            \
  "sources: [{area: {rectangle: [1, 1, 8, 7]}, count: 10, destination: out}]\n"                    \
  "time: {end: 200}\noutput: {snapshot_every: 0, series_every: 0.1}\n"

#define BY_FIELD "--set navigation.model=field"

Test(doors, nobody_takes_the_far_door)
{
  const char *const walls[] = {
      TWO_DOORS("10", "5") "profiles: [{name: p, radius: 0.24}]\n", // 1.0 m
      TWO_DOORS("10.1", "5") "profiles: [{name: p, radius: 0.3}]\n",
      TWO_DOORS("10.25", "33") "profiles: [{name: p, radius: 0.2}]\n"};
  const char *const cells[] = {BY_FIELD, BY_FIELD " --set navigation.cell=1",
                               BY_FIELD " --set navigation.cell=0.35"};
  for (int w = 0; w < 3; w++)
    for (int c = 0; c < 3; c++) {
      const double time = run_until_empty(walls[w], cells[c]);
      cr_expect(time < 32, "world %d, cells %s: %.1f s", w, cells[c], time);
    }
}

// The default cell, and the door and the walls of .2 m as people build them.
Test(doors, default_cell_does_not_close_a_door_of_80_cm)
{
  const double time =
      run_until_empty("world:\n  extent: [0, 0, 20, 32]\n  obstacles:\n"
                      "    - \"POLYGON ((10 0, 10.2 0, 10.2 3.6, 10 3.6, 10 0))\"\n"
                      "    - \"POLYGON ((10 4.4, 10.2 4.4, 10.2 28, 10 28, 10 4.4))\"\n"
                      "    - \"POLYGON ((10 29.2, 10.2 29.2, 10.2 32, 10 32, 10 29.2))\"\n"
                      "navigation: {model: field}\n"
                      "destinations: [{name: out, areas: [{rectangle: [18, 0, 20, 8]}]}]\n"
                      "sources: [{area: {rectangle: [1, 1, 8, 7]}, count: 10, destination: out}]\n"
                      "time: {end: 200}\noutput: {snapshot_every: 0, series_every: 0.1}\n",
                      "");
  cr_expect(time < 26, "%.1f s", time); // 24.8 s with cells of .1 m
}

static double leave_u(const char *obstacle, const char *destination, double x, double y)
{
  char yaml[1000], table[100];
  snprintf(table, sizeof table, "id,x,y,speed,destination\n4,%.3f,%.3f,1,out\n", x, y);
  write_file("one.csv", table);
  snprintf(yaml, sizeof yaml,
           "world: {extent: [0, 0, 30, 30], obstacles: [\"%s\"]}\n"
           "navigation: {model: field, cell: 0.25}\nagents: one.csv\n"
           "destinations: [{name: out, areas: [{rectangle: %s}]}]\n"
           "profiles: [{name: p, radius: 0.2}]\n"
           "time: {end: 120}\noutput: {snapshot_every: 0, series_every: 0.1}\n",
           obstacle, destination);
  return run_until_empty(yaml, "--set avoidance.patience=0"); // nobody is freed by chance
}

// Where the ways round both ends of a wall are equally long, people choose one of them.
Test(doors, nobody_runs_to_and_fro_before_a_u)
{
  static const char west[] =
      "POLYGON ((8 4, 20 4, 20 16, 8 16, 8 15.5, 19.5 15.5, 19.5 4.5, 8 4.5, "
      "8 4))";
  static const char south[] =
      "POLYGON ((4 8, 4 20, 16 20, 16 8, 15.5 8, 15.5 19.5, 4.5 19.5, 4.5 8,"
      " 4 8))";
  static const char south_west[] = "POLYGON ((12 4, 20 12, 12 20, 4 12, 4.4 11.6, 12 19.2, 19.2 12,"
                                   " 11.6 4.4, 12 4))";
  const double places[][2] = {{8, 10}, {12, 10}, {7.6, 10}, {8, 10.001}};
  for (int k = 0; k < 4; k++) {
    const double x = places[k][0], y = places[k][1];
    const double to_west = leave_u(west, "[26, 9, 28, 11]", x, y);
    const double to_south = leave_u(south, "[9, 26, 11, 28]", y, x);
    cr_expect(to_west < 36, "from (%g, %g): %.1f s", x, y, to_west);
    cr_expect(to_south < 36, "from (%g, %g): %.1f s", y, x, to_south);
    const double across = leave_u(south_west, "[20, 20, 22, 22]", x, x + y - 10);
    cr_expect(across < 36, "from (%g, %g): %.1f s", x, x + y - 10, across);
  }
}
