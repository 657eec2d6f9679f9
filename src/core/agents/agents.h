// Agents: a structure of arrays generated from one table.
//
// Struct, allocation, packing (halo, migration), checkpoint columns, checksum and the device's
// copies are loops over AGENT_FIELDS. To add a field, append a line with its scope, and set it
// where agents are made (scenario/demand/agent_factory.c) unless it starts as 0; the rest follows.
// If the velocity kernels of the device read it, add it to a list of gpu/kernels/kernel_input.h
// too. A field of SCOPE_GHOST or SCOPE_STATE changes the checksums of tests/same_bits and makes
// older checkpoints unreadable; one of SCOPE_MEMORY or SCOPE_MARK does neither. Keep the order
// of the lines: it is the order of the hash and of the packed record.
//
// scope: SCOPE_SHOWN     sent to ghosts, recomputed in every step, not part of the state
//        SCOPE_GHOST     sent to ghosts, migrates, is checkpointed
//        SCOPE_MEMORY    migrates, is checkpointed; hashed unless 0; 0 in checkpoints without it
//        SCOPE_MARK      migrates, is checkpointed; not hashed, since no step reads it
//        SCOPE_STATE     migrates, is checkpointed
//        SCOPE_STEP      scratch of one step
//
// Owned agents are [0, count), ghosts [count, count + ghost_count). The order of the agents has no
// meaning: no result may depend on it. It is kept such that agents close in memory are close in the
// plane (neighbours.h). Each array has AGENT_PADDING more elements than the capacity, so that a
// whole vector may be read, or written with what it had, at any agent.
//
// Memory: a field whose value nobody set takes none. Arrays come zeroed from the system, and their
// pages need no memory until they are written. So zero in memory is the value of an agent without
// the feature (int32_or_none: -1), what writes these fields leaves equal values alone
// (agent_field_set), and an order leaves a run of equal values alone. The fields of SCOPE_STEP lie
// in one block, which neighbours_sort uses between the steps.
#pragma once
#include "base.h"
#include "portable.h"
#include "position.h"
#include "steps.h"

// An index >= 0, or -1: none. In memory all bits are inverted, so that zero is none. Read and
// written by agent_NAME and agent_set_NAME below.
typedef struct {
  int32_t inverted;
} int32_or_none;
typedef struct {
  int64_t inverted;
} int64_or_none;

