// The second stage of a solution: from which neighbours cells of low clearance take their time. An
// agent that was pushed close to a wall is led out to the nearest open cell.
#pragma once
#include "wavefront.h"

// A breadth-first search from the frontier, the open cells that have links to others. It can stop
// and continue.
struct low_clearance {
  struct cell_list *cells; // the frontier, and after it the cells of low clearance by depth
  size_t frontier;         // how many the frontier has
  size_t begin, end;       // of the last depth that is settled
  size_t at;
  int stage;
};

// Continues for about w->visits, which it counts down, and sets the upwind links of the cells.
// True: all cells of low clearance that can be reached are done, and follow the frontier in the
// list.
bool low_clearance_run(struct low_clearance *l, struct wavefront *w);
