// Self-check of a run: looks in every step for what must never happen, by code independent of the
// code that prevents it.
#pragma once
#include "agents.h"
#include "neighbours.h"
#include "world.h"

enum audit_kind {
  AUDIT_NOT_FINITE, // velocity not finite or above AGENT_SPEED_MAX; ends the run
  AUDIT_ESCAPE,     // position outside the world; ends the run
  AUDIT_TOO_FAST,   // faster than its max_speed and than in the last step
  AUDIT_WALL,       // the move touches a wall
  AUDIT_KINDS,
  AUDIT_OVERLAP = AUDIT_KINDS // counted by the backend (backend.h): no error in a dense crowd
};
extern const char *const audit_names[AUDIT_KINDS];        // "non_finite", ...: keys of summary.json
extern const char *const audit_messages[AUDIT_KINDS + 1]; // "is outside the world", ...

#define AUDIT_WALL_STRIDE 32 // an agent's move is tested for walls when (id + step) is a multiple

struct violation { // ordered by (step, kind, id)
  int64_t step;    // INT64_MAX: none
  int64_t kind, id;
  struct point at; // quanta
  int64_t other;   // AUDIT_OVERLAP: least id that it overlaps; else -1
};

struct audit {
  int64_t count[AUDIT_KINDS]; // on this rank, in this step
  struct violation first;     // on this rank, since the start
  struct violation fatal;     // the first that ends the run
  struct violation overlap;   // the first overlap
  float fastest;              // m/s: upper bound of the agents' next speeds on this rank
};

void audit_create(struct audit *a);
void audit_begin(struct audit *audit); // a step: the counts start at 0
// Before the move: checks next velocities and positions of the agents [first, end). Sets velocities
// that are not finite to 0, so that the step can be completed before the run ends. Returns the
// square of their greatest next speed. Threads may share the agents.
float audit_velocities(struct audit *audit, struct agents *a, int64_t first, int64_t end,
                       struct box bounds, int64_t step);
// fastest2: the greatest of what audit_velocities returned in this step.
void audit_set_fastest(struct audit *audit, float fastest2);
// Those of the agents [first, end), at most AGENTS_PART, whose moves are tested in this step: each
// every AUDIT_WALL_STRIDE steps.
struct tested_moves {
  int32_t count;
  int32_t agent[AGENTS_PART]; // less `first`
};
// Best before the move: prefetches what audit_moves will read of the ground.
void audit_find_moves(struct tested_moves *tested, const struct agents *a, int64_t first,
                      int64_t end, const struct obstacles *o, int64_t step);
// After the move from (from_x, from_y): checks walls, exactly. Threads may share the agents.
void audit_moves(struct audit *audit, const struct agents *a, int64_t first,
                 const struct tested_moves *tested, const struct obstacles *o, int64_t step);
// Records the first overlap of an owned agent unless an earlier step had one. Call it before the
// move, in a step in which the backend counted overlaps. quantum: m.
void audit_overlap(struct audit *audit, const struct agents *a, const struct neighbours *neighbours,
                   float quantum, int64_t step);
// Merges what the device found: counts[AUDIT_KINDS] of the step, first[AUDIT_KINDS] with the least
// id.
void audit_merge(struct audit *audit, const int64_t *counts, const struct violation *first);
bool violation_before(const struct violation *a, const struct violation *b);
