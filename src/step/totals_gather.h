// The totals of the cells over the ranks: for the file of a run and for checkpoints. Only blocks of
// cells with something in them are gathered, so that water and buildings cost nothing.
#pragma once
#include "measurements.h"

// The caller destroys them before the next step: with one rank they are a view of m. Empty, but on
// rank 0. Collective.
struct run_totals totals_gather(const struct measurements *m);

// Reads or writes what a checkpoint keeps of m->cells and m->totals. Collective.
void totals_visit(struct measurements *m, struct state *v);

// The densest cell of the last sample on any rank: false: nobody was there. Collective.
struct densest_cell {
  double density; // persons/m^2
  double x, y;    // m, input coordinates: its centre
};
bool totals_densest(const struct measurements *m, struct densest_cell *densest);
