// Shortest ways round the obstacles: the reduced visibility graph (Lozano-Perez and Wesley 1979)
// of the obstacles grown by the clearance, and one tree of shortest ways for each destination. A
// shortest way is straight but for convex corners, which it passes on a tangent: so only these are
// nodes, and only pairs that see each other along a tangent of both are edges. Or a street graph
// that is given. Integers throughout: the same bits on any number of threads.
#pragma once
#include "grown.h"
#include "sites.h"
#include "target.h"

// What somebody aims at: a node, or
#define ROADMAP_NONE  (-1) // nothing yet
#define ROADMAP_THERE (-2) // nothing more: inside the destination
#define ROADMAP_EDGE  (-3) // minus e: the nearest point of edge e of the destination

struct roadmap_leg { // from a node straight to a destination
  int64_t length;    // quanta; SITES_UNREACHED: it is not in sight
  int32_t aim;       // ROADMAP_THERE, or ROADMAP_EDGE - e
};

struct roadmap_tree {
  struct remaining remaining; // [node_count] to the destination, quanta
  int32_t *next;              // [node_count] what to aim at behind the node
};

struct roadmap {
  const struct obstacles *walls; // must outlive the roadmap
  bool given;                    // a street graph: no grown obstacles, walls alone hide
  struct grown grown;
  int32_t clearance; // quanta
  int64_t node_count;
  struct point *nodes;        // [node_count]
  int32_t *corners;           // [node_count] the grown wall that ends there; NULL: given
  int64_t *first;             // [node_count + 1] of its edges
  int32_t *to;                // [first[node_count]], ascending a node
  int64_t *length;            // [first[node_count]] quanta
  struct sites sites;         // the nodes
  int32_t target_count;       // destinations; 0: there is no roadmap
  struct target *targets;     // [target_count]
  struct roadmap_leg *legs;   // [target_count][node_count]
  struct roadmap_tree *trees; // [target_count]
};

// The nodes, for grown outlines (closed). walls: as they are, to look past when squeezed.
void roadmap_create(struct roadmap *r, const struct obstacles *walls, const struct outlines *grown,
                    bool outside_solid, struct box bounds, int32_t clearance);
// A street graph; takes nodes, first, to and length.
void roadmap_create_given(struct roadmap *r, const struct obstacles *walls, int32_t clearance,
                          int64_t node_count, struct point *nodes, int64_t *first, int32_t *to);
void roadmap_destroy(struct roadmap *r);

// One more destination. False when all of its outline lies within the clearance of walls.
bool roadmap_add_target(struct roadmap *r, const struct outlines *area, struct box bounds);

void roadmap_link(struct roadmap *r);  // edges and legs; threads share the nodes
void roadmap_solve(struct roadmap *r); // the trees; edges and legs are there

// The length of the shortest way from p, SITES_UNREACHED where none leads. Looks far and wide.
int64_t roadmap_way(const struct roadmap *r, int32_t target, struct point p);
bool roadmap_reaches(const struct roadmap *r, int32_t target, struct point p);

INLINE bool roadmap_arrived(const struct roadmap *r, int32_t target, struct point p)
{
  return target_holds(&r->targets[target], p);
}
