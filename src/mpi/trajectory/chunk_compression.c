#include "chunk_compression.h"

#include "chunk_deflate.h"

static void chunk_compress(const struct trajectory_format *format, struct trajectory_chunk *chunk)
{
  const int64_t row = format->datasets[chunk->dataset].size;
  struct chunk_deflater *deflater = chunk_deflater_create(format->compression, DEFLATE_MATCHES);
  void *rows = chunk->bytes;
  chunk->bytes = memory_create((size_t)chunk_deflate_bound(chunk->size), 1);
  chunk->size = chunk_deflate(deflater, rows, chunk->size / row, row, false, chunk->bytes);
  chunk_deflater_destroy(deflater);
  memory_destroy(rows);
}

static void chunk_send(const struct comm *c, const struct trajectory_chunk *chunk, int32_t to)
{
  const int64_t head[2] = {chunk->dataset, chunk->size};
  comm_send(c, head, sizeof head, to);
  comm_send(c, chunk->bytes, (size_t)chunk->size, to);
}

static void chunk_receive(const struct comm *c, struct trajectory_chunk *chunk, int32_t from)
{
  int64_t head[2];
  comm_receive(c, head, sizeof head, from);
  memory_destroy(chunk->bytes);
  chunk->dataset = (int32_t)head[0];
  chunk->size = head[1];
  chunk->bytes = memory_create((size_t)chunk->size, 1);
  comm_receive(c, chunk->bytes, (size_t)chunk->size, from);
}

// Rank 0: chunk i is rank i % size's.
static void share_out(const struct comm *c, const struct trajectory_format *format,
                      struct trajectory_chunk *chunks, int64_t count)
{
  for (int64_t i = 0; i < count; i++)
    if (i % c->size)
      chunk_send(c, &chunks[i], (int32_t)(i % c->size));
#pragma omp parallel for schedule(dynamic)
  for (int64_t i = 0; i < count; i += c->size)
    chunk_compress(format, &chunks[i]);
  for (int64_t i = 0; i < count; i++)
    if (i % c->size)
      chunk_receive(c, &chunks[i], (int32_t)(i % c->size));
}

static void help(const struct comm *c, const struct trajectory_format *format, int64_t count)
{
  struct trajectory_chunk *own = memory_create((size_t)count, sizeof *own);
  int64_t n = 0;
  for (int64_t i = c->rank; i < count; i += c->size)
    chunk_receive(c, &own[n++], 0);
#pragma omp parallel for schedule(dynamic)
  for (int64_t k = 0; k < n; k++)
    chunk_compress(format, &own[k]);
  for (int64_t k = 0; k < n; k++) {
    chunk_send(c, &own[k], 0);
    memory_destroy(own[k].bytes);
  }
  memory_destroy(own);
}

void chunks_compress(const struct comm *c, const struct trajectory_format *format,
                     struct trajectory_chunk *chunks, int64_t count)
{
  if (format->compression == 0)
    return;
  comm_broadcast(c, &count, sizeof count, 0);
  if (c->rank == 0)
    share_out(c, format, chunks, count);
  else
    help(c, format, count);
}
