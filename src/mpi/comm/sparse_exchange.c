#include "sparse_exchange.h"

#include <assert.h>
#include <limits.h>

// In: starts[r + 1] is the number of records for rank r. Out: starts[r] is the first of them.
static void list_messages(struct sparse_outbox *o, int64_t *starts, int32_t ranks)
{
  for (int32_t r = 0; r < ranks; r++) {
    const int64_t first = starts[r], count = starts[r + 1];
    starts[r + 1] += first;
    if (count > 0)
      o->messages[o->message_count++] =
          (struct sparse_message){r, o->bytes + (size_t)first * o->record_size, count};
  }
}

void sparse_outbox_create(struct sparse_outbox *o, const struct comm *c, size_t record_size,
                          const int32_t *to, int64_t count)
{
  *o = (struct sparse_outbox){.record_size = record_size,
                              .next = memory_create((size_t)c->size + 1, sizeof *o->next)};
  for (int64_t i = 0; i < count; i++)
    if (to[i] >= 0) {
      o->next[to[i] + 1]++;
      o->count++;
    }
  o->bytes = memory_create((size_t)o->count, record_size);
  o->messages =
      memory_create((size_t)(o->count < c->size ? o->count : c->size), sizeof *o->messages);
  list_messages(o, o->next, c->size);
}

char *sparse_outbox_next(struct sparse_outbox *o, int32_t to)
{
  return o->bytes + (size_t)o->next[to]++ * o->record_size;
}

void sparse_outbox_destroy(struct sparse_outbox *o)
{
  memory_destroy(o->bytes);
  memory_destroy(o->messages);
  memory_destroy(o->next);
  *o = (struct sparse_outbox){0};
}

struct inbox {
  char *bytes;
  int64_t capacity; // records
  MPI_Datatype type;
  size_t record_size; // bytes
  int tag;
  struct sparse_receiver receiver;
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
  in->receiver.receive(in->receiver.context, in->bytes, count);
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
                     struct sparse_receiver receiver)
{
  assert(comm_is_valid(c) && record_size > 0 && message_count >= 0);
  struct inbox in = {.record_size = record_size, .tag = tag, .receiver = receiver};
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
