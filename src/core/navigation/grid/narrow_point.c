// The point that stands for a narrow cell.
#include "narrow_graph.h"

#include <math.h>

#define POINTS 12 // a side, of a lattice of points that may stand for a cell

struct chooser {
  double clearance;
  struct cell_square square;
  struct wall_list walls;
  const struct double_point *targets;
  int count;
  struct double_point best;
  int seen;          // targets from there
  double least, gap; // quanta: room on the ways to them, and around the point
};

// The least distance of walls from the segment.
static double gap_of_segment(const struct chooser *c, struct double_point p, struct double_point q)
{
  double least = HUGE_VAL;
  for (int64_t k = 0; k < c->walls.count; k++)
    least = fmin(least, wall_distance_to_segment(c->walls.walls[k], p, q, NULL));
  return least;
}

// The best point leads to most targets with some room beside walls. Of such points it is the one
// whose narrowest way is widest; of those, the one that is farthest from walls.
static void consider(struct chooser *c, double x, double y)
{
  const struct double_point p = {floor(x), floor(y)};
  if (p.x < c->square.lo.x || p.y < c->square.lo.y || p.x >= c->square.hi.x ||
      p.y >= c->square.hi.y)
    return;
  const double gap = gap_of_segment(c, p, p);
  if (gap < c->clearance - 2) // rounding
    return;
  double least = c->clearance, widest = 0;
  int seen = 0;
  for (int k = 0; k < c->count; k++) {
    const double room = gap_of_segment(c, p, c->targets[k]);
    widest = fmax(widest, room);
    if (room < c->clearance / 4)
      continue;
    least = fmin(least, room);
    seen++;
  }
  if (widest < c->clearance - 2) // may lie in another part
    return;
  if (seen < c->seen || (seen == c->seen && least < c->least) ||
      (seen == c->seen && least == c->least && gap <= c->gap))
    return;
  c->best = p;
  c->seen = seen;
  c->least = least;
  c->gap = gap;
}

static void consider_all(struct chooser *c)
{
  const struct double_point lo = c->square.lo;
  const double side = c->square.hi.x - lo.x;
  consider(c, lo.x + side / 2, lo.y + side / 2);
  for (int i = 0; i < POINTS; i++)
    for (int k = 0; k < POINTS; k++)
      consider(c, lo.x + side * (0.5 + i) / POINTS, lo.y + side * (0.5 + k) / POINTS);
  for (int i = 0; i < c->count; i++)
    for (int k = 0; k <= i; k++)
      consider(c, (c->targets[i].x + c->targets[k].x) / 2, (c->targets[i].y + c->targets[k].y) / 2);
  for (int64_t i = 0; i < c->walls.count; i++)
    for (int64_t k = 0; k < i; k++) { // midway between two walls
      const struct wall *w = c->walls.walls[i];
      struct double_point middle;
      wall_distance_to_segment(c->walls.walls[k], (struct double_point){w->a.x, w->a.y},
                               (struct double_point){w->b.x, w->b.y}, &middle);
      consider(c, middle.x, middle.y);
    }
}

static double inside(double v, double lo, double hi)
{
  return fmax(lo, fmin(floor(v), hi - 1));
}

bool narrow_point_choose(const struct narrow_graph *n, const struct narrow_node *node,
                         const struct double_point *targets, int count, struct point *at)
{
  const struct nav_grid *g = n->g;
  const int64_t cell = nav_grid_cell(g, (uint32_t)node->column, (uint32_t)node->row);
  const struct point centre = nav_grid_centre(g, cell);
  struct chooser c = {.clearance = n->clearance,
                      .square = narrow_square(g, node->row, node->column),
                      .targets = targets,
                      .count = count,
                      .gap = -1};
  wall_list_find(&c.walls, g->obstacles, (struct box){centre, centre},
                 (float)(1.01 * (n->clearance + 0.75 * g->cell)));
  c.best.x = inside(targets[0].x, c.square.lo.x, c.square.hi.x);
  c.best.y = inside(targets[0].y, c.square.lo.y, c.square.hi.y);
  consider_all(&c);
  wall_list_destroy(&c.walls);
  *at = (struct point){(int32_t)c.best.x, (int32_t)c.best.y};
  return c.seen == count;
}
