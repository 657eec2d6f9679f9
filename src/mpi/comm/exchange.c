#include "exchange.h"

#include <limits.h>
#include <string.h>

void exchange_create(struct exchange *x, const struct comm *c, int tag, size_t record_size,
                     const int32_t *peers, int32_t peer_count)
{
  const size_t n = (size_t)peer_count;
  *x = (struct exchange){
      .mpi = c->mpi, .tag = tag, .record_size = record_size, .peer_count = peer_count};
  x->peers = memory_create(n, sizeof *x->peers);
  memcpy(x->peers, peers, n * sizeof *peers);
  x->out = memory_create(n, sizeof *x->out);
  x->in = memory_create(n, sizeof *x->in);
  x->counts = memory_create(2 * n, sizeof *x->counts);
  x->requests = memory_create(3 * n, sizeof(MPI_Request));
  MPI_Type_contiguous((int)record_size, MPI_BYTE, &x->type);
  MPI_Type_commit(&x->type);
}

static void message_destroy(struct exchange *x, struct message *p)
{
  if (x->allocator.create && p->bytes)
    x->allocator.destroy(x->allocator.context, p->bytes);
  else
    memory_destroy(p->bytes);
}

void exchange_destroy(struct exchange *x)
{
  for (int32_t p = 0; p < x->peer_count; p++) {
    message_destroy(x, &x->out[p]);
    message_destroy(x, &x->in[p]);
  }
  memory_destroy(x->peers);
  memory_destroy(x->out);
  memory_destroy(x->in);
  memory_destroy(x->counts);
  memory_destroy(x->requests);
  if (x->record_size)
    MPI_Type_free(&x->type);
  *x = (struct exchange){0};
}

static void message_reserve(struct exchange *x, struct message *p, int64_t count)
{
  if (count <= p->capacity)
    return;
  const int64_t max_real = count + count / 4 + 64;
  if (x->allocator.create) {
    message_destroy(x, p);
    p->bytes = x->allocator.create(x->allocator.context, (size_t)max_real * x->record_size);
  } else {
    p->bytes = memory_grow(p->bytes, (size_t)p->count, (size_t)max_real, x->record_size);
  }
  p->capacity = max_real;
}

char *exchange_append(struct exchange *x, int32_t peer_index)
{
  struct message *p = &x->out[peer_index];
  message_reserve(x, p, p->count + 1);
  return p->bytes + (size_t)p->count++ * x->record_size;
}

char *exchange_resize(struct exchange *x, int32_t peer_index, int64_t count)
{
  struct message *p = &x->out[peer_index];
  p->count = 0;
  message_reserve(x, p, count);
  p->count = count;
  return p->bytes;
}

int32_t exchange_peer_index(const struct exchange *x, int32_t rank)
{
  int32_t lo = 0, hi = x->peer_count;
  while (lo < hi) {
    const int32_t middle = lo + (hi - lo) / 2;
    if (x->peers[middle] < rank)
      lo = middle + 1;
    else
      hi = middle;
  }
  return lo < x->peer_count && x->peers[lo] == rank ? lo : -1;
}

void exchange_begin(struct exchange *x)
{
  const int32_t n = x->peer_count;
  int64_t *coming = x->counts, *going = x->counts + n;
  for (int32_t p = 0; p < n; p++)
    MPI_Irecv(&coming[p], 1, MPI_INT64_T, x->peers[p], x->tag, x->mpi, &x->requests[p]);
  for (int32_t p = 0; p < n; p++) {
    going[p] = x->out[p].count;
    if (going[p] > INT_MAX)
      fail(EXIT_INTERNAL_ERROR, "%lld records for rank %d in one message", (long long)going[p],
           x->peers[p]);
    MPI_Isend(&going[p], 1, MPI_INT64_T, x->peers[p], x->tag, x->mpi, &x->requests[n + p]);
    x->requests[2 * n + p] = MPI_REQUEST_NULL;
    if (going[p] > 0)
      MPI_Isend(x->out[p].bytes, (int)going[p], x->type, x->peers[p], x->tag + 1, x->mpi,
                &x->requests[2 * n + p]);
  }
}

// The counts are here: the records next.
static void receive_records(struct exchange *x)
{
  for (int32_t p = 0; p < x->peer_count; p++) {
    x->in[p].count = 0;
    message_reserve(x, &x->in[p], x->counts[p]);
    x->in[p].count = x->counts[p];
    if (x->in[p].count > 0)
      MPI_Irecv(x->in[p].bytes, (int)x->in[p].count, x->type, x->peers[p], x->tag + 1, x->mpi,
                &x->requests[p]);
  }
  x->receiving = true;
}

void exchange_progress(struct exchange *x)
{
  int done;
  MPI_Testall(x->peer_count, x->requests, &done, MPI_STATUSES_IGNORE);
  if (done && !x->receiving)
    receive_records(x);
}

void exchange_end(struct exchange *x)
{
  const double start = clock_seconds();
  if (!x->receiving) {
    MPI_Waitall(x->peer_count, x->requests, MPI_STATUSES_IGNORE);
    receive_records(x);
  }
  MPI_Waitall(3 * x->peer_count, x->requests, MPI_STATUSES_IGNORE);
  for (int32_t p = 0; p < x->peer_count; p++)
    x->out[p].count = 0;
  x->receiving = false;
  x->wait_seconds = clock_seconds() - start;
}
