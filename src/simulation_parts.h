// The parts of a step that touch people: by the host, where it holds them, or by a device where
// they live (residence.h). Both give the same bits.
#pragma once
#include "simulation.h"

struct step_parts {
  void (*begin)(struct simulation *s);      // before all others: the people are where they belong
  void (*keep_order)(struct simulation *s); // neighbours in the plane stand side by side in memory
  void (*see_begin)(struct simulation *s);  // show border agents to the other ranks
  void (*wish)(struct simulation *s);       // needs no neighbour: hides the messages
  void (*know_own)(struct simulation *s);   // and so does this,
  void (*avoid_inside)(struct simulation *s);  // and the choice of all who see no ghost
  void (*see_end)(struct simulation *s);       // ghosts stand behind our own
  void (*make_room)(struct simulation *s);     // for those who are due
  void (*keep_together)(struct simulation *s); // who knows each other waits for each other
  void (*avoid)(struct simulation *s);         // permitted velocity nearest the wish
  void (*move)(struct simulation *s);          // on the integer grid
  void (*arrive)(struct simulation *s);        // who is there stays, queues, goes on or leaves
  void (*hand_over)(struct simulation *s);     // who has crossed a border gets a new owner
  void (*welcome)(struct simulation *s);       // newcomers
  void (*measure)(struct simulation *s);       // who stands where now
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
bool simulation_chooses_early(const struct simulation *s); // who sees no ghost, before they come
int32_t simulation_patience(const struct simulation *s);   // as the limit of patience_apply
bool simulation_looks_who_is_there(const struct simulation *s);
// Of people marked gone: they leave the counts of this rank, not yet the agents.
void simulation_say_farewell(struct simulation *s, const struct agents *a, const uint8_t *gone);
void simulation_turn_back(struct simulation *s, struct agents *a, const uint8_t *gone);
