// The lane code compiled for one lane, whatever the width of the test that asks.
#pragma once
#include <stdbool.h>

struct one_plane {
  float nx, ny, b;
};
struct one_wall {
  float ax, ay, bx, by, along_x, along_y, before_x, before_y, after_x, after_y;
  bool convex_a, convex_b;
};
struct one_pair {
  float px, py, radius, own_x, own_y, other_x, other_y, far, near, share, asunder_x, asunder_y;
};

// linear_program_2; returns the failed half-plane.
int one_program_2(const struct one_plane *h, int count, float speed, const float wish[2],
                  float v[2]);
// linear_program_3 from where linear_program_2 stopped.
void one_program_3(const struct one_plane *h, int hard, int count, float speed, int failed,
                   float v[2]);
struct one_plane one_agent(const struct one_pair *p);
bool one_agent_open(const struct one_pair *p);
struct one_plane one_wall(const struct one_wall *w, float radius, float vx, float vy, float hurry);
bool one_wall_covered(const struct one_wall *w, float radius, float hurry,
                      const struct one_plane *h, int count);
