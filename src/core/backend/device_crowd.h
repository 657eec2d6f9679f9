// Agents that stay in device memory from step to step. The host requests only what it needs:
// ghosts, migrants, agents that change activity, and all agents when a file is due.
//
// A step calls these in order; each gives the bits of the CPU functions beside it:
//
//     pack_mirrors              halo_begin: what other ranks perceive near their boxes
//     set_preferred             navigation_preferred_velocities, zones_apply, deadlock_apply
//     build_index               neighbours_build_own
//     next_velocities INTERIOR  backend.h: agents that perceive no ghost; returns at once
//     unpack_ghosts             halo_end, neighbours_build_ghosts
//     probe_discs               neighbours_probe
//     apply_groups              groups_apply
//     next_velocities BORDER    the others; or ALL, without INTERIOR before it
//     move                      audit_velocities, agents_move, audit_moves, measure_lines
//     select                    agents that the host needs; then upload_selected, remove_selected,
//                               append_agents
//
// The device chooses the order of agents in memory. A record is what agents_pack writes:
// SCOPE_GHOST for a ghost, else SCOPE_STATE. copy_mirrors belongs to the last pack_mirrors;
// download_selected, upload_selected and remove_selected to the last select, and remove_selected
// ends it. A device holds one crowd at a time. Errors end the run.
#pragma once
#include "audit.h"
#include "backend.h"
#include "measure.h"
#include "transition_filter.h"

struct device_crowd_view { // other ranks
  int32_t count;
  const struct box *halo_boxes; // [count] what each perceives: its box, widened by the range
  struct box interior;          // no other rank perceives agents in here
};

struct device_crowd_navigation {
  float dt; // s
  uint64_t seed;
  int64_t step;
  int32_t deadlock_timeout; // as the limit of deadlock_apply
};

struct device_crowd_move {
  float dt; // s
  int64_t step;
  int64_t *crossed; // [2 * lines] of the uploaded measure; added to
};

struct device_crowd_moved {
  int64_t kept;                        // as agents_move
  int64_t violations[AUDIT_KINDS];     // as audit.h
  struct violation first[AUDIT_KINDS]; // of each kind, the one with the lowest id
};

enum device_crowd_criterion {
  DEVICE_CROWD_OUTSIDE,    // outside of a box
  DEVICE_CROWD_BLOCKED,    // blocked for exactly `steps` steps
  DEVICE_CROWD_TRANSITION, // transition_filter.h
};

struct device_crowd_rule {
  enum device_crowd_criterion criterion;
  struct box box;
  int32_t steps;
  int64_t goal_radius; // quanta, of agents that walk straight
  struct transition_filter transition_filter;
};

struct device_crowd_sums { // over all agents
  int64_t speed;           // um/s
  int64_t in_walls;        // agents
};

struct device_crowd {
  void *device;        // the first argument of all functions
  bool in_host_memory; // device memory is host memory
  // Before the agents, and again whenever the world changes. density_speed may be NULL.
  void (*upload_world)(void *device, const struct world *world,
                       const struct density_speed *density_speed, const struct measure *measure);
  void (*upload_agents)(void *device, const struct agents *a); // all agents but ghosts
  void (*download_agents)(void *device, struct agents *a);     // copies of all, SCOPE_STATE
  void (*fetch_neighbour_counts)(void *device,
                                 struct neighbours *neighbours); // as next_velocities leaves them
  void (*count_stops)(void *device, int64_t *counts,
                      int32_t count); // [count] agents by `target`
  void (*sums)(void *device, struct device_crowd_sums *sums);

  void (*pack_mirrors)(void *device, const struct device_crowd_view *view,
                       int64_t *counts); // [view->count]
  void (*copy_mirrors)(void *device, char *const *records, const int64_t *counts,
                       int32_t message_count);
  void (*set_preferred)(void *device, const struct device_crowd_navigation *in);
  // radius_max: quanta, of all agents; groups: some agents are in groups.
  void (*build_index)(void *device, const struct next_velocity_input *in, float radius_max,
                      bool groups);
  // The last part adds the counts of all parts.
  void (*next_velocities)(void *device, const struct next_velocity_input *in,
                          struct next_velocity_counts *counts);
  // After it: the counted overlap of the lowest id, with its id, at and other.
  void (*find_overlap)(void *device, struct violation *one);
  // bounds: around all ghosts, hi inside; an estimate will do.
  void (*unpack_ghosts)(void *device, char *const *records, const int64_t *counts,
                        int32_t message_count, struct box bounds);
  void (*apply_groups)(void *device); // after unpack_ghosts, if there are groups
  void (*probe_discs)(void *device, const struct disc *discs, int64_t count, float quanta_per_speed,
                      int64_t *occupied); // [count]
  void (*move)(void *device, const struct device_crowd_move *in, struct device_crowd_moved *out);

  // Selects agents and returns their number; the next three work on them.
  int64_t (*select)(void *device, const struct device_crowd_rule *rule);
  void (*download_selected)(void *device, char *records);
  void (*upload_selected)(void *device, const char *records); // all of them, changed
  // Both return the number of agents that the device then holds. gone: of the selected.
  int64_t (*remove_selected)(void *device, const uint8_t *gone);
  int64_t (*append_agents)(void *device, const char *records, int64_t count);

  // Memory for records of ghosts: of the device, if MPI can send from it, or pinned memory of the
  // host.
  void *(*allocate_message)(void *device, size_t bytes, bool of_device);
  void (*free_message)(void *device, void *memory, bool of_device);
};
