// The parts of a step that touch people: by the host, where it holds them, or by a device where
// they live (residence.h). Both give the same bits.
#pragma once
#include "simulation.h"

struct step_parts {
  void (*begin)(struct simulation *s);      // before all others: the people are where they belong
  void (*keep_order)(struct simulation *s); // neighbours in the plane stand side by side in memory
  void (*see_begin)(struct simulation *s);  // show border agents to the other ranks
  void (*wish)(struct simulation *s);
  void (*know_own)(struct simulation *s);
  void (*see_end)(struct simulation *s); // counts its seconds itself, like move
  newcomers_look *look;                  // of the simulation: who stands in the way of newcomers
  void (*keep_together)(struct simulation *s);
  void (*choose)(struct simulation *s, enum choose_part part);
  void (*move)(struct simulation *s);
  void (*go_on_or_leave)(struct simulation *s); // whoever has arrived
  void (*change_ranks)(struct simulation *s);
  void (*come_in)(struct simulation *s);
  void (*measure)(struct simulation *s);
};
extern const struct step_parts parts_of_the_host, parts_of_a_residence;

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
    (s)->balancing.work += clock_cpu_seconds() - before;                                           \
  } while (0)

// Whether people live on a device is known from then on. Before the agents go where they belong.
void resident_create(struct simulation *s);
void resident_destroy(struct simulation *s);
void resident_seen(struct simulation *s); // what the balance asks of neighbours

// What both ask for.
struct choose_input simulation_choice(struct simulation *s, enum choose_part part);
int32_t simulation_patience(const struct simulation *s); // as the limit of patience_apply
// Lets happen what happens where people arrive, to all whom it may concern or more: s->gone[] of
// these is set for those who leave the world and are counted out of it. Collective.
void simulation_advance(struct simulation *s, struct agents *a);
