// The k nearest agents by (distance^2, id) within a range, LANES agents at a time; exact.
//
// Each lane keeps its nearest candidates as sorted keys. A key holds a distance and the candidate's
// number in one word, so that an insertion costs two operations per place. The distance is
// truncated to the bits that the number leaves free. Lanes in which this hides an order (about one
// in a thousand in a crowd, all of them on a lattice) are resolved by the full distance and the id.
#pragma once
#include "candidates.h"
#include "nearest_list.h"

// A key is the bit pattern of a positive float, neither subnormal nor infinite: distance^2, at
// least 1 quantum^2, its low bits replaced by the candidate's number. Vectors compare floats in one
// operation, a single lane integers. A caller's CPU may take subnormal numbers as 0.
#if LANES == 1
typedef ivec nearest_key;
#define key_of_bits(bits) (bits)
#define bits_of_key(key)  (key)
INLINE nearest_key key_min(nearest_key a, nearest_key b)
{
  return b < a ? b : a;
}
INLINE nearest_key key_max(nearest_key a, nearest_key b)
{
  return a < b ? b : a;
}
#else
typedef real nearest_key;
#define key_of_bits real_of_bits
#define bits_of_key bits_of
#define key_min     min_real
#define key_max     max_positive
#endif

INLINE real length2(vec2 a)
{
  return dot(a, a);
}

struct nearest {
  int room;                    // k
  int32_t numbers;             // a power of two above the numbers of all candidates
  int32_t limit;               // keys from here on are none
  ivec number[NEIGHBOURS_MAX]; // of the candidate, nearest first; -1: none
  ivec farthest;               // the distance bits of the k-th key
  mask tied;                   // lanes in which two keys differ in the number only
};

#define KEY_NONE 0x7f000000 // above any distance

INLINE int32_t key_numbers(int count)
{
  return count <= 16 ? 16 : 1 << (highest_bit((uint32_t)count - 1) + 1);
}

INLINE ivec distance_key(real d2, int32_t numbers)
{
  return bits_of(max_positive(d2, splat(1))) & splat_ivec(-numbers);
}

// Candidates farther than sqrt(range2) may be found up to here, but the list is incomplete there:
// nearest_found tells.
INLINE int32_t key_limit(float range2, int32_t numbers)
{
  const float limit2 = max_float(1.001f * range2, 2);
  int32_t bits;
  __builtin_memcpy(&bits, &limit2, sizeof bits);
  return bits & -numbers;
}

INLINE void compare_exchange(nearest_key *a, nearest_key *b)
{
  const nearest_key low = key_min(*a, *b);
  *b = key_max(*a, *b);
  *a = low;
}

// Merges four new keys into the ascending list key[places] and drops the largest. The new keys are
// sorted; the minimum of the two lists, one reversed, is a bitonic sequence, which a bitonic
// network sorts (Batcher 1968; the missing wires below the first count as minus infinity). It costs
// twelve operations per new key at eleven places. `places` is a constant, so that each place is a
// register once the loops are unrolled.
INLINE void keys_merge(nearest_key *key, const int places, nearest_key *incoming)
{
  compare_exchange(&incoming[0], &incoming[1]);
  compare_exchange(&incoming[2], &incoming[3]);
  compare_exchange(&incoming[0], &incoming[2]);
  compare_exchange(&incoming[1], &incoming[3]);
  compare_exchange(&incoming[1], &incoming[2]);
  UNROLL
  for (int i = 0; i < MERGE_BATCH; i++)
    key[places - 1 - i] = key_min(key[places - 1 - i], incoming[i]);
  const int wires = places > 32 ? 64 : places > 16 ? 32 : places > 8 ? 16 : 8;
  const int missing = wires - places;
  UNROLL
  for (int level = 1; level <= 6; level++) {
    const int apart = wires >> level;
    UNROLL
    for (int i = missing; i < wires; i++)
      if (apart > 0 && (i & apart) == 0)
        compare_exchange(&key[i - missing], &key[i - missing + apart]);
  }
}

// Sets the numbers from the keys, and where the keys leave an order open, or which one is left out.
INLINE void nearest_decode(struct nearest *n, const nearest_key *key, const int places)
{
  const ivec high = splat_ivec(-n->numbers), low = splat_ivec(n->numbers - 1);
  const ivec none = splat_ivec(n->limit);
  ivec distance = bits_of_key(key[0]) & high;
  n->tied = mask_none();
  UNROLL
  for (int i = 0; i + 1 < places; i++) {
    const ivec bits = bits_of_key(key[i]), next = bits_of_key(key[i + 1]) & high;
    const mask found = ivec_less(bits, none);
    n->number[i] = select_ivec(found, bits & low, splat_ivec(-1));
    n->tied = n->tied | (found & ivec_equal(distance, next));
    if (i + 1 == n->room)
      n->farthest = distance;
    distance = next;
  }
}

