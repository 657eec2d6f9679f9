// Readers of the structured option types, each from v->node into v->target, and their destroyers,
// which accept a target of zero bytes.
#pragma once
#include "config.h"
#include "value_scalar.h"

// A list of exactly out[count] coordinates, or that list as {lonlat: [...]}, whose node *lonlat is
// then. False and an error otherwise.
bool value_coordinates(const struct value *v, const struct node *n, int count, const char *wanted,
                       double *out, const struct node **lonlat);
// A list of at least count_min points, each in metres or {lonlat: [...]}, or {lonlat: list}.
void vertices_read(const struct value *v, const struct node *n, int count_min, const char *wanted,
                   struct number_list *list);
// What stands behind `feature:`. False and an error if it is not a choice of features.
bool value_feature(const struct value *v, const struct node *n, struct feature_query *q);

// An array with what `read` makes of each item of a list, which memory_destroy frees. NULL and an
// error if it is no list or empty.
void *items_read(const struct value *v, const char *wanted, size_t size,
                 void (*read)(const struct value *v), int *count);

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
void place_read(const struct value *v);
void place_destroy(void *target);
void rectangle_read(const struct value *v);
void points_read(const struct value *v);    // a line
void pairs_read(const struct value *v);     // [[a, b], ...]
void timetable_read(const struct value *v); // [[s, number of agents], ...]
void number_list_destroy(void *target);
