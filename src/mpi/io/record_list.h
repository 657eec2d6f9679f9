// Records of what happens during a run, such as alarms. Ranks keep their records until rank 0
// collects them to write them, in an order that does not depend on the ranks.
#pragma once
#include "comm.h"
#include "state.h"

struct record_field {
  const char *name; // of the column in a checkpoint
  enum state_type type;
  size_t offset;
  struct state_range range;
};
#define RECORD_FIELD(record, field, name, ...)                                                     \
  {                                                                                                \
    name, STATE_TYPE(&((record *)NULL)->field), offsetof(record, field), __VA_ARGS__               \
  }

struct record_type {
  size_t size;                                  // bytes of a record
  int (*compare)(const void *a, const void *b); // a total order, as qsort wants it
  const char *count_name;                       // of the number of records in a checkpoint
  const struct record_field *fields;
  int field_count;
};

struct record_list {
  const struct record_type *type;
  const struct comm *comm;
  char *records; // [count] of this rank, or on rank 0 of all of them
  int64_t count, capacity;
};

void record_list_create(struct record_list *l, const struct record_type *type,
                        const struct comm *comm);
void record_list_destroy(struct record_list *l);
// Reads or writes what a checkpoint keeps; records that wait go to rank 0. Collective.
void record_list_visit(struct record_list *l, struct state *v);
void record_list_reserve(struct record_list *l, int64_t capacity);
void record_list_add(struct record_list *l, const void *record);

// Takes the records of all ranks, in order. On rank 0 records[*count], which the caller frees with
// memory_destroy; elsewhere NULL and 0. Collective.
void *record_list_collect(struct record_list *l, int64_t *count);
