// The walls near a place of a navigation grid, and distances to them in doubles: + - * / and the
// square root alone, so the same on every machine.
#pragma once
#include "nav_grid.h"

struct wall_list { // zeroed: empty
  const struct wall **walls;
  double *distance; // quanta; for the caller
  int64_t count, capacity;
};

struct double_point { // quanta
  double x, y;
};

void wall_list_append(struct wall_list *l, const struct wall *w);
void wall_list_destroy(struct wall_list *l);
// The walls within reach (quanta) of the box, in the order of the obstacles' tree; a few more do no
// harm.
void wall_list_find(struct wall_list *l, const struct obstacles *o, struct box box, float reach);

double wall_distance(const struct wall *w, struct double_point p); // quanta
// The least distance between the wall and the segment p-q, quanta; 0 where they touch. near: the
// middle between the two points that are closest to each other; NULL: not wanted.
double wall_distance_to_segment(const struct wall *w, struct double_point p, struct double_point q,
                                struct double_point *near);
