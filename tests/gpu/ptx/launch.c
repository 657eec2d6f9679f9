// Runs launches: blocks in an order that the settings choose, the warps of a block until each waits
// for the others or has ended.
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

static const struct ptx_instruction *at(const struct ptx_warp *w, int lane)
{
  return &w->block->launch->kernel->code[w->pc[lane]];
}

static void warp_begin(struct ptx_warp *w, struct ptx_block *b, uint32_t first_thread)
{
  const struct ptx_launch *l = b->launch;
  const uint32_t left = l->threads - first_thread;
  w->block = b;
  w->first_thread = first_thread;
  w->ready = left < LANES ? (1u << left) - 1 : ALL_LANES;
  w->waiting = w->at_barrier = w->exited = 0;
  memset(w->pc, 0, sizeof w->pc);
  for (uint32_t lane = 0; lane < LANES; lane++) {
    w->slots[THREAD_OF_BLOCK][lane] = first_thread + lane;
    w->slots[BLOCK_NUMBER][lane] = b->number;
    w->slots[BLOCK_THREADS_SET][lane] = l->threads;
    w->slots[BLOCK_COUNT][lane] = l->blocks;
    w->slots[LANE_NUMBER][lane] = lane;
    w->slots[LANES_BELOW][lane] = (1u << lane) - 1;
    w->slots[LANES_UP_TO_THIS][lane] = ALL_LANES >> (31 - lane);
  }
  if (w->local) {
    memset(w->local, 0xa5, (size_t)l->kernel->local_bytes * LANES);
    memset(w->local_written, 0, (size_t)l->kernel->local_bytes * LANES);
  }
}

// --------------------------------------------------------------------------------------- block

// True if all threads of the block that have not ended are at the barrier, and may go on.
static bool pass_barrier(struct ptx_block *b)
{
  uint32_t any = 0;
  const struct ptx_instruction *first = NULL;
  for (int k = 0; k < b->warp_count; k++) {
    struct ptx_warp *w = &b->warps[k];
    if (w->waiting)
      return false;
    for (uint32_t left = w->at_barrier; left; left &= left - 1) {
      const int lane = __builtin_ctz(left);
      const struct ptx_instruction *in = at(w, lane);
      if (first && in != first)
        ptx_find(&(struct ptx_thread){w, in, lane}, "a barrier while other threads are at line %d",
                 first->line);
      if (w->exited)
        ptx_find(&(struct ptx_thread){w, in, lane}, "a barrier that threads have left");
      first = in;
      any |= in->inputs ? (uint32_t)(w->slots[in->in[0]][0] >> lane & 1) : 0;
    }
  }
  for (int k = 0; k < b->warp_count && first; k++) {
    struct ptx_warp *w = &b->warps[k];
    if (first->outputs)
      w->slots[first->out[0]][0] =
          (w->slots[first->out[0]][0] & ~(uint64_t)w->at_barrier) | (any ? w->at_barrier : 0);
    for (uint32_t left = w->at_barrier; left; left &= left - 1)
      w->pc[__builtin_ctz(left)]++;
    w->ready |= w->at_barrier;
    w->at_barrier = 0;
  }
  return first;
}

static struct ptx_warp *warp_number(struct ptx_block *b, int k)
{
  return &b->warps[ptx_settings.order == REVERSED ? b->warp_count - 1 - k : k];
}

// Warps that a barrier joins exist at the same time. Others run one after another in one storage.
static void run_block(struct ptx_block *b, int warps)
{
  if (b->shared) {
    memset(b->shared, 0xa5, (size_t)b->launch->kernel->shared_bytes);
    memset(b->shared_written, 0, (size_t)b->launch->kernel->shared_bytes);
  }
  const int at_once = b->warp_count;
  for (int first = 0; first < warps; first += at_once) {
    for (int k = 0; k < at_once; k++)
      warp_begin(&b->warps[k], b, (uint32_t)(first + k) * LANES);
    do
      for (int k = 0; k < at_once; k++)
        ptx_warp_run(warp_number(b, k));
    while (pass_barrier(b));
    for (int k = 0; k < at_once; k++) {
      struct ptx_warp *w = &b->warps[k];
      if (w->waiting)
        ptx_find(
            &(struct ptx_thread){w, at(w, __builtin_ctz(w->waiting)), __builtin_ctz(w->waiting)},
            "a deadlock: lanes %08x wait for others", w->waiting);
      ptx_count_warp_end();
    }
  }
}

// -------------------------------------------------------------------------------------- launch

static void *cleared(size_t count, size_t bytes)
{
  if (bytes == 0)
    return NULL;
  void *memory = calloc(count, bytes);
  if (!memory)
    ptx_fail("out of memory");
  return memory;
}

static void block_create(struct ptx_block *b, const struct ptx_launch *l, int warps)
{
  const struct ptx_kernel *k = l->kernel;
  b->launch = l;
  b->warp_count = k->has_block_barrier ? warps : 1;
  b->warps = cleared((size_t)b->warp_count, sizeof *b->warps);
  b->shared = cleared(1, (size_t)k->shared_bytes);
  b->shared_written = cleared(1, (size_t)k->shared_bytes);
  for (int n = 0; n < b->warp_count; n++) {
    struct ptx_warp *w = &b->warps[n];
    w->slots = cleared((size_t)k->slot_count, sizeof *w->slots);
    w->local = cleared(LANES, (size_t)k->local_bytes);
    w->local_written = cleared(LANES, (size_t)k->local_bytes);
    for (int c = 0; c < k->constant_count; c++)
      for (int lane = 0; lane < LANES; lane++)
        w->slots[SPECIAL_REGISTERS + c][lane] = k->constants[c];
  }
}

static void block_destroy(struct ptx_block *b)
{
  for (int n = 0; n < b->warp_count; n++)
    free(b->warps[n].slots), free(b->warps[n].local), free(b->warps[n].local_written);
  free(b->warps), free(b->shared), free(b->shared_written);
}

static uint64_t common_divisor(uint64_t a, uint64_t b)
{
  return b ? common_divisor(b, a % b) : a;
}

static uint32_t block_number(const struct ptx_launch *l, uint64_t k, uint64_t stride)
{
  if (ptx_settings.order == FORWARD || ptx_is_cub(l->kernel))
    return (uint32_t)k;
  return (uint32_t)(ptx_settings.order == REVERSED ? l->blocks - 1 - k : (k * stride) % l->blocks);
}

void ptx_launch_run(const struct ptx_launch *l)
{
  struct ptx_kernel *k = l->kernel;
  if (!k->code)
    ptx_kernel_decode(&ptx_module, k);
  ptx_memory_next_launch(k);
  ptx_count_begin(k);
  const int warps = (int)((l->threads + LANES - 1) / LANES);
  uint64_t stride = 7919;
  while (common_divisor(stride, l->blocks) != 1)
    stride++;
  struct ptx_block b = {.launch = l};
  block_create(&b, l, warps);
  for (uint64_t n = 0; n < l->blocks; n++) {
    b.number = block_number(l, n, stride);
    run_block(&b, warps);
  }
  block_destroy(&b);
  k->counts.launches++;
  k->counts.threads += (uint64_t)l->blocks * l->threads;
  ptx_count_end();
}
