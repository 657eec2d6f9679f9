#include "kept_corners.h"

#include "base.h"

// By the threads that will use the blocks.
void kept_corners_forget(struct kept_corners_block *block, int64_t count)
{
#pragma omp parallel for schedule(static) if (KEPT_BLOCK * count > PARALLEL_MIN_ITEMS)
  for (int64_t b = 0; b < count; b++)
    for (int i = 0; i < KEPT_BLOCK; i++)
      block[b].key[i] = -1;
}

void kept_corners_reserve(struct kept_corners *k, int64_t agents)
{
  const int64_t blocks = (agents + KEPT_BLOCK - 1) / KEPT_BLOCK;
  if (blocks <= k->block_count)
    return;
  const int64_t more = blocks + blocks / 8;
  k->may_arrive =
      memory_grow(k->may_arrive, (size_t)k->block_count, (size_t)more, sizeof *k->may_arrive);
  k->on_free_ground = memory_grow(k->on_free_ground, (size_t)k->block_count, (size_t)more,
                                  sizeof *k->on_free_ground);
  k->block = memory_grow(k->block, (size_t)k->block_count, (size_t)more, sizeof *k->block);
  kept_corners_forget(k->block + k->block_count, more - k->block_count);
  k->block_count = more;
}

void kept_corners_follow(struct kept_corners *k, uint64_t version)
{
  if (k->version != version)
    kept_corners_forget(k->block, k->block_count);
  k->version = version;
}

void kept_corners_destroy(struct kept_corners *k)
{
  memory_destroy(k->block);
  memory_destroy(k->may_arrive);
  memory_destroy(k->on_free_ground);
  *k = (struct kept_corners){0};
}
