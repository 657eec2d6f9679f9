// The k nearest by (distance^2, id) within a range, LANES agents at a time, exact.
//
// The agents of a leaf search together: one list of candidates serves them all. Each lane keeps
// its nearest as sorted keys, a distance and the candidate's number in one word, so that putting
// one in its place costs two operations a place. The distance in a key is cut to what the number
// leaves of the word; lanes where that hides an order (about one in a hundred thousand in a crowd,
// all of them on a lattice) are settled by the whole distance and the id.
//
// Distances are float: to_real of an exact integer difference, squared and added.
#pragma once
#include "box_tree_query.h"
#include "nearest_list.h"
#include "neighbours.h"

#ifndef CANDIDATES_MAX
#define CANDIDATES_MAX 512 // a power of two: the number is the low bits of a key
#endif
#define MERGE_BATCH 4 // candidates are looked at so many at once
#define CANDIDATES_ROOM                                                                            \
  (LANES * NEIGHBOURS_MAX > CANDIDATES_MAX ? LANES * NEIGHBOURS_MAX : CANDIDATES_MAX)

// Who may be a neighbour of somebody in a leaf. The leaf's own agents come first, in their order.
struct candidates {
  int own, count; // of the leaf itself, in all
  bool overflow;  // not all found room: the list is of no use
  float range2;   // quanta^2: all who are nearer than its root to somebody in the leaf are there
  int32_t agent[CANDIDATES_ROOM + BOX_TREE_WIDTH]; // index in struct agents
  struct point origin;                             // quanta; from there, exactly:
  float x[CANDIDATES_ROOM + BOX_TREE_WIDTH], y[CANDIDATES_ROOM + BOX_TREE_WIDTH];   // quanta
  float vx[CANDIDATES_ROOM + BOX_TREE_WIDTH], vy[CANDIDATES_ROOM + BOX_TREE_WIDTH]; // m/s
  float radius[CANDIDATES_ROOM + BOX_TREE_WIDTH];                                   // m
  float yield[CANDIDATES_ROOM + BOX_TREE_WIDTH];
};

// Leaves that may hold neighbours of the agents of a node of the second level: found once for all
// its leaves.
#define NEARBY_MAX 128
struct nearby {
  int count;
  bool overflow; // the list is of no use
  float range2;  // quanta^2: all that a leaf of the node may want as far as that are there
  int32_t lo_x[NEARBY_MAX + BOX_TREE_WIDTH], lo_y[NEARBY_MAX + BOX_TREE_WIDTH]; // quanta
  int32_t hi_x[NEARBY_MAX + BOX_TREE_WIDTH], hi_y[NEARBY_MAX + BOX_TREE_WIDTH]; // inside
  float radius[NEARBY_MAX + BOX_TREE_WIDTH];                                    // quanta
  int32_t first[NEARBY_MAX + BOX_TREE_WIDTH], end[NEARBY_MAX + BOX_TREE_WIDTH]; // agents
};

// Of LANES agents, quanta from the candidates' origin. Below 2^24 quanta these numbers and their
// differences are exact, hence the same as of the positions themselves.
#define EXACT_MAX (1 << 24)

INLINE real length2(vec2 a)
{
  return dot(a, a);
}

// ---------------------------------------------------------------------------- candidates

// Of the agents [first, end), at most BOX_TREE_WIDTH: those the query wants.
INLINE void candidates_append(struct candidates *c, const struct agents *a, int64_t first,
                              int64_t end, const struct box_tree_query *query,
                              float quanta_per_metre, bool uniform_yield)
{
  for (int64_t i = first; i < end; i += LANES) {
    const ivec x = lanes_load_ivec(a->x + i), y = lanes_load_ivec(a->y + i);
    const real radius = lanes_load(a->radius + i);
    mask wanted = box_tree_query_matches(query, x, y, x, y, radius * splat(quanta_per_metre));
    if (end - i < LANES)
      wanted = wanted & mask_from_bits((1u << (end - i)) - 1);
    const uint32_t bits = mask_bits(wanted);
    if (bits == 0)
      continue;
    if (c->count > CANDIDATES_MAX - LANES) {
      c->overflow = true;
      return;
    }
    compress_ivec(c->agent + c->count, wanted, lane_indices() + splat_ivec((int32_t)i));
    compress(c->x + c->count, wanted, to_real(x - splat_ivec(c->origin.x)));
    compress(c->y + c->count, wanted, to_real(y - splat_ivec(c->origin.y)));
    compress(c->vx + c->count, wanted, lanes_load(a->vx + i));
    compress(c->vy + c->count, wanted, lanes_load(a->vy + i));
    compress(c->radius + c->count, wanted, radius);
    if (!uniform_yield)
      compress(c->yield + c->count, wanted, lanes_load(a->yield + i));
    c->count += bit_count(bits);
  }
}

