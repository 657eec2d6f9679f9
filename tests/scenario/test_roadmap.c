// The roadmap of a scenario: its nodes, its cache, its errors, and its agreement with the full
// visibility graph and with a field on a real map.
#include "extent.h"
#include "support.h"

#include "grid_cells.h"
#include "integer_length.h"
#include "nav_grid_kernel.h"
#include "oracle.h"
#include "roadmap_reference.h"
#include <stdio.h>
#include <sys/stat.h>

#define HALL                                                                                       \
  "name: hall\n"                                                                                   \
  "world: {extent: [0, 0, 30, 20], obstacles: [\"POLYGON ((10 5, 12 5, 12 15, 10 15, 10 5))\"]}\n" \
  "navigation: {model: roadmap, clearance: 0.5}\n"                                                 \
  "profiles: [{name: p, radius: 0.25}]\n"                                                          \
  "output: {directory: out}\n"
#define OUT  "destinations: [{name: out, areas: [{rectangle: [25, 8, 28, 12]}]}]\n"
#define WEST "sources: [{area: {rectangle: [1, 8, 5, 12]}, count: 5, destination: out}]\n"

Test(roadmap, walls_are_inflated_with_mitred_corners)
{
  struct scenario *s = support_load(HALL OUT WEST);
  const struct roadmap *r = &s->world.roadmap;
  cr_assert_eq(r->node_count, 4);
  for (int i = 0; i < 4; i++) {
    const double x = support_x(s, r->nodes[i].x), y = support_y(s, r->nodes[i].y);
    cr_assert(fabs(fabs(x - 11) - 1.5) < 1e-4 && fabs(fabs(y - 10) - 5.5) < 1e-4);
  }
  const double expected = hypot(6.5, 5.5) + 3 + hypot(12.5, 3.5);
  const int64_t length = roadmap_path_length(r, 0, frame_point(&s->world.frame, 3, 10));
  cr_assert_float_eq((double)length * (double)frame_quantum(&s->world.frame), expected, 1e-3);
  scenario_destroy(s);
}

Test(roadmap, free_points_keep_the_clearance)
{
  uint64_t r = 1;
  struct scenario *s = support_load(
      "world:\n  walkable: [\"POLYGON ((0 0, 40 0, 40 30, 22 30, 20 10, 18 30, 0 30, 0 0))\"]\n"
      "  obstacles: [\"POLYGON ((5 5, 12 6, 8 7, 5 5))\", \"LINESTRING (25 5, 30 12, 35 5)\"]\n"
      "navigation: {model: roadmap, clearance: 0.4}\n"
      "destinations: [{name: out, areas: [{rectangle: [36, 20, 38, 28]}]}]\n"
      "sources: [{area: {rectangle: [1, 8, 5, 12]}, count: 5, destination: out}]\n");
  const struct world *w = &s->world;
  const int32_t clearance = frame_length(&w->frame, 0.4) - 3; // corners are rounded
  int free_points = 0;
  for (int i = 0; i < 20000; i++) {
    const struct point p = {oracle_whole(&r, w->bounds.lo.x, w->bounds.hi.x),
                            oracle_whole(&r, w->bounds.lo.y, w->bounds.hi.y)};
    if (obstacles_solid(&w->roadmap.inflated.walls, p))
      continue;
    free_points++;
    cr_assert(!obstacles_solid(&w->obstacles, p) && !obstacles_near(&w->obstacles, p, clearance));
  }
  cr_assert(free_points > 5000);
  scenario_destroy(s);
}

// ----------------------------------------------------------------------------------- cache

static void roadmaps_expect_equal(const struct roadmap *a, const struct roadmap *b)
{
  cr_assert(a->node_count == b->node_count && a->destination_count == b->destination_count);
  for (int64_t u = 0; u < a->node_count; u++) {
    cr_assert_eq(a->trees[0].cost_to_go.of[u], b->trees[0].cost_to_go.of[u]);
    cr_assert_eq(a->trees[0].next[u], b->trees[0].next[u]);
  }
}

