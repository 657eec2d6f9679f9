// The run watches itself: what must never happen, looked for at every step by other means than
// those that prevent it.
#pragma once
#include "agents.h"
#include "neighbours.h"
#include "world.h"

enum audit_kind {
  AUDIT_NOT_FINITE, // a velocity that is no number, or an impossible one; ends the run
  AUDIT_ESCAPE,     // a position outside the world; ends the run
  AUDIT_TOO_FAST,   // faster than one's max_speed, and than one was
  AUDIT_WALL,       // a move that touches a wall
  AUDIT_KINDS,
  AUDIT_OVERLAP = AUDIT_KINDS // counted by who avoids (backend.h): in a dense crowd no mistake
};
extern const char *const audit_names[AUDIT_KINDS];        // "non_finite", ...: keys of summary.json
extern const char *const audit_messages[AUDIT_KINDS + 1]; // "has a velocity that is no number", ...

#define AUDIT_WALL_STRIDE 32 // every so many steps one's move is tested, by (id + step)

struct violation { // the least by (step, kind, id)
  int64_t step;    // INT64_MAX: nobody
  int64_t kind, id;
  struct point at; // quanta
  int64_t other;   // whom an overlapping one overlaps: the least id
};

struct audit {
  int64_t count[AUDIT_KINDS]; // by this rank, of this step
  struct violation first;     // of this rank and run
  struct violation fatal;     // the first of those that end it
  struct violation overlap;   // the first who overlapped somebody
  float fastest;              // m/s: nobody on this rank moves faster in this step
};

void audit_create(struct audit *a);
// Before the move: velocities and places. Whoever's velocity is no number is stopped, so that the
// step, the last one, can be finished.
void audit_velocities(struct audit *audit, struct agents *a, struct box bounds, int64_t step);
// After the move, from (from_x, from_y): walls, exactly. Everybody's at every 32nd step.
void audit_moves(struct audit *audit, const struct agents *a, const struct obstacles *o,
                 int64_t step);
// Who of the owned agents overlapped first, if that is not known yet; call it where a step saw an
// overlap, before the move. quantum: m.
void audit_overlap(struct audit *audit, const struct agents *a, const struct neighbours *neighbours,
                   float quantum, int64_t step);
// What another found out: counts[AUDIT_KINDS] of the step, and for each the one with the least id.
void audit_merge(struct audit *audit, const int64_t *counts, const struct violation *first);
bool violation_before(const struct violation *a, const struct violation *b);
