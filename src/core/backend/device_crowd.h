// The interface to agents that stay in the memory of a device from step to step. Decisions stay on
// the host: in a step it downloads only mirrors for other ranks, migrants, the agents that need a
// host decision, and sums; all agents when an output is due.
//
// A step calls, in this order (right: the CPU function whose bits each call reproduces):
//   set_preferred                 navigation_preferred_velocities
//   pack_mirrors, copy_mirrors    halo_begin
//   build_index                   neighbours_build_own
//   next_velocities INTERIOR      backend.h; agents that see no ghost; does not wait
//   unpack_ghosts                 halo_end, neighbours_build_ghosts
//   probe_discs                   neighbours_probe
//   apply_groups                  groups_apply
//   next_velocities BORDER        the other agents; or ALL, without a call for INTERIOR
//   move                          audit_velocities, agents_move, audit_moves, measure_lines
//   mark                          net_speed_mark, at the end of its windows
//   count_cells                   cell_totals_count, measure_grid_count, when a sample is due
//   select                        then download_, upload_ and remove_selected, append_agents
// The device may keep the agents in any order. A record is what agents_pack writes: of scope GHOST
// for mirrors and ghosts, else of scope STATE. copy_mirrors copies what the last pack_mirrors
// packed. The calls on selected agents refer to the last select; remove_selected ends it. A device
// holds one crowd at a time. Errors end the run.
#pragma once
#include "audit.h"
#include "backend.h"
#include "cell_move_kernel.h"
#include "measure.h"
#include "net_speed.h"
#include "transition_filter.h"

struct device_crowd_view { // of the neighbouring ranks
  int32_t count;
  const struct box *halo_boxes; // [count] each rank's box widened by the halo
  struct box interior;          // no rank sees an agent in here
};

struct device_crowd_navigation {
  float dt; // s
  uint64_t seed;
  int64_t step;
  int32_t deadlock_timeout; // steps, as in struct deadlock_input
};

struct device_crowd_move {
  float dt; // s
  int64_t step;
  int64_t *crossed; // [2 * lines] forward, backward; added to
};

struct device_crowd_moved {
  int64_t kept;                        // agents kept inside the bounds, as agents_move
  int64_t violations[AUDIT_KINDS];     // counts
  struct violation first[AUDIT_KINDS]; // the violation with the least id of each kind
};

enum device_crowd_criterion {
  DEVICE_CROWD_OUTSIDE,    // agents outside `box`
  DEVICE_CROWD_BLOCKED,    // agents blocked for exactly `steps` steps
  DEVICE_CROWD_TRANSITION, // agents that pass transition_filter
};

struct device_crowd_rule {
  enum device_crowd_criterion criterion;
  struct box box;
  int32_t steps;
  int64_t goal_radius; // quanta; arrival of agents that walk straight to their goal
  struct transition_filter transition_filter;
};

struct crowd_sums { // over all owned agents
  int64_t speed;    // um/s
  int64_t in_walls; // agents inside obstacles
};

struct device_crowd {
  void *device;        // the first argument of every call
  bool in_host_memory; // device memory is host memory (emulated)

  // Uploads what has another version than the device's copy: everything, fields, or nothing.
  void (*upload_world)(void *device, const struct world *world, const struct walking *walking,
                       const struct measure *measure);
  void (*upload_agents)(void *device, const struct agents *a); // replaces all agents; no ghosts
  void (*download_agents)(void *device, struct agents *a);     // all owned agents, scope STATE
  // neighbours->neighbour_counts as the last next_velocities left them.
  void (*fetch_neighbour_counts)(void *device, struct neighbours *neighbours);
  // counts[count]: agents whose `target` is each stop.
  void (*count_stops)(void *device, int64_t *counts, int32_t count);
  void (*sums)(void *device, struct crowd_sums *sums);
  struct net_speed (*mark)(void *device, const struct net_speed_window *window);
  void (*sum_areas)(void *device, struct measure_sum *sums); // [areas] as measure_area_sum
  // The cells that hold owned agents: *count, in any order; they stay until the next call.
  const struct cell_people *(*count_cells)(void *device, int64_t *count);
  // Adds the crossings of cells since the last call to crossed[CELL_SIDES * cells] (move counts
  // them where measure->counts_cells).
  void (*fetch_cell_crossings)(void *device, int64_t *crossed);

  // counts[view->count]: mirrors for each rank.
  void (*pack_mirrors)(void *device, const struct device_crowd_view *view, int64_t *counts);
  // records[message_count]: where the counts[k] records for the k-th rank go.
  void (*copy_mirrors)(void *device, char *const *records, const int64_t *counts,
                       int32_t message_count);
  void (*set_preferred)(void *device, const struct device_crowd_navigation *in);
  // radius_max: quanta, no agent of any rank is wider. groups: some agents walk in groups.
  void (*build_index)(void *device, const struct next_velocity_input *in, float radius_max,
                      bool groups);
  // The last part of a step adds to counts for all parts.
  void (*next_velocities)(void *device, const struct next_velocity_input *in,
                          struct next_velocity_counts *counts);
  // After next_velocities, if overlaps were counted: the least id; sets id, at and other.
  void (*find_overlap)(void *device, struct violation *first);
  // Likewise: the deepest overlap of the step.
  void (*find_deepest)(void *device, struct deepest_overlap *deepest);
  // bounds: box of all ghosts, hi inside. An estimate is enough: it sets only the size of the grid.
  void (*unpack_ghosts)(void *device, char *const *records, const int64_t *counts,
                        int32_t message_count, struct box bounds);
  void (*apply_groups)(void *device); // after unpack_ghosts, if there are groups
  // occupied[count]: 1 where an owned agent may reach the disc in this step.
  void (*probe_discs)(void *device, const struct disc *discs, int64_t count, float quanta_per_speed,
                      int64_t *occupied);
  void (*move)(void *device, const struct device_crowd_move *in, struct device_crowd_moved *out);

  int64_t (*select)(void *device, const struct device_crowd_rule *rule); // returns how many match
  void (*download_selected)(void *device, char *records);
  void (*upload_selected)(void *device, const char *records);    // all of them, in the same order
  int64_t (*remove_selected)(void *device, const uint8_t *gone); // NULL: all; returns agents left
  int64_t (*append_agents)(void *device, const char *records, int64_t count); // returns agents

  // Memory for messages: of the device, if MPI reads device memory, else pinned memory of the host.
  void *(*allocate_message)(void *device, size_t bytes, bool of_device);
  void (*free_message)(void *device, void *memory, bool of_device);
};
