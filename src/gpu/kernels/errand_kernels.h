// What happens to the people who live on a device besides the choice: errands for one step.
#pragma once
#include "agent_one.h"
#include "audit_one.h"
#include "crossing.h"
#include "kernels.h"
#include "line_segment.h"
#include "patience_one.h"
#include "residence.h"
#include "wish.h"
#include "zone_speed.h"

struct move_tally {
  int64_t kept;
  int64_t wrong[AUDIT_KINDS];
  uint64_t first[AUDIT_KINDS];  // least ids; UINT64_MAX: nobody
  struct point at[AUDIT_KINDS]; // where those stand: find_offenders
  struct box round;             // round everybody, hi inside; lo negated, so that both grow
};

struct errand {
  struct agents home;
  int64_t own;
  const struct world *world;
  float dt, quanta_per_speed; // s; quanta a step per m/s
  uint64_t seed;
  int64_t step;
  int32_t patience;
  int32_t views;                       // other ranks that see some of them
  struct box inner;                    // nobody in here
  const struct box *wide;              // [views] whom each sees
  int32_t *shown;                      // [views] how many; then where the next record goes
  char *records;                       // 4-byte aligned
  struct residence_rule rule;          // who is listed
  int32_t *list, *listed;              // numbers of home; how many
  const struct line_segment *segments; // [segment_count]
  int64_t segment_count;
  int64_t *crossed; // [2 * lines] forward, backward
  int64_t *targets; // how many are on the way to each
  struct residence_sums *sums;
  struct move_tally *tally;
};

INLINE size_t record_bytes(enum agent_reach reach) // as agents_packed_size
{
  size_t bytes = 0;
#define X(type, name, unit, field_reach) bytes += field_reach <= reach ? sizeof(type) : 0;
  AGENT_FIELDS(X)
#undef X
  return bytes;
}

INLINE char *record_at(const struct errand *s, enum agent_reach reach, int64_t k)
{
  return s->records + (size_t)k * record_bytes(reach);
}

INLINE struct agents *people_of(const struct errand *s)
{
  return (struct agents *)(uintptr_t)&s->home;
}

// ------------------------------------------------------------------------------------ ghosts

KERNEL_OF(struct errand, count_shown)
{
  const struct point p = point_of(&s->home, i);
  for (int32_t k = 0; k < s->views && !box_holds(s->inner, p); k++)
    if (box_holds(s->wide[k], p))
      atomic_next(&s->shown[k]);
}

KERNEL_OF(struct errand, pack_shown)
{
  const struct point p = point_of(&s->home, i);
  for (int32_t k = 0; k < s->views && !box_holds(s->inner, p); k++)
    if (box_holds(s->wide[k], p))
      agent_pack(&s->home, i, SEEN, record_at(s, SEEN, atomic_next(&s->shown[k])));
}

KERNEL_OF(struct errand, unpack_ghosts)
{
  agent_unpack(people_of(s), s->own + i, SEEN, record_at(s, SEEN, i));
}

// ------------------------------------------------------------------------------------ the wish

ON_DEVICE void wish_one(const struct errand *s, bool by_roadmap, int64_t i)
{
  struct agents *a = people_of(s);
  wish_with(s->world, by_roadmap, s->dt, s->step, a, i);
  zone_apply_one(&s->world->zones, a, i);
  patience_one(a, s->seed, s->step, s->patience, i);
}

KERNEL_OF(struct errand, wish_along_fields)
{
  wish_one(s, false, i);
}

KERNEL_OF(struct errand, wish_by_roadmap)
{
  wish_one(s, true, i);
}

// ------------------------------------------------------------------------------------ the order

struct shuffle { // a column in a new order
  const void *column;
  void *to;
  const int32_t *from;
};

KERNEL_OF(struct shuffle, shuffle_words)
{
  ((uint32_t *)s->to)[i] = ((const uint32_t *)s->column)[s->from[i]];
}

KERNEL_OF(struct shuffle, shuffle_pairs)
{
  ((uint64_t *)s->to)[i] = ((const uint64_t *)s->column)[s->from[i]];
}

KERNEL_OF(struct shuffle, shuffle_none)
{
  ((int32_t *)s->to)[i] = (int32_t)i;
}

// ------------------------------------------------------------------------------------ newcomers

struct touching {
  const struct scene *scene; // in order
  const struct disc *places;
  float per_speed; // quanta a step per m/s
  int64_t *touched;
};

KERNEL_OF(struct touching, touch_all)
{
  const struct scene *c = s->scene;
  const struct grid *g = &c->grids[0];
  const struct disc q = s->places[i];
  const int64_t far = (int64_t)q.reach + 2;
  const int32_t west = grid_column(g, q.at.x - far), east = grid_column(g, q.at.x + far);
  bool touched = false;
  for (int32_t row = grid_row(g, q.at.y - far); row <= grid_row(g, q.at.y + far); row++)
    for (int64_t k = grid_first(g, row, west); k < grid_first(g, row, east + 1); k++) {
      const float room =
          q.radius + c->a.radius[k] * (1 / c->quantum) + c->a.max_speed[k] * s->per_speed;
      touched = touched || distance2(q.at, c->a.x[k], c->a.y[k]) < room * room;
    }
  s->touched[i] = touched;
}

