// A small world with its people and everything that one step needs, for tests. Lengths in metres
// round the origin; a quantum is 2^-16 m.
#pragma once
#include "backend.h"

#define METRE 65536

struct fixture {
  struct world world;
  struct agents agents;
  struct avoidance avoidance;
  const struct density_speed *density_speed; // NULL: nobody slows down
  int64_t step;
  bool sorts; // people change places in memory in every step; else they keep their index
  struct neighbours neighbours;
  struct next_velocity_counts counts; // of the last step
  const struct backend *backend;
  float dt;
  int64_t line_count, points_count;
  int64_t start[65];
  struct point points[1024];
  uint8_t closed[64];
};

// An empty plane of 2 km, 10 neighbours within 5 m, horizons of 2 and 1 s, steps of 0.1 s, one
// thread.
void fixture_create(struct fixture *s, const char *backend);
void fixture_destroy(struct fixture *s);

// Corners as x, y in quanta; a closed line has solid ground on its left.
void fixture_add_line(struct fixture *s, int count, const int32_t (*corners)[2], bool closed);
void fixture_build_walls(struct fixture *s); // after the last line

// Somebody of radius .25 m with 1.3 m/s: the index.
int64_t fixture_add_agent(struct fixture *s, int32_t x, int32_t y, int32_t goal_x, int32_t goal_y);
void fixture_add_crowd(struct fixture *s, uint64_t seed, int count,
                       double side);                    // random, free ground only
void fixture_shuffle(struct fixture *s, uint64_t seed); // memory order

void fixture_compute_velocities(
    struct fixture *s); // of the wishes as they are: the next velocities
void fixture_compute_velocities_part(struct fixture *s, enum domain_part part,
                                     struct box interior); // crowd is built
void fixture_step(struct fixture *s);
void fixture_copy_agents(struct fixture *to, const struct fixture *from);
int64_t fixture_index(const struct fixture *s, int64_t id);
