// Neighbour search on this rank: two trees, one over the owned agents and one over the ghosts. The
// order of the agents in memory is the tree (box_tree.h). Agents move little in a step, so they are
// sorted again only when the leaves have become too wide.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "box_tree.h"
#include "nearest_list.h"

struct neighbours {
  struct box_tree own, ghosts; // items of own: agents from 0; items of ghosts: from first_ghost
  int64_t first_ghost;
  int64_t border_layer; // owned agents from this index on are near a border of the rank's box or
                        // have just been appended; a multiple of BOX_TREE_NODE; sorted separately
  float *reach2; // [leaf_count] least squared range that the leaf's last search needed, quanta^2;
                 // 0: none
  int32_t *neighbour_counts; // [leaf_count] most neighbours of an agent of the leaf at that time
  int64_t leaf_count;        // of own
  float quanta_per_metre;
  float radius_max;      // quanta; owned agents and ghosts
  bool uniform_yield;    // every agent, ghosts included, has yield 1
  float squeeze;         // of struct avoidance; set by the owner
  bool facings;          // set by the owner: candidates carry the facings of agents
  bool sorted;           // everything, and not invalidated since
  int64_t sorted_border; // agents in the border layer then
  int64_t noted_border;  // border_layer at the last sort of any kind
  // Half the perimeters of the leaves of own, summed, quanta. 0: set at the next build.
  double width;                    // of all leaves, now
  double *node_width;              // [nodes of the second level] now
  double *run_width, *first_width; // of the leaves of each BOX_TREE_RUN agents before the border
                                   // layer: after that run was sorted last, after everything was
  double border_width, sorted_border_width; // of the border layer: now, after it was sorted last
  int64_t capacity;
  int64_t ghost_capacity;
  void *ghost_memory; // to sort ghosts; that of owned agents is agents_spare
};

struct sort_hint {
  bool others_sort;      // another rank sorts in this step, and all ranks wait for it
  bool has_border_layer; // there are other ranks
  bool can_wait;         // the step takes long already: put off a sort of all agents if possible
  struct box interior;   // agents inside are unlikely to migrate soon
};

bool neighbours_is_valid(const struct neighbours *n, const struct agents *a); // after a build

// Sorts the owned agents into the order of the tree if the gain exceeds the cost. Drops the ghosts
// and the fields of SCOPE_STEP, and changes the indices of agents: call it before the preferred
// velocities are set. hint may be NULL: no other ranks.
void neighbours_sort(struct neighbours *n, struct agents *a, const struct sort_hint *hint);
// The next neighbours_sort will sort all agents, unless its hint says that they can wait.
bool neighbours_stale(const struct neighbours *n);
// The order has become worthless, because many agents entered or left: the next sort is a full one.
void neighbours_invalidate(struct neighbours *n);
// Number of neighbours that agents of owned agent i's leaf had at their last search; 0: unknown.
int32_t neighbours_count_hint(const struct neighbours *n, int64_t i);
// Reserves n->neighbour_counts for that many agents; the caller fills it in (device_crowd.h).
void neighbours_reserve_counts(struct neighbours *n, int64_t agents);

// Builds the trees for the current positions. neighbours_build_own builds the tree of the owned
// agents and leaves the other one empty; neighbours_build_ghosts adds the ghosts, which it sorts;
// neighbours_build does both.
void neighbours_build_own(struct neighbours *n, const struct frame *frame, struct agents *a);
void neighbours_build_ghosts(struct neighbours *n, struct agents *a);
void neighbours_build(struct neighbours *n, const struct frame *frame, struct agents *a);

struct disc {
  struct point at;
  float radius, reach; // quanta; reach >= radius + any agent's radius + any agent's displacement in
                       // one step
};

// Whether an owned agent could touch the disc by the end of its next step. quanta_per_speed:
// dt / quantum.
bool neighbours_probe(const struct neighbours *n, const struct agents *a, const struct disc *disc,
                      float quanta_per_speed);
// The overlaps of owned agent i with owned agents and ghosts. quantum: m.
struct overlaps neighbours_overlaps(const struct neighbours *n, const struct agents *a, int64_t i,
                                    float quantum);
void neighbours_destroy(struct neighbours *n);

// Inserts the agents that are closer to p than sqrt(range2), range2 in quanta^2, except agent
// `self`. The scalar reference of the search in lanes, and its fallback.
void neighbours_search_reference(const struct neighbours *n, const struct agents *a, struct point p,
                                 int32_t self, float range2, struct nearest_list *r);
