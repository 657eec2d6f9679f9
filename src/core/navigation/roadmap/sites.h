// An index of places one may head for, points or straight pieces of an outline, each with the way
// that remains from it: the least |p - place| + remaining first, without looking at all of them.
#pragma once
#include "exact.h"
#include "length.h"
#include "tree.h"

#define SITES_UNREACHED INT64_MAX // remaining: no way leads from there

struct sites {
  int64_t count;
  struct piece *pieces; // [count] the places; a point is a piece of no length
  int32_t *order;       // [count] the place at each seat of the tree
  struct tree tree;
};

// The directions x, from a place, of those whose shortest way bends there: a x x >= 0, x x b >= 0.
struct wedge {
  struct point a, b; // quanta; both (0, 0): from anywhere
};

// What remains from each place, and the least below each node of the tree.
struct remaining {
  int64_t *of; // [count] quanta; NULL: nothing remains from any
  int64_t *least[TREE_LEVELS_MAX];
  struct wedge *wedges; // [count] who has reason to head there; NULL: everybody
};

void sites_create(struct sites *s, const struct piece *pieces, int64_t count); // copies the pieces
void sites_destroy(struct sites *s);
void remaining_fit(struct remaining *r, const struct sites *s); // after `of` was set: the rest
void remaining_destroy(struct remaining *r);

INLINE struct point sites_point(const struct sites *s, int32_t place, struct point p) // nearest
{
  const struct piece *one = &s->pieces[place];
  return same_point(one->a, one->b) ? one->a : length_foot(p, one->a, one->b);
}
