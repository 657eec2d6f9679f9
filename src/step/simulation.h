// One simulation on one rank of many: the state and THE step.
#pragma once
#include "agents.h"
#include "backend.h"
#include "device_crowd.h"
#include "groups.h"
#include "halo.h"
#include "inflow_spawner.h"
#include "journeys.h"
#include "load_balance.h"
#include "measurements.h"
#include "migrate.h"
#include "neighbours.h"
#include "partition.h"
#include "scenario.h"
#include "world_events.h"

struct step_parts;

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

// What happened in the last step, summed over the ranks: the same on every rank.
struct step_totals {
  int64_t agents;   // inside after the step
  int64_t arrived;  // in this step
  int64_t entered;  // in this step
  int64_t overlaps; // overlapping pairs at the step's start
  int64_t full_neighbourhoods, infeasible, wall_stops, kept_inside, ghosts, relaxed;
};

struct simulation {
  struct scenario *scenario; // its world changes with events and the crowd
  const struct comm *comm;
  const struct backend *backend;
  struct agents agents;
  struct neighbours neighbours;
  struct groups groups;
  struct partition partition;
  struct halo halo;
  struct migrate migrate;
  struct load_balance load_balance;
  struct inflow_spawner inflow_spawner;
  struct journeys journeys;
  struct world_events world_events;
  struct measurements measurements;
  struct next_velocity_counts step_counts; // by this rank in this step
  float deepest_overlap;                   // m, seen by this rank so far
  uint8_t *gone;
  int64_t gone_capacity;
  const struct step_parts *parts;
  const struct device_crowd *device_crowd; // where the people live: NULL: here
  bool host_current, device_current; // these agents, those of the residence are the present ones
  bool world_uploaded;               // the residence knows the world as it is
  struct agents selected;            // of the residence, for a while
  char *records;                     // of them, [record_bytes]
  size_t record_bytes;
  struct message_allocator message_allocator; // of the residence,
  bool messages_on_device;                    // in its own memory
  double radius_max;                          // m: nobody is wider
  uint64_t departure_hash;                    // of those who arrived on this rank
  int64_t local_arrivals, local_kept_inside;  // by this rank in this step
  int64_t entered;                            // newcomers of this step, on all ranks
  int64_t step;
  struct step_totals last;
  struct step_totals all;          // summed over the steps (agents: those created)
  double seconds[PHASE_COUNT];     // spent by this rank
  double ghost_wait, migrant_wait; // of these, until they came
  bool order_stale;                // on some rank: it will order its agents anew in the next step
  int64_t stop_flags_own,
      stop_flags_all; // what this rank asks of all before a step (run.c); the ranks' sum after it
};

// Collective: every rank makes its share of the agents and sends them to their owners. from: taken
// in their place, of a checkpoint; simulation_visit is the other half of it. NULL: the start.
void simulation_create(struct simulation *s, struct scenario *scenario, const struct comm *comm,
                       const struct backend *backend, struct agents *from);
// All else that a checkpoint keeps. Collective.
void simulation_visit(struct simulation *s, struct state *v);
void simulation_restore(struct simulation *s); // after a visit that read it. Collective
void simulation_destroy(struct simulation *s);
void simulation_step(struct simulation *s); // collective

// Before `agents` is read outside a step: they are the present ones then.
void simulation_sync_to_host(struct simulation *s);

bool simulation_is_over(const struct simulation *s); // time is up, or nobody is there or will come
double simulation_time(const struct simulation *s);  // s
uint64_t simulation_checksum(struct simulation *s);  // of the whole state; collective

// Observables that cost a look at every agent; collective.
struct observables {
  double mean_speed;       // m/s
  int64_t agents_in_walls; // centres inside an obstacle
  double deepest_overlap;  // m, so far
  double deepest_in_step;  // m, at the start of the last step
  double ghost_wait;       // s, for ghosts, so far; the ranks' mean
  double imbalance;        // most agents of a rank over the mean
  int64_t memory;          // bytes: the most any rank ever held
};
struct observables simulation_observe(const struct simulation *s);
