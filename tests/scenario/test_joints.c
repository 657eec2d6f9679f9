// Walkable polygons are one ground across gaps of up to 1 mm, and two beyond that.
#include "support.h"

struct ground {
  int parts, holes;
  double area; // m^2
};

static struct ground ground_of(const struct scenario *s)
{
  struct ground g = {0};
  for (int64_t l = 0; l < s->walls.count; l++) {
    double area = 0;
    const struct point first = s->walls.points[s->walls.start[l]];
    for (int64_t i = s->walls.start[l]; i + 1 < s->walls.start[l + 1]; i++) {
      const struct point a = s->walls.points[i], b = s->walls.points[i + 1];
      area -= 0.5 * (((double)a.x - first.x) * ((double)b.y - first.y) -
                     ((double)b.x - first.x) * ((double)a.y - first.y));
    }
    *(area > 0 ? &g.parts : &g.holes) += 1;
    const double quantum = frame_quantum(&s->world.frame);
    g.area += area * quantum * quantum;
  }
  return g;
}

// Polygons of points [count][2], moved and turned; counts[] are those of the polygons, 0 ends them.
struct plan {
  double x, y, angle;
  const char *head; // of `world`, "" or options with a comma
};

static void plan_write(char *yaml, size_t size, const struct plan *plan, const double (*points)[2],
                       const int *counts)
{
  const double c = cos(plan->angle), s = sin(plan->angle);
  int n = snprintf(yaml, size, "world: {%swalkable: [", plan->head);
  for (int k = 0; counts[k]; points += counts[k++]) {
    n += snprintf(yaml + n, size - (size_t)n, "%s\"POLYGON ((", k ? ", " : "");
    for (int i = 0; i <= counts[k]; i++) {
      const double *p = points[i % counts[k]];
      n += snprintf(yaml + n, size - (size_t)n, "%s%.17g %.17g", i ? ", " : "",
                    plan->x + c * p[0] - s * p[1], plan->y + s * p[0] + c * p[1]);
    }
    n += snprintf(yaml + n, size - (size_t)n, "))\"");
  }
  const double x = plan->x + 5 * c - 5 * s, y = plan->y + 5 * s + 5 * c;
  snprintf(yaml + n, size - (size_t)n,
           "]}\nsources: [{area: {circle: [%.10g, %.10g, 3]}, count: 5, goal: [%.10g, %.10g]}]\n",
           x, y, x, y);
}

static void expect_ground(const struct plan *plan, const double (*points)[2], const int *counts,
                          struct ground wanted, int warnings)
{
  static char yaml[60000];
  plan_write(yaml, sizeof yaml, plan, points, counts);
  support_write("x.yaml", yaml);
  struct diagnostics p = {0};
  struct scenario *s = scenario_create("x.yaml", NULL, 0, NULL, &p);
  cr_assert(s, "%s", p.text);
  const struct ground g = ground_of(s);
  int said = 0;
  for (const char *at = p.warnings; at && (at = strstr(at, "joined across a gap")); at++)
    said++;
  cr_expect(g.parts == wanted.parts && g.holes == wanted.holes &&
                fabs(g.area - wanted.area) < 0.03 && said == warnings,
            "%d parts, %d holes, %.9g m^2, %d warnings: %s%s", g.parts, g.holes, g.area, said,
            p.warnings ? p.warnings : "", yaml);
  scenario_destroy(s);
  diagnostics_destroy(&p);
}

static const struct plan plans[] = {{0, 0, 0, ""},
                                    {0, 0, 0, "simplify: 0, "},
                                    {0, 0, 0.3, "simplify: 0, "},
                                    {-50.3, 20.7, 2.1, ""},
                                    {691603.25, 5336124.7, 0.7, "simplify: 0, "},
                                    {691603.25, 5336124.7, 0, ""}};
#define PLANS (sizeof plans / sizeof *plans)

static void expect_two_rooms(const struct plan *plan, double gap)
{
  const double x = 10 + gap;
  const double points[][2] = {{0, 0}, {10, 0}, {10, 10}, {0, 10}, {x, 2}, {20, 2}, {20, 8}, {x, 8}};
  const bool joined = gap <= 1e-3;
  const struct ground wanted = {joined ? 1 : 2, 0, 160 - 6 * gap};
  expect_ground(plan, points, (int[]){4, 4, 0}, wanted, joined);
}

Test(joints, two_rooms)
{
  const double gaps[] = {1e-6, 1e-4, 0.9e-3, 1.1e-3, 2e-3, 0.1},
               last_digits[] = {2e-15, 1e-12, 1e-9};
  for (size_t i = 0; i < PLANS; i++)
    for (int k = 0; k < 6; k++)
      expect_two_rooms(&plans[i], gaps[k]);
  for (int k = 0; k < 3; k++) {
    expect_two_rooms(&plans[0], last_digits[k]);
    expect_two_rooms(&plans[1], last_digits[k]);
  }
}