INLINE void nearby_append(struct nearby *n, const struct box_tree *t, int64_t offset, int64_t leaf)
{
  if (n->count == NEARBY_MAX) {
    n->overflow = true;
    return;
  }
  const struct box_tree_level *l = &t->level[0];
  const int k = n->count++;
  n->lo_x[k] = l->lo_x[leaf];
  n->lo_y[k] = l->lo_y[leaf];
  n->hi_x[k] = l->hi_x[leaf];
  n->hi_y[k] = l->hi_y[leaf];
  n->radius[k] = l->radius[leaf];
  n->first[k] = (int32_t)(offset + box_tree_leaf_begin(leaf));
  n->end[k] = (int32_t)(offset + box_tree_leaf_end(t, leaf));
}

// A whole vector may be read behind the last: boxes that are there twice, and are not looked at.
INLINE void nearby_pad(struct nearby *n)
{
  for (int k = n->count; k < n->count + BOX_TREE_WIDTH; k++) {
    n->lo_x[k] = n->lo_x[0];
    n->lo_y[k] = n->lo_y[0];
    n->hi_x[k] = n->hi_x[0];
    n->hi_y[k] = n->hi_y[0];
    n->radius[k] = n->radius[0];
  }
}

// All leaves as near as that to the node, or whose discs may reach those of somebody in it.
INLINE void nearby_collect(struct nearby *near, const struct neighbours *n, int64_t node,
                           float range2)
{
  const struct box_tree_level *l = &n->own.level[1];
  const struct box_tree_query query = {
      {{l->lo_x[node], l->lo_y[node]}, {l->hi_x[node], l->hi_y[node]}}, range2, l->radius[node]};
  struct box_tree_cursor cursor;
  int64_t leaf;
  near->count = 0;
  near->overflow = false;
  near->range2 = range2;
  box_tree_query_begin(&cursor, &n->own, query);
  while (box_tree_query_next(&cursor, &leaf))
    nearby_append(near, &n->own, 0, leaf);
  box_tree_query_begin(&cursor, &n->ghosts, query);
  while (box_tree_query_next(&cursor, &leaf))
    nearby_append(near, &n->ghosts, n->first_ghost, leaf);
  nearby_pad(near);
}

INLINE void candidates_from_nearby(struct candidates *c, const struct nearby *near,
                                   const struct agents *a, int64_t own_first,
                                   const struct box_tree_query *query, float quanta_per_metre,
                                   bool uniform_yield)
{
  for (int base = 0; base < near->count; base += LANES) {
    const mask wanted = box_tree_query_matches(
        query, lanes_load_ivec(near->lo_x + base), lanes_load_ivec(near->lo_y + base),
        lanes_load_ivec(near->hi_x + base), lanes_load_ivec(near->hi_y + base),
        lanes_load(near->radius + base));
    uint32_t bits = mask_bits(wanted);
    if (near->count - base < LANES)
      bits &= (1u << (near->count - base)) - 1;
    for (; bits; bits &= bits - 1) {
      const int k = base + lowest_bit(bits);
      if (near->first[k] != own_first)
        candidates_append(c, a, near->first[k], near->end[k], query, quanta_per_metre,
                          uniform_yield);
    }
  }
}

INLINE void candidates_from_trees(struct candidates *c, const struct neighbours *n,
                                  const struct agents *a, int64_t own_leaf,
                                  const struct box_tree_query *query, float quanta_per_metre)
{
  const struct box_tree *trees[] = {&n->own, &n->ghosts};
  struct box_tree_cursor cursor;
  int64_t leaf;
  for (int t = 0; t < 2; t++) {
    const int64_t offset = t ? n->first_ghost : 0;
    box_tree_query_begin(&cursor, trees[t], *query);
    while (box_tree_query_next(&cursor, &leaf))
      if (t || leaf != own_leaf)
        candidates_append(c, a, offset + box_tree_leaf_begin(leaf),
                          offset + box_tree_leaf_end(trees[t], leaf), query, quanta_per_metre,
                          n->uniform_yield);
  }
}

// So wide that a place in it, seen from a corner, is no exact float.
INLINE bool exceeds_exact_range(struct box b, float range)
{
  const float width = (float)((int64_t)b.hi.x - b.lo.x), height = (float)((int64_t)b.hi.y - b.lo.y);
  return max_float(width, height) + range >= (float)EXACT_MAX;
}

