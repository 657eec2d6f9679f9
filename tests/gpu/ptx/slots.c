// Gives every register of a kernel a slot of storage. PTX has thousands of registers, of which few
// hold a value at the same time: registers whose lives do not meet share a slot, so that a warp's
// values stay in the cache. Liveness by basic blocks, then a linear scan (Poletto, Sarkar 1999).
// Predicates have slots of their own: all lanes' bits are in one word, and lanes that have parted
// may be in different lives of a slot.
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

struct block {
  int first, end;   // instructions
  int successor[2]; // blocks; -1: none
};

struct liveness {
  struct ptx_kernel *kernel;
  const bool *is_predicate;  // [register_count]
  int register_count, words; // words of 64 bits in a set of registers
  struct block *blocks;
  int block_count;
  int *block_of;             // [length + 1]
  uint64_t *used, *set, *in; // [block_count][words]: read before written, written, live at begin
  int *first, *last;         // [register_count]: the life, as a range of instructions
};

static int register_of(int32_t operand) // -1: a special register or a constant
{
  return operand >= FIRST_REGISTER ? operand - FIRST_REGISTER : -1;
}

static bool is_end(const struct ptx_instruction *in)
{
  return in->kind == BRANCH || in->kind == RETURN;
}

static void find_blocks(struct liveness *l)
{
  const struct ptx_kernel *k = l->kernel;
  bool *leads = calloc((size_t)k->length + 1, sizeof *leads);
  leads[0] = true;
  for (int i = 0; i < k->length; i++) {
    if (is_end(&k->code[i]))
      leads[i + 1] = true;
    if (k->code[i].kind == BRANCH)
      leads[k->code[i].target] = true;
  }
  l->blocks = calloc((size_t)k->length + 1, sizeof *l->blocks);
  l->block_of = calloc((size_t)k->length + 1, sizeof *l->block_of);
  for (int i = 0; i < k->length; i++) {
    if (leads[i])
      l->blocks[l->block_count++] = (struct block){i, i, {-1, -1}};
    l->blocks[l->block_count - 1].end = i + 1;
    l->block_of[i] = l->block_count - 1;
  }
  l->block_of[k->length] = -1;
  for (int b = 0; b < l->block_count; b++) {
    const struct ptx_instruction *last = &k->code[l->blocks[b].end - 1];
    const bool goes_on = !is_end(last) || last->guard >= 0;
    l->blocks[b].successor[0] = goes_on ? l->block_of[l->blocks[b].end] : -1;
    l->blocks[b].successor[1] = last->kind == BRANCH ? l->block_of[last->target] : -1;
  }
  free(leads);
}

static void note_read(struct liveness *l, int block, int32_t operand)
{
  const int r = register_of(operand);
  if (r >= 0 && !(l->set[(size_t)block * (size_t)l->words + (size_t)r / 64] >> r % 64 & 1))
    l->used[(size_t)block * (size_t)l->words + (size_t)r / 64] |= UINT64_C(1) << r % 64;
}

static void find_uses(struct liveness *l)
{
  for (int b = 0; b < l->block_count; b++)
    for (int i = l->blocks[b].first; i < l->blocks[b].end; i++) {
      const struct ptx_instruction *in = &l->kernel->code[i];
      for (int k = 0; k < in->inputs; k++)
        note_read(l, b, in->in[k]);
      if (in->guard >= 0)
        note_read(l, b, in->guard);
      for (int k = 0; k < in->outputs; k++) {
        const int r = register_of(in->out[k]);
        if (in->guard >= 0) // lanes that do not write keep the old value
          note_read(l, b, in->out[k]);
        l->set[(size_t)b * (size_t)l->words + (size_t)r / 64] |= UINT64_C(1) << r % 64;
      }
    }
}

static uint64_t live_at_end(const struct liveness *l, int block, int word)
{
  uint64_t live = 0;
  for (int s = 0; s < 2; s++)
    if (l->blocks[block].successor[s] >= 0)
      live |= l->in[(size_t)l->blocks[block].successor[s] * (size_t)l->words + (size_t)word];
  return live;
}

static void find_live(struct liveness *l)
{
  for (bool changed = true; changed;) {
    changed = false;
    for (int b = l->block_count - 1; b >= 0; b--)
      for (int w = 0; w < l->words; w++) {
        const size_t at = (size_t)b * (size_t)l->words + (size_t)w;
        const uint64_t live = l->used[at] | (live_at_end(l, b, w) & ~l->set[at]);
        changed |= live != l->in[at];
        l->in[at] = live;
      }
  }
}

static void extend(struct liveness *l, int32_t operand, int instruction)
{
  const int r = register_of(operand);
  if (r < 0)
    return;
  if (instruction < l->first[r])
    l->first[r] = instruction;
  if (instruction > l->last[r])
    l->last[r] = instruction;
}

