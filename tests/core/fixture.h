// A small world with agents and everything that a step needs, for tests. A quantum is 2^-16 m; the
// origin is (0, 0).
#pragma once
#include "backend.h"

#define METRE 65536

struct fixture {
  struct world world;
  struct agents agents;
  struct avoidance avoidance;
  const struct density_speed *density_speed; // NULL: none
  const struct headway_options *headway;     // NULL: none
  int64_t step;
  bool sorts; // sort the agents in every step; otherwise they keep their indices
  struct neighbours neighbours;
  bool searches_walls; // in every step; otherwise they are kept
  struct wall_lists wall_lists;
  struct next_velocity_counts counts; // of the last step
  const struct backend *backend;
  float dt;
  int64_t line_count, points_count;
  int64_t start[65];
  struct point points[1024];
  uint8_t closed[64];
};

// An empty square of 2 km, 10 neighbours within 5 m, time horizons of 2 s for agents and 1 s for
// walls, dt = 0.1 s, one thread.
void fixture_create(struct fixture *s, const char *backend);
void fixture_destroy(struct fixture *s);

// corners: x, y in quanta; a closed line has solid ground on its left.
void fixture_add_line(struct fixture *s, int count, const int32_t (*corners)[2], bool closed);
void fixture_build_walls(struct fixture *s); // after the last line

// Appends an agent of radius 0.25 m and speed 1.3 m/s; returns its index.
int64_t fixture_add_agent(struct fixture *s, int32_t x, int32_t y, int32_t goal_x, int32_t goal_y);
// Appends agents at random positions on free ground in a square of `side` m.
void fixture_add_crowd(struct fixture *s, uint64_t seed, int count, double side);
void fixture_shuffle(struct fixture *s, uint64_t seed); // permutes the agents in memory

void fixture_set_preferred(struct fixture *s); // preferred velocities, by navigation
// Next velocities from the current preferred velocities.
void fixture_compute_velocities(struct fixture *s);
// The same for one part of the domain; the neighbours must be built.
void fixture_compute_velocities_part(struct fixture *s, enum domain_part part, struct box interior);
void fixture_step(struct fixture *s);
void fixture_copy_agents(struct fixture *to, const struct fixture *from);
int64_t fixture_index(const struct fixture *s, int64_t id);
