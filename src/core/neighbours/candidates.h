// Candidates for the neighbours of a leaf's agents. The agents of a leaf search together: one list
// of candidates serves them all.
//
// Distances are float: to_real of an exact integer difference, squared and added.
#pragma once
#include "box_tree_query.h"
#include "neighbours.h"

// At most 4096: a candidate's number takes the low bits of a key (nearest.h), and what they hide
// must be less than the margin of key_limit.
#ifndef CANDIDATES_MAX
#define CANDIDATES_MAX 512
#endif
#define MERGE_BATCH 4 // candidates read at a time (nearest.h), hence behind the last one, too
#define CANDIDATES_ROOM                                                                            \
  (LANES * NEIGHBOURS_MAX > CANDIDATES_MAX ? LANES * NEIGHBOURS_MAX : CANDIDATES_MAX)

// Every agent that may be a neighbour of an agent of a leaf. A candidate's number is its index in
// the arrays. The leaf's own agents come first, in their order.
struct candidates {
  int own, count; // of the leaf, in all
  bool
      overflow; // not all candidates may fit, or a distance is not exact: the list must not be used
  float range2; // quanta^2: holds every agent closer than sqrt(range2) to an agent of the leaf
  int32_t agent[CANDIDATES_ROOM + BOX_TREE_WIDTH]; // index in struct agents
  struct point origin;                             // quanta; x and y are relative to it
  float x[CANDIDATES_ROOM + BOX_TREE_WIDTH], y[CANDIDATES_ROOM + BOX_TREE_WIDTH];   // quanta
  float vx[CANDIDATES_ROOM + BOX_TREE_WIDTH], vy[CANDIDATES_ROOM + BOX_TREE_WIDTH]; // m/s
  float radius[CANDIDATES_ROOM + BOX_TREE_WIDTH];                                   // m
  float yield[CANDIDATES_ROOM + BOX_TREE_WIDTH];
  float facing_x[CANDIDATES_ROOM + BOX_TREE_WIDTH], facing_y[CANDIDATES_ROOM + BOX_TREE_WIDTH];
};

// Leaves, of agents or of walls, near the agents of a node of the second level: one search serves
// all leaves of the node.
#define NEARBY_MAX 128
struct nearby {
  int count;
  bool overflow; // not all leaves fit: the list must not be used
  float range2;  // quanta^2: holds every leaf closer than sqrt(range2) to the node
  int32_t lo_x[NEARBY_MAX + BOX_TREE_WIDTH], lo_y[NEARBY_MAX + BOX_TREE_WIDTH]; // quanta
  int32_t hi_x[NEARBY_MAX + BOX_TREE_WIDTH], hi_y[NEARBY_MAX + BOX_TREE_WIDTH]; // hi inside
  float radius[NEARBY_MAX + BOX_TREE_WIDTH];                                    // quanta
  int32_t first[NEARBY_MAX + BOX_TREE_WIDTH], end[NEARBY_MAX + BOX_TREE_WIDTH]; // items
};

// Which agents become candidates.
struct candidate_filter {
  struct box_tree_query query;
  float quanta_per_metre;
  bool uniform_yield; // every agent has yield 1: candidates.yield is not set
  bool facings;       // else candidates.facing_x and facing_y are not set
};

// Coordinates relative to the origin stay below it, quanta: they and their differences are exact as
// float, hence equal to those of the positions.
#define EXACT_MAX (1 << 24)

// Appends the agents of [first, end) that match; at most BOX_TREE_WIDTH of them.
INLINE void candidates_append(struct candidates *c, const struct agents *a, int64_t first,
                              int64_t end, const struct candidate_filter *f)
{
  for (int64_t i = first; i < end; i += LANES) {
    const ivec x = lanes_load_ivec(a->x + i), y = lanes_load_ivec(a->y + i);
    const real radius = lanes_load(a->radius + i);
    mask wanted =
        box_tree_query_matches(&f->query, x, y, x, y, radius * splat(f->quanta_per_metre));
    if (end - i < LANES)
      wanted = wanted & mask_from_bits((1u << (end - i)) - 1);
    // No branch where none match: a processor often mispredicts it.
    const int k = c->count; // a copy: the compiler sees that no column overwrites it
    if (k > CANDIDATES_MAX - LANES) {
      c->overflow = true;
      return;
    }
    compress_ivec(c->agent + k, wanted, lane_indices() + splat_ivec((int32_t)i));
    compress(c->x + k, wanted, to_real(x - splat_ivec(c->origin.x)));
    compress(c->y + k, wanted, to_real(y - splat_ivec(c->origin.y)));
    compress(c->vx + k, wanted, lanes_load(a->vx + i));
    compress(c->vy + k, wanted, lanes_load(a->vy + i));
    compress(c->radius + k, wanted, radius);
    if (!f->uniform_yield)
      compress(c->yield + k, wanted, lanes_load(a->yield + i));
    if (f->facings) {
      compress(c->facing_x + k, wanted, lanes_load(a->facing_x + i));
      compress(c->facing_y + k, wanted, lanes_load(a->facing_y + i));
    }
    c->count = k + bit_count(mask_bits(wanted));
  }
}