static void find_lives(struct liveness *l)
{
  for (int r = 0; r < l->register_count; r++) {
    l->first[r] = l->kernel->length;
    l->last[r] = -1;
  }
  for (int i = 0; i < l->kernel->length; i++) {
    const struct ptx_instruction *in = &l->kernel->code[i];
    for (int k = 0; k < in->inputs; k++)
      extend(l, in->in[k], i);
    for (int k = 0; k < in->outputs; k++)
      extend(l, in->out[k], i);
    if (in->guard >= 0)
      extend(l, in->guard, i);
  }
  for (int b = 0; b < l->block_count; b++)
    for (int w = 0; w < l->words; w++) {
      const uint64_t in = l->in[(size_t)b * (size_t)l->words + (size_t)w];
      for (uint64_t left = in; left; left &= left - 1)
        extend(l, FIRST_REGISTER + 64 * w + __builtin_ctzll(left), l->blocks[b].first);
      for (uint64_t left = live_at_end(l, b, w); left; left &= left - 1)
        extend(l, FIRST_REGISTER + 64 * w + __builtin_ctzll(left), l->blocks[b].end - 1);
    }
}

// slot_of[register]: slots become free after the last instruction of a life, not within it.
static int scan(const struct liveness *l, int first_slot, int *slot_of)
{
  const int length = l->kernel->length, count = l->register_count;
  int *begins = malloc(sizeof *begins * (size_t)(length + 1)), slots = first_slot;
  int *ends = malloc(sizeof *ends * (size_t)(length + 1));
  int *next_begin = malloc(sizeof *next_begin * (size_t)(count + 1));
  int *next_end = malloc(sizeof *next_end * (size_t)(count + 1));
  int *idle[2], idle_count[2] = {0}; // of values, of predicates
  for (int c = 0; c < 2; c++)
    idle[c] = malloc(sizeof **idle * (size_t)(count + 1));
  memset(begins, 0xff, sizeof *begins * (size_t)(length + 1));
  memset(ends, 0xff, sizeof *ends * (size_t)(length + 1));
  for (int r = 0; r < count; r++)
    if (l->last[r] >= 0) {
      next_begin[r] = begins[l->first[r]];
      begins[l->first[r]] = r;
      next_end[r] = ends[l->last[r]];
      ends[l->last[r]] = r;
    }
  for (int i = 0; i < length; i++) {
    for (int r = begins[i]; r >= 0; r = next_begin[r]) {
      const int c = l->is_predicate[r];
      slot_of[r] = idle_count[c] ? idle[c][--idle_count[c]] : slots++;
    }
    for (int r = ends[i]; r >= 0; r = next_end[r]) {
      const int c = l->is_predicate[r];
      idle[c][idle_count[c]++] = slot_of[r];
    }
  }
  free(begins), free(ends), free(next_begin), free(next_end), free(idle[0]), free(idle[1]);
  return slots;
}

static int32_t slot(int32_t operand, const int *slot_of)
{
  if (operand <= CONSTANT)
    return SPECIAL_REGISTERS + (CONSTANT - operand);
  return operand >= FIRST_REGISTER ? slot_of[operand - FIRST_REGISTER] : operand;
}

void ptx_assign_slots(struct ptx_kernel *k, const bool *is_predicate, int register_count)
{
  struct liveness l = {.kernel = k, .is_predicate = is_predicate, .register_count = register_count};
  l.words = (register_count + 63) / 64;
  find_blocks(&l);
  const size_t sets = (size_t)l.block_count * (size_t)l.words + 1, count = (size_t)register_count;
  l.used = calloc(sets, sizeof *l.used);
  l.set = calloc(sets, sizeof *l.set);
  l.in = calloc(sets, sizeof *l.in);
  l.first = malloc(sizeof *l.first * (count + 1));
  l.last = malloc(sizeof *l.last * (count + 1));
  int *slot_of = calloc(count + 1, sizeof *slot_of);
  find_uses(&l);
  find_live(&l);
  find_lives(&l);
  k->slot_count = scan(&l, SPECIAL_REGISTERS + k->constant_count, slot_of);
  for (int i = 0; i < k->length; i++) {
    struct ptx_instruction *in = &k->code[i];
    for (int o = 0; o < in->outputs; o++)
      in->out[o] = slot(in->out[o], slot_of);
    for (int o = 0; o < in->inputs; o++)
      in->in[o] = slot(in->in[o], slot_of);
    if (in->guard >= 0)
      in->guard = slot(in->guard, slot_of);
  }
  free(l.blocks), free(l.block_of), free(l.used), free(l.set), free(l.in);
  free(l.first), free(l.last), free(slot_of);
}