// clang-format off
//    type     name         unit       scope
#define AGENT_FIELDS(X)                                                                            \
  X(int64_t, id, "1", SCOPE_GHOST)                 /* unique in the world, >= 0 */                 \
  X(int32_t, x, "quantum", SCOPE_GHOST)                                                            \
  X(int32_t, y, "quantum", SCOPE_GHOST)                                                            \
  X(float, vx, "m/s", SCOPE_GHOST)                                                                 \
  X(float, vy, "m/s", SCOPE_GHOST)                                                                 \
  X(float, radius, "m", SCOPE_GHOST)                                                               \
  X(float, yield, "1", SCOPE_GHOST)                /* readiness to yield, >= 0 (avoidance.h) */    \
  X(int64_or_none, group, "1", SCOPE_GHOST)        /* id of the group's first member */            \
  X(float, facing_x, "1", SCOPE_SHOWN)             /* unit direction in which it wants to walk */  \
  X(float, facing_y, "1", SCOPE_SHOWN)             /* 0: nowhere, or no agent walks by headway */  \
  X(int32_t, passing, "1", SCOPE_MEMORY)           /* how it passes others: side_preference.h */   \
  X(int32_t, choice, "1", SCOPE_MEMORY)            /* of direction and speed: headway.h */         \
  X(int32_t, turn, "1", SCOPE_MEMORY)              /* onto its own line: spreading_kernel.h */     \
  X(int32_t, mark_x, "quantum", SCOPE_MARK)        /* where it was at the last mark: */            \
  X(int32_t, mark_y, "quantum", SCOPE_MARK)        /* net_speed.h */                               \
  X(int32_t, start_x, "quantum", SCOPE_MARK)       /* where it entered the world, plus 1; */       \
  X(int32_t, start_y, "quantum", SCOPE_MARK)       /* both 0: nobody asks (measure.people) */      \
  X(float, speed, "m/s", SCOPE_STATE)              /* preferred speed */                           \
  X(float, max_speed, "m/s", SCOPE_STATE)                                                          \
  X(float, max_acceleration, "m/s^2", SCOPE_STATE) /* 0: unlimited */                              \
  X(float, horizon, "s", SCOPE_STATE)              /* time horizon for agents */                   \
  X(float, neighbour_distance, "m", SCOPE_STATE)   /* perception range */                          \
  X(int32_t, neighbours, "1", SCOPE_STATE)         /* most neighbours that it perceives */         \
  X(int32_or_none, destination, "1", SCOPE_STATE)  /* index; none: straight to the goal */         \
  X(int32_or_none, aim, "1", SCOPE_STATE)          /* waypoint and share: roadmap.h */             \
  X(int32_t, goal_x, "quantum", SCOPE_STATE)                                                       \
  X(int32_t, goal_y, "quantum", SCOPE_STATE)                                                       \
  X(int32_t, profile, "1", SCOPE_STATE)            /* index of its profile */                      \
  X(int32_t, source, "1", SCOPE_STATE)             /* index of its source; -1: agent table */      \
  X(int32_t, born, "step", SCOPE_STATE)            /* step of entry */                             \
  X(int32_or_none, stage, "1", SCOPE_STATE)        /* leg of its journey */                        \
  X(int32_or_none, target, "1", SCOPE_STATE)       /* stop that it walks to or is at */            \
  X(int32_t, doing, "1", SCOPE_STATE)              /* enum agent_activity */                       \
  X(int32_t, until, "1", SCOPE_STATE)              /* by activity: see enum agent_activity */      \
  X(int32_t, held, "1", SCOPE_STATE)               /* blocked steps in a row (deadlock.h) */       \
  X(int32_t, waited, "1", SCOPE_STATE)             /* blocked steps in total: its delay */         \
  X(float, prefer_x, "m/s", SCOPE_STEP)            /* preferred velocity */                        \
  X(float, prefer_y, "m/s", SCOPE_STEP)                                                            \
  X(float, next_vx, "m/s", SCOPE_STEP)             /* velocity of the next move, from avoidance */ \
  X(float, next_vy, "m/s", SCOPE_STEP)                                                             \
  X(int32_t, from_x, "quantum", SCOPE_STEP)        /* start of the last move */                    \
  X(int32_t, from_y, "quantum", SCOPE_STEP)
// clang-format on

#define AGENT_SPEED_MAX  64.0f // m/s: position_rounded is exact for it with dt up to 1 s
#define AGENT_RADIUS_MAX 64.0f // m

enum agent_scope { SCOPE_SHOWN, SCOPE_GHOST, SCOPE_MEMORY, SCOPE_MARK, SCOPE_STATE, SCOPE_STEP };

// Is a field of that scope in checkpoints?
static inline bool agent_scope_is_kept(enum agent_scope scope)
{
  return scope != SCOPE_SHOWN && scope != SCOPE_STEP;
}

// Is a field of that scope part of the state: hashed and checkpointed?
static inline bool agent_scope_is_state(enum agent_scope scope)
{
  return agent_scope_is_kept(scope) && scope != SCOPE_MARK;
}

enum agent_activity {
  ACTIVITY_WALK,
  ACTIVITY_REACT, // stands until step `until`: its reaction time or, where it stays, for good
  ACTIVITY_STAY,  // walks straight to its goal and stays there until step `until`
  ACTIVITY_QUEUE, // walks straight to its place in a queue; `until` is its ticket
  ACTIVITY_LEAVE  // stands until an exit lets it out; `until` is the step since which it waits
};

#define AGENT_PADDING 16 // elements behind each array: the widest vector