static char *cache_path(const struct scenario *s)
{
  static char path[100];
  snprintf(path, sizeof path, "out/roadmap-%016llx.bin", (unsigned long long)s->roadmap.hash);
  return path;
}

static void byte_change(const char *path, long at)
{
  FILE *f = fopen(path, "r+b");
  cr_assert(f && fseek(f, at, at < 0 ? SEEK_END : SEEK_SET) == 0);
  const int c = fgetc(f);
  fseek(f, -1, SEEK_CUR);
  fputc(c ^ 1, f);
  fclose(f);
}

Test(roadmap, a_valid_cache_is_read_and_a_damaged_one_is_rebuilt)
{
  struct scenario *built = support_load(HALL OUT WEST);
  cr_assert(!built->roadmap.cached && built->roadmap.hash);
  mkdir("out", 0777);
  cr_assert(scenario_cache_roadmap(built, "out"));
  struct scenario *read = support_load(HALL OUT WEST);
  cr_assert(read->roadmap.cached && read->roadmap.hash == built->roadmap.hash);
  roadmaps_expect_equal(&built->world.roadmap, &read->world.roadmap);
  struct scenario *other = support_load_with(HALL OUT WEST, "navigation.clearance=0.6");
  cr_assert(!other->roadmap.cached && other->roadmap.hash != built->roadmap.hash);
  for (int i = 0; i < 3; i++) {
    char lines[200];
    const long at[] = {-5, 40, 0};
    const char *const what[] = {"damaged", "damaged", "not a roadmap"};
    byte_change(cache_path(built), at[i]);
    snprintf(lines, sizeof lines, "%s: %s; the roadmap is rebuilt\n", cache_path(built), what[i]);
    support_expect_warned(HALL OUT WEST, lines);
    cr_assert(scenario_cache_roadmap(built, "out"));
  }
  scenario_destroy(built);
  scenario_destroy(read);
  scenario_destroy(other);
}

// ---------------------------------------------------------------------------- street graph

Test(roadmap, a_street_graph_leads_along_its_lines)
{
  support_write("g.wkt", "MULTILINESTRING ((3 10, 3 2, 20 2, 26 10), (3 2, 1 1), (20 2, 20 2))");
  struct scenario *s = support_load_with(HALL OUT WEST, "navigation.graph=g.wkt");
  const struct roadmap *r = &s->world.roadmap;
  cr_assert(r->street_graph && r->node_count == 5 && r->first[5] == 8 && !s->roadmap.hash);
  const int64_t length = roadmap_path_length(r, 0, frame_point(&s->world.frame, 3, 10));
  cr_assert_float_eq((double)length * (double)frame_quantum(&s->world.frame), 8 + hypot(22, 6),
                     1e-3);
  scenario_destroy(s);
}

Test(roadmap, bad_graphs_and_destinations_are_reported)
{
  support_write("g.wkt", "LINESTRING (3 10, 11 10, 20 2)");
  support_write("half.wkt", "LINESTRING (3 10, 11");
  support_write("area.wkt", "POLYGON ((1 1, 2 1, 2 2, 1 1))");
  support_expect_refused(HALL OUT WEST, "navigation.graph=no.wkt",
                         "--set navigation.graph=no.wkt: navigation.graph: cannot read \"no.wkt\": "
                         "No such file or directory\n");
  support_expect_refused(HALL OUT WEST, "navigation.graph=half.wkt",
                         "half.wkt:1:1: not WKT: \"LINESTRING (3 10, 11\" has no matching "
                         "parentheses\n");
  support_expect_refused(
      HALL OUT WEST, "navigation.graph=area.wkt",
      "area.wkt: a street graph consists of lines, but this file has 1 polygons\n");
  support_expect_refused(HALL OUT WEST, "navigation.graph=g.wkt",
                         "g.wkt: 1 of the 3 nodes of the street graph lie in walls; one of them at "
                         "(11.000, 10.000) m\n");
  support_expect_refused("navigation: {model: roadmap}\n"
                         "sources: [{area: {rectangle: [1, 8, 5, 12]}, count: 5, goal: [1, 1]}]\n",
                         NULL, "x.yaml:1:21: navigation.model: roadmap needs destinations\n");
  support_expect_refused(
      HALL "destinations: [{name: out, areas: [{rectangle: [10.2, 8, 11.8, 12]}]}]\n" WEST, NULL,
      "x.yaml:6:16: destinations[0]: unreachable destination: everywhere around \"out\", walls are "
      "closer than the clearance of 0.5 m\n");
  support_expect_refused(HALL OUT WEST,
                         "world.obstacles=[\"LINESTRING (0 7, 7 7, 7 13, 0 13, 0 7)\"]",
                         "x.yaml:7:69: sources[0]: unreachable destination: no route leads from "
                         "its area to \"out\"\n");
}

