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

// Calls receive for every message that arrives, in any order. Collective. Ranks must synchronise
// between two calls with the same tag (by a reduction, say): otherwise a message of a fast rank
// could arrive in the previous call of a slow one.
void sparse_exchange(const struct comm *c, int tag, size_t record_size,
                     const struct sparse_message *messages, int32_t message_count,
                     void (*receive)(void *context, const char *bytes, int64_t count),
                     void *context);
