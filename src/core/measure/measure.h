// Counting people: over lines, inside areas, by cells of a grid. Integers throughout, so that sums
// over ranks and threads do not depend on them.
//
// Nobody is counted twice or missed by landing on a line: all positions are taken as moved by one
// and the same infinitely small step (e, e^2) to the right and up (Edelsbrunner and Muecke 1990,
// "Simulation of Simplicity"). Then nobody ever stands on a line or passes its end, and of any
// closed line, forward and backward differ by exactly what the inside gains or loses.
#pragma once
#include "agents.h"
#include "box_tree.h"
#include "obstacles.h"

struct measure_line { // from points[0] to points[count - 1]
  char *name;
  int64_t count;
  struct point *points;
};

struct measure_area {
  char *name;
  struct outlines outlines; // closed, even-odd
  struct box box;           // round them, hi outside
  double walkable_area;     // m^2, without walls
};

struct measure_grid {
  struct point origin; // lower left corner of cell (0, 0), quanta
  int32_t cell;        // side of a cell, quanta; 0: there is no grid
  int32_t columns, rows;
};

// What a scenario wants to know; the same on every rank.
struct measure {
  int32_t line_count, area_count;
  struct measure_line *lines;
  struct measure_area *areas;
  struct measure_grid grid;
};
void measure_destroy(struct measure *m);

bool measure_inside(const struct measure_area *area, struct point p); // exact

// Adds the crossings of everybody's last move: counts[2 l] forward, counts[2 l + 1] backward over
// line l. tree: over the owned agents where the move began; nobody moved further than reach
// (quanta).
void measure_lines(const struct measure *m, const struct box_tree *tree, const struct agents *a,
                   int32_t reach, int64_t *counts);

struct measure_sum {
  int64_t people, speed; // persons; um/s, of all of them together
};
struct measure_sum measure_area_sum(const struct measure_area *area, const struct agents *a);

static inline int64_t measure_cell_count(const struct measure_grid *g)
{
  return (int64_t)g->columns * g->rows;
}
int64_t measure_cell_of(const struct measure_grid *g, struct point p); // p lies in the grid
// Adds everybody to their cell: cells[measure_cell_count].
void measure_grid_add(const struct measure_grid *g, const struct agents *a,
                      struct measure_sum *cells);
void measure_grid_count(const struct measure_grid *g, const struct agents *a, int32_t *cells);

// Fruin's level of service of a walkway, A = 0 to F = 5, by persons/m^2 (Fruin 1971, Pedestrian
// Planning and Design: 35, 25, 15, 10 and 5 square feet a person).
#define FRUIN_LEVELS 6
extern const double fruin_limits[FRUIN_LEVELS - 1];
int32_t fruin_level(double density);
