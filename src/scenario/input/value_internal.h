// What the readers of values share.
#pragma once
#include "value.h"

void report_value(const struct value *v, const struct node *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// False, and a complaint, when the node is no such thing or out of the option's range.
bool value_number(const struct value *v, const struct node *n, double *out);
bool value_integer(const struct value *v, const struct node *n, double *out);
bool value_numbers(const struct value *v, const struct node *n, int count, const char *wanted,
                   double *out); // out[count]
char *value_text(const struct value *v, const struct node *n);

const struct node *
node_single_pair(const struct node *n); // the single pair of {word: value}, or NULL

// One reader for each type of value, and what frees it (which may be all zero).
void area_read(const struct value *v, const struct node *n, struct area *area);
void area_destroy(struct area *area);
void areas_read(const struct value *v);
void areas_destroy(struct area_list *list);
void distribution_read(const struct value *v);
void distribution_destroy(struct distribution *d);
void shares_read(const struct value *v);
void shares_destroy(struct shares *s);
void legs_read(const struct value *v);
void legs_destroy(struct leg_list *l);
void pairs_read(const struct value *v, int least, const char *wanted); // [[a, b], ...]
void timetable_read(const struct value *v);
