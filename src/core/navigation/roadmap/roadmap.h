// Shortest ways round the obstacles: the reduced visibility graph (Lozano-Perez and Wesley 1979)
// of the obstacles grown by the clearance, and one tree of shortest ways for each destination. A
// shortest way is straight but for convex corners, which it passes on a tangent: so only these are
// nodes, and only pairs that see each other along a tangent of both are edges. Or a street graph
// that is given. Integers throughout: the same bits on any number of threads.
#pragma once
#include "destination.h"
#include "inflated.h"
#include "waypoints.h"

// What somebody aims at: a node, or
#define ROADMAP_NONE   (-1) // nothing yet
#define ROADMAP_INSIDE (-2) // nothing more: inside the destination
#define ROADMAP_EDGE   (-3) // minus e: the nearest point of edge e of the destination

struct roadmap_last_edge { // from a node straight to a destination
  int64_t length;          // quanta; WAYPOINTS_UNREACHED: it is not in sight
  int32_t waypoint;        // ROADMAP_INSIDE, or ROADMAP_EDGE - e
};

struct shortest_path_tree {
  struct cost_to_go cost_to_go; // [node_count] to the destination, quanta
  int32_t *next;                // [node_count] what to aim at behind the node
};

struct roadmap {
  const struct obstacles *walls; // must outlive the roadmap
  bool street_graph;             // a street graph: no grown obstacles, walls alone hide
  struct inflated inflated;
  int32_t clearance; // quanta
  int64_t node_count;
  struct point *nodes;                  // [node_count]
  int32_t *corners;                     // [node_count] the grown wall that ends there; NULL: given
  int64_t *first;                       // [node_count + 1] of its edges
  int32_t *to;                          // [first[node_count]], ascending a node
  int64_t *length;                      // [first[node_count]] quanta
  struct waypoints waypoints;           // the nodes
  int32_t destination_count;            // destinations; 0: there is no roadmap
  struct destination *destinations;     // [destination_count]
  struct roadmap_last_edge *last_edges; // [destination_count][node_count]
  struct shortest_path_tree *trees;     // [destination_count]
};

// The nodes, for grown outlines (closed). walls: as they are, to look past when squeezed.
void roadmap_create(struct roadmap *r, const struct obstacles *walls,
                    const struct outlines *inflated, bool outside_solid, struct box bounds,
                    int32_t clearance);
// A street graph; takes nodes, first, to and length.
void roadmap_create_given(struct roadmap *r, const struct obstacles *walls, int32_t clearance,
                          int64_t node_count, struct point *nodes, int64_t *first, int32_t *to);
void roadmap_destroy(struct roadmap *r);

// One more destination. False when all of its outline lies within the clearance of walls.
bool roadmap_add_destination(struct roadmap *r, const struct outlines *area, struct box bounds);

void roadmap_build_edges(struct roadmap *r); // edges and legs; threads share the nodes
void roadmap_build_trees(struct roadmap *r); // the trees; edges and legs are there

// The length of the shortest way from p, WAYPOINTS_UNREACHED where none leads. Looks far and wide.
int64_t roadmap_path_length(const struct roadmap *r, int32_t destination, struct point p);
bool roadmap_reachable(const struct roadmap *r, int32_t destination, struct point p);

INLINE bool roadmap_arrived(const struct roadmap *r, int32_t destination, struct point p)
{
  return destination_holds(&r->destinations[destination], p);
}
