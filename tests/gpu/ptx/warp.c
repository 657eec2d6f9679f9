// Runs the lanes of a warp, together where they are at the same instruction.
//
// Lanes part at a branch and meet again: of the lanes that are ready, those at the lowest
// instruction run until they reach others. A compiler lays out code so that this is where they
// reconverge. That is how lanes run TOGETHER. A GPU since Volta may also run them apart, so a
// result must not depend on it: the policies ALONE and PARTS run lanes one at a time, and in
// random subsets.
#include "ptx.h"

#include <stdlib.h>
#include <string.h>

static uint64_t random_state = 1;

static uint32_t random_bits(void)
{
  random_state = random_state * 6364136223846793005u + 1442695040888963407u;
  return (uint32_t)(random_state >> 32);
}

static uint32_t lanes_at(const struct ptx_warp *w, uint32_t among, int32_t pc)
{
  uint32_t lanes = 0;
  for (uint32_t left = among; left; left &= left - 1)
    if (w->pc[__builtin_ctz(left)] == pc)
      lanes |= left & -left;
  return lanes;
}

static int32_t lowest_pc(const struct ptx_warp *w, uint32_t among)
{
  int32_t lowest = INT32_MAX;
  for (uint32_t left = among; left; left &= left - 1)
    if (w->pc[__builtin_ctz(left)] < lowest)
      lowest = w->pc[__builtin_ctz(left)];
  return lowest;
}

static void set_pc(struct ptx_warp *w, uint32_t lanes, int32_t pc)
{
  for (uint32_t left = lanes; left; left &= left - 1)
    w->pc[__builtin_ctz(left)] = pc;
}

static uint32_t choose_lanes(struct ptx_warp *w)
{
  w->merge_at = INT32_MAX;
  if (ptx_settings.lanes == ALONE) {
    const int first = ptx_settings.order == PERMUTED ? (int)(random_bits() % LANES) : 0;
    const uint32_t later = w->ready & (ALL_LANES << first);
    const uint32_t among = later ? later : w->ready;
    return ptx_settings.order == REVERSED ? 1u << (31 - __builtin_clz(w->ready)) : among & -among;
  }
  const int32_t pc = lowest_pc(w, w->ready);
  const uint32_t lanes = lanes_at(w, w->ready, pc);
  if (ptx_settings.lanes == PARTS) {
    const uint32_t part = lanes & random_bits();
    return part ? part : lanes;
  }
  w->merge_at = lowest_pc(w, w->ready & ~lanes);
  return lanes;
}

// ---------------------------------------------------------------------- operations of a warp

static uint32_t shuffle(struct ptx_warp *w, const struct ptx_instruction *in, int lane,
                        uint32_t group, bool *within)
{
  const int b = (int)(w->slots[in->in[1]][lane] & 31);
  const uint32_t c = (uint32_t)w->slots[in->in[2]][lane];
  const int clamp = (int)(c & 31), segment = (int)(c >> 8 & 31);
  const int last = (lane & segment) | (clamp & ~segment), first = lane & segment;
  int from = in->operation == UP          ? lane - b
             : in->operation == DOWN      ? lane + b
             : in->operation == BUTTERFLY ? lane ^ b
                                          : first | (b & ~segment);
  *within = in->operation == UP ? from >= last : from <= last;
  if (!*within)
    from = lane;
  if (!(group >> from & 1))
    ptx_find(&(struct ptx_thread){w, in, lane}, "a shuffle from lane %d, which takes no part",
             from);
  return (uint32_t)w->slots[in->in[0]][from];
}

static int64_t reduced(const struct ptx_warp *w, const struct ptx_instruction *in, uint32_t group)
{
  const uint64_t *values = w->slots[in->in[0]];
  int64_t sum = 0, least = INT64_MAX, most = INT64_MIN;
  for (uint32_t left = group; left; left &= left - 1) {
    const uint32_t bits = (uint32_t)values[__builtin_ctz(left)];
    const int64_t value = in->type == 's' ? (int32_t)bits : (int64_t)bits;
    sum += value;
    least = value < least ? value : least;
    most = value > most ? value : most;
  }
  return in->operation == ADD ? sum : in->operation == MIN ? least : most;
}

static uint32_t equal_lanes(const struct ptx_warp *w, const struct ptx_instruction *in, int lane,
                            uint32_t group)
{
  const uint64_t *values = w->slots[in->in[0]], mask = in->bytes == 8 ? UINT64_MAX : UINT32_MAX;
  uint32_t equal = 0;
  for (uint32_t left = group; left; left &= left - 1)
    if (((values[__builtin_ctz(left)] ^ values[lane]) & mask) == 0)
      equal |= left & -left;
  return equal;
}