struct agents {
  int64_t count, ghost_count, capacity;
  void *step_memory; // the columns of SCOPE_STEP
  bool keeps_old; // memory that columns leave when they grow stays until agents_destroy: a caller
                  // may hold pointers to it
  void **old;     // [old_count] that memory
  int old_count;
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
  bool is_inverted; // in memory: int32_or_none, int64_or_none
};
extern const struct agent_field agent_fields[];
extern const int agent_field_count;
static inline char *agents_column(const struct agents *a, const struct agent_field *field)
{
  return *(char **)((char *)a + field->offset);
}

// Copies values of a column as everyone else knows them: not inverted. A row of values that the
// column holds already is not written.
void agents_column_read(const struct agents *a, const struct agent_field *field, int64_t first,
                        int64_t count, void *values);
void agents_column_write(struct agents *a, const struct agent_field *field, int64_t first,
                         int64_t count, const void *values);

// The bits of a value of 4 or 8 bytes that is aligned to 4. nvcc copies byte by byte where it is
// left to find the alignment out.
INLINE uint64_t agent_bits_read(const void *from, size_t size)
{
#ifdef __CUDA_ARCH__
  const uint32_t *words = (const uint32_t *)from;
  return size == 8 ? words[0] | (uint64_t)words[1] << 32 : words[0];
#else
  uint64_t bits = 0;
  __builtin_memcpy(&bits, __builtin_assume_aligned(from, 4), size);
  return bits;
#endif
}

INLINE void agent_bits_write(void *to, uint64_t bits, size_t size)
{
#ifdef __CUDA_ARCH__
  uint32_t *words = (uint32_t *)to;
  words[0] = (uint32_t)bits;
  if (size == 8)
    words[1] = (uint32_t)(bits >> 32);
#else
  __builtin_memcpy(__builtin_assume_aligned(to, 4), &bits, size);
#endif
}

// Sets a value of a column, unless it is there already: a page that nobody wrote stays so. The
// memory of a GPU has no such pages.
INLINE void agent_field_set(void *field, const void *value, size_t size)
{
  const uint64_t bits = agent_bits_read(value, size);
#ifndef __CUDA_ARCH__
  if (agent_bits_read(field, size) == bits)
    return;
#endif
  agent_bits_write(field, bits, size);
}

#define AGENT_SET(a, name, i, value)                                                               \
  do {                                                                                             \
    const __typeof__((a)->name[0]) agent_value = (value);                                          \
    agent_field_set(&(a)->name[i], &agent_value, sizeof agent_value);                              \
  } while (0)

#define FIELDS_OR_NONE(X)                                                                          \
  X(int64_t, group)                                                                                \
  X(int32_t, destination)                                                                          \
  X(int32_t, aim)                                                                                  \
  X(int32_t, stage)                                                                                \
  X(int32_t, target)
#define X(type, name)                                                                              \
  INLINE type agent_##name(const struct agents *a, int64_t i)                                      \
  {                                                                                                \
    return ~a->name[i].inverted;                                                                   \
  }                                                                                                \
  INLINE void agent_set_##name(struct agents *a, int64_t i, type value)                            \
  {                                                                                                \
    if (a->name[i].inverted != ~value)                                                             \
      a->name[i].inverted = ~value;                                                                \
  }
FIELDS_OR_NONE(X)
#undef X

bool agents_is_valid(const struct agents *a); // sizes and pointers; agents_check tests the values

void agents_create(struct agents *a, int64_t capacity);
void agents_destroy(struct agents *a);
void agents_reserve(struct agents *a, int64_t capacity); // arrays grow, never shrink
// Appends an owned agent whose fields are 0 or none, and drops the ghosts. Returns its index.
int64_t agents_append(struct agents *a);
// The memory of the columns of SCOPE_STEP: AGENTS_SPARE bytes per agent, of which there are at
// least the owned ones rounded up to AGENT_PADDING; aligned to 64 bytes. For other use between the
// steps.
#define AGENTS_SPARE 24
void *agents_spare(const struct agents *a);

