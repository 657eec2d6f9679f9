#include "narrow_graph.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define TILE 16 // cells

static const int step_column[4] = {1, 0, -1, 0}, step_row[4] = {0, 1, 0, -1};

// ------------------------------------------------------------------------------------- the nodes

struct node_list {
  struct narrow_node *nodes;
  int64_t count, capacity;
};

struct graph_builder { // of one thread
  struct nav_grid *g;
  double clearance;
  struct wall_list tile, near, close; // walls near the tile; near and close to the cell
  struct node_list list;
};

struct cell_square narrow_square(const struct nav_grid *g, int32_t row, int32_t column)
{
  const double x = g->origin.x + (double)column * g->cell, y = g->origin.y + (double)row * g->cell;
  return (struct cell_square){{x, y}, {x + g->cell, y + g->cell}};
}

bool narrow_cell_is_open(const struct nav_grid *g, int32_t row, int32_t column)
{
  return row >= 0 && row < g->rows && column >= 0 && column < g->columns &&
         !(g->bits[nav_grid_cell(g, (uint32_t)column, (uint32_t)row)] &
           (NAV_GRID_SOLID | NAV_GRID_LOW_CLEARANCE));
}

static bool same_point(struct point p, struct point q)
{
  return p.x == q.x && p.y == q.y;
}

// Do the walls make a corner that is no acute pocket?
static bool plain_corner(const struct wall *w, const struct wall *v)
{
  return same_point(w->b, v->a) && !same_point(v->b, w->a) &&
         (w->convex_b || w->ux * v->ux + w->uy * v->uy >= 0.0f);
}

// A passage between a wall and the edge of the grid is narrow as one between two walls.
static bool at_edge(const struct nav_grid *g, int32_t row, int32_t column)
{
  return row == 0 || row == g->rows - 1 || column == 0 || column == g->columns - 1;
}

// Without two walls that face each other nothing is narrow.
static bool plain(const struct wall_list *near)
{
  const struct wall **w = near->walls;
  return near->count < 2 ||
         (near->count == 2 && (plain_corner(w[0], w[1]) || plain_corner(w[1], w[0])));
}

static bool whole(const struct free_parts *f, double side)
{
  bool all = f->parts == 1 && f->arcs == 4;
  for (int k = 0; k < f->arcs; k++)
    all = all && f->arc[k].hi - f->arc[k].lo >= side;
  return all;
}

static bool clear_segment(const struct wall_list *walls, double clearance, struct double_point p,
                          struct double_point q)
{
  for (int64_t k = 0; k < walls->count; k++)
    if (wall_distance_to_segment(walls->walls[k], p, q, NULL) < clearance)
      return false;
  return true;
}

// The part that holds the centre of an open cell.
static int8_t part_of_centre(const struct graph_builder *b, const struct free_parts *f,
                             const struct cell_square *square)
{
  const struct double_point c = {(square->lo.x + square->hi.x) / 2,
                                 (square->lo.y + square->hi.y) / 2};
  if (f->parts == 1)
    return 0;
  for (int k = 0; k < f->arcs; k++)
    if (clear_segment(&b->close, b->clearance, c, free_arc_middle(&f->arc[k], square)))
      return (int8_t)f->arc[k].part;
  return -1;
}

static void add_node(struct node_list *l, const struct narrow_node *node)
{
  if (l->count == l->capacity) {
    const size_t used = (size_t)l->count, room = used ? 2 * used : 64;
    l->nodes = memory_grow(l->nodes, used, room, sizeof *l->nodes);
    l->capacity = (int64_t)room;
  }
  l->nodes[l->count++] = *node;
}

static void look_at_cell(struct graph_builder *b, int32_t row, int32_t column)
{
  const struct nav_grid *g = b->g;
  const struct cell_square square = narrow_square(g, row, column);
  const struct double_point c = {square.lo.x + g->cell / 2, square.lo.y + g->cell / 2};
  const double close = b->clearance + 0.75 * g->cell, near = b->clearance + 2.0 * g->cell;
  b->near.count = b->close.count = 0;
  for (int64_t k = 0; k < b->tile.count; k++) {
    const double distance = wall_distance(b->tile.walls[k], c);
    if (distance < near)
      wall_list_append(&b->near, b->tile.walls[k]);
    if (distance < close)
      wall_list_append(&b->close, b->tile.walls[k]);
  }
  struct narrow_node node = {.row = row, .column = column, .centre = -1, .entry = -1};
  if (b->close.count == 0 || (plain(&b->near) && !at_edge(g, row, column)) ||
      !free_parts_find(&node.parts, &square, b->clearance, &b->close, g->obstacles))
    return;
  const bool open = narrow_cell_is_open(g, row, column);
  if (node.parts.parts == 0 || (open && whole(&node.parts, g->cell)))
    return;
  if (open)
    node.centre = part_of_centre(b, &node.parts, &square);
  node.alive = (uint8_t)((1u << node.parts.parts) - 1);
  add_node(&b->list, &node);
}

