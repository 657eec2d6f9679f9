// People who live in the memory of a device from step to step. The host asks for what it must see:
// ghosts, migrants, those to whom something happens, and everybody when a file is due.
//
// A step there, in this order; each part gives the bits of the CPU's own that is named beside it:
//   show           halo_begin: what another rank sees of those near its box
//   wish           navigation_preferred_velocities, zones_apply, deadlock_apply
//   order          neighbours_build_own
//   choose INSIDE  backend.h: for those who see no ghost; returns at once
//   meet           halo_end, neighbours_build_ghosts
//   touched        neighbours_probe
//   apply_groups  groups_apply
//   choose BORDER  for the others; or, before it nobody, ALL
//   move           audit_velocities, agents_move, audit_moves, measure_lines
//   select         whom the host must see; then upload_selected, drop, append
// In which order they stand there is the device's affair. A record is what agents_pack makes of
// one: SEEN of a ghost, KEPT else. shown belongs to the show before it; selected, upload_selected
// and drop to the last selection, and drop ends it. One crowd lives in one residence at a time.
// What fails ends the run.
#pragma once
#include "audit.h"
#include "backend.h"
#include "measure.h"
#include "transition_filter.h"

struct device_crowd_view { // of others, each with people of its own
  int32_t count;
  const struct box *halo_boxes; // [count] whom each sees: its box, widened
  struct box interior;          // nobody in here is seen by any
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
  int64_t *crossed; // [2 * lines] of what was learned, added to
};

struct device_crowd_moved {
  int64_t kept;                        // as agents_move
  int64_t violations[AUDIT_KINDS];     // as audit.h
  struct violation first[AUDIT_KINDS]; // of those: the one with the least id
};

enum device_crowd_criterion {
  DEVICE_CROWD_OUTSIDE,    // of a box
  DEVICE_CROWD_BLOCKED,    // up for exactly so many steps
  DEVICE_CROWD_TRANSITION, // transition_filter.h
};

struct device_crowd_rule {
  enum device_crowd_criterion criterion;
  struct box box;
  int32_t steps;
  int64_t goal_radius; // quanta, of who walks straight
  struct transition_filter transition_filter;
};

struct device_crowd_sums { // over everybody
  int64_t speed;           // um/s
  int64_t in_walls;        // people
};

struct device_crowd {
  void *device;        // the first argument of all of these
  bool in_host_memory; // its memory is the host's
  // Where they live from now on, and again when it has changed. pace may be NULL.
  void (*upload_world)(void *device, const struct world *world,
                       const struct density_speed *density_speed, const struct measure *measure);
  void (*upload_agents)(void *device, const struct agents *a); // everybody but ghosts moves in
  void (*download_agents)(void *device, struct agents *a);     // copies of all of them, KEPT
  void (*fetch_neighbour_counts)(void *device,
                                 struct neighbours *neighbours); // as a choice leaves it
  void (*count_stops)(void *device, int64_t *counts,
                      int32_t count); // [count] have each as `target`
  void (*sums)(void *device, struct device_crowd_sums *sums);

  void (*pack_mirrors)(void *device, const struct device_crowd_view *view,
                       int64_t *counts); // [view->count]
  void (*copy_mirrors)(void *device, char *const *records, const int64_t *counts,
                       int32_t message_count);
  void (*set_preferred)(void *device, const struct device_crowd_navigation *in);
  // radius_max: quanta, anybody's. groups: some have company.
  void (*build_index)(void *device, const struct next_velocity_input *in, float radius_max,
                      bool groups);
  // counts of all parts are added after the last.
  void (*next_velocities)(void *device, const struct next_velocity_input *in,
                          struct next_velocity_counts *counts);
  void (*find_overlap)(void *device, struct violation *one); // then, of those counted, the least
                                                             // id: id, at, other
  // round: all of them, hi inside; a guess does.
  void (*unpack_ghosts)(void *device, char *const *records, const int64_t *counts,
                        int32_t message_count, struct box bounds);
  void (*apply_groups)(void *device); // after it, where there are groups
  void (*probe_discs)(void *device, const struct disc *discs, int64_t count, float quanta_per_speed,
                      int64_t *occupied); // [count]
  void (*move)(void *device, const struct device_crowd_move *in, struct device_crowd_moved *out);

  int64_t (*select)(void *device, const struct device_crowd_rule *rule); // how many; they are:
  void (*download_selected)(void *device, char *records);
  void (*upload_selected)(void *device, const char *records);    // all of them, changed
  int64_t (*remove_selected)(void *device, const uint8_t *gone); // how many are left
  int64_t (*append_agents)(void *device, const char *records, int64_t count); // how many there are

  // Memory for the records of ghosts: of the device, for who can send from there, or of the host,
  // quickly copied to.
  void *(*allocate_message)(void *device, size_t bytes, bool of_device);
  void (*free_message)(void *device, void *memory, bool of_device);
};
