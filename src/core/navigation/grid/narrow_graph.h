// The free parts of the cells near walls and the links between them, as a graph to be thinned.
#pragma once
#include "free_parts.h"

struct narrow_node { // a cell with its free parts
  int32_t row, column;
  int8_t centre; // the part that holds the centre of an open cell; -1: none
  uint8_t alive; // bits of parts that have not been dropped
  uint8_t bent;  // bits of parts none of whose points sees all ways out
  int32_t entry; // in nav_grid.narrow; -1: none
  struct free_parts parts;
};

// Cells without a node are open as a whole, or closed.
struct narrow_graph {
  struct nav_grid *g;
  double clearance; // free_clearance
  int64_t count;
  struct narrow_node *nodes; // by rows
  int64_t *row_start;        // [rows + 1]
};

void narrow_graph_create(struct narrow_graph *n, struct nav_grid *g, int32_t clearance);
void narrow_graph_destroy(struct narrow_graph *n);

struct cell_square narrow_square(const struct nav_grid *g, int32_t row, int32_t column);
// NULL: the cell has none, or is outside the grid.
struct narrow_node *narrow_graph_find(const struct narrow_graph *n, int32_t row, int32_t column);
// Is the cell open by its centre? False outside the grid.
bool narrow_cell_is_open(const struct nav_grid *g, int32_t row, int32_t column);
// The longest common stretch of the side d of a part and the living parts `of` of the cell there;
// false: none. other: NULL, as in narrow_graph_find.
bool narrow_portal(const struct narrow_node *node, int part, int d, const struct narrow_node *other,
                   unsigned of, double *lo, double *hi);

struct narrow_part {
  struct narrow_node *node;
  int part;
  int neighbours; // living parts that it is linked to
  int open;       // of them, those that hold the centre of an open cell
  bool simple;    // they stay connected with each other, around the cell, without the part
};
void narrow_part_look_around(const struct narrow_graph *n, struct narrow_part *p);

// The length of the part's free border, quanta.
double narrow_part_border(const struct narrow_node *node, int part);

// Drops the parts that nothing needs, so that at most one is left of each cell. Begins anew.
void narrow_graph_thin(struct narrow_graph *n);

// Chooses the point of a cell from which most targets [count], 1 or more, can be reached straight.
// Returns whether all can.
bool narrow_point_choose(const struct narrow_graph *n, const struct narrow_node *node,
                         const struct double_point *targets, int count, struct point *at);
