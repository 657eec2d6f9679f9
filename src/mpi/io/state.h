// The state that a checkpoint keeps besides the agents, as named columns of numbers. Each module
// visits its columns in one function, which serves both writing and reading:
//
//   void journeys_visit(struct journeys *j, struct state *v)
//   {
//     state_array(v, STATE_SAME, "journeys.credit", j->credit, j->stop_count);
//   }
//
// Collective: every rank visits the same columns in the same order.
#pragma once
#include "comm.h"
#include <math.h>

enum state_sharing {
  STATE_SAME, // equal on every rank: rank 0's value is written, every rank reads it
  STATE_ROOT, // only rank 0 writes and reads it
  STATE_SUM,  // partial sums of integers: rank 0 reads the total, the others 0
  STATE_MAX   // the maximum over the ranks is written, every rank reads it
};

enum state_type { STATE_I64, STATE_I32, STATE_U8, STATE_BOOL, STATE_F64, STATE_F32 };
#define STATE_TYPE(values)                                                                         \
  _Generic(*(values), int64_t                                                                      \
           : STATE_I64, uint64_t                                                                   \
           : STATE_I64, int32_t                                                                    \
           : STATE_I32, uint8_t                                                                    \
           : STATE_U8, bool                                                                        \
           : STATE_BOOL, double                                                                    \
           : STATE_F64, float                                                                      \
           : STATE_F32)

struct state_pool { // numbers of one kind, 8 bytes each, column by column
  int64_t count, capacity;
  char *values;
};

struct state {
  const struct comm *comm;
  bool reading;
  bool results_only; // reading: skips reports and measures, which no agent depends on
  char fault[160];   // reading: the first mismatch; empty: none
  char *names;       // lines "name kind count\n"; writing: rank 0 only, like the numbers
  int64_t names_length, names_capacity;
  struct state_pool integers, real;     // int64_t; double
  int64_t name_at, integer_at, real_at; // reading: the next column
};

void state_create(struct state *v, const struct comm *comm); // empty, for writing
void state_destroy(struct state *v);
bool state_is_valid(const struct state *v); // reading positions and lengths are in range
uint64_t state_hash(const struct state *v); // of names and numbers
void state_broadcast(struct state *v);      // from rank 0 and prepares reading. Collective
bool state_is_complete(struct state *v);    // all columns have been read; false: see fault

// What a value may be; a checkpoint that has another one is damaged. Whoever writes a checkpoint
// may write anything into it.
struct state_range {
  double least, most; // inclusive; least > most: anything, NaN too
};
#define STATE_ANY    ((struct state_range){1, 0})
#define STATE_COUNT  ((struct state_range){0, 0x1p53}) // sums of many fit int64_t
#define STATE_FINITE ((struct state_range){0, 1e15})   // s, m, ...

struct state_column {
  enum state_sharing sharing;
  const char *name;
  enum state_type type;
  void *values;
  int64_t count;
  size_t stride; // bytes from one value to the next
  struct state_range range;
};

// Writing: gathers the values. Reading: sets them.
void state_visit(struct state *v, struct state_column column);
#define state_array(v, sharing, range, name, values, count)                                        \
  state_visit(v, (struct state_column){sharing, name, STATE_TYPE(values), values, count,           \
                                       sizeof *(values), range})
#define state_value(v, sharing, range, name, value) state_array(v, sharing, range, name, value, 1)
// A field of records[count].
#define state_field(v, sharing, range, records, field, name, count)                                \
  state_visit(v, (struct state_column){sharing, name, STATE_TYPE(&(records)->field),               \
                                       &(records)->field, count, sizeof *(records), range})
// The count of the columns that follow, each number of which stands for `items` of them. Writing:
// rank 0's `length`. Reading: returns the stored one, or 0 after a fault; the columns can hold it.
int64_t state_length(struct state *v, const char *name, int64_t length, int64_t items);
int64_t state_left(const struct state *v); // reading: the numbers that have not been read yet
// Reading: records a fault unless what was read of this name makes sense. Returns whether there is
// no fault so far; writing: true.
bool state_require(struct state *v, const char *name, bool sense);
