// Counts agents: those that cross lines, those inside areas, those in the cells of a grid. All
// values are integers, so sums do not depend on the number of ranks and threads.
//
// An agent that lands on a line is counted exactly once: all positions count as displaced by the
// same infinitesimal (e, e^2) to the right and up (Edelsbrunner and Muecke 1990, "Simulation of
// Simplicity"). No agent is then ever on a line or passes through its end, and the forward minus
// the backward crossings of a closed line are exactly the change of the number inside.
#pragma once
#include "agents.h"
#include "box_tree.h"
#include "cell_list.h"
#include "obstacles.h"

struct measure_line { // from points[0] to points[count - 1]
  char *name;
  int64_t count;
  struct point *points;
};

struct measure_area {
  char *name;
  struct outlines outlines; // closed, even-odd
  struct box box;           // of the outlines, hi outside
  double walkable_area;     // m^2, solid ground excluded
};

struct measure_grid {
  struct point origin; // lower left corner of cell (0, 0), quanta
  int32_t cell;        // side of a cell, quanta; 0: there is no grid
  int32_t columns, rows;
};

// What a scenario measures; the same on every rank.
struct measure {
  int32_t line_count, area_count;
  struct measure_line *lines;
  struct measure_area *areas;
  struct measure_grid grid;
  bool counts_cells; // whether the cells of the grid are sampled; else it only serves alarms
  // Where people leave, if each of them is listed: the areas of destination k are
  // exits[first_exit[k]] to before exits[first_exit[k + 1]]; without names and sizes.
  bool lists_people;
  int32_t destination_count, *first_exit;
  struct measure_area *exits;
};
bool measure_is_valid(const struct measure *m);
void measure_destroy(struct measure *m);

// The area of the destination that holds p, or else is nearest; the first of several. -1: none.
int32_t measure_exit(const struct measure *m, int32_t destination, struct point p);

// Adds the line crossings of the owned agents' last move: counts[2 l] forward (from left to right),
// counts[2 l + 1] backward over line l. tree: of the owned agents at the start of the move; reach:
// at least the length of the longest move, quanta.
void measure_lines(const struct measure *m, const struct box_tree *tree, const struct agents *a,
                   int32_t reach, int64_t *counts);

struct measure_sum {
  int64_t people, speed; // agents; sum of their speeds, um/s
};
struct measure_sum measure_area_sum(const struct measure_area *area, const struct agents *a);

static inline int64_t measure_cell_count(const struct measure_grid *g)
{
  return (int64_t)g->columns * g->rows;
}
// The people of a cell at one time, on one rank.
struct cell_people {
  int32_t cell, agents;
  int64_t speed, delay; // sums: um/s; agent_delay
};

// Whom a sample of the cells counts: agents of the host; or, where these are NULL, the cells that a
// device has counted, each of them once.
struct cell_source {
  const struct agents *agents;
  const struct cell_people *cells;
  int64_t cell_count;
};
// Adds the owned agents to counts[measure_cell_count] and appends to `occupied`, in any order, the
// cells whose count was 0.
void measure_grid_count(const struct measure_grid *g, const struct agents *a, int32_t *counts,
                        struct cell_list *occupied);

// Fruin's level of service of a walkway, A = 0 to F = 5, by density in persons/m^2 (Fruin 1971,
// Pedestrian Planning and Design: 35, 25, 15, 10 and 5 square feet per person).
#define FRUIN_LEVELS 6
extern const double fruin_limits[FRUIN_LEVELS - 1];
int32_t fruin_level(double density);

// The densities up to which a walkway has level A to E by the Handbuch fuer die Bemessung von
// Strassenverkehrsanlagen (FGSV, HBS 2001 and 2015), persons/m^2.
extern const double hbs_limits[FRUIN_LEVELS - 1];
