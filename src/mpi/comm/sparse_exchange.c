#include "sparse_exchange.h"

#include <limits.h>

struct inbox {
  char *bytes;
  int64_t capacity; // records
  MPI_Datatype type;
  size_t record_size; // bytes
  int tag;
  void (*receive)(void *context, const char *bytes, int64_t count);
  void *context;
};

// Receives one message, if one has arrived.
static void receive_one(struct inbox *in, const struct comm *c)
{
  int found, count;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, in->tag, c->mpi, &found, &status);
  if (!found)
    return;
  MPI_Get_count(&status, in->type, &count);
  if (count > in->capacity) {
    memory_destroy(in->bytes);
    in->capacity = count + count / 4;
    in->bytes = memory_create((size_t)in->capacity, in->record_size);
  }
  MPI_Recv(in->bytes, count, in->type, status.MPI_SOURCE, in->tag, c->mpi, MPI_STATUS_IGNORE);
  in->receive(in->context, in->bytes, count);
}

// A synchronous send completes when the receiver has matched it. A rank whose sends are complete
// enters a non-blocking barrier and keeps receiving. When the barrier completes, no message is in
// flight.
static void receive_until_done(struct inbox *in, const struct comm *c, MPI_Request *sends,
                               int count)
{
  MPI_Request barrier = MPI_REQUEST_NULL;
  for (int done = 0, sends_done = 0; !done;) {
    receive_one(in, c);
    if (sends_done)
      MPI_Test(&barrier, &done, MPI_STATUS_IGNORE);
    else
      MPI_Testall(count, sends, &sends_done, MPI_STATUSES_IGNORE);
    if (sends_done && barrier == MPI_REQUEST_NULL && !done)
      MPI_Ibarrier(c->mpi, &barrier);
  }
}

void sparse_exchange(const struct comm *c, int tag, size_t record_size,
                     const struct sparse_message *messages, int32_t message_count,
                     void (*receive)(void *context, const char *bytes, int64_t count),
                     void *context)
{
  struct inbox in = {
      .record_size = record_size, .tag = tag, .receive = receive, .context = context};
  MPI_Request *sends = memory_create((size_t)message_count, sizeof(MPI_Request));
  MPI_Type_contiguous((int)record_size, MPI_BYTE, &in.type);
  MPI_Type_commit(&in.type);
  for (int32_t p = 0; p < message_count; p++) {
    if (messages[p].count > INT_MAX)
      fail(EXIT_INTERNAL_ERROR, "%lld records for rank %d in one message",
           (long long)messages[p].count, messages[p].rank);
    MPI_Issend(messages[p].bytes, (int)messages[p].count, in.type, messages[p].rank, tag, c->mpi,
               &sends[p]);
  }
  receive_until_done(&in, c, sends, message_count);
  MPI_Type_free(&in.type);
  memory_destroy(in.bytes);
  memory_destroy(sends);
}
