// Which parts of the cells near walls stay (narrow_cells.h).
#include "narrow_graph.h"
#include <stdlib.h>

struct candidate {
  bool bent;
  double border;
  int64_t node;
  int part;
};

static int bent_by_border(const void *a, const void *b)
{
  const struct candidate *p = a, *q = b;
  if (p->bent != q->bent)
    return p->bent ? -1 : 1;
  if (p->border != q->border)
    return p->border < q->border ? -1 : 1;
  if (p->node != q->node)
    return p->node < q->node ? -1 : 1;
  return p->part - q->part;
}

// Whether the only neighbour of a part at the end of a pocket is beside open ground.
static bool short_pocket(const struct narrow_graph *n, const struct narrow_part *end)
{
  const struct narrow_node *node = end->node;
  for (int d = 0; d < 4; d++) {
    const int32_t row = node->row + (d == 1) - (d == 3),
                  column = node->column + (d == 0) - (d == 2);
    struct narrow_node *other = narrow_graph_find(n, row, column);
    for (int part = 0; other && part < other->parts.parts; part++) {
      struct narrow_part beside = {.node = other, .part = part};
      double lo, hi;
      if (!(other->alive >> part & 1) ||
          !narrow_portal(node, end->part, d, other, 1u << part, &lo, &hi))
        continue;
      narrow_part_look_around(n, &beside);
      return beside.open > 0;
    }
  }
  return true;
}

// The end of an alley stays, but for pockets that are hardly deeper than a cell.
static bool may_go(const struct narrow_graph *n, struct narrow_part *p)
{
  narrow_part_look_around(n, p);
  return p->neighbours > 0 && p->simple && (p->open > 0 || p->neighbours > 1 || short_pocket(n, p));
}

static bool has_one_part(const struct narrow_node *node)
{
  return (node->alive & (node->alive - 1)) == 0;
}

// Drops parts that nothing needs, in order. centres: of cells with several parts that are left,
// also those that hold the centre.
static void drop_parts(struct narrow_graph *n, const struct candidate *list, int64_t count,
                       bool centres)
{
  for (int64_t k = 0; k < count; k++) {
    struct narrow_node *node = &n->nodes[list[k].node];
    struct narrow_part p = {.node = node, .part = list[k].part};
    const bool is_centre = p.part == node->centre;
    if ((centres ? !has_one_part(node) : !is_centre) && may_go(n, &p))
      node->alive &= (uint8_t) ~(1u << p.part);
  }
}

// ------------------------------------------------------------------------------ enclosed parts

struct ways_out {
  uint8_t *parts; // [n->count] bits: parts of a node that are connected to an open cell
  int64_t *list;  // nodes whose neighbours are to be looked at
  int64_t count;
};

static struct narrow_node *node_beside(const struct narrow_graph *n, const struct narrow_node *node,
                                       int d)
{
  return narrow_graph_find(n, node->row + (d == 1) - (d == 3), node->column + (d == 0) - (d == 2));
}

static bool is_beside_open_cell(const struct narrow_graph *n, const struct narrow_node *node,
                                int part)
{
  double lo, hi;
  for (int d = 0; d < 4; d++)
    if (!node_beside(n, node, d) &&
        narrow_cell_is_open(n->g, node->row + (d == 1) - (d == 3),
                            node->column + (d == 0) - (d == 2)) &&
        narrow_portal(node, part, d, NULL, 1, &lo, &hi))
      return true;
  return false;
}

static void add_way_out(struct ways_out *w, int64_t node, unsigned parts)
{
  if (!(parts & ~(unsigned)w->parts[node]))
    return;
  w->parts[node] |= (uint8_t)parts;
  w->list[w->count++] = node;
}

// The parts of `other` that meet a part of the node that has a way out.
static unsigned parts_reached(const struct narrow_node *node, unsigned out, int d,
                              const struct narrow_node *other)
{
  unsigned reached = 0;
  double lo, hi;
  for (int part = 0; part < other->parts.parts; part++)
    if (narrow_portal(other, part, d ^ 2, node, out, &lo, &hi))
      reached |= 1u << part;
  return reached;
}

// A cell does not stand for a part that is enclosed if another one leads on.
static void drop_enclosed_parts(struct narrow_graph *n)
{
  struct ways_out w = {memory_create((size_t)n->count, 1),
                       memory_create((size_t)n->count * FREE_PARTS, sizeof *w.list), 0};
  for (int64_t k = 0; k < n->count; k++)
    for (int part = 0; part < n->nodes[k].parts.parts; part++)
      if (part == n->nodes[k].centre || is_beside_open_cell(n, &n->nodes[k], part))
        add_way_out(&w, k, 1u << part);
  while (w.count > 0) {
    const int64_t k = w.list[--w.count];
    for (int d = 0; d < 4; d++) {
      const struct narrow_node *other = node_beside(n, &n->nodes[k], d);
      if (other)
        add_way_out(&w, other - n->nodes, parts_reached(&n->nodes[k], w.parts[k], d, other));
    }
  }
  for (int64_t k = 0; k < n->count; k++)
    if (w.parts[k])
      n->nodes[k].alive &= w.parts[k];
  memory_destroy(w.parts);
  memory_destroy(w.list);
}

// ------------------------------------------------------------------------------------ thinning

static struct candidate *list_parts(const struct narrow_graph *n, int64_t *count)
{
  *count = 0;
  for (int64_t k = 0; k < n->count; k++)
    *count += n->nodes[k].parts.parts;
  struct candidate *list = memory_create((size_t)*count, sizeof *list);
  int64_t at = 0;
  for (int64_t k = 0; k < n->count; k++)
    for (int part = 0; part < n->nodes[k].parts.parts; part++)
      list[at++] = (struct candidate){n->nodes[k].bent >> part & 1,
                                      narrow_part_border(&n->nodes[k], part), k, part};
  qsort(list, (size_t)at, sizeof *list, bent_by_border);
  return list;
}

// A cell stands for one part: the one with the longest free border.
static void keep_one_part(struct narrow_graph *n, struct narrow_node *node)
{
  int best = -1;
  for (int part = 0; part < node->parts.parts; part++)
    if (node->alive >> part & 1 &&
        (best < 0 || narrow_part_border(node, part) > narrow_part_border(node, best)))
      best = part;
  for (int part = 0; part < node->parts.parts; part++) {
    struct narrow_part p = {.node = node, .part = part};
    if (part == best || !(node->alive >> part & 1))
      continue;
    narrow_part_look_around(n, &p);
    node->alive &= (uint8_t) ~(1u << part);
    if (p.simple)
      continue;
    const struct cell_square square = narrow_square(n->g, node->row, node->column);
    n->g->lost_passages++;
    n->g->lost_at = (struct point){(int32_t)square.lo.x, (int32_t)square.lo.y};
  }
}

void narrow_graph_thin(struct narrow_graph *n)
{
  int64_t count;
  struct candidate *list = list_parts(n, &count);
  n->g->lost_passages = 0;
  for (int64_t k = 0; k < n->count; k++)
    n->nodes[k].alive = (uint8_t)((1u << n->nodes[k].parts.parts) - 1);
  drop_enclosed_parts(n);
  drop_parts(n, list, count, false);
  drop_parts(n, list, count, true);
  memory_destroy(list);
  for (int64_t k = 0; k < n->count; k++)
    if (!has_one_part(&n->nodes[k]))
      keep_one_part(n, &n->nodes[k]);
}
