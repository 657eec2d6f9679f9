#include "roadmap_look.h"

#include "base.h"
#include "horizon.h"
#include <stdlib.h>
#include <string.h>

// ---------------------------------------------------------------------------------- nodes

static void sites_of_nodes(struct roadmap *r)
{
  struct piece *pieces = memory_create((size_t)r->node_count, sizeof *pieces);
  for (int64_t i = 0; i < r->node_count; i++)
    pieces[i] = (struct piece){r->nodes[i], r->nodes[i]};
  sites_create(&r->sites, pieces, r->node_count);
  memory_destroy(pieces);
}

static void nodes_find(struct roadmap *r, struct box bounds)
{
  const struct grown *g = &r->grown;
  r->nodes = memory_create((size_t)g->walls.count, sizeof *r->nodes);
  r->corners = memory_create((size_t)g->walls.count, sizeof *r->corners);
  for (int64_t i = 0; i < g->walls.count; i++) {
    const struct point p = g->walls.walls[i].b;
    if (!box_holds(bounds, p) || !grown_convex(g, i) || obstacles_solid(&g->walls, p))
      continue;
    r->nodes[r->node_count] = p;
    r->corners[r->node_count++] = (int32_t)i;
  }
}

void roadmap_create(struct roadmap *r, const struct obstacles *walls, const struct outlines *grown,
                    bool outside_solid, struct box bounds, int32_t clearance)
{
  *r = (struct roadmap){.walls = walls, .clearance = clearance};
  grown_create(&r->grown, grown, outside_solid);
  nodes_find(r, bounds);
  sites_of_nodes(r);
}

void roadmap_create_given(struct roadmap *r, const struct obstacles *walls, int32_t clearance,
                          int64_t node_count, struct point *nodes, int64_t *first, int32_t *to)
{
  *r = (struct roadmap){.walls = walls,
                        .given = true,
                        .clearance = clearance,
                        .node_count = node_count,
                        .nodes = nodes,
                        .first = first,
                        .to = to};
  r->length = memory_create((size_t)first[node_count], sizeof *r->length);
  for (int64_t u = 0; u < node_count; u++)
    for (int64_t e = first[u]; e < first[u + 1]; e++)
      r->length[e] = length_between(nodes[u], nodes[to[e]]);
  sites_of_nodes(r);
}

bool roadmap_add_target(struct roadmap *r, const struct outlines *area, struct box bounds)
{
  const size_t count = (size_t)r->target_count;
  r->targets = memory_grow(r->targets, count, count + 1, sizeof *r->targets);
  struct target *t = &r->targets[r->target_count++];
  target_create(t, area, r->given ? r->walls : &r->grown.walls, bounds);
  return t->edges.count > 0;
}

static void tree_free(struct roadmap_tree *t)
{
  remaining_destroy(&t->remaining);
  memory_destroy(t->next);
}

void roadmap_destroy(struct roadmap *r)
{
  grown_destroy(&r->grown);
  sites_destroy(&r->sites);
  for (int32_t t = 0; t < r->target_count; t++) {
    target_destroy(&r->targets[t]);
    if (r->trees)
      tree_free(&r->trees[t]);
  }
  memory_destroy(r->targets);
  memory_destroy(r->trees);
  memory_destroy(r->legs);
  memory_destroy(r->nodes);
  memory_destroy(r->corners);
  memory_destroy(r->first);
  memory_destroy(r->to);
  memory_destroy(r->length);
  *r = (struct roadmap){0};
}

// ---------------------------------------------------------------------------------- edges

struct linker { // of one thread
  struct roadmap *r;
  struct horizon horizon;
  const int32_t *node_at; // [grown walls] the node where it ends, or -1
  int32_t *found;         // [node_count]
};

