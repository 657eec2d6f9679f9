#include "audit_kernel.h"

#include "marks.h"
#include <assert.h>
#include <math.h>

const char *const audit_names[AUDIT_KINDS] = {"non_finite", "escapes", "too_fast",
                                              "wall_crossings"};
const char *const audit_messages[AUDIT_KINDS + 1] = {
    "has a velocity that is not finite", "is outside the world", "is faster than its max_speed",
    "has crossed a wall", "overlaps"};

void audit_create(struct audit *a)
{
  *a = (struct audit){
      .first = {.step = INT64_MAX}, .fatal = {.step = INT64_MAX}, .overlap = {.step = INT64_MAX}};
}

bool violation_before(const struct violation *a, const struct violation *b)
{
  if (a->step != b->step)
    return a->step < b->step;
  return a->kind != b->kind ? a->kind < b->kind : a->id < b->id;
}

static void record_violation(struct audit *audit, const struct agents *a, int64_t i, int64_t step,
                             enum audit_kind kind)
{
  const struct violation found = {step, kind, a->id[i], {a->x[i], a->y[i]}, -1};
  audit->count[kind]++;
  if (violation_before(&found, &audit->first))
    audit->first = found;
  if (kind <= AUDIT_ESCAPE && violation_before(&found, &audit->fatal))
    audit->fatal = found;
}

static void record_violations(struct audit *audit, struct agents *a, int64_t first, int64_t end,
                              struct box bounds, int64_t step)
{
  for (int64_t i = first; i < end; i++) {
    if (!agent_inside(a, i, bounds))
      record_violation(audit, a, i, step, AUDIT_ESCAPE);
    if (!velocity_finite(a, i)) {
      record_violation(audit, a, i, step, AUDIT_NOT_FINITE);
      a->next_vx[i] = a->next_vy[i] = 0;
    } else if (!velocity_within_limit(a, i)) {
      record_violation(audit, a, i, step, AUDIT_TOO_FAST);
    }
  }
}

// Whether any of the agents [first, end) has a violation of velocity or position. Vectorised: the
// same conditions as audit_kernel.h without branches. Raises *fastest2 to their greatest speed^2.
static bool has_violation(const struct agents *a, int64_t first, int64_t end, struct box b,
                          float *fastest2)
{
  const float impossible2 = AUDIT_ROUNDING * AGENT_SPEED_MAX * AGENT_SPEED_MAX;
  const int32_t *x = a->x, *y = a->y;
  const float *vx = a->vx, *vy = a->vy, *next_vx = a->next_vx, *next_vy = a->next_vy;
  const float *max_speed = a->max_speed;
  int bad = 0;
  float most2 = *fastest2;
#pragma omp simd reduction(| : bad) reduction(max : most2)
  for (int64_t i = first; i < end; i++) {
    const float v2 = next_vx[i] * next_vx[i] + next_vy[i] * next_vy[i];
    const float was2 = vx[i] * vx[i] + vy[i] * vy[i], own2 = max_speed[i] * max_speed[i];
    const int inside = (x[i] >= b.lo.x) & (x[i] < b.hi.x) & (y[i] >= b.lo.y) & (y[i] < b.hi.y);
    const int allowed =
        (v2 <= impossible2) & ((v2 <= AUDIT_ROUNDING * own2) | (v2 <= AUDIT_ROUNDING * was2));
    bad |= !(inside & allowed);
    most2 = v2 > most2 ? v2 : most2;
  }
  *fastest2 = most2;
  return bad;
}

void audit_begin(struct audit *audit)
{
  for (int k = 0; k < AUDIT_KINDS; k++)
    audit->count[k] = 0;
}

// The first of all violations is recorded whatever the order in which threads find them.
float audit_velocities(struct audit *audit, struct agents *a, int64_t first, int64_t end,
                       struct box bounds, int64_t step)
{
  float fastest2 = 0;
  if (has_violation(a, first, end, bounds, &fastest2)) {
#pragma omp critical(audit)
    record_violations(audit, a, first, end, bounds, step);
  }
  return fastest2;
}

void audit_set_fastest(struct audit *audit, float fastest2)
{
  audit->fastest = sqrtf(fminf(fastest2, 2 * AGENT_SPEED_MAX * AGENT_SPEED_MAX));
}

void audit_find_moves(struct tested_moves *tested, const struct agents *a, int64_t first,
                      int64_t end, const struct obstacles *o, int64_t step)
{
  assert(end - first <= AGENTS_PART);
  const int64_t count = o->count > 0 ? end - first : 0;
  uint8_t marked[AGENTS_PART];
#pragma omp simd
  for (int64_t k = 0; k < count; k++)
    marked[k] = move_is_tested(a, first + k, step);
  tested->count = 0;
  for (int64_t k = 0; (k = marks_next(marked, k, count)) < count; k++) {
    tested->agent[tested->count++] = (int32_t)k;
    ground_prefetch(o->raster, (struct point){a->x[first + k], a->y[first + k]});
  }
}

void audit_moves(struct audit *audit, const struct agents *a, int64_t first,
                 const struct tested_moves *tested, const struct obstacles *o, int64_t step)
{
  for (int32_t k = 0; k < tested->count; k++)
    if (move_crosses_wall(a, first + tested->agent[k], o)) {
#pragma omp critical(audit)
      record_violation(audit, a, first + tested->agent[k], step, AUDIT_WALL);
    }
}

void audit_merge(struct audit *audit, const int64_t *counts, const struct violation *first)
{
  for (int k = 0; k < AUDIT_KINDS; k++) {
    audit->count[k] = counts[k];
    if (counts[k] && violation_before(&first[k], &audit->first))
      audit->first = first[k];
    if (counts[k] && k <= AUDIT_ESCAPE && violation_before(&first[k], &audit->fatal))
      audit->fatal = first[k];
  }
}

// Looks for an overlap before `found`, by the agents' ids, among the agents [first, end).
static void first_overlap(struct violation *found, const struct agents *a,
                          const struct neighbours *neighbours, int64_t first, int64_t end,
                          float quantum, int64_t step)
{
  for (int64_t i = first; i < end; i++) {
    if (found->step == step && a->id[i] > found->id)
      continue;
    const struct overlaps o = neighbours_overlaps(neighbours, a, i, quantum);
    if (o.count > 0)
      *found = (struct violation){step, AUDIT_OVERLAP, a->id[i], {a->x[i], a->y[i]}, o.with};
  }
}

void audit_overlap(struct audit *audit, const struct agents *a, const struct neighbours *neighbours,
                   float quantum, int64_t step)
{
  if (audit->overlap.step < step)
    return;
#pragma omp parallel for schedule(dynamic, 16) if (a->count > PARALLEL_MIN_ITEMS)
  for (int64_t part = 0; part < agents_part_count(a); part++) {
    const int64_t first = part * AGENTS_PART;
    struct violation found; // so far, by any thread: most agents come after it
#pragma omp critical(first_overlap)
    found = audit->overlap;
    first_overlap(&found, a, neighbours, first, agents_part_end(a, first), quantum, step);
#pragma omp critical(first_overlap)
    if (violation_before(&found, &audit->overlap))
      audit->overlap = found;
  }
}
