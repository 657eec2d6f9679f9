// One simulation as one of its ranks holds it: the state, and the step.
#pragma once
#include "agents.h"
#include "backend.h"
#include "device_crowd.h"
#include "groups.h"
#include "halo.h"
#include "inflow_spawner.h"
#include "journeys.h"
#include "kept_corners.h"
#include "load_balance.h"
#include "measurements.h"
#include "migrate.h"
#include "neighbours.h"
#include "partition.h"
#include "scenario.h"
#include "world_events.h"

struct step_parts;

// What a caller has done to the agents between the steps, and does within them.
struct steering {
  // Called in every step when prefer_x and prefer_y are set, which it may change; NULL: not.
  void (*preferred)(void *context);
  void *context;
  bool watched;      // columns were handed out on this rank: what is written is looked at
  uint64_t checksum; // of this rank's agents when nothing had been written yet
  int64_t changes;   // since the beginning, on all ranks: the run is not that of its scenario alone
};

// Sums over the agents of this rank that a step takes on its way, while they are in the cache.
struct observed_step {
  bool wanted; // set before a step after which simulation_observe is called
  bool known;  // of the step made last, and nobody has changed the agents since
  struct crowd_sums sums;
};

enum phase {
  PHASE_HALO,
  PHASE_NAVIGATION,
  PHASE_INDEX,
  PHASE_AVOIDANCE,
  PHASE_MOVE,
  PHASE_MIGRATE,
  PHASE_BALANCE,
  PHASE_DEMAND,
  PHASE_CHANGES,
  PHASE_MEASURE,
  PHASE_ACCOUNT,
  PHASE_OUTPUT,
  PHASE_COUNT
};
extern const char *const phase_names[PHASE_COUNT];

// What happened in a step or in all steps so far, summed over the ranks: the same on every rank.
struct step_totals {
  int64_t agents;                    // in the world after the step; of all steps: created so far
  int64_t arrived;                   // left the world at their destination
  int64_t entered;                   // entered through sources
  int64_t removed;                   // by the caller: simulation_change.h
#define X(name, where) int64_t name; // overlaps: pairs
  STEP_COUNTERS(X)
#undef X
};

struct simulation {
  struct scenario *scenario; // its world changes with events and with the crowd
  const struct comm *comm;
  const struct backend *backend;
  const struct step_parts *parts; // of the host or of a device
  struct agents agents;           // owned, then ghosts
  struct neighbours neighbours;
  struct wall_lists wall_lists;
  struct kept_corners kept_corners;
  struct groups groups;
  struct partition partition;
  struct halo halo;
  struct migrate migrate;
  struct load_balance load_balance;
  struct inflow_spawner inflow_spawner;
  struct journeys journeys;
  struct world_events world_events;
  struct measurements measurements;
  struct transitions transitions; // scratch of one step
  double radius_max;              // m: no agent is wider
  int64_t step;                   // number of steps made
  bool order_stale;               // on some rank: neighbours_stale
  struct steering steering;       // by the caller: simulation_change.h
  struct observed_step observed;

  // Where agents live on a device (device_crowd.h).
  const struct device_crowd *device_crowd; // NULL: agents live on the host
  bool host_current, device_current;       // whose copy of the agents is the present one
  struct agents selected;                  // agents of the device that the host works on
  char *records;                           // [record_bytes] the same, packed
  size_t record_bytes;
  struct message_allocator message_allocator;
  bool messages_on_device;

  // What is counted.
  struct next_velocity_counts step_counts; // by this rank in this step
  int64_t local_arrivals;                  // by this rank in this step
  int64_t entered;                         // on all ranks in this step
  struct step_totals last, all;            // of the last step; of all steps
  int64_t last_departure;                  // steps made when an agent last left the world; 0: never
  struct deepest_overlap deepest;          // seen by this rank so far
  int64_t deepest_step;                    // when: the agents stood there after that step
  uint64_t departure_hash;                 // of the agents that left the world on this rank
  double seconds[PHASE_COUNT];             // spent by this rank
  double work;                             // s of CPU time that its main thread has computed for
  double ghost_wait, migrant_wait;         // s of these, spent waiting for messages

  // What a rank asks of all ranks before a step, as bits; their sum, known after it (run.c).
  int64_t stop_flags_own, stop_flags_all;
};

// Creates the simulation before its first step. Every rank makes its share of the agents and sends
// them to their owners. from: agents of a checkpoint, taken over instead; NULL: those of the
// scenario. Collective. Ends the run with EXIT_BAD_INPUT when the state makes no sense.
void simulation_create(struct simulation *s, struct scenario *scenario, const struct comm *comm,
                       const struct backend *backend, struct agents *from);
void simulation_destroy(struct simulation *s);
// Reads or writes all that a checkpoint keeps besides the agents. Collective.
void simulation_visit(struct simulation *s, struct state *v);
void simulation_restore(struct simulation *s); // after a visit that read. Collective
// Cheap invariants for asserts: counts, the step, where the agents live.
bool simulation_is_valid(const struct simulation *s);

// Sorts the agents before the first step, which would otherwise be the longest one. Changes their
// indices. Does nothing later. No result depends on it.
void simulation_prepare(struct simulation *s);

// Advances the simulation by one step of scenario->dt. Collective. Ends the run with
// EXIT_INTERNAL_ERROR when agents are lost or the audit fails.
void simulation_step(struct simulation *s);

// Brings `agents` up to date where agents live on a device. Call it before you read them outside a
// step.
void simulation_sync_to_host(struct simulation *s);

// Brings what a device counts for the measurements. Call it before you read them outside a step.
void simulation_fetch_measurements(struct simulation *s);
// Resets measures, travel times, alarms and the audit.
void simulation_forget_measurements(struct simulation *s);

// The time limit is reached, or the world is empty and no agent will enter.
bool simulation_is_over(const struct simulation *s);
double simulation_time(const struct simulation *s); // s
// When the last agent left a world that is empty now, s. NaN: somebody is inside, or nobody ever
// was.
double simulation_evacuation_time(const struct simulation *s);
// Hash of the whole state: the same for any partition. Collective.
uint64_t simulation_checksum(struct simulation *s);

// Observables that cost a pass over all agents. Collective.
struct observables {
  double mean_speed;       // m/s
  int64_t agents_in_walls; // centres inside an obstacle
  double net_speed;        // m/s, over the last full window (net_speed.h); NaN: none yet
  double ghost_wait;       // s spent waiting for ghosts so far; mean of the ranks
  double imbalance;        // most agents of a rank over the mean
  int64_t memory;          // bytes: the most that any rank ever held
};
struct observables simulation_observe(const struct simulation *s);
// sums[areas of the scenario]: the people of this rank inside each area.
void simulation_sum_areas(const struct simulation *s, struct measure_sum *sums);

// Overlaps are counted by the search for neighbours at the beginning of a step, thus between the
// positions after the step before.
double simulation_deepest_in_step(const struct simulation *s); // m, likewise. Collective
// Counts the overlaps of the present positions into s->last and s->all. A step that follows would
// count them again: call it after the last step. Collective.
void simulation_count_overlaps(struct simulation *s);

struct overlap_record {
  struct deepest_overlap overlap;
  int64_t step; // the agents stood there after that step
};
// The deepest overlap so far on any rank: the earliest of the deepest. Collective.
struct overlap_record simulation_deepest(const struct simulation *s);
