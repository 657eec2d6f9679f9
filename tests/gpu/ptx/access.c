// Loads, stores and atomics: every active lane's address is checked, then read or written.
#include "ptx.h"

#include <string.h>

static uint64_t generic_address(const struct ptx_instruction *in, uint64_t address)
{
  const uint64_t window = in->space == LOCAL    ? LOCAL_WINDOW
                          : in->space == SHARED ? SHARED_WINDOW
                                                : 0;
  // Shared and local addresses have 32 bits.
  return (window ? (uint32_t)(address + (uint64_t)in->offset) : address + (uint64_t)in->offset) +
         window;
}

static uint64_t value_read(const uint8_t *from, const struct ptx_instruction *in)
{
  uint64_t bits = 0;
  memcpy(&bits, from, (size_t)in->bytes);
  if (in->type == 's' && in->bytes < 8) {
    const int unused = 64 - 8 * in->bytes;
    bits = (uint64_t)((int64_t)(bits << unused) >> unused);
  }
  return bits;
}

static void load_lane(struct ptx_warp *w, const struct ptx_instruction *in, int lane,
                      const uint8_t *from)
{
  for (int e = 0; e < in->elements; e++)
    w->slots[in->out[e]][lane] = value_read(from + e * in->bytes, in);
}

static void store_lane(const struct ptx_warp *w, const struct ptx_instruction *in, int lane,
                       uint8_t *to)
{
  for (int e = 0; e < in->elements; e++)
    memcpy(to + e * in->bytes, &w->slots[in->in[1 + e]][lane], (size_t)in->bytes);
}

static bool is_less(uint64_t a, uint64_t b, char type)
{
  return type == 's' ? (int64_t)a < (int64_t)b : a < b;
}

static void update_lane(struct ptx_warp *w, const struct ptx_instruction *in, int lane, uint8_t *to)
{
  const uint64_t old = value_read(to, in);
  const uint64_t operand = value_read((const uint8_t *)&w->slots[in->in[1]][lane], in);
  uint64_t new = operand;
  switch (in->operation) {
  case ADD:
    new = old + operand;
    break;
  case MIN:
    new = is_less(operand, old, in->type) ? operand : old;
    break;
  case MAX:
    new = is_less(old, operand, in->type) ? operand : old;
    break;
  case AND:
    new = old &operand;
    break;
  case OR:
    new = old | operand;
    break;
  default:
    break;
  }
  memcpy(to, &new, (size_t)in->bytes);
  w->slots[in->out[0]][lane] = old;
}

static void load_parameter(struct ptx_warp *w, const struct ptx_instruction *in, uint32_t lanes)
{
  const uint8_t *from = w->block->launch->parameters + in->offset;
  for (uint32_t left = lanes; left; left &= left - 1)
    load_lane(w, in, __builtin_ctz(left), from);
}

// The lanes of one instruction access memory in an unspecified order.
static int lane_number(int k)
{
  return ptx_settings.order == FORWARD    ? k
         : ptx_settings.order == REVERSED ? LANES - 1 - k
                                          : (11 * k + 5) % LANES;
}

void ptx_access(struct ptx_warp *w, const struct ptx_instruction *in, uint32_t lanes)
{
  if (in->space == PARAM) {
    load_parameter(w, in, lanes);
    return;
  }
  const enum access what = in->kind == LOAD ? READ : in->kind == STORE ? WRITE : UPDATE;
  const unsigned bytes = (unsigned)(in->bytes * in->elements);
  uint64_t addresses[LANES];
  for (uint32_t left = lanes; left; left &= left - 1) {
    const int lane = __builtin_ctz(left);
    addresses[lane] = generic_address(in, w->slots[in->in[0]][lane]);
  }
  ptx_count_access(in, lanes, addresses);
  for (int k = 0; k < LANES; k++) {
    const int lane = lane_number(k);
    if (!(lanes >> lane & 1))
      continue;
    uint8_t *at = ptx_memory_at((struct ptx_thread){w, in, lane}, addresses[lane], bytes, what);
    if (what == READ)
      load_lane(w, in, lane, at);
    else if (what == WRITE)
      store_lane(w, in, lane, at);
    else
      update_lane(w, in, lane, at);
  }
}