INLINE void nearby_begin(struct nearby *n, float range2)
{
  n->count = 0;
  n->overflow = false;
  n->range2 = range2;
}

// Appends the leaves first + i for each bit i. offset: added to the numbers of items.
INLINE void nearby_append(struct nearby *n, const struct box_tree *t, int64_t offset, int64_t first,
                          uint32_t bits)
{
  const struct box_tree_level *l = &t->level[0];
  if (bit_count(bits) > NEARBY_MAX - n->count) {
    n->overflow = true;
    return;
  }
  for (int k = 0; k < BOX_TREE_WIDTH; k += LANES) {
    const mask of = mask_from_bits(bits >> k & ALL_LANES_BITS);
    const ivec leaf = lane_indices() + splat_ivec((int32_t)first + k);
    const ivec begin = leaf * BOX_TREE_WIDTH, end = begin + splat_ivec(BOX_TREE_WIDTH);
    const ivec count = splat_ivec((int32_t)t->count), before = splat_ivec((int32_t)offset);
    const int at = n->count;
    compress_ivec(n->lo_x + at, of, lanes_load_ivec(l->lo_x + first + k));
    compress_ivec(n->lo_y + at, of, lanes_load_ivec(l->lo_y + first + k));
    compress_ivec(n->hi_x + at, of, lanes_load_ivec(l->hi_x + first + k));
    compress_ivec(n->hi_y + at, of, lanes_load_ivec(l->hi_y + first + k));
    compress(n->radius + at, of, lanes_load(l->radius + first + k));
    compress_ivec(n->first + at, of, before + begin);
    compress_ivec(n->end + at, of, before + select_ivec(ivec_less(end, count), end, count));
    n->count = at + bit_count(mask_bits(of));
  }
}

// Appends the leaves of a tree that match.
INLINE void nearby_search(struct nearby *n, const struct box_tree *t, int64_t offset,
                          struct box_tree_query query)
{
  struct box_tree_cursor cursor;
  int64_t first;
  uint32_t bits;
  box_tree_query_begin(&cursor, t, query);
  while (box_tree_query_next_leaves(&cursor, &first, &bits))
    nearby_append(n, t, offset, first, bits);
}

// Fills one vector behind the last leaf, which is loaded but masked out.
INLINE void nearby_pad(struct nearby *n)
{
  for (int k = n->count; k < n->count + BOX_TREE_WIDTH; k++) {
    n->lo_x[k] = n->lo_x[0];
    n->lo_y[k] = n->lo_y[0];
    n->hi_x[k] = n->hi_x[0];
    n->hi_y[k] = n->hi_y[0];
    n->radius[k] = n->radius[0];
    n->first[k] = n->first[0];
  }
}

// Collects the leaves closer than sqrt(range2) to the node, and those with an agent whose disc may
// overlap that of an agent of the node.
INLINE void nearby_collect(struct nearby *near, const struct neighbours *n, int64_t node,
                           float range2)
{
  const struct box_tree_level *l = &n->own.level[1];
  const struct box_tree_query query = {
      {{l->lo_x[node], l->lo_y[node]}, {l->hi_x[node], l->hi_y[node]}}, range2, l->radius[node]};
  nearby_begin(near, range2);
  nearby_search(near, &n->own, 0, query);
  nearby_search(near, &n->ghosts, n->first_ghost, query);
  nearby_pad(near);
}

// Iterates over the leaves that match a query.
struct nearby_cursor {
  const struct nearby *near;
  const struct box_tree_query *query;
  int32_t except; // the first item of a leaf that is left out; -1: none
  int end;        // leaves tested; a multiple of 64
  uint64_t bits;  // of the last 64: those that match and were not visited yet
};

// The query must outlive the cursor.
INLINE struct nearby_cursor nearby_cursor_begin(const struct nearby *near,
                                                const struct box_tree_query *query, int32_t except)
{
  const struct nearby_cursor c = {near, query, except, 0, 0};
  return c;
}