static void look_at_tile(struct graph_builder *b, int32_t row, int32_t column)
{
  const struct nav_grid *g = b->g;
  const int32_t row_end = g->rows - row < TILE ? g->rows : row + TILE;
  const int32_t column_end = g->columns - column < TILE ? g->columns : column + TILE;
  const struct box box = {
      nav_grid_centre(g, nav_grid_cell(g, (uint32_t)column, (uint32_t)row)),
      nav_grid_centre(g, nav_grid_cell(g, (uint32_t)column_end - 1, (uint32_t)row_end - 1))};
  wall_list_find(&b->tile, g->obstacles, box, (float)(1.01 * (b->clearance + 2.0 * g->cell)));
  if (b->tile.count == 0)
    return;
  for (int32_t r = row; r < row_end; r++)
    for (int32_t c = column; c < column_end; c++)
      look_at_cell(b, r, c);
}

static int by_place(const void *a, const void *b)
{
  const struct narrow_node *p = a, *q = b;
  if (p->row != q->row)
    return p->row < q->row ? -1 : 1;
  return (p->column > q->column) - (p->column < q->column);
}

static void set_row_starts(struct narrow_graph *n)
{
  n->row_start = memory_create((size_t)n->g->rows + 1, sizeof *n->row_start);
  for (int64_t k = 0; k < n->count; k++)
    n->row_start[n->nodes[k].row + 1]++;
  for (int32_t row = 0; row < n->g->rows; row++)
    n->row_start[row + 1] += n->row_start[row];
}

void narrow_graph_create(struct narrow_graph *n, struct nav_grid *g, int32_t clearance)
{
  struct node_list all = {0};
#pragma omp parallel
  {
    struct graph_builder b = {.g = g, .clearance = free_clearance(clearance)};
#pragma omp for schedule(dynamic, 1)
    for (int32_t row = 0; row < g->rows; row += TILE)
      for (int32_t column = 0; column < g->columns; column += TILE)
        look_at_tile(&b, row, column);
#pragma omp critical(narrow_graph)
    for (int64_t k = 0; k < b.list.count; k++)
      add_node(&all, &b.list.nodes[k]);
    memory_destroy(b.list.nodes);
    wall_list_destroy(&b.tile);
    wall_list_destroy(&b.near);
    wall_list_destroy(&b.close);
  }
  if (all.count > 0)
    qsort(all.nodes, (size_t)all.count, sizeof *all.nodes, by_place);
  *n = (struct narrow_graph){g, free_clearance(clearance), all.count, all.nodes, NULL};
  set_row_starts(n);
}

void narrow_graph_destroy(struct narrow_graph *n)
{
  memory_destroy(n->nodes);
  memory_destroy(n->row_start);
  *n = (struct narrow_graph){0};
}

struct narrow_node *narrow_graph_find(const struct narrow_graph *n, int32_t row, int32_t column)
{
  if (row < 0 || row >= n->g->rows)
    return NULL;
  int64_t low = n->row_start[row], end = n->row_start[row + 1];
  while (low < end) {
    const int64_t middle = (low + end) / 2;
    if (n->nodes[middle].column < column)
      low = middle + 1;
    else
      end = middle;
  }
  return low < n->row_start[row + 1] && n->nodes[low].column == column ? &n->nodes[low] : NULL;
}

// ------------------------------------------------------------------------------------- the links

bool narrow_portal(const struct narrow_node *node, int part, int d, const struct narrow_node *other,
                   unsigned of, double *lo, double *hi)
{
  double longest = 0;
  for (int i = 0; i < node->parts.arcs; i++) {
    const struct free_arc *a = &node->parts.arc[i];
    if (a->side != d || a->part != part)
      continue;
    for (int k = 0; k < (other ? other->parts.arcs : 1); k++) {
      const struct free_arc *b = other ? &other->parts.arc[k] : a;
      if (other && (b->side != (d ^ 2) || !(of >> b->part & 1)))
        continue;
      const double from = a->lo > b->lo ? a->lo : b->lo, to = a->hi < b->hi ? a->hi : b->hi;
      if (to - from > longest) {
        longest = to - from;
        *lo = from;
        *hi = to;
      }
    }
  }
  return longest > 0;
}

