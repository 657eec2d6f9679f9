#include "street_graph.h"

#include "exact.h"
#include "geometry_file.h"
#include "inflated.h"
#include "projection.h"
#include <assert.h>
#include <stdlib.h>
#include <string.h>

// --------------------------------------------------------------------------------- reading

// Reads the lines of the file in its own units, which it returns.
static struct text_units features_read(struct feature_set *set, const struct config *c,
                                       const char *path, struct diagnostics *p)
{
  size_t length;
  char *text =
      file_read(path, GEOMETRY_FILE_LIMIT,
                "navigation.graph: ", origin_location(c, &c->from, "navigation.graph"), &length, p);
  if (!text)
    return (struct text_units){0};
  const struct feature f = {.role = ROLE_OBSTACLE, .at = {path, NULL, 0, 0}};
  const struct text_units units = geometry_text_read(set, text, length, c->world.units, f, p);
  memory_destroy(text);
  if (set->solid.count)
    diagnostics_error(p, f.at, "a street graph consists of lines, but this file has %u polygons",
                      set->solid.count);
  else if (p->count == 0 && set->lines.count == 0)
    diagnostics_error(p, f.at, "a street graph consists of lines, but this file has none");
  return units;
}

// Projects like world.geometry. False and an error if that is not in degrees.
static bool lines_project(struct feature_set *set, const struct demand_input *in, const char *path,
                          struct diagnostics *p)
{
  const struct projection *projection = geometry_projection(in->geometry);
  if (!projection) {
    diagnostics_error(p, (struct location){path, NULL, 0, 0},
                      "the street graph is in degrees, but world.geometry is not: the location of "
                      "(0, 0) m is unknown");
    return false;
  }
  shape_list_project(&set->geos_context, &set->lines, 0, *projection);
  return true;
}

static void lines_outlines(const struct feature_set *set, const struct demand_input *in,
                           struct outlines *lines)
{
  const struct geos_context *s = &set->geos_context;
  for (unsigned i = 0; i < set->lines.count; i++) {
    GEOSGeometry *line = GEOSGeom_clone_r(s->geos, set->lines.shapes[i]);
    line = shape_clip(s, line, in->extent->lo, in->extent->hi);
    if (!line)
      continue;
    shape_outlines(s, line, &in->world->frame, false, lines);
    GEOSGeom_destroy_r(s->geos, line);
  }
}

// The lines in quanta, clipped to the extent. False if there were errors.
static bool lines_read(struct outlines *lines, const struct demand_input *in, const char *path,
                       struct diagnostics *p)
{
  const int before = p->count;
  struct feature_set set;
  feature_set_create(&set);
  const struct text_units units = features_read(&set, in->config, path, p);
  geometry_check_crs(in->geometry, &units, (struct location){path, NULL, 0, 0}, p);
  if (p->count == before && (!units.degrees || lines_project(&set, in, path, p)))
    lines_outlines(&set, in, lines);
  feature_set_destroy(&set);
  return p->count == before;
}

// ----------------------------------------------------------------------------------- nodes

static int position_order(const void *a, const void *b)
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
  qsort(graph->nodes, (size_t)points, sizeof *graph->nodes, position_order);
  for (int64_t i = 0; i < points; i++)
    if (graph->count == 0 || !same_point(graph->nodes[graph->count - 1], graph->nodes[i]))
      graph->nodes[graph->count++] = graph->nodes[i];
}

static int32_t node_find(const struct street_graph *graph, struct point p)
{
  const struct point *found =
      bsearch(&p, graph->nodes, (size_t)graph->count, sizeof *graph->nodes, position_order);
  return (int32_t)(found - graph->nodes);
}

static void check_nodes(const struct street_graph *graph, const struct demand_input *in,
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
        "%lld of the %lld nodes of the street graph lie in walls; one of them at (%.3f, %.3f) m",
        (long long)bad, (long long)graph->count, frame_x(&w->frame, graph->nodes[first].x),
        frame_y(&w->frame, graph->nodes[first].y));
}

// ----------------------------------------------------------------------------------- edges

struct directed_edge {
  int32_t from, to;
};

static int edge_order(const void *a, const void *b)
{
  const struct directed_edge *p = a, *q = b;
  return p->from != q->from ? (p->from > q->from) - (p->from < q->from)
                            : (p->to > q->to) - (p->to < q->to);
}

// Both directions of every segment that crosses no wall. Returns their number and adds the number
// of segments that cross walls.
static int64_t edges_gather(const struct street_graph *graph, const struct outlines *lines,
                            const struct obstacles *walls, struct directed_edge *edges,
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
      edges[count++] = (struct directed_edge){u, v};
      edges[count++] = (struct directed_edge){v, u};
    }
  return count;
}

static void edges_create(struct street_graph *graph, struct directed_edge *edges, int64_t count)
{
  qsort(edges, (size_t)count, sizeof *edges, edge_order);
  graph->first = memory_create((size_t)graph->count + 1, sizeof *graph->first);
  graph->to = memory_create((size_t)count, sizeof *graph->to);
  int64_t kept = 0;
  for (int64_t i = 0; i < count; i++)
    if (i == 0 || edge_order(&edges[i - 1], &edges[i]) != 0) {
      graph->to[kept++] = edges[i].to;
      graph->first[edges[i].from + 1] = kept;
    }
  for (int64_t u = 0; u < graph->count; u++)
    if (graph->first[u + 1] < graph->first[u])
      graph->first[u + 1] = graph->first[u];
}

bool street_graph_is_valid(const struct street_graph *graph)
{
  bool good = graph->count >= 0 && graph->first[0] == 0;
  for (int64_t u = 0; good && u < graph->count; u++)
    good = graph->first[u] <= graph->first[u + 1];
  for (int64_t e = 0; good && e < graph->first[graph->count]; e++)
    good = graph->to[e] >= 0 && graph->to[e] < graph->count;
  return good;
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
    check_nodes(graph, in, path, p);
    struct directed_edge *edges =
        memory_create(2 * (size_t)lines.start[lines.count], sizeof *edges);
    int64_t crossing_walls = 0;
    edges_create(graph, edges,
                 edges_gather(graph, &lines, &in->world->obstacles, edges, &crossing_walls));
    memory_destroy(edges);
    if (crossing_walls)
      diagnostics_warning(p, (struct location){path, NULL, 0, 0},
                          "%lld segments of the street graph cross walls and are ignored",
                          (long long)crossing_walls);
    assert(street_graph_is_valid(graph));
    good = p->count == 0;
  }
  outlines_destroy(&lines);
  memory_destroy(path);
  return good;
}
