#include "narrow_cells.h"

#include "narrow_graph.h"
#include <assert.h>
#include <math.h>
#include <stdlib.h>

#define ROUNDS 6 // of thinning

struct neighbour {
  int32_t row, column;
  struct narrow_node *node; // NULL: none
  bool in_grid, open;
};

struct portals { // towards each side: from lo to hi, if open
  bool open[4];
  double lo[4], hi[4]; // quanta
};

static struct neighbour neighbour_of(const struct narrow_graph *n, const struct narrow_node *node,
                                     int d)
{
  struct neighbour to = {.row = node->row + (d == 1) - (d == 3),
                         .column = node->column + (d == 0) - (d == 2)};
  to.in_grid = to.row >= 0 && to.row < n->g->rows && to.column >= 0 && to.column < n->g->columns;
  to.node = narrow_graph_find(n, to.row, to.column);
  to.open = to.node ? to.node->alive != 0 : narrow_cell_is_open(n->g, to.row, to.column);
  return to;
}

static int kept_part(const struct narrow_node *node) // -1: none
{
  int part = -1;
  for (int k = 0; k < node->parts.parts; k++)
    if (node->alive >> k & 1)
      part = k;
  return part;
}

// Does another part stand for the cell than that of its centre?
static bool is_narrow(const struct narrow_node *node)
{
  return node->alive && kept_part(node) != node->centre;
}

// Where the kept parts of a node and of its neighbours meet.
static struct portals portals_of(const struct narrow_graph *n, const struct narrow_node *node)
{
  struct portals p = {{false}, {0}, {0}};
  for (int d = 0; d < 4 && node->alive; d++) {
    const struct neighbour to = neighbour_of(n, node, d);
    p.open[d] = to.open && narrow_portal(node, kept_part(node), d, to.node,
                                         to.node ? to.node->alive : 1, &p.lo[d], &p.hi[d]);
  }
  return p;
}

// Of a cell that is cut off, any point on its free border will do.
static bool choose_point(const struct narrow_graph *n, const struct narrow_node *node,
                         const struct portals *p, struct point *at)
{
  const struct cell_square square = narrow_square(n->g, node->row, node->column);
  struct double_point targets[FREE_ARCS];
  int count = 0;
  for (int d = 0; d < 4; d++)
    if (p->open[d]) {
      const struct free_arc arc = {p->lo[d], p->hi[d], (uint8_t)d, 0};
      targets[count++] = free_arc_middle(&arc, &square);
    }
  for (int k = 0; count == 0 && k < node->parts.arcs; k++)
    if (node->parts.arc[k].part == kept_part(node))
      targets[count++] = free_arc_middle(&node->parts.arc[k], &square);
  return narrow_point_choose(n, node, targets, count, at);
}

// People in a part that bends round the end of a wall may not see the way out: others go first.
static void thin(struct narrow_graph *n)
{
  bool bent = true;
  for (int round = 0; round < ROUNDS && bent; round++) {
    narrow_graph_thin(n);
    bent = false;
    for (int64_t k = 0; k < n->count; k++) {
      struct narrow_node *node = &n->nodes[k];
      struct point at;
      if (!is_narrow(node))
        continue;
      const struct portals p = portals_of(n, node);
      const bool straight = choose_point(n, node, &p, &at);
      bent = bent || (!straight && !(node->bent & node->alive));
      node->bent |= straight ? 0 : node->alive;
    }
  }
}

// --------------------------------------------------------------------------------- narrow cells

struct builder {
  struct narrow_graph graph;
  struct nav_grid *g;
  int64_t capacity; // of g->narrow
};

// A passage of less than a quantum has one coordinate.
static void set_portals(struct narrow_cell *narrow, const struct portals *p)
{
  for (int d = 0; d < 4; d++) {
    const int32_t lo = (int32_t)ceil(p->lo[d]), hi = (int32_t)floor(p->hi[d]);
    narrow->lo[d] = p->open[d] ? (lo < hi ? lo : hi) : 1; // 1 > 0: none
    narrow->hi[d] = p->open[d] ? hi : 0;
  }
}

// A point on the side of the cell towards d, or a little inside of it.
static struct point side_point(const struct nav_grid *g, int64_t cell, int d, int32_t along,
                               bool within)
{
  const struct point c = nav_grid_centre(g, cell);
  const int32_t half = g->cell / 2 - (within ? g->cell / 8 : 0);
  return d & 1 ? (struct point){along, c.y + (d == 1 ? half : -half)}
               : (struct point){c.x + (d == 0 ? half : -half), along};
}

// Do people who enter the cell there see its point, from the side and a little farther on?
static bool enters(const struct nav_grid *g, const struct narrow_cell *narrow, int d, int32_t along)
{
  for (int within = 0; within < 2; within++)
    if (obstacles_crossed(g->obstacles, narrow->at, side_point(g, narrow->cell, d, along, within)))
      return false;
  return true;
}