// Everybody nearer to the box of that leaf than the root of range2 (quanta^2), and everybody
// whose disc reaches the disc of somebody in it. `near`: of the leaf's node, or NULL.
INLINE void candidates_collect(struct candidates *c, const struct neighbours *n,
                               const struct nearby *near, const struct agents *a, int64_t own_leaf,
                               float range2, float quanta_per_metre)
{
  const struct box box = box_tree_leaf_box(&n->own, own_leaf);
  const struct box_tree_query query = {box, range2, n->own.level[0].radius[own_leaf]};
  const float touch = query.radius + n->radius_max;
  c->count = 0;
  c->range2 = range2;
  c->origin = box.lo;
  c->overflow = exceeds_exact_range(box, max_float(sqrtf(range2), touch));
  if (c->overflow)
    return;
  candidates_append(c, a, box_tree_leaf_begin(own_leaf), box_tree_leaf_end(&n->own, own_leaf),
                    &query, quanta_per_metre, n->uniform_yield);
  c->own = c->count;
  if (near && !near->overflow && range2 <= near->range2)
    candidates_from_nearby(c, near, a, box_tree_leaf_begin(own_leaf), &query, quanta_per_metre,
                           n->uniform_yield);
  else
    candidates_from_trees(c, n, a, own_leaf, &query, quanta_per_metre);
}

// One more by hand, its place as seen from `at`; its number.
INLINE int32_t candidates_add(struct candidates *c, const struct agents *a, int32_t i,
                              struct point at)
{
  const int32_t k = c->count++;
  c->agent[k] = i;
  c->x[k] = (float)(a->x[i] - at.x);
  c->y[k] = (float)(a->y[i] - at.y);
  c->vx[k] = a->vx[i];
  c->vy[k] = a->vy[i];
  c->radius[k] = a->radius[i];
  c->yield[k] = a->yield[i];
  return k;
}

// The largest radius among the candidates, m.
INLINE float candidates_radius_max(const struct candidates *c)
{
  real most = splat(0);
  for (int k = 0; k < c->count; k += LANES) {
    const mask valid = ivec_less(lane_indices() + splat_ivec(k), splat_ivec(c->count));
    most = select_real(valid, max_real(most, lanes_load(c->radius + k)), most);
  }
  return reduce_max(not(mask_none()), most, 0);
}

// ---------------------------------------------------------------------------- the nearest

struct nearest {
  int room;                     // k
  real key[NEIGHBOURS_MAX + 1]; // ascending; one more than asked, to see who was left out
  ivec number[NEIGHBOURS_MAX];  // of the candidate; -1 where nobody is
};

// A key is the bits of a positive float: the distance^2 as an integer linear in it, in its low bits
// the candidate's number. Not so small that it is subnormal, not so large that it is infinite. Who
// is farther than a thousandth above the list's range is nobody; who is beyond the range itself may
// be there although the list does not hold everybody so far away.
#define KEY_FIRST 0x00800000
#define KEY_SCALE 0x7e000000
#define KEY_NONE  (KEY_FIRST + KEY_SCALE)

INLINE float key_scale(const struct candidates *c) // of quanta^2
{
  return (float)KEY_SCALE / (1.001f * c->range2);
}

INLINE ivec distance_key(real d2, real scale)
{
  const real scaled = min_real(d2 * scale, splat((float)KEY_SCALE));
  return (to_ivec(scaled) & splat_ivec(-CANDIDATES_MAX)) + splat_ivec(KEY_FIRST);
}

INLINE void compare_exchange(real *a, real *b)
{
  const real low = min_real(*a, *b);
  *b = max_real(*a, *b);
  *a = low;
}

