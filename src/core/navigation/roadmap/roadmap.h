// Shortest paths around obstacles: the reduced visibility graph (Lozano-Perez and Wesley 1979) of
// the inflated obstacles, and one shortest-path tree per destination. A shortest path only bends at
// convex corners, along tangents: so only these are nodes, and only pairs that see each other along
// a tangent of both are edges. A given street graph can replace it. Integers throughout: the same
// bits on any number of threads.
#pragma once
#include "destination.h"
#include "inflated.h"
#include "waypoints.h"

// An agent's waypoint: a node, or
#define ROADMAP_NONE   (-1) // none yet
#define ROADMAP_INSIDE (-2) // none needed: inside the destination
#define ROADMAP_EDGE   (-3) // minus e: the closest point of edge e of the destination

// What an agent aims at: a waypoint, and how much of its displacement beside it the agent uses, in
// parts of ROADMAP_PARTS. 0: the waypoint itself. Waypoints have numbers below 2^28.
#define ROADMAP_PARTS 7
#define ROADMAP_SHIFT 28

struct roadmap_last_edge { // from a node straight to a destination
  int64_t length;          // quanta; WAYPOINTS_UNREACHED: not visible
  int32_t waypoint;        // ROADMAP_INSIDE, or ROADMAP_EDGE - e
};

// The gap beside a corner at which a path turns: from the corner to the corner plus twice (x, y).
// Its width is measured at right angles to the path before and after the corner, so agents with
// different shares of it walk on parallel lines.
struct passage {
  float x, y; // quanta, to the middle of the gap; 0: no room, all agents pass at the corner
  float side; // sign: the side of the solid, > 0: left of the way; size: share of the gap between
              // the margins
};

struct shortest_path_tree {
  struct cost_to_go cost_to_go; // [node_count] to the destination, quanta
  int32_t *next;                // [node_count] the waypoint after the node
  struct passage *passages;     // [node_count] NULL: not measured
};

struct roadmap {
  const struct obstacles *walls; // must outlive the roadmap
  bool street_graph;             // a given street graph: nothing is inflated, only walls hide
  struct inflated inflated;
  int32_t clearance; // quanta
  int64_t node_count;
  struct point *nodes;        // [node_count]
  int32_t *corners;           // [node_count] the inflated wall that ends there; NULL: street graph
  int64_t *first;             // [node_count + 1] the edges of each node
  int32_t *to;                // [first[node_count]], ascending for each node
  int64_t *length;            // [first[node_count]] quanta
  struct waypoints waypoints; // the nodes
  int32_t destination_count;  // 0: there is no roadmap
  struct destination *destinations;     // [destination_count]
  struct roadmap_last_edge *last_edges; // [destination_count][node_count]
  struct shortest_path_tree *trees;     // [destination_count]
  float passage_margin, passage_most;   // quanta: at either side of a passage; its width between
};

// Finds the nodes of the inflated outlines (closed). walls: not inflated; they limit the view of
// agents within the clearance.
void roadmap_create(struct roadmap *r, const struct obstacles *walls,
                    const struct outlines *inflated, bool outside_solid, struct box bounds,
                    int32_t clearance);
struct roadmap_graph {
  int64_t node_count;
  struct point *nodes; // [node_count] quanta
  int64_t *first;      // [node_count + 1] the first edge of each node
  int32_t *to;         // [first[node_count]] ascending for each node
};

// A street graph; takes ownership of the graph's arrays.
void roadmap_create_given(struct roadmap *r, const struct obstacles *walls, int32_t clearance,
                          const struct roadmap_graph *graph);
void roadmap_destroy(struct roadmap *r);

// Adds a destination. False when its whole outline is within the clearance of walls.
bool roadmap_add_destination(struct roadmap *r, const struct outlines *area, struct box bounds);

void roadmap_build_edges(struct roadmap *r); // edges and last edges; threads share the nodes
void roadmap_build_trees(struct roadmap *r); // the trees, after roadmap_build_edges
// The passages, after the trees; not of a street graph. margin: kept free at either side, besides
// the clearance; most: the largest width between the margins; around a corner in the open agents
// use half of that. Quanta; threads share the nodes.
void roadmap_measure_passages(struct roadmap *r, struct box bounds, float margin, float most);

// On which side of the way is the solid of the corner where the shortest path from node u bends?
// 1: left, -1: right, 0: it does not bend there along a tangent. next: the point after the node.
int roadmap_bend(const struct roadmap *r, int32_t destination, int32_t u, struct point *next);

// The length of the shortest path from p, WAYPOINTS_UNREACHED without one. Expensive: searches all
// edges of the destination.
int64_t roadmap_path_length(const struct roadmap *r, int32_t destination, struct point p);
bool roadmap_reachable(const struct roadmap *r, int32_t destination, struct point p);

INLINE int32_t roadmap_aim(int32_t waypoint, int32_t parts)
{
  const int32_t more = (int32_t)((uint32_t)parts << ROADMAP_SHIFT);
  return waypoint < 0 ? waypoint - more : waypoint + more;
}

INLINE int32_t roadmap_aim_parts(int32_t aim)
{
  return aim >= 0             ? aim >> ROADMAP_SHIFT
         : aim > ROADMAP_EDGE ? 0
                              : (ROADMAP_EDGE - aim) >> ROADMAP_SHIFT;
}

INLINE int32_t roadmap_aim_waypoint(int32_t aim)
{
  const int32_t more = (int32_t)((uint32_t)roadmap_aim_parts(aim) << ROADMAP_SHIFT);
  return aim < 0 ? aim + more : aim - more;
}
