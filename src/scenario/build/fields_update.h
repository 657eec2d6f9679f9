// Fields that are solved for a world: at once, or in spare memory in parts while agents still
// follow the old ones. The processes of a node share the fields.
#pragma once
#include "environment.h"

// What a crowd adds to the cost of crossing cells.
struct crowd_cost {
  // factors[CELL_SQUARE_CELLS]: of the cost of the cells of a square, >= 1. Any thread calls it.
  void (*factors)(const void *context, int64_t square, float *factors);
  const void *context;
};

struct fields_update;

// For the fields of destinations[count], all routes, towards their targets. spare: they are solved
// in the world's spare fields, of which there must be as many. The environment and the world must
// outlive it.
struct fields_update *fields_update_create(const struct environment *s, struct world *w,
                                           const int32_t *destinations, int32_t count, bool spare);
void fields_update_destroy(struct fields_update *u); // or NULL

// Solves the fields. crowd: of the live destinations; NULL: none. Collective over w->node_group.
void fields_update_solve(struct fields_update *u, const struct crowd_cost *crowd);

// The same in parts, for spare fields. crowd must outlive the last part.
void fields_update_begin(struct fields_update *u, const struct crowd_cost *crowd);
// The next part, about as long as the others. parts: still to come, this one included.
void fields_update_continue(struct fields_update *u, int32_t parts);
// Completes the solution; agents follow it from now on. Collective over w->node_group.
void fields_update_end(struct fields_update *u);

#define FIELDS_WHOLE 4 // solutions, after agents went where a field was not known

// Solves the spare fields only as far as agents need them. Call it when the followed fields are
// whole, and again after the grid or the destinations have changed. Only for a single process.
void fields_update_keep_to_agents(struct fields_update *u);
// [squares] of the k-th destination: set to 1 where agents follow its fields. Any thread may. NULL:
// the fields are known everywhere.
uint8_t *fields_update_needed(struct fields_update *u, int32_t k);
// Solves the followed fields of the k-th destination everywhere, since agents are where they are
// not known. crowd: the one that is behind them.
void fields_update_complete(struct fields_update *u, int32_t k, const struct crowd_cost *crowd);