// How far from `first`, where they do, towards `end` people enter the cell.
static int32_t entered_until(const struct nav_grid *g, const struct narrow_cell *narrow, int d,
                             int32_t first, int32_t end)
{
  int32_t seen = first;
  if (enters(g, narrow, d, end))
    return end;
  for (int32_t middle; middle = seen + (end - seen) / 2, middle != seen;)
    if (enters(g, narrow, d, middle))
      seen = middle;
    else
      end = middle;
  return first + (seen - first) / 2; // surely
}

// People enter the cell where they see its point. Where they cannot, they pass another one.
static void clip_portal(const struct builder *b, const struct narrow_node *node,
                        struct narrow_cell *narrow, int d)
{
  const struct nav_grid *g = b->g;
  const int32_t lo = narrow->lo[d], hi = narrow->hi[d], middle = lo + (hi - lo) / 2;
  const struct point side = side_point(g, narrow->cell, d, middle, false);
  if (obstacles_crossed(g->obstacles, narrow->at, side)) {
    const struct double_point targets[] = {{side.x, side.y}, {narrow->at.x, narrow->at.y}};
    narrow_point_choose(&b->graph, node, targets, 2, &narrow->via[d]);
    narrow->lo[d] = narrow->hi[d] = middle;
  } else {
    narrow->lo[d] = entered_until(g, narrow, d, middle, lo);
    narrow->hi[d] = entered_until(g, narrow, d, middle, hi);
  }
}

static void add_narrow_cell(struct builder *b, struct narrow_node *node)
{
  struct nav_grid *g = b->g;
  if (g->narrow_count == b->capacity) {
    const size_t used = (size_t)b->capacity, room = used ? 2 * used : 64;
    g->narrow = memory_grow(g->narrow, used, room, sizeof *g->narrow);
    b->capacity = (int64_t)room;
  }
  const struct portals p = portals_of(&b->graph, node);
  struct narrow_cell *narrow = &g->narrow[g->narrow_count];
  *narrow = (struct narrow_cell){
      .cell = (int32_t)nav_grid_cell(g, (uint32_t)node->column, (uint32_t)node->row)};
  set_portals(narrow, &p);
  choose_point(&b->graph, node, &p, &narrow->at);
  for (int d = 0; d < 4; d++) {
    narrow->via[d] = narrow->at;
    if (p.open[d])
      clip_portal(b, node, narrow, d);
  }
  node->entry = (int32_t)g->narrow_count++;
}

// The bit of the link between a cell and its neighbour towards d.
struct link {
  uint8_t *bits, bit;
};

static struct link link_of(const struct nav_grid *g, int32_t row, int32_t column, int d)
{
  const uint32_t r = (uint32_t)(row - (d == 3)), c = (uint32_t)(column - (d == 2));
  return (struct link){&g->bits[nav_grid_cell(g, c, r)], d & 1 ? NAV_GRID_NORTH : NAV_GRID_EAST};
}

static bool is_linked(const struct nav_grid *g, int32_t row, int32_t column, int d)
{
  const struct link link = link_of(g, row, column, d);
  return *link.bits & link.bit;
}

static void set_link(const struct nav_grid *g, const struct narrow_node *node, int d, bool open)
{
  const struct link link = link_of(g, node->row, node->column, d);
  *link.bits = (uint8_t)(open ? *link.bits | link.bit : *link.bits & ~link.bit);
}

// People who stand where no route leads are led to a narrow cell if they see its point.
static bool leads_out(const struct nav_grid *g, const struct narrow_node *node,
                      const struct neighbour *to)
{
  const int64_t cell = nav_grid_cell(g, (uint32_t)to->column, (uint32_t)to->row);
  return !(g->bits[cell] & NAV_GRID_SOLID) &&
         !obstacles_crossed(g->obstacles, g->narrow[node->entry].at, nav_grid_centre(g, cell));
}

// Links between open cells are open where their parts meet, and closed where only their centres see
// each other: through a slit.
static void link_cells(struct builder *b, struct narrow_node *node)
{
  const struct portals p = portals_of(&b->graph, node);
  for (int d = 0; d < 4; d++) {
    const struct neighbour to = neighbour_of(&b->graph, node, d);
    const bool narrow = is_narrow(node) || (to.node && is_narrow(to.node));
    if (!to.in_grid)
      continue;
    if (node->alive && to.open)
      set_link(b->g, node, d, p.open[d] && (narrow || is_linked(b->g, node->row, node->column, d)));
    else if (is_narrow(node))
      set_link(b->g, node, d, leads_out(b->g, node, &to));
  }
}

#define NEAR 2 // cells: how far others may connect two cells that do not see each other

