// The people: a structure of arrays made from ONE table. Struct, allocation, halo, migration,
// snapshot and checksum are loops over it: a new field is one line.
//
// reach: SEEN   goes to ghosts, migrates, is saved
//        KEPT   migrates and is saved
//        STEP   scratch of one step
// Owned agents stand first [0, count), ghosts behind them [count, count + ghost_count).
// The order of agents carries no meaning: nothing that reaches a result may depend on it. It is
// kept so that neighbours in the arrays are neighbours in the plane (neighbours.h). Behind the
// capacity stands one vector more, so that a whole one may be read at any agent.
#pragma once
#include "base.h"
#include "position.h"
#include "steps.h"

// clang-format off
//    type     name         unit       reach
#define AGENT_FIELDS(X)                                                                            \
  X(int64_t, id, "1", SCOPE_GHOST)            /* unique in the world, >= 0 */                             \
  X(int32_t, x, "quantum", SCOPE_GHOST)                                                                   \
  X(int32_t, y, "quantum", SCOPE_GHOST)                                                                   \
  X(float, vx, "m/s", SCOPE_GHOST)                                                                        \
  X(float, vy, "m/s", SCOPE_GHOST)                                                                        \
  X(float, radius, "m", SCOPE_GHOST)                                                                      \
  X(float, yield, "1", SCOPE_GHOST)           /* willingness to give way, >= 0: avoidance.h */            \
  X(int64_t, group, "1", SCOPE_GHOST)         /* id of the first of one's group; -1: alone */             \
  X(float, speed, "m/s", SCOPE_STATE)         /* preferred */                                             \
  X(float, max_speed, "m/s", SCOPE_STATE)                                                                 \
  X(float, max_acceleration, "m/s^2", SCOPE_STATE) /* 0: without limit */                                 \
  X(float, horizon, "s", SCOPE_STATE)         /* collisions with agents are avoided for so long ahead */  \
  X(float, neighbour_distance, "m", SCOPE_STATE) /* how far one sees agents */                            \
  X(int32_t, neighbours, "1", SCOPE_STATE)    /* how many of the nearest agents one sees */               \
  X(int32_t, destination, "1", SCOPE_STATE)   /* index of a field; -1: walks straight to its goal */      \
  X(int32_t, aim, "1", SCOPE_STATE)           /* on the way there: roadmap.h; -1: none yet */             \
  X(int32_t, goal_x, "quantum", SCOPE_STATE)                                                              \
  X(int32_t, goal_y, "quantum", SCOPE_STATE)                                                              \
  X(int32_t, profile, "1", SCOPE_STATE)       /* number of the kind of person */                          \
  X(int32_t, source, "1", SCOPE_STATE)        /* number of where one came from; -1: the list of agents */ \
  X(int32_t, born, "step", SCOPE_STATE)       /* before which one was not in the world */                 \
  X(int32_t, stage, "1", SCOPE_STATE)         /* leg of a journey; -1: no journey */                      \
  X(int32_t, target, "1", SCOPE_STATE)        /* number of the place one is on the way to or at; or -1 */ \
  X(int32_t, doing, "1", SCOPE_STATE)         /* enum agent_activity */                                      \
  X(int32_t, until, "1", SCOPE_STATE)         /* REACT, STAY: a step; QUEUE: a ticket; LEAVE: since then */\
  X(int32_t, held, "1", SCOPE_STATE)          /* steps on end that one was held up: deadlock.h */         \
  X(int32_t, waited, "1", SCOPE_STATE)        /* steps in all that one was held up */                     \
  X(float, prefer_x, "m/s", SCOPE_STEP)      /* preferred velocity */                                    \
  X(float, prefer_y, "m/s", SCOPE_STEP)                                                                  \
  X(float, next_vx, "m/s", SCOPE_STEP)       /* chosen by avoidance */                                   \
  X(float, next_vy, "m/s", SCOPE_STEP)                                                                   \
  X(int32_t, from_x, "quantum", SCOPE_STEP)  /* where the last move began */                             \
  X(int32_t, from_y, "quantum", SCOPE_STEP)