double narrow_part_border(const struct narrow_node *node, int part)
{
  double length = 0;
  for (int k = 0; k < node->parts.arcs; k++)
    if (node->parts.arc[k].part == part)
      length += node->parts.arc[k].hi - node->parts.arc[k].lo;
  return length;
}

// The nine cells around a node. A cell without a node has one part if it is open.
#define AROUND 9
struct surroundings {
  const struct nav_grid *g;
  int32_t row, column; // of the node
  const struct narrow_node *node[AROUND];
  unsigned alive[AROUND], reached[AROUND];
};

static void surroundings_find(const struct narrow_graph *n, const struct narrow_part *p,
                              struct surroundings *s)
{
  *s = (struct surroundings){.g = n->g, .row = p->node->row, .column = p->node->column};
  for (int k = 0; k < AROUND; k++) {
    const int32_t row = s->row + k / 3 - 1, column = s->column + k % 3 - 1;
    s->node[k] = narrow_graph_find(n, row, column);
    s->alive[k] = s->node[k] ? s->node[k]->alive : narrow_cell_is_open(n->g, row, column);
  }
}

// The neighbour of the k-th of the nine; -1: not among them.
static int beside(int k, int d)
{
  const int row = k / 3 + step_row[d], column = k % 3 + step_column[d];
  return row < 0 || row > 2 || column < 0 || column > 2 ? -1 : 3 * row + column;
}

// Whether the open cell k, which has no node, is linked to its neighbour towards d, which has none.
static bool open_link(const struct surroundings *s, int k, int d)
{
  const int from = d < 2 ? k : beside(k, d); // the bit is in the western or southern one
  const int32_t row = s->row + from / 3 - 1, column = s->column + from % 3 - 1;
  const uint8_t bit = d & 1 ? NAV_GRID_NORTH : NAV_GRID_EAST;
  return s->g->bits[nav_grid_cell(s->g, (uint32_t)column, (uint32_t)row)] & bit;
}

// The living parts beside it, towards d, that the part of the cell k is linked to.
static unsigned linked_parts(const struct surroundings *s, int k, int part, int d)
{
  const int to = beside(k, d);
  double lo, hi;
  unsigned linked = 0;
  if (to < 0 || !s->alive[to])
    return 0;
  if (!s->node[k] && !s->node[to])
    return open_link(s, k, d);
  if (!s->node[to])
    return narrow_portal(s->node[k], part, d, NULL, 1, &lo, &hi);
  for (int other = 0; other < s->node[to]->parts.parts; other++)
    if (s->alive[to] >> other & 1 &&
        narrow_portal(s->node[to], other, d ^ 2, s->node[k], 1u << part, &lo, &hi))
      linked |= 1u << other;
  return linked;
}

static int count_bits(unsigned bits)
{
  int count = 0;
  for (; bits; bits &= bits - 1)
    count++;
  return count;
}

// Reaches everything from what is reached.
static void spread(struct surroundings *s)
{
  for (bool grows = true; grows;) {
    grows = false;
    for (int k = 0; k < AROUND; k++)
      for (int part = 0; part < FREE_PARTS; part++)
        for (int d = 0; s->reached[k] >> part & 1 && d < 4; d++) {
          const int to = beside(k, d);
          const unsigned more = to < 0 ? 0 : linked_parts(s, k, part, d) & ~s->reached[to];
          if (more) {
            s->reached[to] |= more;
            grows = true;
          }
        }
  }
}

void narrow_part_look_around(const struct narrow_graph *n, struct narrow_part *p)
{
  const int own = AROUND / 2;
  struct surroundings s;
  unsigned linked[4];
  surroundings_find(n, p, &s);
  p->neighbours = p->open = 0;
  for (int d = 0; d < 4; d++) {
    const int to = beside(own, d);
    linked[d] = linked_parts(&s, own, p->part, d);
    p->neighbours += count_bits(linked[d]);
    const int centre = to >= 0 && s.node[to] ? s.node[to]->centre : 0;
    p->open += centre >= 0 && (linked[d] >> centre & 1);
  }
  s.alive[own] &= ~(1u << p->part);
  for (int d = 0; d < 4; d++)
    if (linked[d]) { // one of them
      s.reached[beside(own, d)] = linked[d] & -linked[d];
      break;
    }
  spread(&s);
  p->simple = true;
  for (int d = 0; d < 4; d++)
    p->simple = p->simple && !(linked[d] & ~s.reached[beside(own, d)]);
}