// Turned and far away the coordinates themselves are rounded: whatever that makes of the edges, the
// rooms are one.
Test(joints, rounded_coordinates)
{
  for (int i = 0; i < 40; i++) {
    const struct plan plan = {i % 3 * 691603.3, i % 2 * 5336124.7, 0.157 * i, "simplify: 0, "};
    const double points[][2] = {{0, 0},  {10, 0}, {10, 10}, {0, 10},
                                {10, 2}, {20, 2}, {20, 8},  {10, 8}};
    static char yaml[4000];
    plan_write(yaml, sizeof yaml, &plan, points, (int[]){4, 4, 0});
    support_write("x.yaml", yaml);
    struct diagnostics p = {0};
    struct scenario *s = scenario_create("x.yaml", NULL, 0, NULL, &p);
    cr_assert(s, "%s", p.text);
    const struct ground g = ground_of(s);
    cr_expect(g.parts == 1 && g.holes == 0, "angle %g: %d parts, %d holes: %s", plan.angle, g.parts,
              g.holes, p.warnings ? p.warnings : "");
    scenario_destroy(s);
    diagnostics_destroy(&p);
  }
}

Test(joints, what_touches_or_overlaps_is_left_alone)
{
  const double points[][2] = {{0, 0},   {10, 0},  {10, 10}, {0, 10},   {10, 0}, {20, 0},
                              {20, 10}, {10, 10}, {15, 5},  {30, 5.3}, {30, 9}, {15, 9}};
  expect_ground(&plans[0], points, (int[]){4, 4, 4, 0},
                (struct ground){1, 0, 200 + 0.5 * 10 * (3.9 + 3.7)}, 0);
}

// Four rooms around a point, and a corridor along two rooms: no pebble stays between them.
Test(joints, corners_between_rooms)
{
  for (size_t i = 0; i < PLANS; i++)
    for (int k = 0; k < 3; k++) {
      const double g = (const double[]){0.9e-3, 1e-4, 1e-6}[k], x = 10 + g;
      const double points[][2] = {{0, 0},   {10, 0},  {10, 10}, {0, 10},  {x, 0},
                                  {20, 0},  {20, 10}, {x, 10},  {0, x},   {10, x},
                                  {10, 20}, {0, 20},  {x, x},   {20, x},  {20, 20},
                                  {x, 20},  {0, -4},  {20, -4}, {20, -g}, {0, -g}};
      expect_ground(&plans[i], points, (int[]){4, 4, 4, 4, 4, 0}, (struct ground){1, 0, 480}, 6);
    }
}

// A border that both sides draw with other points: 0.6 mm apart at most.
Test(joints, a_curved_border)
{
  double points[400][2];
  int n = 0;
  const double step = acos(-1.0) / 96;
  for (int k = 0; k <= 48; k++, n++) // an arc of 2 m about (10, 5), seen from the room on its left
    memcpy(points[n], (double[]){10 - 2 * cos((k - 24) * step), 5 + 2 * sin((k - 24) * step)},
           sizeof *points);
  const double top[][2] = {{points[n - 1][0], 10}, {0, 10}, {0, 0}, {points[0][0], 0}};
  memcpy(points[n], top, sizeof top);
  const int left = n += 4;
  for (int k = 0; k <= 64; k++, n++) // the other way round, in other steps
    memcpy(points[n],
           (double[]){10 - 1.9995 * cos((24 - k * 0.75) * step),
                      5 + 1.9995 * sin((24 - k * 0.75) * step)},
           sizeof *points);
  const double back[][2] = {{points[left + 64][0], 2}, {20, 2}, {20, 8}, {points[left][0], 8}};
  memcpy(points[n], back, sizeof back);
  n += 4;
  const int counts[] = {left, n - left, 0};
  static char yaml[60000];
  for (size_t i = 0; i < PLANS; i++) {
    plan_write(yaml, sizeof yaml, &plans[i], (const double(*)[2])points, counts);
    support_write("x.yaml", yaml);
    struct diagnostics p = {0};
    struct scenario *s = scenario_create("x.yaml", NULL, 0, NULL, &p);
    cr_assert(s, "%s", p.text);
    const struct ground g = ground_of(s);
    cr_expect(g.parts == 1, "%d parts: %s", g.parts, p.warnings ? p.warnings : "");
    cr_expect(g.holes == 0, "%d holes: %s", g.holes, p.warnings ? p.warnings : "");
    scenario_destroy(s);
    diagnostics_destroy(&p);
  }
}

Test(joints, a_wedge_is_open_up_to_a_millimetre)
{
  const double points[][2] = {{0, 0},  {10, 0}, {10, 10}, {0, 10},
                              {10, 0}, {20, 0}, {20, 10}, {10.002, 10}};
  expect_ground(&plans[1], points, (int[]){4, 4, 0}, (struct ground){1, 0, 200}, 1);
}