// ------------------------------------------------------------------------------- agreement

#define PAIRS 50

static struct point free_point(const struct world *w, uint64_t *r)
{
  for (;;) {
    const struct point p = {oracle_whole(r, w->bounds.lo.x, w->bounds.hi.x),
                            oracle_whole(r, w->bounds.lo.y, w->bounds.hi.y)};
    if (!obstacles_solid(&w->roadmap.inflated.walls, p))
      return p;
  }
}

struct agreement {
  int pairs, apart; // pairs with a route; those that differ from the full graph by over 1 mm
  double most, mean, least; // (field - roadmap) / roadmap, of routes from 20 m
  int compared;
};

// Adds PAIRS destinations: squares of 2 m around random free points.
static void destinations_add(struct roadmap *r, const struct world *w, uint64_t *seed,
                             struct outlines *areas)
{
  const int32_t half = frame_length(&w->frame, 1);
  for (int k = 0; k < PAIRS;) {
    const struct point c = free_point(w, seed);
    int64_t start[] = {0, 4};
    uint8_t closed[] = {1};
    struct point *p = memory_create(4, sizeof *p);
    p[0] = (struct point){c.x - half, c.y - half};
    p[1] = (struct point){c.x + half, c.y - half};
    p[2] = (struct point){c.x + half, c.y + half};
    p[3] = (struct point){c.x - half, c.y + half};
    const struct outlines area = {1, start, p, closed};
    if (roadmap_add_destination(r, &area, w->bounds))
      areas[k++] = (struct outlines){1, NULL, p, NULL};
    else
      cr_assert_fail("a destination in walls");
  }
}

static double field_length(const struct world *w, const struct nav_grid *g,
                           const struct point *ring, struct point p)
{
  int64_t start[] = {0, 4};
  uint8_t closed[] = {1};
  struct point copy[4];
  memcpy(copy, ring, sizeof copy);
  const struct outlines area = {1, start, copy, closed};
  uint8_t *marks = memory_create((size_t)nav_grid_cell_count(g), 1);
  struct field f;
  nav_grid_mark(g, &area, marks);
  field_create(&f, g, NULL);
  field_solve(&f, marks, NULL);
  const int64_t cell = nav_grid_visible_cell(g, p);
  const uint32_t time = cell >= 0 ? field_time_of(&f, cell) : FIELD_UNREACHED;
  field_destroy(&f);
  memory_destroy(marks);
  return time == FIELD_UNREACHED
             ? HUGE_VAL
             : (double)time / FIELD_UNIT * g->cell * (double)frame_quantum(&w->frame);
}

struct comparison {
  const struct world *world;
  const struct nav_grid *nav_grid;
  const struct roadmap *roadmap;
  const struct reference_paths *reference;
};

