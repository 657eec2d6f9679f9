// The parts of a step that touch people: by the host, where it holds them, or by a device where
// they live (device_crowd.h). Both give the same bits.
#pragma once
#include "simulation.h"

struct step_parts {
  void (*prepare_agents)(
      struct simulation *s);                 // before all others: the people are where they belong
  void (*sort_agents)(struct simulation *s); // neighbours in the plane stand side by side in memory
  void (*begin_halo_exchange)(struct simulation *s); // show border agents to the other ranks
  void (*set_preferred)(struct simulation *s);
  void (*index_owned_agents)(struct simulation *s);
  void (*end_halo_exchange)(struct simulation *s); // counts its seconds itself, like move
  inflow_probe *probe_discs; // of the simulation: who stands in the way of newcomers
  void (*apply_groups)(struct simulation *s);
  void (*next_velocities)(struct simulation *s, enum domain_part part);
  void (*move)(struct simulation *s);
  void (*advance_journeys)(struct simulation *s); // whoever has arrived
  void (*migrate_agents)(struct simulation *s);
  void (*insert_inflow)(struct simulation *s);
  void (*measure)(struct simulation *s);
};
extern const struct step_parts step_parts_host, step_parts_device;

// Each part of the step counts its own seconds.
#define TIMED(s, phase, call)                                                                      \
  do {                                                                                             \
    const double start = clock_seconds();                                                          \
    call;                                                                                          \
    (s)->seconds[phase] += clock_seconds() - start;                                                \
  } while (0)

// The same where a rank waits for no other: the work that is balanced.
#define COMPUTED(s, phase, call)                                                                   \
  do {                                                                                             \
    const double before = clock_cpu_seconds();                                                     \
    TIMED(s, phase, call);                                                                         \
    (s)->load_balance.work += clock_cpu_seconds() - before;                                        \
  } while (0)

// Whether people live on a device is known from then on. Before the agents go where they belong.
void step_device_create(struct simulation *s);
void step_device_destroy(struct simulation *s);
void step_device_fetch_neighbour_counts(
    struct simulation *s); // what the balance asks of neighbours

// What both ask for.
struct next_velocity_input simulation_velocity_input(struct simulation *s, enum domain_part part);
int32_t simulation_deadlock_timeout(const struct simulation *s); // as the limit of deadlock_apply
// Lets happen what happens where people arrive, to all whom it may concern or more: s->gone[] of
// these is set for those who leave the world and are counted out of it. Collective.
void simulation_advance_journeys(struct simulation *s, struct agents *a);
