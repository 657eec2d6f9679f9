// Readers of the structured option types, each from v->node into v->target, and their destroyers,
// which accept a target of zero bytes.
#pragma once
#include "value_scalar.h"

void area_read(const struct value *v);
void area_destroy(void *target);
void areas_read(const struct value *v);
void areas_destroy(void *target);
void distribution_read(const struct value *v);
void distribution_destroy(void *target);
void shares_read(const struct value *v);
void shares_destroy(void *target);
void legs_read(const struct value *v);
void legs_destroy(void *target);
void pairs_read(const struct value *v);     // [[a, b], ...]
void points_read(const struct value *v);    // the same, at least two of them
void timetable_read(const struct value *v); // [[s, number of agents], ...]
void number_list_destroy(void *target);