// clang-format on

#define AGENT_SPEED_MAX  64.0f // m/s: the step's float rounding is exact below it
#define AGENT_RADIUS_MAX 64.0f // m

enum agent_scope { SCOPE_GHOST, SCOPE_STATE, SCOPE_STEP };

enum agent_activity {
  ACTIVITY_WALK,
  ACTIVITY_REACT, // stands until it has understood
  ACTIVITY_STAY,  // walks straight to its goal and stands there
  ACTIVITY_QUEUE, // walks straight to its place in a queue
  ACTIVITY_LEAVE  // stands until it is let out
};

#define AGENT_PADDING 16

struct agents {
  int64_t count, ghost_count, capacity;
  void *scratch; // one column, for agents_reorder
#define X(type, name, unit, scope) type *name;
  AGENT_FIELDS(X)
#undef X
};

// One row of the table at run time, for loops over fields.
struct agent_field {
  const char *name, *unit;
  enum agent_scope scope;
  size_t size;   // bytes of one value
  size_t offset; // of the array's pointer in struct agents
  bool is_float;
};
extern const struct agent_field agent_fields[];
extern const int agent_field_count;
static inline char *agents_column(const struct agents *a, const struct agent_field *field)
{
  return *(char **)((char *)a + field->offset);
}

void agents_create(struct agents *a, int64_t capacity);
void agents_destroy(struct agents *a);
void agents_reserve(struct agents *a, int64_t capacity); // arrays grow, never shrink
int64_t agents_append(struct agents *a); // one more owned agent, zeroed; forgets ghosts; its index

// One agent's fields up to that reach (SEEN: a ghost; KEPT: a migrant) as a record, which stands at
// a multiple of 4 bytes. Its bytes, and back and forth.
size_t agents_packed_size(enum agent_scope scope);
void agents_pack(const struct agents *a, int64_t i, enum agent_scope scope, char *out);
void agents_unpack(struct agents *a, int64_t i, enum agent_scope scope, const char *in);

// Removes the owned agents with gone[i] != 0 by moving the last ones into their place: a few leaves
// of the tree become wide then, where keeping the order would shift them all. Forgets ghosts.
void agents_remove(struct agents *a, const uint8_t *gone);
// The same, but a gone one's place before index `rim` is taken by the nearest of those who stand
// from there on, of their last AGENTS_REFILL_POOL: where people come and go about the same places,
// a tree over the order in memory stays good. So for the first AGENTS_REFILL_MAX of a call, which
// keeps its cost within bounds. gone[count] is used up.
#define AGENTS_REFILL_POOL 4096
#define AGENTS_REFILL_MAX  256
void agents_remove_ordered(struct agents *a, int64_t border_layer, uint8_t *gone);

// Puts agent first + from[k] of the run [first, first + count) at first + k: its fields up to that
// reach. from is a permutation of [0, count).
void agents_reorder(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                    const int32_t *from);

// Moves everybody by its chosen velocity for dt, rounded to the nearest quantum (ties to even:
// symmetric), kept inside bounds. An agent slower than half a quantum a step stands still.
// Remembers where everybody stood. Forgets the ghosts. Returns how many had to be kept inside.
int64_t agents_move(struct agents *a, const struct frame *frame, struct box bounds, float dt);

// A hash of everything that shapes the future (SEEN and KEPT), summed over the owned agents:
// the sum over ranks does not know the partition.
uint64_t agents_checksum(const struct agents *a);
// What an agent leaves behind in that sum when it arrives and is removed.
uint64_t agents_departure_hash(int64_t id, int64_t step);

// Does the state make sense: finite, inside bounds, unique ids. Otherwise says what is wrong.
bool agents_check(const struct agents *a, struct box bounds, char *message, size_t size);
