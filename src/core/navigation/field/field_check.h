// Whether a solved field is right: the greatest fixed point of the update (field.h), and what
// agents read follows from it. A judge of all ways to solve a field; it takes as long as a few of
// them.
#pragma once
#include "field.h"

// Checked after every solution: where assertions are compiled in, unless the environment says
// THRONG_CHECK_FIELDS=0, and elsewhere where it says THRONG_CHECK_FIELDS=1.
bool field_check_is_on(void);

// What is wrong with the solved field of a task, and in which cell; NULL: it is right.
const char *field_problem(const struct field_task *t, int64_t *cell);
// Ends the run with EXIT_INTERNAL_ERROR if a field is wrong.
void field_check(const struct field_task *t);