// Are the cell and its neighbour connected nearby, by links that are open already?
static bool connected_nearby(const struct nav_grid *g, const struct narrow_node *node, int d)
{
  enum { SIDE = 2 * NEAR + 1, OWN = NEAR * SIDE + NEAR };
  const int target = OWN + ((d == 1) - (d == 3)) * SIDE + (d == 0) - (d == 2);
  const int32_t first_row = node->row - NEAR, first_column = node->column - NEAR;
  int list[SIDE * SIDE] = {OWN}, count = 1;
  bool reached[SIDE * SIDE] = {[OWN] = true};
  for (int k = 0; k < count && !reached[target]; k++)
    for (int e = 0; e < 4; e++) {
      const int row = list[k] / SIDE + (e == 1) - (e == 3);
      const int column = list[k] % SIDE + (e == 0) - (e == 2), to = row * SIDE + column;
      if (row < 0 || row >= SIDE || column < 0 || column >= SIDE || reached[to] ||
          !narrow_cell_is_open(g, first_row + row, first_column + column) ||
          !is_linked(g, first_row + list[k] / SIDE, first_column + list[k] % SIDE, e))
        continue;
      reached[to] = true;
      list[count++] = to;
    }
  return reached[target];
}

// A way between two open cells round the end of a wall, which their centres do not see, is opened
// where no other is near.
static void open_bent_links(struct builder *b, struct narrow_node *node)
{
  const struct portals p = portals_of(&b->graph, node);
  for (int d = 0; d < 4; d++) {
    if (!p.open[d] || is_linked(b->g, node->row, node->column, d) ||
        connected_nearby(b->g, node, d))
      continue;
    if (node->entry < 0)
      add_narrow_cell(b, node);
    set_link(b->g, node, d, true);
  }
}

// Open cells are told by their bits, so these change after all portals are known.
static void add_narrow_cells(struct builder *b)
{
  struct narrow_graph *n = &b->graph;
  for (int64_t k = 0; k < n->count; k++)
    if (is_narrow(&n->nodes[k]))
      add_narrow_cell(b, &n->nodes[k]);
  for (int64_t k = 0; k < n->count; k++) {
    const struct narrow_node *node = &n->nodes[k];
    uint8_t *bits = &b->g->bits[nav_grid_cell(b->g, (uint32_t)node->column, (uint32_t)node->row)];
    if (!node->alive)
      *bits |= NAV_GRID_LOW_CLEARANCE;
    else if (node->entry >= 0)
      *bits &= (uint8_t) ~(NAV_GRID_SOLID | NAV_GRID_LOW_CLEARANCE);
  }
}

// Where two narrow cells meet, both of their points are seen from what is left of the portal.
static void match_portals(struct builder *b, const struct narrow_node *node)
{
  for (int d = 0; d < 2 && node->entry >= 0; d++) {
    const struct neighbour to = neighbour_of(&b->graph, node, d);
    if (!to.node || to.node->entry < 0)
      continue;
    struct narrow_cell *one = &b->g->narrow[node->entry], *other = &b->g->narrow[to.node->entry];
    const int e = d ^ 2;
    if (one->lo[d] > one->hi[d] || other->lo[e] > other->hi[e])
      continue;
    const int32_t lo = one->lo[d] > other->lo[e] ? one->lo[d] : other->lo[e];
    const int32_t hi = one->hi[d] < other->hi[e] ? one->hi[d] : other->hi[e];
    const int32_t middle = lo + (hi - lo) / 2;
    one->lo[d] = other->lo[e] = lo <= hi ? lo : middle;
    one->hi[d] = other->hi[e] = lo <= hi ? hi : middle;
  }
}

// Agents beside a narrow cell look it up, too.
static void mark_narrow(struct nav_grid *g)
{
  for (int64_t k = 0; k < g->narrow_count; k++) {
    const struct cell_place at = nav_grid_place(g, g->narrow[k].cell);
    for (int32_t row = at.row - (at.row > 0); row <= at.row + (at.row + 1 < g->rows); row++)
      for (int32_t column = at.column - (at.column > 0);
           column <= at.column + (at.column + 1 < g->columns); column++)
        g->bits[nav_grid_cell(g, (uint32_t)column, (uint32_t)row)] |= NAV_GRID_NARROW;
  }
}

static int by_cell(const void *a, const void *b)
{
  const struct narrow_cell *p = a, *q = b;
  return (p->cell > q->cell) - (p->cell < q->cell);
}

void nav_grid_open_narrow_cells(struct nav_grid *g, int32_t clearance)
{
  assert(nav_grid_is_valid(g) && !g->upwind && !g->narrow && clearance >= 0);
  struct builder b = {.g = g};
  narrow_graph_create(&b.graph, g, clearance);
  thin(&b.graph);
  add_narrow_cells(&b);
  for (int64_t k = 0; k < b.graph.count; k++)
    link_cells(&b, &b.graph.nodes[k]);
  for (int64_t k = 0; k < b.graph.count; k++)
    open_bent_links(&b, &b.graph.nodes[k]);
  for (int64_t k = 0; k < b.graph.count; k++)
    match_portals(&b, &b.graph.nodes[k]);
  narrow_graph_destroy(&b.graph);
  if (g->narrow_count > 0)
    qsort(g->narrow, (size_t)g->narrow_count, sizeof *g->narrow, by_cell);
  mark_narrow(g);
}
