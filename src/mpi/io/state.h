// What must outlive a run, as named columns of numbers. A module shows its own by ONE function,
// which serves for writing and for reading, so that the two cannot come apart:
//
//   void journeys_visit(struct journeys *j, struct state *v)
//   {
//     state_array(v, STATE_SAME, "journeys.credit", j->credit, j->stop_count);
//   }
//
// Collective: every rank shows the same columns in the same order.
#pragma once
#include "comm.h"

enum state_sharing {
  STATE_SAME, // the same on every rank: rank 0's is kept, every rank gets it
  STATE_ROOT, // only rank 0 has it and gets it
  STATE_SUM,  // integers of which each rank has a part: rank 0 gets all, the others 0
  STATE_MAX   // the greatest of all ranks is kept, every rank gets it
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

struct state_pool { // numbers of one kind, 8 bytes each, column after column
  int64_t count, capacity;
  char *values;
};

struct state {
  const struct comm *comm;
  bool reading;
  char fault[160]; // reading: the first column that is another; empty: none
  char *names;     // lines "name kind count\n"; writing: on rank 0, like the numbers
  int64_t names_length, names_capacity;
  struct state_pool integers, real;     // int64_t; double
  int64_t name_at, integer_at, real_at; // reading: what comes next
};

void state_create(struct state *v, const struct comm *comm); // empty, for writing
void state_destroy(struct state *v);
uint64_t state_hash(const struct state *v); // of names and numbers
void state_broadcast(struct state *v);      // rank 0 has read it: gives it to all. Collective
// Afterwards: has every column been taken that is there? Otherwise fault says what did not fit.
bool state_is_complete(struct state *v);

// Gathers values[count] (stride: bytes from one to the next), or, reading, sets them.
void state_column(struct state *v, enum state_sharing sharing, const char *name,
                  enum state_type type, void *values, int64_t count, size_t stride);
#define state_array(v, sharing, name, values, count)                                               \
  state_column(v, sharing, name, STATE_TYPE(values), values, count, sizeof *(values))
#define state_value(v, sharing, name, value) state_array(v, sharing, name, value, 1)
// One field of records[count].
#define state_field(v, sharing, records, field, name, count)                                       \
  state_column(v, sharing, name, STATE_TYPE(&(records)->field), &(records)->field, count,          \
               sizeof *(records))
// A length that the next columns have: rank 0's; reading, the one that is there, on every rank.
int64_t state_length(struct state *v, const char *name, int64_t length);