// Tests the next 64 leaves at once: a processor predicts one long loop better than several short
// ones.
INLINE void nearby_test(struct nearby_cursor *c)
{
  const struct nearby *near = c->near;
  const ivec except = splat_ivec(c->except);
  const int left = near->count - c->end;
  for (int k = 0; k < left && k < 64; k += LANES) {
    const int i = c->end + k;
    const mask matching =
        box_tree_query_matches(c->query, lanes_load_ivec(near->lo_x + i),
                               lanes_load_ivec(near->lo_y + i), lanes_load_ivec(near->hi_x + i),
                               lanes_load_ivec(near->hi_y + i), lanes_load(near->radius + i));
    const mask wanted = matching & not(ivec_equal(lanes_load_ivec(near->first + i), except));
    c->bits |= (uint64_t)mask_bits(wanted) << k;
  }
  if (left < 64)
    c->bits &= (1ull << left) - 1;
  c->end += 64;
}

// The next matching leaf, in ascending order; false after the last.
INLINE bool nearby_next(struct nearby_cursor *c, int *leaf)
{
  while (c->bits == 0) {
    if (c->end >= c->near->count)
      return false;
    nearby_test(c);
  }
  *leaf = c->end - 64 + lowest_bit_64(c->bits);
  c->bits &= c->bits - 1;
  return true;
}

INLINE void candidates_from_nearby(struct candidates *c, const struct nearby *near,
                                   const struct agents *a, int64_t own_first,
                                   const struct candidate_filter *f)
{
  struct nearby_cursor cursor = nearby_cursor_begin(near, &f->query, (int32_t)own_first);
  int leaf;
  while (nearby_next(&cursor, &leaf))
    candidates_append(c, a, near->first[leaf], near->end[leaf], f);
}

INLINE void candidates_from_trees(struct candidates *c, const struct neighbours *n,
                                  const struct agents *a, int64_t own_leaf,
                                  const struct candidate_filter *f)
{
  const struct box_tree *trees[] = {&n->own, &n->ghosts};
  struct box_tree_cursor cursor;
  int64_t leaf;
  for (int t = 0; t < 2; t++) {
    const int64_t offset = t ? n->first_ghost : 0;
    box_tree_query_begin(&cursor, trees[t], f->query);
    while (box_tree_query_next(&cursor, &leaf))
      if (t || leaf != own_leaf)
        candidates_append(c, a, offset + box_tree_leaf_begin(leaf),
                          offset + box_tree_leaf_end(trees[t], leaf), f);
  }
}

// Whether a coordinate within range of the box, relative to its corner, may not be exact as float.
INLINE bool exceeds_exact_range(struct box b, float range)
{
  const float width = (float)((int64_t)b.hi.x - b.lo.x), height = (float)((int64_t)b.hi.y - b.lo.y);
  return max_float(width, height) + range >= (float)EXACT_MAX;
}

// Sets the vector behind the last candidate to a place that is farther than any other: candidates
// are read several at a time.
INLINE void candidates_pad(struct candidates *c)
{
  for (int k = 0; k < MERGE_BATCH; k += LANES) {
    lanes_store(c->x + c->count + k, splat(1e15f));
    lanes_store(c->y + c->count + k, splat(0));
  }
}

// Collects every agent closer than sqrt(range2), quanta^2, to the box of the leaf, and every agent
// whose disc overlaps that of an agent of the leaf. near: of the leaf's node; NULL: search the
// trees.
INLINE void candidates_collect(struct candidates *c, const struct neighbours *n,
                               const struct nearby *near, const struct agents *a, int64_t own_leaf,
                               float range2)
{
  const struct box box = box_tree_leaf_box(&n->own, own_leaf);
  const struct candidate_filter filter = {{box, range2, n->own.level[0].radius[own_leaf]},
                                          n->quanta_per_metre,
                                          n->uniform_yield,
                                          n->facings};
  const float touch = filter.query.radius + n->radius_max;
  const int64_t own_first = box_tree_leaf_begin(own_leaf);
  c->count = 0;
  c->range2 = range2;
  c->origin = box.lo;
  c->overflow = exceeds_exact_range(box, max_float(sqrtf(range2), touch));
  if (c->overflow)
    return;
  candidates_append(c, a, own_first, box_tree_leaf_end(&n->own, own_leaf), &filter);
  c->own = c->count;
  if (near && !near->overflow && range2 <= near->range2)
    candidates_from_nearby(c, near, a, own_first, &filter);
  else
    candidates_from_trees(c, n, a, own_leaf, &filter);
  candidates_pad(c);
}

// Appends agent i at its position relative to `at`; returns its number.
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
  c->facing_x[k] = a->facing_x[i];
  c->facing_y[k] = a->facing_y[i];
  return k;
}

// The largest radius among the candidates, m.
INLINE float candidates_radius_max(const struct candidates *c)
{
  real radius_max = splat(0);
  for (int k = 0; k < c->count; k += LANES) {
    const mask valid = ivec_less(lane_indices() + splat_ivec(k), splat_ivec(c->count));
    radius_max = select_real(valid, max_real(radius_max, lanes_load(c->radius + k)), radius_max);
  }
  return reduce_max(not(mask_none()), radius_max, 0);
}
