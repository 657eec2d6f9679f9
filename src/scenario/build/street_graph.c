#include "street_graph.h"

#include "exact.h"
#include "geometry_internal.h"
#include "inflated.h"
#include <stdlib.h>
#include <string.h>

#define FILE_LIMIT ((size_t)1 << 30)

// --------------------------------------------------------------------------------- reading

static void text_read(struct geometry *g, const struct config *c, const char *path,
                      const char *text, size_t length, struct diagnostics *p)
{
  struct feature f = {.role = ROLE_OBSTACLE, .at = {path, NULL, 0, 0}};
  const char *first = text + strspn(text, " \t\r\n");
  if (*first == '{' || *first == '[') {
    f.degrees = c->world.units == 2 || (c->world.units == 0 && geojson_in_degrees(text, length));
    geojson_read(g, text, length, f, p);
  } else {
    f.degrees = c->world.units == 2;
    wkt_read(g, text, f, p);
  }
  if (g->solid.count)
    diagnostics_error(p, f.at, "a street graph has lines only: it has %u polygons", g->solid.count);
  else if (p->count == 0 && g->lines.count == 0)
    diagnostics_error(p, f.at, "a street graph has lines: it has none");
  g->projected = f.degrees;
}

static bool lines_project(struct geometry *g, const struct demand_input *in, const char *path,
                          struct diagnostics *p)
{
  double longitude, latitude;
  const bool world_degrees = geometry_is_projected(in->geometry, &longitude, &latitude);
  if (!g->projected)
    return true;
  if (world_degrees)
    geometry_project_lines(g, longitude, latitude);
  else
    diagnostics_error(p, (struct location){path, NULL, 0, 0},
                      "in degrees, but world.geometry is not: nothing says where (0, 0) m is");
  return world_degrees;
}

// Its lines in quanta, open. False when there are problems.
static bool lines_read(struct outlines *lines, const struct demand_input *in, const char *path,
                       struct diagnostics *p)
{
  const int before = p->count;
  const struct config *c = in->config;
  struct geometry g = {0};
  size_t length;
  char *text =
      file_read(path, FILE_LIMIT,
                "navigation.graph: ", origin_location(c, &c->from, "navigation.graph"), &length, p);
  if (!text)
    return false;
  geos_context_create(&g.geos_context);
  text_read(&g, c, path, text, length, p);
  if (p->count == before && lines_project(&g, in, path, p)) {
    const struct rectangle *x = in->extent;
    for (unsigned i = 0; i < g.lines.count; i++) {
      GEOSGeometry *line = GEOSGeom_clone_r(g.geos_context.geos, g.lines.shapes[i]);
      line = shape_clip(&g.geos_context, line, x->lo, x->hi);
      if (line)
        shape_outlines(&g.geos_context, line, &in->world->frame, false, lines);
      if (line)
        GEOSGeom_destroy_r(g.geos_context.geos, line);
    }
  }
  shape_list_destroy(&g.geos_context, &g.lines);
  shape_list_destroy(&g.geos_context, &g.solid);
  geos_context_destroy(&g.geos_context);
  memory_destroy(text);
  return p->count == before;
}

// ----------------------------------------------------------------------------------- nodes

static int by_position(const void *a, const void *b)
{
  const struct point *p = a, *q = b;
  return p->y != q->y ? (p->y > q->y) - (p->y < q->y) : (p->x > q->x) - (p->x < q->x);
}

static void nodes_gather(struct street_graph *graph, const struct outlines *lines)
{
  const int64_t points = lines->start[lines->count];
  graph->nodes = memory_create((size_t)points, sizeof *graph->nodes);
  if (points)
    memcpy(graph->nodes, lines->points, (size_t)points * sizeof *graph->nodes);
  qsort(graph->nodes, (size_t)points, sizeof *graph->nodes, by_position);
  for (int64_t i = 0; i < points; i++)
    if (graph->count == 0 || !same_point(graph->nodes[graph->count - 1], graph->nodes[i]))
      graph->nodes[graph->count++] = graph->nodes[i];
}

