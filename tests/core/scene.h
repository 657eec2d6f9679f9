// A small world with its people and everything that one step needs, for tests. Lengths in metres
// round the origin; a quantum is 2^-16 m.
#pragma once
#include "backend.h"

#define METRE 65536

struct scene {
  struct world world;
  struct agents agents;
  struct avoidance avoidance;
  const struct pace *pace; // NULL: nobody slows down
  int64_t step;
  bool sorts; // people change places in memory in every step; else they keep their index
  struct neighbours crowd;
  struct choose_counts counts; // of the last step
  const struct backend *backend;
  float dt;
  int64_t line_count, points_count;
  int64_t start[65];
  struct point points[1024];
  uint8_t closed[64];
};

// An empty plane of 2 km, 10 neighbours within 5 m, horizons of 2 and 1 s, steps of 0.1 s, one
// thread.
void scene_create(struct scene *s, const char *backend);
void scene_destroy(struct scene *s);

// Corners as x, y in quanta; a closed line has solid ground on its left.
void scene_line(struct scene *s, int count, const int32_t (*corners)[2], bool closed);
void scene_raise_walls(struct scene *s); // after the last line

// Somebody of radius .25 m with 1.3 m/s: the index.
int64_t scene_person(struct scene *s, int32_t x, int32_t y, int32_t goal_x, int32_t goal_y);
void scene_crowd(struct scene *s, uint64_t seed, int count,
                 double side);                      // random, free ground only
void scene_shuffle(struct scene *s, uint64_t seed); // memory order

void scene_choose(struct scene *s); // of the wishes as they are: the next velocities
void scene_choose_part(struct scene *s, enum choose_part part, struct box inner); // crowd is built
void scene_step(struct scene *s);
void scene_copy_people(struct scene *to, const struct scene *from);
int64_t scene_index(const struct scene *s, int64_t id);