// Merges four newcomers into the ascending list key[places], whose largest fall off: sort them,
// keep the smaller of each end, and what then rises and falls again is sorted by a bitonic network
// (Batcher 1968; the places before the first are taken as minus infinity). Twelve operations a
// newcomer at eleven places. `places` is a constant, so that every place is a register once the
// loops are unrolled.
INLINE void keys_merge(real *key, const int places, real *incoming)
{
  compare_exchange(&incoming[0], &incoming[1]);
  compare_exchange(&incoming[2], &incoming[3]);
  compare_exchange(&incoming[0], &incoming[2]);
  compare_exchange(&incoming[1], &incoming[3]);
  compare_exchange(&incoming[1], &incoming[2]);
  UNROLL
  for (int i = 0; i < MERGE_BATCH; i++)
    key[places - 1 - i] = min_real(key[places - 1 - i], incoming[i]);
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

INLINE real candidate_key(const struct candidates *c, int number, vec2 at, real scale)
{
  const vec2 p = {splat(c->x[number]) - at.x, splat(c->y[number]) - at.y};
  return real_of_bits(distance_key(length2(p), scale) + splat_ivec(number));
}

// `self`: the number of lane 0 among the candidates; the leaf's own come first.
INLINE void keys_search(struct nearest *n, const struct candidates *c, vec2 at, int self,
                        const int places)
{
  const real scale = splat(key_scale(c));
  const real none = real_of_bits(splat_ivec(KEY_NONE));
  real key[NEIGHBOURS_MAX + 1], incoming[MERGE_BATCH];
  int k = 0;
  UNROLL
  for (int i = 0; i < places; i++)
    key[i] = none;
  for (; k < c->own; k += MERGE_BATCH) {
    UNROLL
    for (int i = 0; i < MERGE_BATCH; i++) {
      const ivec lane = splat_ivec(k + i - self); // nobody is a neighbour of his own
      incoming[i] = k + i >= c->own ? none
                                    : select_real(ivec_equal(lane, lane_indices()), none,
                                                  candidate_key(c, k + i, at, scale));
    }
    keys_merge(key, places, incoming);
  }
  for (k = c->own; k + MERGE_BATCH <= c->count; k += MERGE_BATCH) {
    UNROLL
    for (int i = 0; i < MERGE_BATCH; i++)
      incoming[i] = candidate_key(c, k + i, at, scale);
    keys_merge(key, places, incoming);
  }
  if (k < c->count) {
    UNROLL
    for (int i = 0; i < MERGE_BATCH; i++)
      incoming[i] = k + i < c->count ? candidate_key(c, k + i, at, scale) : none;
    keys_merge(key, places, incoming);
  }
  UNROLL
  for (int i = 0; i < places; i++)
    n->key[i] = key[i];
}

// The candidates nearest to agents at `at`; `self`: the number of lane 0 among them.
INLINE void nearest_search(struct nearest *n, const struct candidates *c, int room, vec2 at,
                           int self)
{
  n->room = room;
  if (room < 6)
    keys_search(n, c, at, self, 6);
  else if (room < 11)
    keys_search(n, c, at, self, 11);
  else if (room < 16)
    keys_search(n, c, at, self, 16);
  else
    keys_search(n, c, at, self, NEIGHBOURS_MAX + 1);
}

// Lanes that have found their k among those whom the list is sure to hold.
INLINE mask nearest_found(const struct nearest *n, const struct candidates *c)
{
  const ivec range = distance_key(splat(c->range2), splat(key_scale(c)));
  return ivec_less(bits_of(n->key[n->room - 1]), range);
}

// Lanes where two keys differ in the number alone: the order, or who was left out, is open.
INLINE mask nearest_tied(const struct nearest *n)
{
  const ivec high = splat_ivec(-CANDIDATES_MAX), none = splat_ivec(KEY_NONE);
  mask tied = mask_none();
  for (int i = 1; i <= n->room; i++) {
    const ivec one = bits_of(n->key[i - 1]), other = bits_of(n->key[i]);
    tied = tied | (ivec_less(other, none) & ivec_equal(one & high, other & high));
  }
  return tied;
}

INLINE void nearest_decode(struct nearest *n)
{
  const ivec low = splat_ivec(CANDIDATES_MAX - 1), none = splat_ivec(KEY_NONE);
  for (int i = 0; i < n->room; i++) {
    const ivec key = bits_of(n->key[i]);
    n->number[i] = select_ivec(ivec_less(key, none), key & low, splat_ivec(-1));
  }
}

INLINE void set_lane(ivec *v, int l, int32_t value)
{
  int32_t lanes[LANES];
  lanes_store_ivec(lanes, *v);
  lanes[l] = value;
  *v = lanes_load_ivec(lanes);
}

// The same for one lane by (distance^2, id): plain, for the few lanes that are tied.
HOST_DEVICE void nearest_resolve_ties(struct nearest *n, const struct candidates *c,
                                      const struct agents *a, int l, int self)
{
  struct nearest_list nearest_list = {.room = n->room};
  for (int k = 0; k < c->count; k++) {
    const float dx = c->x[k] - c->x[self], dy = c->y[k] - c->y[self];
    const float d2 = dx * dx + dy * dy;
    if (k != self && d2 < c->range2)
      nearest_list_insert(&nearest_list, (struct nearest_entry){d2, k, a->id[c->agent[k]]});
  }
  for (int i = 0; i < n->room; i++)
    set_lane(&n->number[i], l, i < nearest_list.count ? nearest_list.list[i].item : -1);
}
