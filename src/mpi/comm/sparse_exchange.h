// Exchange of fixed-size records with a few ranks, where receivers do not know their senders. The
// cost of a rank grows with its own messages, not with the number of ranks. Algorithm: NBX
// (Hoefler, Siebert, Lumsdaine 2010, "Scalable communication protocols for dynamic sparse data
// exchange").
#pragma once
#include "comm.h"

struct sparse_message {
  int32_t rank;
  const char *bytes;
  int64_t count; // records, > 0
};

// Records sorted by the ranks that they go to. to[count]: the rank of each; -1: to none.
struct sparse_outbox {
  char *bytes; // [count] records
  struct sparse_message *messages;
  int32_t message_count;
  int64_t count;
  int64_t *next; // [ranks + 1] the place of the next record to a rank
  size_t record_size;
};
void sparse_outbox_create(struct sparse_outbox *o, const struct comm *c, size_t record_size,
                          const int32_t *to, int64_t count);
char *sparse_outbox_next(struct sparse_outbox *o, int32_t to); // the place of the next record
void sparse_outbox_destroy(struct sparse_outbox *o);

struct sparse_receiver { // called for every message that arrives, in any order
  void (*receive)(void *context, const char *bytes, int64_t count);
  void *context;
};

// Collective. Ranks must synchronise between two calls with the same tag (by a reduction, say):
// otherwise a message of a fast rank could arrive in the previous call of a slow one.
void sparse_exchange(const struct comm *c, int tag, size_t record_size,
                     const struct sparse_message *messages, int32_t message_count,
                     struct sparse_receiver receiver);
