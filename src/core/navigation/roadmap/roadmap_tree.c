// The shortest-path tree of one destination (Dijkstra 1959), from the last edges back along the
// edges.
#include "roadmap_kernel.h"

#include "base.h"
#include <assert.h>

struct entry {
  int64_t length; // quanta
  int32_t node;
};

struct heap { // lowest (length, node) first
  struct entry *entries;
  int64_t count, capacity;
};

static bool entry_before(struct entry a, struct entry b)
{
  return a.length < b.length || (a.length == b.length && a.node < b.node);
}

static void heap_push(struct heap *h, struct entry e)
{
  h->entries = memory_reserve(h->entries, h->count, &h->capacity, sizeof *h->entries);
  int64_t at = h->count++;
  for (; at > 0 && entry_before(e, h->entries[(at - 1) / 2]); at = (at - 1) / 2)
    h->entries[at] = h->entries[(at - 1) / 2];
  h->entries[at] = e;
}

static struct entry heap_pop(struct heap *h)
{
  const struct entry top = h->entries[0], last = h->entries[--h->count];
  int64_t at = 0;
  for (int64_t child; (child = 2 * at + 1) < h->count; at = child) {
    child += child + 1 < h->count && entry_before(h->entries[child + 1], h->entries[child]);
    if (!entry_before(h->entries[child], last))
      break;
    h->entries[at] = h->entries[child];
  }
  h->entries[at] = last;
  return top;
}

// Ties go to the lower node, so that the tree is unique.
static void neighbour_relax(struct shortest_path_tree *t, struct heap *h, int32_t u, int32_t v,
                            int64_t length)
{
  int64_t *known = &t->cost_to_go.of[v];
  if (length == *known && t->next[v] >= 0 && u < t->next[v] && t->cost_to_go.of[u] < *known)
    t->next[v] = u;
  if (length >= *known)
    return;
  *known = length;
  t->next[v] = u;
  heap_push(h, (struct entry){length, v});
}

static void dijkstra(const struct roadmap *r, const struct roadmap_last_edge *last_edges,
                     struct shortest_path_tree *t)
{
  struct heap h = {0};
  for (int64_t u = 0; u < r->node_count; u++) {
    t->cost_to_go.of[u] = last_edges[u].length;
    t->next[u] = last_edges[u].waypoint;
    if (last_edges[u].length != WAYPOINTS_UNREACHED)
      heap_push(&h, (struct entry){last_edges[u].length, (int32_t)u});
  }
  while (h.count > 0) {
    const struct entry e = heap_pop(&h);
    for (int64_t k = r->first[e.node];
         e.length == t->cost_to_go.of[e.node] && k < r->first[e.node + 1]; k++)
      neighbour_relax(t, &h, e.node, r->to[k], e.length + r->length[k]);
  }
  memory_destroy(h.entries);
}

static struct point away(struct point from, struct point to)
{
  return (struct point){to.x - from.x, to.y - from.y};
}

int roadmap_bend(const struct roadmap *r, int32_t destination, int32_t u, struct point *next)
{
  const int32_t m = r->trees[destination].next[u];
  if (r->street_graph || m == ROADMAP_NONE || m == ROADMAP_INSIDE)
    return 0;
  const struct wall *w = &r->inflated.walls.walls[r->corners[u]];
  const struct point end = r->inflated.walls.walls[r->inflated.after[r->corners[u]]].b;
  *next = roadmap_waypoint_position(r, destination, w->b, m);
  const int before = orientation(w->b, *next, w->a), after = orientation(w->b, *next, end);
  if (before >= 0 && after >= 0)
    return 1;
  return before <= 0 && after <= 0 ? -1 : 0; // the last edge need not be a tangent
}

// After a node the path continues to m with the solid of the corner on its left or right. It bends
// there only for agents between the straight continuation and the far side of the corner.
static struct tangent_wedge tangent_wedge_of(const struct roadmap *r, int32_t destination,
                                             int32_t u)
{
  struct point m;
  const int bend = roadmap_bend(r, destination, u, &m);
  if (bend == 0)
    return (struct tangent_wedge){{0, 0}, {0, 0}}; // anywhere
  const struct wall *w = &r->inflated.walls.walls[r->corners[u]];
  const struct point at = w->b, end = r->inflated.walls.walls[r->inflated.after[r->corners[u]]].b;
  return bend > 0 ? (struct tangent_wedge){away(at, w->a), away(m, at)}
                  : (struct tangent_wedge){away(m, at), away(at, end)};
}

void roadmap_build_trees(struct roadmap *r)
{
  assert(r->first && r->to && r->length && r->last_edges);
  const size_t nodes = (size_t)r->node_count;
  r->trees = memory_create((size_t)r->destination_count, sizeof *r->trees);
#pragma omp parallel for schedule(dynamic, 1)
  for (int32_t k = 0; k < r->destination_count; k++) {
    struct shortest_path_tree *t = &r->trees[k];
    t->cost_to_go.of = memory_create(nodes, sizeof *t->cost_to_go.of);
    t->next = memory_create(nodes, sizeof *t->next);
    t->cost_to_go.tangent_wedges = memory_create(nodes, sizeof *t->cost_to_go.tangent_wedges);
    dijkstra(r, r->last_edges + (int64_t)k * r->node_count, t);
    cost_to_go_refit(&t->cost_to_go, &r->waypoints);
    for (int64_t u = 0; u < r->node_count; u++)
      t->cost_to_go.tangent_wedges[u] = tangent_wedge_of(r, k, (int32_t)u);
  }
}