// Owned agents that go through several parts of a step together, in the cache: [first,
// agents_part_end).
#define AGENTS_PART 64

static inline int64_t agents_part_end(const struct agents *a, int64_t first)
{
  return first + AGENTS_PART < a->count ? first + AGENTS_PART : a->count;
}

static inline int64_t agents_part_count(const struct agents *a)
{
  return (a->count + AGENTS_PART - 1) / AGENTS_PART;
}

// The key of draws that members of a group share: the group or, without one, the agent.
INLINE int64_t agents_party(const struct agents *a, int64_t i)
{
  const int64_t group = agent_group(a, i);
  return group >= 0 ? group : a->id[i];
}

// A record is the fields of one agent up to a scope (SCOPE_GHOST: a ghost; SCOPE_STATE: a migrant),
// in the order of the table, without padding. Records are aligned to 4 bytes.
size_t agents_packed_size(enum agent_scope scope); // bytes
void agents_pack(const struct agents *a, int64_t i, enum agent_scope scope, char *out);
void agents_unpack(struct agents *a, int64_t i, enum agent_scope scope, const char *in);

// Removes the owned agents with gone[i] != 0 and drops the ghosts. The last agents fill the gaps:
// that widens a few leaves of the tree, where preserving the order would shift every leaf.
void agents_remove(struct agents *a, const uint8_t *gone);
// As agents_remove, but keeps a tree over the order in memory good (box_tree.h). Agents that come
// and go are in the border layer, from *border_layer on, which is sorted separately: a multiple of
// BOX_TREE_NODE, which may become less. A leaf before it with a gap gets the nearest agent of the
// border layer or, if that would widen it more, changes places with a whole leaf of the border
// layer. Only the last AGENTS_REFILL_POOL agents are considered, and only for the first
// AGENTS_REFILL_MAX gaps, which bounds the cost. gone[count] is overwritten.
#define AGENTS_REFILL_POOL 4096
#define AGENTS_REFILL_MAX  256
void agents_remove_ordered(struct agents *a, int64_t *border_layer, uint8_t *gone);

// Within [first, first + count), moves agent first + from[k] to first + k: its fields up to
// `scope`. from is a permutation of [0, count). scratch: [count] of 8 bytes.
void agents_reorder(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                    const int32_t *from, void *scratch);
// The same for at most AGENTS_RUN_MAX agents, in the cache. Threads may share the runs.
#define AGENTS_RUN_MAX 1024
void agents_reorder_run(struct agents *a, int64_t first, int64_t count, enum agent_scope scope,
                        const int32_t *from);

// Moves the owned agents with their next velocity for dt, rounded to the nearest quantum (ties to
// even: symmetric) and clamped to bounds. An agent slower than half a quantum per step stands
// still. Sets from_x, from_y. Drops the ghosts. Returns how many agents were clamped.
int64_t agents_move(struct agents *a, const struct frame *frame, struct box bounds, float dt);
// The same for [first, end), without dropping the ghosts. Threads may share the agents.
int64_t agents_move_part(struct agents *a, int64_t first, int64_t end, const struct frame *frame,
                         struct box bounds, float dt);

// The sum of agent_speed over the agents [first, end), um/s.
int64_t agents_speed_sum(const struct agents *a, int64_t first, int64_t end);

// Preferred velocities of zero.
void agents_clear_preferred(struct agents *a);

// Hash of the whole state (SCOPE_GHOST and SCOPE_STATE), summed over the owned agents: the sum over
// the ranks does not depend on the partition.
uint64_t agents_checksum(const struct agents *a);
// What an agent adds to that sum when it arrives and is removed.
uint64_t agents_departure_hash(int64_t id, int64_t step);

// Whether positions are inside bounds, velocities finite and ids unique. If not, writes what is
// wrong into message[size]. O(n log n).
bool agents_check(const struct agents *a, struct box bounds, char *message, size_t size);
