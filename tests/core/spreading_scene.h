// A scene of walls and one field, for tests of agents that spread and that queue.
#pragma once
#include "agents.h"
#include "kept_corners.h"
#include "world.h"

#define METRE  65536
#define M(m)   ((int32_t)((m)*METRE))
#define CELL   (METRE / 4)
#define LINES  16
#define SPEED  1.3f
#define STEP_S 0.1f

struct scene {
  int64_t start[LINES + 1];
  struct point points[4 * LINES];
  uint8_t closed[LINES];
  struct outlines lines;
  struct world world;
  float spread;
  float queue; // the profile's
  int step;
  int32_t look_period; // 0: 1
  int lanes;           // 0: those that every machine has
  bool keeps_corners;
  struct kept_corners kept;
  struct agents agents;
};

extern int32_t upwards; // -1: scenes are mirrored

void add_line(struct scene *s, int count, const double (*at)[2]);
void add_box(struct scene *s, double x0, double y0, double x1, double y1);
void solve_field(struct scene *s, double x0, double y0, double x1, double y1);
void solve(struct scene *s, double x0, double y0, double x1, double y1);
void make_town(struct scene *s);
void scene_destroy(struct scene *s);
int64_t add_agent(struct scene *s, int32_t x, int32_t y);
struct point random_free_point(const struct scene *s, uint64_t *r);
void add_crowd(struct scene *s, int count);
void set_preferred(struct scene *s);
bool displaced(const struct agents *a, int64_t i);
