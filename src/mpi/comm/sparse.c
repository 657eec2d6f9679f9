#include "sparse.h"

#include <limits.h>

struct inbox {
  char *bytes;
  int64_t capacity; // records
  MPI_Datatype type;
  size_t record; // bytes
  int tag;
  void (*receive)(void *context, const char *bytes, int64_t count);
  void *context;
};

// Takes one parcel that has come, if any has.
static void take(struct inbox *in, const struct comm *c)
{
  int there, count;
  MPI_Status status;
  MPI_Iprobe(MPI_ANY_SOURCE, in->tag, c->mpi, &there, &status);
  if (!there)
    return;
  MPI_Get_count(&status, in->type, &count);
  if (count > in->capacity) {
    memory_destroy(in->bytes);
    in->capacity = count + count / 4;
    in->bytes = memory_create((size_t)in->capacity, in->record);
  }
  MPI_Recv(in->bytes, count, in->type, status.MPI_SOURCE, in->tag, c->mpi, MPI_STATUS_IGNORE);
  in->receive(in->context, in->bytes, count);
}

// A synchronous send is done when its parcel has been taken. Whose are, says so in a barrier that
// waits for nobody; once all have said so, nothing is under way.
static void take_until_over(struct inbox *in, const struct comm *c, MPI_Request *sends, int count)
{
  MPI_Request barrier = MPI_REQUEST_NULL;
  for (int over = 0, taken = 0; !over;) {
    take(in, c);
    if (taken)
      MPI_Test(&barrier, &over, MPI_STATUS_IGNORE);
    else
      MPI_Testall(count, sends, &taken, MPI_STATUSES_IGNORE);
    if (taken && barrier == MPI_REQUEST_NULL && !over)
      MPI_Ibarrier(c->mpi, &barrier);
  }
}

void sparse_exchange(const struct comm *c, int tag, size_t record,
                     const struct sparse_parcel *parcels, int32_t parcel_count,
                     void (*receive)(void *context, const char *bytes, int64_t count),
                     void *context)
{
  struct inbox in = {.record = record, .tag = tag, .receive = receive, .context = context};
  MPI_Request *sends = memory_create((size_t)parcel_count, sizeof(MPI_Request));
  MPI_Type_contiguous((int)record, MPI_BYTE, &in.type);
  MPI_Type_commit(&in.type);
  for (int32_t p = 0; p < parcel_count; p++) {
    if (parcels[p].count > INT_MAX)
      fail(EXIT_OUR_FAULT, "%lld records for rank %d in one message", (long long)parcels[p].count,
           parcels[p].rank);
    MPI_Issend(parcels[p].bytes, (int)parcels[p].count, in.type, parcels[p].rank, tag, c->mpi,
               &sends[p]);
  }
  take_until_over(&in, c, sends, parcel_count);
  MPI_Type_free(&in.type);
  memory_destroy(in.bytes);
  memory_destroy(sends);
}