// ------------------------------------------------------------------------------------ the move

ON_DEVICE void note_wrong(const struct errand *s, enum audit_kind kind, int64_t i)
{
  atomic_count(&s->tally->wrong[kind], 1);
  atomic_least(&s->tally->first[kind], (uint64_t)s->home.id[i]);
}

ON_DEVICE void judge(const struct errand *s, struct agents *a, int64_t i)
{
  if (!agent_inside(a, i, s->world->bounds))
    note_wrong(s, AUDIT_ESCAPE, i);
  if (!choice_finite(a, i)) {
    note_wrong(s, AUDIT_NOT_FINITE, i);
    a->next_vx[i] = a->next_vy[i] = 0;
  } else if (!choice_slow(a, i)) {
    note_wrong(s, AUDIT_TOO_FAST, i);
  }
}

ON_DEVICE void count_crossings(const struct errand *s, int64_t i)
{
  const struct point from = {s->home.from_x[i], s->home.from_y[i]}, to = point_of(&s->home, i);
  const struct box way = piece_box(from, to);
  for (int64_t k = 0; k < s->segment_count; k++) {
    const struct line_segment *one = &s->segments[k];
    if (!boxes_meet(way, one->box))
      continue;
    const int side = measure_crossing(one->a, one->b, from, to);
    if (side)
      atomic_count(&s->crossed[2 * one->line + (side < 0)], 1);
  }
}

KERNEL_OF(struct errand, move_all)
{
  struct agents *a = people_of(s);
  judge(s, a, i);
  atomic_sum(&s->tally->kept, agent_move(a, i, s->world->bounds, s->quanta_per_speed));
  if (s->world->obstacles.count && move_crosses(a, i, &s->world->obstacles, s->step))
    note_wrong(s, AUDIT_WALL, i);
  count_crossings(s, i);
  atomic_greatest(&s->tally->round.lo.x, -a->x[i]);
  atomic_greatest(&s->tally->round.lo.y, -a->y[i]);
  atomic_greatest(&s->tally->round.hi.x, a->x[i]);
  atomic_greatest(&s->tally->round.hi.y, a->y[i]);
}

// Where the first offenders stand: after the move of whoever went through a wall, else before it.
KERNEL_OF(struct errand, find_offenders)
{
  const struct agents *a = &s->home;
  const struct point from = {a->from_x[i], a->from_y[i]};
  for (int kind = 0; kind < AUDIT_KINDS; kind++)
    if (s->tally->first[kind] == (uint64_t)a->id[i])
      s->tally->at[kind] = kind == AUDIT_WALL ? point_of(a, i) : from;
}

KERNEL_OF(struct errand, sum_up)
{
  atomic_sum(&s->sums->speed, (int32_t)agent_speed(&s->home, i));
  atomic_sum(&s->sums->in_walls, solid_at(&s->world->obstacles, point_of(&s->home, i)));
}

KERNEL_OF(struct errand, count_targets)
{
  if (s->home.target[i] >= 0)
    atomic_tally(&s->targets[s->home.target[i]]);
}

// ------------------------------------------------------------------------------------ the few

ON_DEVICE bool concerns(const struct errand *s, int64_t i)
{
  const bool arrived = has_arrived(s->world, s->rule.goal_radius, &s->home, i);
  return is_concerned(&s->rule.concern, &s->home, i, arrived);
}

KERNEL_OF(struct errand, list_people)
{
  const struct residence_rule *r = &s->rule;
  const bool listed = r->who == RESIDENCE_OUTSIDE ? !box_holds(r->box, point_of(&s->home, i))
                      : r->who == RESIDENCE_HELD  ? s->home.held[i] == r->steps
                                                  : concerns(s, i);
  if (listed)
    s->list[atomic_next(s->listed)] = (int32_t)i;
}

KERNEL_OF(struct errand, pack_listed)
{
  agent_pack(&s->home, s->list[i], KEPT, record_at(s, KEPT, i));
}

KERNEL_OF(struct errand, unpack_listed)
{
  agent_unpack(people_of(s), s->list[i], KEPT, record_at(s, KEPT, i));
}

KERNEL_OF(struct errand, unpack_coming)
{
  agent_unpack(people_of(s), s->own + i, KEPT, record_at(s, KEPT, i));
}

// list: pairs of a gap and who fills it.
KERNEL_OF(struct errand, fill_gaps)
{
  agent_copy(people_of(s), s->list[2 * i], s->list[2 * i + 1]);
}
