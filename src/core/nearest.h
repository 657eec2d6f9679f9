// The k nearest by (distance^2, id) within a radius, LANES agents at a time, exact.
//
// Distances are float: to_real of an exact integer difference, squared and added. The bound of a
// box is made by the same formula from lesser differences, so by monotony of rounding it is never
// above the distance of anything in the box: pruning on a strictly worse bound loses nothing, and
// the answer depends neither on the tree nor on who shares the block.
#pragma once
#include "avoidance.h"
#include "lanes.h"
#include "neighbours.h"
#include "obstacles.h"

struct place { // of LANES agents, quanta
  whole x, y;
};

struct nearest {
  real d2[NEIGHBOURS_MAX];    // quanta^2, ascending; the range squared where nobody is
  whole slot[NEIGHBOURS_MAX]; // -1 where nobody is
  int room;                   // k
};

INLINE void nearest_begin(struct nearest *n, int room, real range2)
{
  n->room = room;
  for (int i = 0; i < room; i++) {
    n->d2[i] = range2;
    n->slot[i] = all_lanes_whole(-1);
  }
}

INLINE real box_bound(struct place p, struct box b) // hi inside
{
  const whole west = all_lanes_whole(b.lo.x) - p.x, east = p.x - all_lanes_whole(b.hi.x);
  const whole south = all_lanes_whole(b.lo.y) - p.y, north = p.y - all_lanes_whole(b.hi.y);
  const real zero = all_lanes(0);
  const real dx = larger(larger(to_real(west), to_real(east)), zero);
  const real dy = larger(larger(to_real(south), to_real(north)), zero);
  return dx * dx + dy * dy;
}

// Puts a newcomer into its place and returns the distance of whoever falls off the end (the
// newcomer itself where it is not nearer than the last). `by_slot`: equals are ordered by slot,
// else the earlier comer stays in front.
INLINE real nearest_insert(struct nearest *n, real d2, whole slot, bool by_slot)
{
  for (int i = 0; i < n->room; i++) {
    const real have_d2 = n->d2[i];
    const whole have_slot = n->slot[i];
    mask first = less(d2, have_d2);
    if (by_slot)
      first = first | (equal(d2, have_d2) & whole_less(slot, have_slot));
    n->d2[i] = pick(first, d2, have_d2);
    n->slot[i] = pick_whole(first, slot, have_slot);
    d2 = pick(first, have_d2, d2);
    slot = pick_whole(first, have_slot, slot);
  }
  return d2;
}

// Depth-first walk over the nodes whose bound is not worse than `limit` in some lane, the child
// nearer to the block's first lane first.
struct tree_walk {
  const struct tree *tree;
  struct tree_node stack[2 * TREE_DEPTH_MAX];
  int depth;
};

INLINE void walk_begin(struct tree_walk *w, const struct tree *tree)
{
  w->tree = tree;
  w->depth = 0;
  if (tree->count > 0)
    w->stack[w->depth++] = tree_root(tree);
}

INLINE int64_t box_gap(struct box b, struct point p) // a measure of nearness for the order only
{
  const int64_t x = p.x < b.lo.x ? (int64_t)b.lo.x - p.x : p.x > b.hi.x ? (int64_t)p.x - b.hi.x : 0;
  const int64_t y = p.y < b.lo.y ? (int64_t)b.lo.y - p.y : p.y > b.hi.y ? (int64_t)p.y - b.hi.y : 0;
  return x > y ? x : y;
}

INLINE bool walk_next(struct tree_walk *w, struct place p, struct point middle, real limit,
                      mask active, struct tree_node *leaf)
{
  while (w->depth > 0) {
    const struct tree_node node = w->stack[--w->depth];
    if (!any(active & not(less(limit, box_bound(p, w->tree->boxes[node.number])))))
      continue;
    if (tree_is_leaf(node)) {
      *leaf = node;
      return true;
    }
    const struct tree_node left = tree_left(node), right = tree_right(node);
    const bool left_first = box_gap(w->tree->boxes[left.number], middle) <=
                            box_gap(w->tree->boxes[right.number], middle);
    w->stack[w->depth++] = left_first ? right : left;
    w->stack[w->depth++] = left_first ? left : right;
  }
  return false;
}

INLINE real distance2(struct place p, int32_t x, int32_t y) // quanta^2
{
  const real dx = to_real(all_lanes_whole(x) - p.x), dy = to_real(all_lanes_whole(y) - p.y);
  return dx * dx + dy * dy;
}