// k in every lane. A copy from memory costs less than an addition or a copy from a register.
INLINE ivec candidate_number(int k)
{
#if LANES == 1
  return k;
#else
#define FOUR(k)    k, k + 1, k + 2, k + 3
#define SIXTEEN(k) FOUR(k), FOUR(k + 4), FOUR(k + 8), FOUR(k + 12)
#define MANY(k)    SIXTEEN(k), SIXTEEN(k + 16), SIXTEEN(k + 32), SIXTEEN(k + 48)
  static const int32_t numbers[] = {MANY(0),   MANY(64),  MANY(128), MANY(192),   MANY(256),
                                    MANY(320), MANY(384), MANY(448), SIXTEEN(512)};
#undef MANY
#undef SIXTEEN
#undef FOUR
  _Static_assert(CANDIDATES_MAX + MERGE_BATCH <= sizeof numbers / sizeof *numbers, "too few");
  return splat_ivec(numbers[k]);
#endif
}

INLINE nearest_key candidate_key(const struct candidates *c, int k, vec2 at, int32_t numbers)
{
  const vec2 p = {at.x - splat(c->x[k]), at.y - splat(c->y[k])};
  return key_of_bits(distance_key(length2(p), numbers) | candidate_number(k));
}

// No agent is its own neighbour: in its own lane, a candidate's key becomes none. lane: below 0 or
// from LANES on, it is in no lane of this block.
INLINE nearest_key key_without_self(nearest_key key, int lane)
{
  enum { BEFORE = BOX_TREE_WIDTH + MERGE_BATCH };
#define FOUR_ZEROS 0, 0, 0, 0
  static const int32_t none[2 * BEFORE + LANES] = {FOUR_ZEROS, FOUR_ZEROS, FOUR_ZEROS,
                                                   FOUR_ZEROS, FOUR_ZEROS, KEY_NONE};
#undef FOUR_ZEROS
  return key_max(key, key_of_bits(lanes_load_ivec(none + BEFORE - lane)));
}

// self: the candidate number of lane 0. The leaf's own candidates come first, so only they are
// compared with the lanes.
INLINE void keys_search(struct nearest *n, const struct candidates *c, vec2 at, int self,
                        const int places)
{
  const int32_t numbers = n->numbers;
  nearest_key key[NEIGHBOURS_MAX + 1], incoming[MERGE_BATCH];
  int k = 0;
  UNROLL
  for (int i = 0; i < places; i++)
    key[i] = key_of_bits(splat_ivec(KEY_NONE));
  for (; k < c->own; k += MERGE_BATCH) {
    UNROLL
    for (int i = 0; i < MERGE_BATCH; i++)
      incoming[i] = key_without_self(candidate_key(c, k + i, at, numbers), k + i - self);
    keys_merge(key, places, incoming);
  }
  for (; k < c->count; k += MERGE_BATCH) {
    UNROLL
    for (int i = 0; i < MERGE_BATCH; i++)
      incoming[i] = candidate_key(c, k + i, at, numbers);
    keys_merge(key, places, incoming);
  }
  nearest_decode(n, key, places);
}

// Finds the keys of the `room` candidates nearest to the agents at `at`, quanta from c->origin.
// self: the candidate number of lane 0. The lists have 6, 11, 16 or NEIGHBOURS_MAX + 1 places.
INLINE void nearest_search(struct nearest *n, const struct candidates *c, int room, vec2 at,
                           int self)
{
  n->room = room;
  n->numbers = key_numbers(c->count);
  n->limit = key_limit(c->range2, n->numbers);
  if (room < 6)
    keys_search(n, c, at, self, 6);
  else if (room < 11)
    keys_search(n, c, at, self, 11);
  else if (room < 16)
    keys_search(n, c, at, self, 16);
  else
    keys_search(n, c, at, self, NEIGHBOURS_MAX + 1);
}

// Lanes whose k nearest are all closer than sqrt(c->range2), up to where the list is complete.
INLINE mask nearest_found(const struct nearest *n, const struct candidates *c)
{
  return ivec_less(n->farthest, distance_key(splat(c->range2), n->numbers));
}

INLINE void set_lane(ivec *v, int l, int32_t value)
{
  int32_t lanes[LANES];
  lanes_store_ivec(lanes, *v);
  lanes[l] = value;
  *v = lanes_load_ivec(lanes);
}

// Sets the numbers of lane l by (distance^2, id). Scalar: few lanes are tied. self: the candidate
// number of lane l.
HOST_DEVICE void nearest_resolve_ties(struct nearest *n, const struct candidates *c,
                                      const struct agents *a, int l, int self)
{
  struct nearest_list list = {.room = n->room};
  for (int k = 0; k < c->count; k++) {
    const float dx = c->x[k] - c->x[self], dy = c->y[k] - c->y[self];
    const float d2 = dx * dx + dy * dy;
    if (k != self && d2 < c->range2)
      nearest_list_insert(&list, (struct nearest_entry){d2, k, a->id[c->agent[k]]});
  }
  for (int i = 0; i < n->room; i++)
    set_lane(&n->number[i], l, i < list.count ? list.list[i].item : -1);
}
