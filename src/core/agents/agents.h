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

// clang-format off
//    type     name         unit       reach
#define AGENT_FIELDS(X)                                                                            \
  X(int64_t, id, "1", SEEN)            /* unique in the world, >= 0 */                             \
  X(int32_t, x, "quantum", SEEN)                                                                   \
  X(int32_t, y, "quantum", SEEN)                                                                   \
  X(float, vx, "m/s", SEEN)                                                                        \
  X(float, vy, "m/s", SEEN)                                                                        \
  X(float, radius, "m", SEEN)                                                                      \
  X(float, yield, "1", SEEN)           /* willingness to give way, >= 0: avoidance.h */            \
  X(int64_t, group, "1", SEEN)         /* id of the first of one's group; -1: alone */             \
  X(float, speed, "m/s", KEPT)         /* preferred */                                             \
  X(float, max_speed, "m/s", KEPT)                                                                 \
  X(float, max_acceleration, "m/s^2", KEPT) /* 0: without limit */                                 \
  X(float, horizon, "s", KEPT)         /* collisions with agents are avoided for so long ahead */  \
  X(float, neighbour_distance, "m", KEPT) /* how far one sees agents */                            \
  X(int32_t, neighbours, "1", KEPT)    /* how many of the nearest agents one sees */               \
  X(int32_t, destination, "1", KEPT)   /* index of a field; -1: walks straight to its goal */      \
  X(int32_t, aim, "1", KEPT)           /* on the way there: roadmap.h; -1: none yet */             \
  X(int32_t, goal_x, "quantum", KEPT)                                                              \
  X(int32_t, goal_y, "quantum", KEPT)                                                              \
  X(int32_t, profile, "1", KEPT)       /* number of the kind of person */                          \
  X(int32_t, source, "1", KEPT)        /* number of where one came from; -1: the list of agents */ \
  X(int32_t, born, "step", KEPT)       /* before which one was not in the world */                 \
  X(int32_t, stage, "1", KEPT)         /* leg of a journey; -1: no journey */                      \
  X(int32_t, target, "1", KEPT)        /* number of the place one is on the way to or at; or -1 */ \
  X(int32_t, doing, "1", KEPT)         /* enum agent_doing */                                      \
  X(int32_t, until, "1", KEPT)         /* REACT, STAY: a step; QUEUE: a ticket; LEAVE: since then */\
  X(int32_t, held, "1", KEPT)          /* steps on end that one was held up: patience.h */         \
  X(int32_t, waited, "1", KEPT)        /* steps in all that one was held up */                     \
  X(float, prefer_x, "m/s", STEP)      /* preferred velocity */                                    \
  X(float, prefer_y, "m/s", STEP)                                                                  \
  X(float, next_vx, "m/s", STEP)       /* chosen by avoidance */                                   \
  X(float, next_vy, "m/s", STEP)                                                                   \
  X(int32_t, from_x, "quantum", STEP)  /* where the last move began */                             \
  X(int32_t, from_y, "quantum", STEP)
// clang-format on

#define AGENT_SPEED_MAX  64.0f // m/s: the step's float rounding is exact below it
#define AGENT_RADIUS_MAX 64.0f // m

enum agent_reach { SEEN, KEPT, STEP };

enum agent_doing {
  DOING_WALK,
  DOING_REACT, // stands until it has understood
  DOING_STAY,  // walks straight to its goal and stands there
  DOING_QUEUE, // walks straight to its place in a queue
  DOING_LEAVE  // stands until it is let out
};

#define STEP_LIMIT 2000000000 // steps are counted in int32_t in the fields of agents

#define AGENT_PADDING 16

struct agents {
  int64_t count, ghost_count, capacity;
  void *scratch; // one column, for agents_reorder
#define X(type, name, unit, reach) type *name;
  AGENT_FIELDS(X)
#undef X
};

// One row of the table at run time, for loops over fields.
struct agent_field {
  const char *name, *unit;
  enum agent_reach reach;
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
size_t agents_packed_size(enum agent_reach reach);
void agents_pack(const struct agents *a, int64_t i, enum agent_reach reach, char *out);
void agents_unpack(struct agents *a, int64_t i, enum agent_reach reach, const char *in);

// Removes the owned agents with gone[i] != 0 by moving the last ones into their place: a few leaves
// of the tree become wide then, where keeping the order would shift them all. Forgets ghosts.
void agents_remove(struct agents *a, const uint8_t *gone);
// The same, but a gone one's place before index `rim` is taken by the nearest of those who stand
// from there on, of their last AGENTS_POOL: where people come and go about the same places, a tree
// over the order in memory stays good. So for the first AGENTS_REPLACED of a call, which keeps its
// cost within bounds. gone[count] is used up.
#define AGENTS_POOL     4096
#define AGENTS_REPLACED 256
void agents_replace(struct agents *a, int64_t rim, uint8_t *gone);

// Puts agent first + from[k] of the run [first, first + count) at first + k: its fields up to that
// reach. from is a permutation of [0, count).
void agents_reorder(struct agents *a, int64_t first, int64_t count, enum agent_reach reach,
                    const int32_t *from);

// Moves everybody by its chosen velocity for dt, rounded to the nearest quantum (ties to even:
// symmetric), kept inside bounds. An agent slower than half a quantum a step stands still.
// Remembers where everybody stood. Forgets the ghosts. Returns how many had to be kept inside.
int64_t agents_move(struct agents *a, const struct frame *frame, struct box bounds, float dt);

// A hash of everything that shapes the future (SEEN and KEPT), summed over the owned agents:
// the sum over ranks does not know the partition.
uint64_t agents_checksum(const struct agents *a);
// What an agent leaves behind in that sum when it arrives and is removed.
uint64_t agents_farewell(int64_t id, int64_t step);

// Does the state make sense: finite, inside bounds, unique ids. Otherwise says what is wrong.
bool agents_check(const struct agents *a, struct box bounds, char *message, size_t size);
