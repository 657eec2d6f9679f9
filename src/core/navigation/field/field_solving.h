// A field that is solved in parts: as much as a step of a run has time for.
#pragma once
#include "field.h"

struct field_solving;

// Room for solving one field of that grid at a time, any number of times.
struct field_solving *field_solving_create(const struct nav_grid *g);
void field_solving_destroy(struct field_solving *s); // or NULL

// Begins a solution; the field keeps its routes until the last part, but not its times. The task
// must outlive it. A solution that is under way is given up.
void field_solving_begin(struct field_solving *s, const struct field_task *task);
// Continues for about as long as that many visits of a cell take, and counts what the whole
// solution took in the field once it is complete. True: the field is solved. Different solutions
// may go on in different threads.
bool field_solving_continue(struct field_solving *s, int64_t visits);
int64_t field_solving_visits(const struct field_solving *s); // that the solution has taken so far
// Visits that the solution will take, if a whole one takes that many; an estimate.
int64_t field_solving_expected(const struct field_solving *s, int64_t whole);

// Learns links and routes from a whole solution of the task: later solutions take less, and can be
// limited to the squares that are needed. Again after the grid or the destination has changed.
// Gives up a solution that is under way. s must outlive the use of its fields.
void field_solving_learn(struct field_solving *s, const struct field_task *task,
                         const struct field *whole);
struct wavefront;
// The links and the destination of what was learned.
const struct wavefront *field_solving_wavefront(const struct field_solving *s);

// Solves a field at once by that many threads: a part of fields_solve.
void field_solve_by(const struct field_task *task, int32_t threads);
