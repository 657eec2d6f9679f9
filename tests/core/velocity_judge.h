// The definitions of ClearPath and HRVO in double precision, written from the papers with angles
// and not from the code they judge, and the best velocity by trying every candidate there is.
#pragma once
#include "velocity_reference.h"

#define JUDGE_REGIONS (SCALAR_WALLS + 2 * SCALAR_AGENTS)

struct judge_region { // forbidden: n.v > b for all edges
  int edge_count;
  double nx[3], ny[3], b[3];
};
struct judge {
  int wall_regions, per_agent, agent_count; // regions: the walls', then per_agent for each agent
  struct judge_region r[JUDGE_REGIONS];
  double speed, reach, centre[2]; // |v| <= speed; |v - centre| <= reach, < 0: without limit
  double preferred_velocity[2];
};

void judge_make(struct judge *j, const struct scalar_perception *s, enum velocity_method method);
// How deep v lies in the union of the walls' regions and those of the first `agents` (> 0: it is
// forbidden), m/s.
double judge_depth(const struct judge *j, int agents, const double v[2]);
// How far v is from admissible, m/s.
double judge_excess(const struct judge *j, const double v[2]);
// The velocity nearest to the preferred one outside all regions, each grown by `slack`, within
// bounds narrowed by as much. False: there is none.
bool judge_nearest(const struct judge *j, int agents, double slack, double best[2]);
