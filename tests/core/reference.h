// The lane code compiled for one lane, for tests of any width.
#pragma once
#include <stdbool.h>

struct scalar_half_plane {
  float nx, ny, b;
};
struct scalar_wall {
  float ax, ay, bx, by, along_x, along_y, before_x, before_y, after_x, after_y;
  bool convex_a, convex_b;
};
struct scalar_pair {
  float px, py, radius, own_x, own_y, other_x, other_y, far, near, share, tie_x, tie_y;
};

// linear_program_2 and, where it fails, linear_program_3; returns whether it failed.
bool scalar_linear_programs(const struct scalar_half_plane *h, int hard, int count, float speed,
                            const float preferred_velocity[2], float v[2]);
struct scalar_half_plane scalar_orca_agent(const struct scalar_pair *p);
bool scalar_orca_agent_open(const struct scalar_pair *p);
struct scalar_half_plane scalar_wall(const struct scalar_wall *w, float radius, float vx, float vy,
                                     float inv_horizon);
bool scalar_wall_covered(const struct scalar_wall *w, float radius, float inv_horizon,
                         const struct scalar_half_plane *h, int count);