// All lanes of a group have arrived: each gets its result and goes on.
static void perform(struct ptx_warp *w, const struct ptx_instruction *in, uint32_t group)
{
  uint64_t result[LANES] = {0};
  uint32_t within = 0;
  for (uint32_t left = group; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    bool in_range = false;
    if (in->kind == SHUFFLE)
      result[lane] = shuffle(w, in, lane, group, &in_range);
    else if (in->kind == BALLOT)
      result[lane] = w->slots[in->in[0]][0] & group;
    else if (in->kind == MATCH)
      result[lane] = equal_lanes(w, in, lane, group);
    else if (in->kind == REDUCE)
      result[lane] = (uint32_t)reduced(w, in, group);
    within |= (uint32_t)in_range << lane;
  }
  for (uint32_t left = group; left && in->outputs; left &= left - 1)
    w->slots[in->out[0]][__builtin_ctz(left)] = result[__builtin_ctz(left)];
  if (in->outputs == 2)
    w->slots[in->out[1]][0] = (w->slots[in->out[1]][0] & ~(uint64_t)group) | within;
  for (uint32_t left = group; left; left &= left - 1)
    w->pc[__builtin_ctz(left)]++;
  w->waiting &= ~group;
  w->ready |= group;
}

// Lets the waiting lanes go on whose whole member mask has arrived at this instruction.
static bool resolve(struct ptx_warp *w, int32_t pc)
{
  const struct ptx_instruction *in = &w->block->launch->kernel->code[pc];
  const uint64_t *members = w->slots[in->in[in->inputs - 1]];
  const uint32_t arrived = lanes_at(w, w->waiting, pc);
  bool some = false;
  for (uint32_t left = arrived; left;) {
    const int lane = __builtin_ctz(left);
    const uint32_t mask = (uint32_t)members[lane];
    uint32_t group = 0;
    for (uint32_t other = left; other; other &= other - 1)
      if ((uint32_t)members[__builtin_ctz(other)] == mask)
        group |= other & -other;
    if (!(mask >> lane & 1))
      ptx_find(&(struct ptx_thread){w, in, lane}, "the lane is not in its own member mask");
    const uint32_t exist = w->ready | w->waiting | w->at_barrier;
    if ((mask & exist & ~group) == 0) {
      perform(w, in, group & mask);
      some = true;
    }
    left &= ~group;
  }
  return some;
}

static bool resolve_all(struct ptx_warp *w)
{
  bool some = false;
  for (uint32_t left = w->waiting; left;) {
    const int32_t pc = w->pc[__builtin_ctz(left)];
    left &= ~lanes_at(w, left, pc);
    some |= resolve(w, pc);
  }
  return some;
}

// ---------------------------------------------------------------------------------------- warp

static uint32_t guarded(const struct ptx_warp *w, const struct ptx_instruction *in, uint32_t lanes)
{
  if (in->guard < 0)
    return lanes;
  const uint32_t predicate = (uint32_t)w->slots[in->guard][0];
  return lanes & (in->guard_negated ? ~predicate : predicate);
}

static void compute(struct ptx_warp *w, const struct ptx_instruction *in, uint32_t lanes)
{
  const uint64_t *inputs[INPUTS];
  for (int k = 0; k < in->inputs; k++)
    inputs[k] = w->slots[in->in[k]];
  in->compute(w->slots[in->out[0]], inputs, lanes);
}

// The lanes arrive at an operation of the warp or of the block; the others go on.
static void arrive(struct ptx_warp *w, const struct ptx_instruction *in, uint32_t group,
                   uint32_t lanes, int32_t pc)
{
  set_pc(w, group, pc + 1);
  set_pc(w, lanes, pc);
  w->ready &= ~lanes;
  if (in->kind == BLOCK_BARRIER) {
    w->at_barrier |= lanes;
  } else {
    w->waiting |= lanes;
    resolve(w, pc);
  }
}

// Runs lanes that are at one instruction, until they part, wait, end or reach others.
static void run_lanes(struct ptx_warp *w, uint32_t group)
{
  const struct ptx_instruction *code = w->block->launch->kernel->code;
  int32_t pc = w->pc[__builtin_ctz(group)];
  do {
    const struct ptx_instruction *in = &code[pc];
    const uint32_t lanes = guarded(w, in, group);
    ptx_count_issue(group);
    if (in->kind == COMPUTE) {
      if (lanes)
        compute(w, in, lanes);
    } else if (in->kind <= ATOMIC) {
      if (lanes)
        ptx_access(w, in, lanes);
    } else if (in->kind == ACTIVE_MASK) {
      for (uint32_t left = lanes; left; left &= left - 1)
        w->slots[in->out[0]][__builtin_ctz(left)] = lanes;
    } else if (in->kind == RETURN) {
      w->ready &= ~lanes;
      w->exited |= lanes;
      group &= ~lanes;
    } else if (in->kind == BRANCH && lanes) {
      if (lanes != group) {
        set_pc(w, group & ~lanes, pc + 1);
        set_pc(w, lanes, in->target);
        return;
      }
      pc = in->target - 1;
    } else if (in->kind >= SHUFFLE && lanes) {
      arrive(w, in, group, lanes, pc);
      return;
    }
    pc++;
  } while (group && pc < w->merge_at);
  set_pc(w, group, pc);
}

void ptx_warp_run(struct ptx_warp *w)
{
  do {
    while (w->ready)
      run_lanes(w, choose_lanes(w));
  } while (w->waiting && resolve_all(w));
}