// From p to destination k, whose outline is ring[4].
static void pair_compare(const struct comparison *c, int32_t k, const struct point *ring,
                         struct point p, struct agreement *a)
{
  const double quantum = (double)frame_quantum(&c->world->frame);
  const int64_t length = roadmap_path_length(c->roadmap, k, p);
  double *to = reference_paths_to(c->reference, k);
  const double reference = reference_path(c->reference, to, k, p);
  memory_destroy(to);
  cr_expect((length == WAYPOINTS_UNREACHED) == (reference == HUGE_VAL),
            "pair %d: only one finds a route", k);
  if (length == WAYPOINTS_UNREACHED || reference == HUGE_VAL)
    return;
  a->pairs++;
  a->apart += fabs((double)length - reference) * quantum > 1e-3;
  const double metres = (double)length * quantum,
               field = field_length(c->world, c->nav_grid, ring, p);
  if (field == HUGE_VAL || metres < 20)
    return;
  const double error = (field - metres) / metres;
  a->compared++;
  a->mean += fabs(error);
  a->most = fmax(a->most, error);
  a->least = fmin(a->least, error);
}

// extent: of the part of the map, or NULL: all; cell: m
static struct agreement agreement_on(const char *map, const char *extent, double cell)
{
  char yaml[500];
  uint64_t seed = 42;
  struct agreement a = {0};
  snprintf(yaml, sizeof yaml,
           "world: {geometry: %s/%s, margin: 0%s%s}\n"
           "navigation: {model: roadmap, clearance: 0.3}\n"
           "destinations: [{name: out, areas: [{border: 1}]}]\n"
           "sources: [{area: {border: 20}, count: 1, destination: out}]\n",
           THRONG_CONFIGS, map, extent ? ", extent: " : "", extent ? extent : "");
  struct scenario *s = support_load(yaml);
  const struct world *w = &s->world;
  struct roadmap r;
  struct reference_paths all;
  struct nav_grid g;
  struct outlines areas[PAIRS];
  roadmap_create(&r, &w->obstacles, &s->inflated, w->obstacles.outside_solid, w->bounds,
                 frame_length(&w->frame, 0.3));
  destinations_add(&r, w, &seed, areas);
  roadmap_build_edges(&r);
  roadmap_build_trees(&r);
  reference_paths_create(&all, &r, w->bounds);
  nav_grid_create(&g, w->bounds, frame_length(&w->frame, cell) & ~1, frame_length(&w->frame, 0.3),
                  &w->obstacles);
  const struct comparison comparison = {w, &g, &r, &all};
  for (int32_t k = 0; k < PAIRS; k++)
    pair_compare(&comparison, k, areas[k].points, free_point(w, &seed), &a);
  a.mean /= a.compared ? a.compared : 1;
  fprintf(stderr,
          "%s: %lld nodes, %lld corners; %d pairs, %d apart from the full graph; field of %g m: "
          "%d compared, off by %.2f to %.2f %%, mean %.2f %%\n",
          map, (long long)r.node_count, (long long)all.count, a.pairs, a.apart, cell, a.compared,
          100 * a.least, 100 * a.most, 100 * a.mean);
  for (int k = 0; k < PAIRS; k++)
    memory_destroy(areas[k].points);
  nav_grid_destroy(&g);
  reference_paths_destroy(&all);
  roadmap_destroy(&r);
  scenario_destroy(s);
  return a;
}

// THRONG_ROADMAP_MAP=monaco.geojson selects all of Monaco, which takes minutes. The long form looks
// at the whole old town: the full graph has 29 million pairs of corners.
Test(roadmap, agrees_with_the_full_visibility_graph_and_with_a_field, .timeout = 900)
{
#if !THOROUGH
  cr_skip_test("29 million pairs of corners take too long in this build");
#endif
  const char *map = getenv("THRONG_ROADMAP_MAP");
  const char *cell = getenv("THRONG_ROADMAP_CELL");
#if LONG
  const char *extent = NULL;
#else
  const char *extent = map ? NULL : "[-350, -350, 350, 350]";
#endif
  const struct agreement a =
      agreement_on(map ? map : "monaco-old-town.geojson", extent, cell ? strtod(cell, NULL) : 0.5);
  cr_assert(a.pairs > PAIRS / 2 && a.compared > PAIRS / 2);
  cr_assert_eq(a.apart, 0);
  cr_assert(a.mean < 0.03 && a.most < 0.1 && a.least > -0.05);
}
