// Records of one size from every rank to those it knows: receive first, then send, wait last.
#pragma once
#include "comm.h"

struct message { // what goes to or comes from one peer
  char *bytes;
  int64_t count, capacity; // records
};

// Where parcels lie, if not in ordinary memory. What was in one is lost when it grows.
struct message_allocator {
  void *(*create)(void *context, size_t bytes);
  void (*destroy)(void *context, void *memory);
  void *context;
};

struct exchange {
  MPI_Comm mpi;
  int tag;
  size_t record_size; // bytes
  MPI_Datatype type;  // of one record
  int32_t peer_count;
  int32_t *peers;                     // [peer_count] ranks, ascending; each knows us too
  struct message *out, *in;           // [peer_count]
  int64_t *counts;                    // [2 * peer_count] records coming, going
  MPI_Request *requests;              // [3 * peer_count]
  bool receiving;                     // the counts are known
  double wait_seconds;                // s, in the last exchange_end
  struct message_allocator allocator; // create NULL: ordinary
};

void exchange_create(struct exchange *x, const struct comm *c, int tag, size_t record_size,
                     const int32_t *peers, int32_t peer_count);
void exchange_destroy(struct exchange *x);

char *exchange_append(struct exchange *x, int32_t peer_index); // room for one more record
// So many at once, in place of those there were.
char *exchange_resize(struct exchange *x, int32_t peer_index, int64_t count);
int32_t exchange_peer_index(const struct exchange *x, int32_t rank); // or -1

void exchange_begin(struct exchange *x);    // out must not be touched until end
void exchange_progress(struct exchange *x); // between them: MPI moves only while it is called
void exchange_end(struct exchange *x);      // afterwards in[] is whole and out[] empty
