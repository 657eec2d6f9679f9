#include "exchange.h"

#include <assert.h>
#include <limits.h>
#include <string.h>

void exchange_create(struct exchange *x, const struct comm *c, int tag, size_t record_size,
                     const int32_t *peers, int32_t peer_count)
{
  assert(comm_is_valid(c) && record_size > 0 && record_size <= INT_MAX && peer_count >= 0);
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
  assert(exchange_is_valid(x));
}

bool exchange_is_valid(const struct exchange *x)
{
  for (int32_t p = 0; p < x->peer_count; p++)
    if (x->peers[p] < 0 || (p && x->peers[p] <= x->peers[p - 1]) || x->out[p].count < 0 ||
        x->out[p].count > x->out[p].capacity || x->in[p].count > x->in[p].capacity)
      return false;
  return x->record_size > 0 && x->mpi != MPI_COMM_NULL;
}

static void message_destroy(struct exchange *x, struct message *m)
{
  if (x->allocator.create && m->bytes)
    x->allocator.destroy(x->allocator.context, m->bytes);
  else
    memory_destroy(m->bytes);
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

static void message_reserve(struct exchange *x, struct message *m, int64_t count)
{
  if (count <= m->capacity)
    return;
  const int64_t capacity = count + count / 4 + 64;
  if (x->allocator.create) {
    message_destroy(x, m);
    m->bytes = x->allocator.create(x->allocator.context, (size_t)capacity * x->record_size);
  } else {
    m->bytes = memory_grow(m->bytes, (size_t)m->count, (size_t)capacity, x->record_size);
  }
  m->capacity = capacity;
}

char *exchange_append(struct exchange *x, int32_t peer_index)
{
  assert(peer_index >= 0 && peer_index < x->peer_count);
  struct message *m = &x->out[peer_index];
  message_reserve(x, m, m->count + 1);
  return m->bytes + (size_t)m->count++ * x->record_size;
}

char *exchange_resize(struct exchange *x, int32_t peer_index, int64_t count)
{
  assert(peer_index >= 0 && peer_index < x->peer_count && count >= 0);
  struct message *m = &x->out[peer_index];
  m->count = 0;
  message_reserve(x, m, count);
  m->count = count;
  return m->bytes;
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
  assert(exchange_is_valid(x));
  const int32_t n = x->peer_count;
  int64_t *receive_counts = x->counts, *send_counts = x->counts + n;
  for (int32_t p = 0; p < n; p++)
    MPI_Irecv(&receive_counts[p], 1, MPI_INT64_T, x->peers[p], x->tag, x->mpi, &x->requests[p]);
  for (int32_t p = 0; p < n; p++) {
    const int64_t count = send_counts[p] = x->out[p].count;
    if (count > INT_MAX)
      fail(EXIT_INTERNAL_ERROR, "%lld records for rank %d in one message", (long long)count,
           x->peers[p]);
    MPI_Isend(&send_counts[p], 1, MPI_INT64_T, x->peers[p], x->tag, x->mpi, &x->requests[n + p]);
    x->requests[2 * n + p] = MPI_REQUEST_NULL;
    if (count > 0)
      MPI_Isend(x->out[p].bytes, (int)count, x->type, x->peers[p], x->tag + 1, x->mpi,
                &x->requests[2 * n + p]);
  }
}

// Posts the receives of the records, once all counts have arrived.
static void post_record_receives(struct exchange *x)
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
    post_record_receives(x);
}

void exchange_end(struct exchange *x)
{
  const double start = clock_seconds();
  if (!x->receiving) {
    MPI_Waitall(x->peer_count, x->requests, MPI_STATUSES_IGNORE);
    post_record_receives(x);
  }
  MPI_Waitall(3 * x->peer_count, x->requests, MPI_STATUSES_IGNORE);
  for (int32_t p = 0; p < x->peer_count; p++)
    x->out[p].count = 0;
  x->receiving = false;
  x->wait_seconds = clock_seconds() - start;
}
