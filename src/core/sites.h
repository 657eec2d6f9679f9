// An index of places one may head for, points or straight pieces of an outline, each with the way
// that remains from it: the least |p - place| + remaining first, without looking at all of them.
#pragma once
#include "exact.h"
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
bool wedge_holds(const struct wedge *w, struct point x); // with a thousandth to spare

// What remains from each place, and the least below each node of the tree.
struct remaining {
  int64_t *of; // [count] quanta; NULL: nothing remains from any
  int64_t *least[TREE_LEVELS_MAX];
  struct wedge *wedges; // [count] who has reason to head there; NULL: everybody
};

struct candidate_site {
  int64_t length; // |p - place| + remaining, quanta
  int32_t place;
};
#define SITES_BATCH 64 // fewer, and more searches begin anew; more cost no less

void sites_create(struct sites *s, const struct piece *pieces, int64_t count); // copies the pieces
void sites_destroy(struct sites *s);
void remaining_fit(struct remaining *r, const struct sites *s); // after `of` was set: the rest
void remaining_destroy(struct remaining *r);

struct point sites_point(const struct sites *s, int32_t place, struct point p); // nearest to p

// Up to SITES_BATCH places in ascending (length, place), all of them behind `after` and shorter
// than `below`. How many. Nowhere that no way leads from; with bend >= 0 only where the wedge says
// so, or no farther than bend.
int sites_next(const struct sites *s, const struct remaining *r, struct point p,
               struct candidate_site after, int64_t below, int32_t bend,
               struct candidate_site *out);
