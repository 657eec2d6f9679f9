// Records of one size from every rank to a few others which do not know that some will come: each
// rank's cost follows whom it sends to and hears from, not how many ranks there are (the NBX
// algorithm: Hoefler, Siebert, Lumsdaine 2010, "Scalable communication protocols for dynamic sparse
// data exchange").
#pragma once
#include "comm.h"

struct sparse_message {
  int32_t rank;
  const char *bytes;
  int64_t count; // records, > 0
};

// Calls receive for every parcel that comes, in any order. Collective; between two calls with the
// same tag the ranks must meet (in a sum, say), else a fast rank's parcel reaches a slow one's
// former call.
void sparse_exchange(const struct comm *c, int tag, size_t record_size,
                     const struct sparse_message *messages, int32_t message_count,
                     void (*receive)(void *context, const char *bytes, int64_t count),
                     void *context);