static int32_t node_find(const struct street_graph *graph, struct point p)
{
  const struct point *found =
      bsearch(&p, graph->nodes, (size_t)graph->count, sizeof *graph->nodes, by_position);
  return (int32_t)(found - graph->nodes);
}

static void nodes_check(const struct street_graph *graph, const struct demand_input *in,
                        const char *path, struct diagnostics *p)
{
  const struct world *w = in->world;
  int64_t bad = 0, first = 0;
  for (int64_t i = graph->count - 1; i >= 0; i--)
    if (obstacles_solid(&w->obstacles, graph->nodes[i])) {
      bad++;
      first = i;
    }
  if (bad)
    diagnostics_error(
        p, (struct location){path, NULL, 0, 0},
        "%lld of the %lld nodes of the street graph lie in walls, one at (%.3f, %.3f) m",
        (long long)bad, (long long)graph->count, frame_x(&w->frame, graph->nodes[first].x),
        frame_y(&w->frame, graph->nodes[first].y));
}

// ----------------------------------------------------------------------------------- edges

struct pair {
  int32_t from, to;
};

static int by_nodes(const void *a, const void *b)
{
  const struct pair *p = a, *q = b;
  return p->from != q->from ? (p->from > q->from) - (p->from < q->from)
                            : (p->to > q->to) - (p->to < q->to);
}

// Every piece that no wall cuts, from both its ends; how many. *cut: how many are.
static int64_t pairs_gather(const struct street_graph *graph, const struct outlines *lines,
                            const struct obstacles *walls, struct pair *pairs,
                            int64_t *crossing_walls)
{
  int64_t count = 0;
  for (int64_t l = 0; l < lines->count; l++)
    for (int64_t i = lines->start[l]; i + 1 < lines->start[l + 1]; i++) {
      const struct point p = lines->points[i], q = lines->points[i + 1];
      const int32_t u = node_find(graph, p), v = node_find(graph, q);
      if (segment_crosses(walls, p, q)) {
        ++*crossing_walls;
        continue;
      }
      pairs[count++] = (struct pair){u, v};
      pairs[count++] = (struct pair){v, u};
    }
  return count;
}

static void edges_create(struct street_graph *graph, struct pair *pairs, int64_t count)
{
  qsort(pairs, (size_t)count, sizeof *pairs, by_nodes);
  graph->first = memory_create((size_t)graph->count + 1, sizeof *graph->first);
  graph->to = memory_create((size_t)count, sizeof *graph->to);
  int64_t kept = 0;
  for (int64_t i = 0; i < count; i++)
    if (i == 0 || by_nodes(&pairs[i - 1], &pairs[i]) != 0) {
      graph->to[kept++] = pairs[i].to;
      graph->first[pairs[i].from + 1] = kept;
    }
  for (int64_t u = 0; u < graph->count; u++)
    if (graph->first[u + 1] < graph->first[u])
      graph->first[u + 1] = graph->first[u];
}

bool street_graph_read(struct street_graph *graph, const struct demand_input *in,
                       struct diagnostics *p)
{
  *graph = (struct street_graph){0};
  struct outlines lines;
  outlines_create(&lines);
  char *path = path_resolve(in->config->path, in->config->navigation.graph);
  bool good = lines_read(&lines, in, path, p);
  if (good) {
    nodes_gather(graph, &lines);
    nodes_check(graph, in, path, p);
    struct pair *pairs = memory_create(2 * (size_t)lines.start[lines.count], sizeof *pairs);
    int64_t crossing_walls = 0;
    edges_create(graph, pairs,
                 pairs_gather(graph, &lines, &in->world->obstacles, pairs, &crossing_walls));
    memory_destroy(pairs);
    if (crossing_walls)
      diagnostics_warning(p, (struct location){path, NULL, 0, 0},
                          "%lld pieces of the street graph cross walls: nobody walks there",
                          (long long)crossing_walls);
    good = p->count == 0;
  }
  outlines_destroy(&lines);
  memory_destroy(path);
  return good;
}
