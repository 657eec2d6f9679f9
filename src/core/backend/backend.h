// A backend computes the next velocities of all agents. All backends give the same bits.
#pragma once
#include "agents.h"
#include "avoidance.h"
#include "neighbours.h"
#include "plugin.h"
#include "step_counters.h"
#include "walking.h"
#include "wall_lists.h"
#include "world.h"

// Which agents: all, those that perceive no ghost, whose velocities can be computed before the
// ghosts arrive, or the others.
enum domain_part { PART_ALL, PART_INTERIOR, PART_BORDER };

struct next_velocity_input {
  const struct world *world;
  const struct avoidance *avoidance;
  const struct plugin *plugin;         // its method is used instead: for the CPU; NULL: none
  const struct neighbours *neighbours; // the index of the same agents
  struct wall_lists *wall_lists;       // of the same agents, for the CPU; NULL: none are kept
  float dt;                            // s
  uint64_t seed;                       // for methods that sample velocities
  int64_t step;
  struct walking walking;
  enum domain_part part;
  struct box interior;             // with a part: no ghost is perceived from inside this box
  void (*progress)(void *context); // the calling thread calls it now and then; may be NULL
  void *context;
};

struct device_crowd;

struct backend {
  const char *name; // for --backend
  int lanes;
  const char *(*unavailable)(void); // why it cannot run here; NULL: it can
  // Reads prefer_x, prefer_y, which the walking models may change, and every field of SCOPE_GHOST;
  // writes next_vx, next_vy of the owned agents; adds to counts. Stores each leaf's search radius
  // and number of neighbours in in->neighbours (reach2, neighbour_counts): hints for the next step
  // and for the load balance.
  void (*next_velocities)(const struct next_velocity_input *in, struct agents *a,
                          struct next_velocity_counts *counts);
  const struct device_crowd *device_crowd; // keeps agents in device memory; NULL: host memory only
};

// The backends of the CPU by rising width; gpu/backend_gpu.c has the table of the others.
#define BACKENDS_CPU 4
extern const struct backend *const backends_cpu[BACKENDS_CPU];

#define BACKEND_WIDEST "simd" // the widest CPU backend that can run here

// The CPU backend of that name, or BACKEND_WIDEST; NULL where there is none that can run.
const struct backend *backend_find(const char *name);
