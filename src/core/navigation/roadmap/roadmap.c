#include "roadmap_kernel.h"

#include "base.h"
#include "visibility.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------- nodes

static void index_nodes(struct roadmap *r)
{
  struct segment *segments = memory_create((size_t)r->node_count, sizeof *segments);
  for (int64_t i = 0; i < r->node_count; i++)
    segments[i] = (struct segment){r->nodes[i], r->nodes[i]};
  waypoints_create(&r->waypoints, segments, r->node_count);
  memory_destroy(segments);
}

static void nodes_find(struct roadmap *r, struct box bounds)
{
  const struct inflated *g = &r->inflated;
  r->nodes = memory_create((size_t)g->walls.count, sizeof *r->nodes);
  r->corners = memory_create((size_t)g->walls.count, sizeof *r->corners);
  for (int64_t i = 0; i < g->walls.count; i++) {
    const struct point p = g->walls.walls[i].b;
    if (!box_holds(bounds, p) || !inflated_convex(g, i) || obstacles_solid(&g->walls, p))
      continue;
    r->nodes[r->node_count] = p;
    r->corners[r->node_count++] = (int32_t)i;
  }
}

void roadmap_create(struct roadmap *r, const struct obstacles *walls,
                    const struct outlines *inflated, bool outside_solid, struct box bounds,
                    int32_t clearance)
{
  *r = (struct roadmap){.walls = walls, .clearance = clearance};
  inflated_create(&r->inflated, inflated, outside_solid);
  nodes_find(r, bounds);
  index_nodes(r);
}

void roadmap_create_given(struct roadmap *r, const struct obstacles *walls, int32_t clearance,
                          const struct roadmap_graph *graph)
{
  const int64_t node_count = graph->node_count, *first = graph->first;
  *r = (struct roadmap){.walls = walls,
                        .street_graph = true,
                        .clearance = clearance,
                        .node_count = node_count,
                        .nodes = graph->nodes,
                        .first = graph->first,
                        .to = graph->to};
  r->length = memory_create((size_t)first[node_count], sizeof *r->length);
  for (int64_t u = 0; u < node_count; u++)
    for (int64_t e = first[u]; e < first[u + 1]; e++)
      r->length[e] = length_between(r->nodes[u], r->nodes[r->to[e]]);
  index_nodes(r);
}

bool roadmap_add_destination(struct roadmap *r, const struct outlines *area, struct box bounds)
{
  const size_t count = (size_t)r->destination_count;
  r->destinations = memory_grow(r->destinations, count, count + 1, sizeof *r->destinations);
  struct destination *t = &r->destinations[r->destination_count++];
  destination_create(t, area, r->street_graph ? r->walls : &r->inflated.walls, bounds);
  return t->edges.count > 0;
}

static void roadmap_tree_destroy(struct shortest_path_tree *t)
{
  cost_to_go_destroy(&t->cost_to_go);
  memory_destroy(t->next);
  memory_destroy(t->passages);
}

void roadmap_destroy(struct roadmap *r)
{
  inflated_destroy(&r->inflated);
  waypoints_destroy(&r->waypoints);
  for (int32_t t = 0; t < r->destination_count; t++) {
    destination_destroy(&r->destinations[t]);
    if (r->trees)
      roadmap_tree_destroy(&r->trees[t]);
  }
  memory_destroy(r->destinations);
  memory_destroy(r->trees);
  memory_destroy(r->last_edges);
  memory_destroy(r->nodes);
  memory_destroy(r->corners);
  memory_destroy(r->first);
  memory_destroy(r->to);
  memory_destroy(r->length);
  *r = (struct roadmap){0};
}

// ---------------------------------------------------------------------------------- edges

struct edge_builder { // of one thread
  struct roadmap *r;
  struct visibility visibility;
  const int32_t *node_at; // [inflated walls] the node at the wall's end, or -1
  int32_t *found;         // [node_count]
};

