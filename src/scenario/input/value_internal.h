// What the readers of values share.
#pragma once
#include "value.h"

void complain(const struct value *v, const struct node *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

// False, and a complaint, when the node is no such thing or out of the option's range.
bool number_of(const struct value *v, const struct node *n, double *out);
bool whole_of(const struct value *v, const struct node *n, double *out);
bool numbers_of(const struct value *v, const struct node *n, int count, const char *wanted,
                double *out); // out[count]
char *text_of(const struct value *v, const struct node *n);

const struct node *pair_of(const struct node *n); // the single pair of {word: value}, or NULL

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