static int by_number(const void *a, const void *b)
{
  const int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

static bool linked(const struct linker *l, int32_t u, int32_t v)
{
  const struct roadmap *r = l->r;
  const struct point p = r->nodes[u], q = r->nodes[v];
  return v != u && !horizon_hides(&l->horizon, q) && grown_tangent(&r->grown, r->corners[v], p) &&
         grown_tangent(&r->grown, r->corners[u], q) && !grown_hides(&r->grown, p, q);
}

// The nodes that u sees along a tangent: a copy of their numbers, and how many.
static int32_t *edges_find(struct linker *l, int32_t u, int64_t *count)
{
  int64_t n = 0;
  for (int64_t i = 0; i < l->horizon.seen_count; i++) {
    const int32_t v = l->node_at[l->horizon.seen[i]];
    if (v >= 0 && linked(l, u, v))
      l->found[n++] = v;
  }
  qsort(l->found, (size_t)n, sizeof *l->found, by_number);
  int32_t *copy = memory_create((size_t)n, sizeof *copy);
  memcpy(copy, l->found, (size_t)n * sizeof *copy);
  *count = n;
  return copy;
}

// ----------------------------------------------------------------------------------- legs

static void edge_try(const struct linker *l, const struct target *t, struct point p, int32_t e,
                     struct roadmap_leg *best)
{
  const struct point q = sites_point(&t->edges, e, p);
  const int64_t length = length_between(p, q);
  const bool nearer =
      length < best->length || (length == best->length && ROADMAP_EDGE - e > best->aim);
  if (nearer && !horizon_hides(&l->horizon, q) && roadmap_sees(l->r, !l->r->given, p, q))
    *best = (struct roadmap_leg){length, ROADMAP_EDGE - e};
}

static void edges_try(const struct linker *l, const struct target *t, struct point p, int level,
                      int64_t first, struct roadmap_leg *best)
{
  const struct tree_level *nodes = &t->edges.tree.level[level];
  const int64_t last = first + TREE_WIDTH, end = last < nodes->count ? last : nodes->count;
  for (int64_t i = first; i < end; i++) {
    const struct box box = {{nodes->lo_x[i], nodes->lo_y[i]}, {nodes->hi_x[i], nodes->hi_y[i]}};
    if (length_to_box(p, box) - 2 > best->length || horizon_hides_box(&l->horizon, box))
      continue;
    if (level > 0)
      edges_try(l, t, p, level - 1, i * TREE_WIDTH, best);
    for (int64_t k = i * TREE_WIDTH; level == 0 && k < (i + 1) * TREE_WIDTH && k < t->edges.count;
         k++)
      edge_try(l, t, p, t->edges.order[k], best);
  }
}

// The nearest point of the destination that the node sees. One half hidden by a corner is not the
// nearest for anybody: the corner is a node and has a shorter way.
static struct roadmap_leg leg_find(const struct linker *l, int32_t target, int32_t u)
{
  const struct target *t = &l->r->targets[target];
  const struct point p = l->r->nodes[u];
  struct roadmap_leg best = {SITES_UNREACHED, ROADMAP_NONE};
  if (target_holds(t, p))
    return (struct roadmap_leg){0, ROADMAP_THERE};
  if (t->edges.tree.level_count > 0)
    edges_try(l, t, p, t->edges.tree.level_count - 1, 0, &best);
  return best;
}

// ------------------------------------------------------------------------------- together

static int32_t *nodes_at_walls(const struct roadmap *r)
{
  int32_t *node_at = memory_create((size_t)r->grown.walls.count, sizeof *node_at);
  for (int64_t i = 0; i < r->grown.walls.count; i++)
    node_at[i] = -1;
  for (int64_t u = 0; !r->given && u < r->node_count; u++)
    node_at[r->corners[u]] = (int32_t)u;
  return node_at;
}

static void node_link(struct linker *l, int32_t u, int32_t **lists, int64_t *counts)
{
  struct roadmap *r = l->r;
  horizon_look(&l->horizon, r->nodes[u]);
  if (!r->given)
    lists[u] = edges_find(l, u, &counts[u]);
  for (int32_t t = 0; t < r->target_count; t++)
    r->legs[t * r->node_count + u] = leg_find(l, t, u);
}

static void edges_join(struct roadmap *r, int32_t **lists, const int64_t *counts)
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

void roadmap_link(struct roadmap *r)
{
  int32_t *node_at = nodes_at_walls(r);
  int32_t **lists = memory_create((size_t)r->node_count, sizeof *lists);
  int64_t *counts = memory_create((size_t)r->node_count, sizeof *counts);
  r->legs = memory_create((size_t)(r->node_count * r->target_count), sizeof *r->legs);
#pragma omp parallel
  {
    struct linker l = {.r = r, .node_at = node_at};
    horizon_create(&l.horizon, r->given ? r->walls : &r->grown.walls);
    l.found = memory_create((size_t)r->node_count, sizeof *l.found);
#pragma omp for schedule(dynamic, 16)
    for (int64_t u = 0; u < r->node_count; u++)
      node_link(&l, (int32_t)u, lists, counts);
    horizon_destroy(&l.horizon);
    memory_destroy(l.found);
  }
  if (!r->given)
    edges_join(r, lists, counts);
  for (int64_t u = 0; u < r->node_count; u++)
    memory_destroy(lists[u]);
  memory_destroy(lists);
  memory_destroy(counts);
  memory_destroy(node_at);
}
