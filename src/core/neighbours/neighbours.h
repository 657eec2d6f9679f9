// Who is near whom: the crowd of this rank in the order of two trees, one over the owned agents
// and one over the ghosts. The order in memory is the tree (box_tree.h); people move little in a
// step, so it is made anew only when the leaves have become too wide.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "box_tree.h"
#include "nearest_list.h"

struct neighbours {
  struct box_tree own,
      ghosts; // leaf i of a tree: its agents [16 i, 16 i + 16); ghosts begin at first
  int64_t first_ghost;
  int64_t
      border_layer; // owned agents from here on stand at a border or have just come: a whole number
                    // of nodes before them, and an order of their own, made anew at every step
  float *reach2;    // by leaf of own: how far away its neighbours were last found, quanta^2, or 0
  int32_t *neighbour_counts; // by leaf of own: most neighbours any of its agents had then
  int64_t leaf_count;        // leaves
  float quanta_per_metre;    // quanta a metre
  float radius_max;          // quanta, of everybody here
  bool uniform_yield;        // everybody here has yield 1
  double width;              // of the leaves of own: half their perimeter, summed over them, quanta
  double last_width, sorted_width; // the same when runs, when all of it were last put in order
  int64_t capacity;
  struct box_tree_key *keys; // [capacity], scratch
  int32_t *from;             // [capacity], scratch
};

// Puts the owned agents in a good order, if that pays. Forgets the ghosts and the fields of STEP:
// call it before the wishes are set, when nobody holds an agent's index. about may be NULL.
struct sort_hint {
  bool others_sort;      // another rank orders its agents now, and all wait for it
  bool has_border_layer; // there are other ranks:
  struct box interior;   // whoever is in here will not soon leave for one
};
void neighbours_sort(struct neighbours *n, struct agents *a, const struct sort_hint *about);
bool neighbours_stale(const struct neighbours *n); // the order has worn out and is made anew next
// Many came and went: the order is worth nothing, and made anew at the next sort.
void neighbours_invalidate(struct neighbours *n);
// How many neighbours the agents about the owned agent i had when they last looked.
int32_t neighbours_count_hint(const struct neighbours *n, int64_t i);
// Room for what others found of so many agents: n->seen, to be filled in.
void neighbours_reserve_counts(struct neighbours *n, int64_t agents);

// The trees of where people stand now: of the owned agents, as if there were no ghosts; then, when
// they are there, of the ghosts, who come into an order of their own. Or both at once.
void neighbours_build_own(struct neighbours *n, const struct frame *frame, struct agents *a);
void neighbours_build_ghosts(struct neighbours *n, struct agents *a);
void neighbours_build(struct neighbours *n, const struct frame *frame, struct agents *a);

struct disc {
  struct point at;
  float radius, reach; // quanta; reach: no less than radius, anybody's radius and anybody's step
                       // together
};

// Could an owned agent touch it before its next step is over? quanta_per_speed: quanta that a speed
// of 1 m/s makes in a step.
bool neighbours_probe(const struct neighbours *n, const struct agents *a, const struct disc *disc,
                      float quanta_per_speed);
// Who overlaps owned agent i. quantum: m.
struct overlaps neighbours_overlaps(const struct neighbours *n, const struct agents *a, int64_t i,
                                    float quantum);
void neighbours_destroy(struct neighbours *n);

// Inserts the agents nearer to p than the root of range2 (quanta^2), without agent `self`. The
// plain twin of the search in lanes, and what it falls back on.
void neighbours_search_reference(const struct neighbours *n, const struct agents *a, struct point p,
                                 int32_t self, float range2, struct nearest_list *r);
