// People who live in the memory of a device from step to step. The host asks for what it must see:
// ghosts, migrants, those to whom something happens, and everybody when a file is due.
//
// A step there, in this order; each part gives the bits of the CPU's own that is named beside it:
//   show           halo_begin: what another rank sees of those near its box
//   wish           navigation_prefer, zones_apply, patience_apply
//   order          neighbours_build_own
//   choose INSIDE  backend.h: for those who see no ghost; returns at once
//   meet           halo_end, neighbours_build_ghosts
//   touched        neighbours_touch
//   keep_together  groups_keep
//   choose BORDER  for the others; or, before it nobody, ALL
//   move           audit_choices, agents_move, audit_moves, measure_lines
//   select         whom the host must see; then put_back, drop, append
// In which order they stand there is the device's affair. A record is what agents_pack makes of
// one: SEEN of a ghost, KEPT else. shown belongs to the show before it; selected, put_back and drop
// to the last selection, and drop ends it. One crowd lives in one residence at a time. What fails
// ends the run.
#pragma once
#include "audit.h"
#include "backend.h"
#include "concern.h"
#include "measure.h"

struct residence_view { // of others, each with people of its own
  int32_t count;
  const struct box *wide; // [count] whom each sees: its box, widened
  struct box inner;       // nobody in here is seen by any
};

struct residence_wish {
  float dt; // s
  uint64_t seed;
  int64_t step;
  int32_t patience; // as the limit of patience_apply
};

struct residence_move {
  float dt; // s
  int64_t step;
  int64_t *crossed; // [2 * lines] of what was learned, added to
};

struct residence_moved {
  int64_t kept;                       // as agents_move
  int64_t wrong[AUDIT_KINDS];         // as audit.h
  struct offender first[AUDIT_KINDS]; // of those: the one with the least id
};

enum residence_who {
  RESIDENCE_OUTSIDE,   // of a box
  RESIDENCE_HELD,      // up for exactly so many steps
  RESIDENCE_CONCERNED, // concern.h
};

struct residence_rule {
  enum residence_who who;
  struct box box;
  int32_t steps;
  int64_t goal_radius; // quanta, of who walks straight
  struct concern concern;
};

struct residence_sums { // over everybody
  int64_t speed;        // um/s
  int64_t in_walls;     // people
};

struct residence {
  void *home;   // the first argument of all of these
  bool of_host; // its memory is the host's
  // Where they live from now on, and again when it has changed. pace may be NULL.
  void (*learn)(void *home, const struct world *world, const struct pace *pace,
                const struct measure *measure);
  void (*take)(void *home, const struct agents *a);            // everybody but ghosts moves in
  void (*give)(void *home, struct agents *a);                  // copies of all of them, KEPT
  void (*seen)(void *home, struct neighbours *crowd);          // as a choice leaves it
  void (*targets)(void *home, int64_t *counts, int32_t count); // [count] have each as `target`
  void (*sums)(void *home, struct residence_sums *sums);

  void (*show)(void *home, const struct residence_view *view, int64_t *counts); // [view->count]
  void (*shown)(void *home, char *const *records, const int64_t *counts, int32_t parcels);
  void (*wish)(void *home, const struct residence_wish *wish);
  // radius_most: quanta, anybody's. groups: some have company.
  void (*order)(void *home, const struct choose_input *in, float radius_most, bool groups);
  // counts of all parts are added after the last.
  void (*choose)(void *home, const struct choose_input *in, struct choose_counts *counts);
  void (*overlapper)(void *home, struct offender *one); // then, of those counted, the least id:
                                                        // id, at, other
  // round: all of them, hi inside; a guess does.
  void (*meet)(void *home, char *const *records, const int64_t *counts, int32_t parcels,
               struct box round);
  void (*keep_together)(void *home); // after it, where there are groups
  void (*touched)(void *home, const struct disc *places, int64_t count, float per_speed,
                  int64_t *touched); // [count]
  void (*move)(void *home, const struct residence_move *in, struct residence_moved *out);

  int64_t (*select)(void *home, const struct residence_rule *rule); // how many; they are:
  void (*selected)(void *home, char *records);
  void (*put_back)(void *home, const char *records);                 // all of them, changed
  int64_t (*drop)(void *home, const uint8_t *gone);                  // how many are left
  int64_t (*append)(void *home, const char *records, int64_t count); // how many there are

  // Memory for the records of ghosts: of the device, for who can send from there, or of the host,
  // quickly copied to.
  void *(*parcel)(void *home, size_t bytes, bool of_device);
  void (*parcel_release)(void *home, void *memory, bool of_device);
};
