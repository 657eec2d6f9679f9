// Steps of a crowd that one process holds whole, on any backend: no ranks, and nobody comes or
// goes.
#pragma once
#include "backend.h"
#include "groups.h"
#include "kept_corners.h"

enum lone_crowd_phase { CROWD_NAVIGATION, CROWD_INDEX, CROWD_AVOIDANCE, CROWD_MOVE, CROWD_PHASES };

struct lone_crowd {
  const struct backend *backend;
  float dt; // s, one step
  struct world world;
  struct avoidance avoidance;
  struct walking walking; // both parts; they belong to the caller
  struct agents agents;   // a device has the present ones until lone_crowd_download
  float radius_max;       // m: nobody is wider
  struct neighbours neighbours;
  struct wall_lists wall_lists;
  struct kept_corners kept_corners;
  struct groups groups;
  bool has_groups;
  int64_t step; // the next one
  struct next_velocity_counts counts;
  double seconds[CROWD_PHASES]; // s, since the caller set them to 0
};

// Call once, when world and agents are complete, before the first step.
void lone_crowd_begin(struct lone_crowd *c);
void lone_crowd_step(struct lone_crowd *c);
// Brings `agents` up to date.
void lone_crowd_download(struct lone_crowd *c);
// The input of the next step's velocities; may be changed before use.
struct next_velocity_input lone_crowd_input(struct lone_crowd *c);
void lone_crowd_destroy(struct lone_crowd *c); // and its world and agents
