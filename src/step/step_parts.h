// The parts of a step that touch agents: done by the host where it holds them, or by a device where
// they live (device_crowd.h). Both give the same bits.
#pragma once
#include "simulation.h"

struct step_parts {
  void (*prepare_agents)(struct simulation *s); // first: uploads what has changed on the host
  void (*sort_agents)(struct simulation *s);
  void (*begin_halo_exchange)(struct simulation *s);
  void (*set_preferred)(struct simulation *s); // preferred velocities
  void (*index_owned_agents)(struct simulation *s);
  void (*end_halo_exchange)(struct simulation *s); // times itself
  inflow_probe *probe_discs;                       // context: the simulation
  void (*apply_groups)(struct simulation *s);
  void (*next_velocities)(struct simulation *s, enum domain_part part);
  // The first overlap of the run, if the step has counted any; before the move.
  void (*record_overlap)(struct simulation *s);
  void (*move)(struct simulation *s); // times itself
  void (*advance_journeys)(struct simulation *s);
  void (*migrate_agents)(struct simulation *s);
  void (*insert_inflow)(struct simulation *s);
  void (*measure)(struct simulation *s);
};
extern const struct step_parts step_parts_host, step_parts_device;

// Runs a part of the step and adds the seconds it takes.
#define TIMED(s, phase, call)                                                                      \
  do {                                                                                             \
    const double start = clock_seconds();                                                          \
    call;                                                                                          \
    (s)->seconds[phase] += clock_seconds() - start;                                                \
  } while (0)

// The same for a part that waits for no other rank: load balancing counts its CPU time as work.
#define COMPUTED(s, phase, call)                                                                   \
  do {                                                                                             \
    const double before = clock_cpu_seconds();                                                     \
    TIMED(s, phase, call);                                                                         \
    const double work = clock_cpu_seconds() - before;                                              \
    (s)->load_balance.work += work;                                                                \
    (s)->work += work;                                                                             \
  } while (0)

// Sets parts and device_crowd of the simulation by its backend; before agents go to their owners.
void step_device_create(struct simulation *s);
void step_device_destroy(struct simulation *s);
// Brings the neighbour counts that load balancing weighs agents by.
void step_device_fetch_neighbour_counts(struct simulation *s);

// Inputs that both kinds of parts need.
struct next_velocity_input simulation_velocity_input(struct simulation *s, enum domain_part part);
struct load_balance_input simulation_load_balance_input(struct simulation *s);
struct world_events_input simulation_world_events_input(struct simulation *s);

// The distance within which an agent perceives, touches or passes another one in a step, in quanta.
// Collective.
int32_t simulation_halo_width(struct simulation *s);

// Adds the agents [first, end), no more than a part, to sums. on_free_ground: navigation.h.
void simulation_sum_part(const struct simulation *s, int64_t first, int64_t end,
                         const uint16_t *on_free_ground, struct crowd_sums *sums);
// s->observed, if it is known: before the marked agents leave. Those that enter later in the step
// stand still on free ground: they add nothing.
void simulation_take_out_of_sums(struct simulation *s, const uint8_t *gone);

// Can agents arrive or change activity at all?
bool simulation_has_transitions(const struct simulation *s);
// Advances agents that may change activity (arrive, queue, leave): those of `a` that s->transitions
// marks. Marks the agents that leave the world and counts them out of it. Collective.
void simulation_advance_journeys(struct simulation *s, struct agents *a);