static int by_number(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static bool linked(const struct edge_builder *l, int32_t u, int32_t v)
{
  const struct roadmap *r = l->r;
  const struct point p = r->nodes[u], q = r->nodes[v];
  return v != u && !visibility_hidden(&l->visibility, q) &&
         inflated_tangent(&r->inflated, r->corners[v], p) &&
         inflated_tangent(&r->inflated, r->corners[u], q) && !inflated_blocks(&r->inflated, p, q);
}

// The nodes that u sees along a tangent: a copy of their indices, and their number.
static int32_t *edges_find(struct edge_builder *l, int32_t u, int64_t *count)
{
  int64_t n = 0;
  for (int64_t i = 0; i < l->visibility.visible_count; i++) {
    const int32_t v = l->node_at[l->visibility.visible[i]];
    if (v >= 0 && linked(l, u, v))
      l->found[n++] = v;
  }
  qsort(l->found, (size_t)n, sizeof *l->found, by_number);
  int32_t *copy = memory_create((size_t)n, sizeof *copy);
  memcpy(copy, l->found, (size_t)n * sizeof *copy);
  *count = n;
  return copy;
}

// ----------------------------------------------------------------------------- last edges

static void edge_try(const struct edge_builder *l, const struct destination *t, struct point p,
                     int32_t e, struct roadmap_last_edge *best)
{
  const struct point q = waypoints_nearest_point(&t->edges, e, p);
  const int64_t length = length_between(p, q);
  const bool nearer =
      length < best->length || (length == best->length && ROADMAP_EDGE - e > best->waypoint);
  if (nearer && !visibility_hidden(&l->visibility, q) &&
      roadmap_visible(l->r, !l->r->street_graph, p, q))
    *best = (struct roadmap_last_edge){length, ROADMAP_EDGE - e};
}

static void edges_try(const struct edge_builder *l, const struct destination *t, struct point p,
                      int level, int64_t first, struct roadmap_last_edge *best)
{
  const struct box_tree_level *nodes = &t->edges.tree.level[level];
  const int64_t last = first + BOX_TREE_WIDTH, end = last < nodes->count ? last : nodes->count;
  for (int64_t i = first; i < end; i++) {
    const struct box box = {{nodes->lo_x[i], nodes->lo_y[i]}, {nodes->hi_x[i], nodes->hi_y[i]}};
    if (length_to_box(p, box) - 2 > best->length || visibility_box_hidden(&l->visibility, box))
      continue;
    if (level > 0)
      edges_try(l, t, p, level - 1, i * BOX_TREE_WIDTH, best);
    for (int64_t k = i * BOX_TREE_WIDTH;
         level == 0 && k < (i + 1) * BOX_TREE_WIDTH && k < t->edges.count; k++)
      edge_try(l, t, p, t->edges.order[k], best);
  }
}

// The closest point of the destination that the node sees. If a corner hides a closer one, that
// corner is a node with a shorter path.
static struct roadmap_last_edge last_edge_find(const struct edge_builder *l, int32_t destination,
                                               int32_t u)
{
  const struct destination *t = &l->r->destinations[destination];
  const struct point p = l->r->nodes[u];
  struct roadmap_last_edge best = {WAYPOINTS_UNREACHED, ROADMAP_NONE};
  if (destination_holds(t, p))
    return (struct roadmap_last_edge){0, ROADMAP_INSIDE};
  if (t->edges.tree.level_count > 0)
    edges_try(l, t, p, t->edges.tree.level_count - 1, 0, &best);
  return best;
}

// ------------------------------------------------------------------------------ the graph

static int32_t *nodes_at_walls(const struct roadmap *r)
{
  int32_t *node_at = memory_create((size_t)r->inflated.walls.count, sizeof *node_at);
  for (int64_t i = 0; i < r->inflated.walls.count; i++)
    node_at[i] = -1;
  for (int64_t u = 0; !r->street_graph && u < r->node_count; u++)
    node_at[r->corners[u]] = (int32_t)u;
  return node_at;
}

static void node_build_edges(struct edge_builder *l, int32_t u, int32_t **lists, int64_t *counts)
{
  struct roadmap *r = l->r;
  visibility_compute(&l->visibility, r->nodes[u]);
  if (!r->street_graph)
    lists[u] = edges_find(l, u, &counts[u]);
  for (int32_t t = 0; t < r->destination_count; t++)
    r->last_edges[t * r->node_count + u] = last_edge_find(l, t, u);
}

static void edges_concatenate(struct roadmap *r, int32_t **lists, const int64_t *counts)
{
  r->first = memory_create((size_t)r->node_count + 1, sizeof *r->first);
  for (int64_t u = 0; u < r->node_count; u++)
    r->first[u + 1] = r->first[u] + counts[u];
  r->to = memory_create((size_t)r->first[r->node_count], sizeof *r->to);
  r->length = memory_create((size_t)r->first[r->node_count], sizeof *r->length);
  for (int64_t u = 0; u < r->node_count; u++)
    for (int64_t k = 0, e = r->first[u]; k < counts[u]; k++, e++) {
      r->to[e] = lists[u][k];
      r->length[e] = length_between(r->nodes[u], r->nodes[r->to[e]]);
    }
}

void roadmap_build_edges(struct roadmap *r)
{
  int32_t *node_at = nodes_at_walls(r);
  int32_t **lists = memory_create((size_t)r->node_count, sizeof *lists);
  int64_t *counts = memory_create((size_t)r->node_count, sizeof *counts);
  r->last_edges =
      memory_create((size_t)(r->node_count * r->destination_count), sizeof *r->last_edges);
#pragma omp parallel
  {
    struct edge_builder l = {.r = r, .node_at = node_at};
    visibility_create(&l.visibility, r->street_graph ? r->walls : &r->inflated.walls);
    l.found = memory_create((size_t)r->node_count, sizeof *l.found);
#pragma omp for schedule(dynamic, 16)
    for (int64_t u = 0; u < r->node_count; u++)
      node_build_edges(&l, (int32_t)u, lists, counts);
    visibility_destroy(&l.visibility);
    memory_destroy(l.found);
  }
  if (!r->street_graph)
    edges_concatenate(r, lists, counts);
  for (int64_t u = 0; u < r->node_count; u++)
    memory_destroy(lists[u]);
  memory_destroy(lists);
  memory_destroy(counts);
  memory_destroy(node_at);
}
