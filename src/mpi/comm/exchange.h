// Exchange of fixed-size records between a rank and its peers, overlapped with computation: counts
// first, then records. begin posts the sends, end waits for the receives.
#pragma once
#include "comm.h"

struct message { // to or from one peer
  char *bytes;
  int64_t count, capacity; // records
};

// Memory of the messages, e.g. pinned or on a device. A message that grows loses its contents.
struct message_allocator {
  void *(*create)(void *context, size_t bytes);
  void (*destroy)(void *context, void *memory);
  void *context;
};

struct exchange {
  MPI_Comm mpi;
  int tag;            // counts; tag + 1: records
  size_t record_size; // bytes
  MPI_Datatype type;  // of one record
  int32_t peer_count;
  int32_t *peers;                     // [peer_count] ranks, ascending; the relation is symmetric
  struct message *out, *in;           // [peer_count]
  int64_t *counts;                    // [2 * peer_count] records to receive, then to send
  MPI_Request *requests;              // [3 * peer_count] receives, sends of counts, of records
  bool receiving;                     // the counts have arrived
  double wait_seconds;                // in the last exchange_end
  struct message_allocator allocator; // create NULL: memory_create
};

// Two exchanges in flight at the same time need tags that differ by 2 or more.
void exchange_create(struct exchange *x, const struct comm *c, int tag, size_t record_size,
                     const int32_t *peers, int32_t peer_count);
void exchange_destroy(struct exchange *x);
bool exchange_is_valid(const struct exchange *x); // peers ascend, counts fit

char *exchange_append(struct exchange *x, int32_t peer_index); // the new record to send
// Replaces the records to send by count uninitialised ones.
char *exchange_resize(struct exchange *x, int32_t peer_index, int64_t count);
int32_t exchange_peer_index(const struct exchange *x, int32_t rank); // -1: no peer

void exchange_begin(struct exchange *x);    // out must not change until exchange_end
void exchange_progress(struct exchange *x); // in between: most MPIs progress only inside a call
void exchange_end(struct exchange *x);      // fills in[], empties out[]
