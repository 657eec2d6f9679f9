// The input of the avoidance kernels: the agents in memory order and in grid order, the grids and
// the world. It lies in device memory and all its pointers lead there.
#pragma once
#include "backend.h"
#include "grid.h"
#include "velocity_obstacles.h"

// How the avoidance kernels use each field of AGENT_FIELDS. A field without a line here does not
// compile ("ACCESS_... undeclared"): add it with the access that the kernels need.
enum kernel_access {
  ACCESS_ALL,    // read of owned agents and ghosts
  ACCESS_GROUP,  // the same, where agents walk in groups
  ACCESS_OWNED,  // read of owned agents
  ACCESS_OUTPUT, // written for owned agents
  ACCESS_NONE,

  ACCESS_id = ACCESS_ALL,
  ACCESS_x = ACCESS_ALL,
  ACCESS_y = ACCESS_ALL,
  ACCESS_vx = ACCESS_ALL,
  ACCESS_vy = ACCESS_ALL,
  ACCESS_radius = ACCESS_ALL,
  ACCESS_yield = ACCESS_ALL,
  ACCESS_group = ACCESS_GROUP,
  ACCESS_facing_x = ACCESS_ALL,
  ACCESS_facing_y = ACCESS_ALL,
  ACCESS_passing = ACCESS_OWNED,
  ACCESS_choice = ACCESS_OWNED,
  ACCESS_turn = ACCESS_NONE,
  ACCESS_mark_x = ACCESS_NONE,
  ACCESS_mark_y = ACCESS_NONE,
  ACCESS_start_x = ACCESS_NONE,
  ACCESS_start_y = ACCESS_NONE,
  ACCESS_speed = ACCESS_OWNED,
  ACCESS_max_speed = ACCESS_OWNED,
  ACCESS_max_acceleration = ACCESS_OWNED,
  ACCESS_horizon = ACCESS_OWNED,
  ACCESS_neighbour_distance = ACCESS_OWNED,
  ACCESS_neighbours = ACCESS_OWNED,
  ACCESS_destination = ACCESS_NONE,
  ACCESS_aim = ACCESS_NONE,
  ACCESS_goal_x = ACCESS_NONE,
  ACCESS_goal_y = ACCESS_NONE,
  ACCESS_profile = ACCESS_OWNED,
  ACCESS_source = ACCESS_NONE,
  ACCESS_born = ACCESS_NONE,
  ACCESS_stage = ACCESS_NONE,
  ACCESS_target = ACCESS_NONE,
  ACCESS_doing = ACCESS_NONE,
  ACCESS_until = ACCESS_NONE,
  ACCESS_held = ACCESS_NONE,
  ACCESS_waited = ACCESS_NONE,
  ACCESS_prefer_x = ACCESS_OWNED,
  ACCESS_prefer_y = ACCESS_OWNED,
  ACCESS_next_vx = ACCESS_OUTPUT,
  ACCESS_next_vy = ACCESS_OUTPUT,
  ACCESS_from_x = ACCESS_NONE,
  ACCESS_from_y = ACCESS_NONE,
};

#define X(type, name, unit, scope)                                                                 \
  static_assert(ACCESS_##name > ACCESS_GROUP || scope <= SCOPE_GHOST,                              \
                #name ": kernels read it of ghosts, so its scope must be at most SCOPE_GHOST");
AGENT_FIELDS(X)
#undef X

struct step_tally { // downloaded once a step
#define X(name, where) int64_t name;
  STEP_COUNTERS(X)
#undef X
  uint64_t first_overlap_id;     // least id among agents that overlap; UINT64_MAX: none
  struct point first_overlap_at; // its position; set by locate_first_overlap
  int64_t first_overlap_other;   // the least id that it overlaps; likewise
  int32_t deepest_overlap_bits;  // of a float >= 0, so integer order is float order
  uint64_t deepest_id;           // least id among agents with that depth: find_deepest_overlap
  struct point deepest_at;       // its position: locate_deepest_overlap
  int32_t unsolved_count;        // length of unsolved_list
  int32_t searched;              // of them: the first ones, or all, have their velocity
  int32_t edge_count;            // chosen edges of this round; more than edge_room: not all
};

// Of an agent whose preferred velocity some obstacle forbids: obstacle_search_kernels.h.
struct obstacle_search {
  int32_t agent;        // index in `sorted`
  int32_t hard, others; // its obstacles: of walls, which come first, and of other agents
  int32_t keep;         // obstacles of this round
  int32_t good, bad;    // numbers of others that leave a velocity, and that do not
  bool near_wall;       // a step could touch a wall
  struct admissible admissible;
  vec2 preferred_velocity, start, v; // m/s; where this round starts; the best of all rounds
  uint64_t best;                     // of this round: edge_key
  int32_t listed;                    // edges of this round
  uint64_t chosen;                   // the greatest key of those that are searched first
  int32_t first_edge[2];             // in `edges`: those that are searched first, and the others
  int32_t edge_count[2];
};

struct searched_edge {
  int32_t search, number; // its agent's search, -1: none; of the edge within that
  uint64_t key;           // of its best point; 0: not yet searched, or there is none
  vec2 v;                 // that point, m/s
};

struct kernel_input {
  int64_t own, all;              // agents: owned; owned and ghosts
  struct agents resident;        // in memory order: owned, then ghosts
  struct agents sorted;          // in grid order: owned, then ghosts; count is `all`
  int32_t *memory_index;         // [all] index in `resident` of each agent of `sorted`
  struct grid grids[2];          // of the owned agents; of the ghosts
  struct next_velocity_input in; // its pointers lead to the world and to the next three members
  struct avoidance avoidance;
  struct neighbours neighbours; // only uniform_yield is set: the grids replace the trees
  struct density_speed density_speed;
  struct headway_options headway;
  float quantum, quanta_per_speed, range2, radius_max, density_range; // as in struct job
  int32_t neighbour_max;          // nearest neighbours kept of an agent
  int32_t group_range;            // quanta: range of group cohesion; 0: no groups
  int32_t *neighbour_list;        // [neighbour_max * own] indices in `sorted`; -1: none
  int32_t *unsolved_list;         // [own] indices in `sorted` of agents that a second kernel solves
  int32_t search_room, edge_room; // agents and chosen edges that the next four have room for
  struct obstacle_search *searches;           // [search_room]
  struct velocity_obstacle *search_obstacles; // [search_room][neighbour_max + WALLS_MAX]
  uint64_t *search_edge_keys;                 // [search_room][3 (neighbour_max + WALLS_MAX)]
  struct searched_edge *edges;                // [edge_room]
  uint64_t *best_sample;                      // [own] nested RVO: least (penalty, sample) so far
  int32_t *leaf_neighbours; // [own / BOX_TREE_WIDTH + 1] neighbour_counts of struct neighbours
  struct step_tally *tally;
};
