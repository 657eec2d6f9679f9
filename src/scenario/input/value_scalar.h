// Numbers, words and texts of a scenario: what the readers of all other values are made of.
#pragma once
#include "options.h"
#include "yaml_tree.h"

// The value being read.
struct value {
  const struct option *option;
  const struct node *node;
  void *target;     // of the type that option_type gives
  const char *path; // its name in messages: "sources[0].count"
  struct diagnostics *diagnostics;
};

void report_value(const struct value *v, const struct node *n, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// "... is expected, not ...": the node is not of the wanted kind.
void report_type(const struct value *v, const struct node *n, const char *wanted);

// False and an error if the node has the wrong kind or lies outside the option's range.
bool value_number(const struct value *v, const struct node *n, double *out);
bool value_integer(const struct value *v, const struct node *n, double *out);
bool value_numbers(const struct value *v, const struct node *n, int count, const char *wanted,
                   double *out); // a list of exactly out[count]
// NULL and an error if the node is not a text. Free with memory_destroy.
char *value_text(const struct value *v, const struct node *n);

// Readers of one option type each: from v->node into v->target.
void text_read(const struct value *v);
void number_read(const struct value *v);
void integer_read(const struct value *v);
void optional_read(const struct value *v);
void optional_integer_read(const struct value *v);
void flag_read(const struct value *v);
void choice_read(const struct value *v);
void point_read(const struct value *v);
void texts_read(const struct value *v);
void text_destroy(void *target);
void texts_destroy(void *target);
