// Fills a block's sight: LANES agents that stand side by side in memory, their nearest neighbours
// and walls. Counts who overlaps whom on the way.
#pragma once
#include "backend.h"
#include "near_walls.h"
#include "nearest.h"
#include "orca.h"

struct job { // what every block needs
  const struct choose_input *in;
  struct agents *a;
  float quantum, quanta_per_speed; // m; quanta a step per m/s
  float range2;                    // quanta^2: as far as anybody looks
  float radius_max;                // m, of everybody on this rank
  float pace_range;                // quanta: as far as the windows ahead reach; 0: nobody has one
};

struct block {
  int64_t first; // index of lane 0
  int self;      // its number among the leaf's candidates
  mask active;
  struct place at;    // quanta
  vec2 from_origin;   // the same from the candidates' origin, quanta
  real radius, yield; // m, 1
  real range2;        // quanta^2
  whole room;         // how many neighbours one sees
  mask near_wall;     // one step could touch a wall
};

// origin: of the candidates, quanta.
INLINE void block_load(struct block *b, struct sight *s, const struct job *job, struct point origin,
                       int64_t first)
{
  const struct agents *a = job->a;
  const int64_t left = a->count - first;
  const real range = lanes_load(a->neighbour_distance + first) * all_lanes(1 / job->quantum);
  b->first = first;
  b->self = 0;
  b->active = mask_from_bits(left < LANES ? (1u << left) - 1 : ALL_LANES_BITS);
  b->at = (struct place){lanes_load_whole(a->x + first), lanes_load_whole(a->y + first)};
  b->from_origin = vec2_of(to_real(b->at.x - all_lanes_whole(origin.x)),
                           to_real(b->at.y - all_lanes_whole(origin.y)));
  b->radius = lanes_load(a->radius + first);
  b->yield = lanes_load(a->yield + first);
  b->range2 = smaller(range * range, all_lanes(job->range2));
  b->room = lanes_load_whole(a->neighbours + first);
  s->active = b->active;
  s->velocity = vec2_of(lanes_load(a->vx + first), lanes_load(a->vy + first));
  s->wish = vec2_of(lanes_load(a->prefer_x + first), lanes_load(a->prefer_y + first));
  s->radius = b->radius;
  s->max_speed = lanes_load(a->max_speed + first);
  s->horizon = lanes_load(a->horizon + first);
  s->horizon_walls = job->in->avoidance->horizon_walls;
  s->step = job->in->dt;
  s->admissible = admissible_of(s->max_speed, s->velocity, lanes_load(a->max_acceleration + first),
                                job->in->dt);
}

// ---------------------------------------------------------------------------- overlaps

INLINE void count_overlaps(struct choose_counts *counts, mask over, real R, real d2, float quantum)
{
  const real depth = R - square_root(d2) * all_lanes(quantum);
  counts->overlaps_seen += bits_count(mask_bits(over));
  counts->deepest_overlap = largest_lane(over, depth, counts->deepest_overlap);
}

INLINE mask overlapping(real R, real d2, float quantum)
{
  const real touch = R * all_lanes(1 / quantum);
  return less(d2, touch * touch);
}

// Everybody who overlaps somebody in the block, by the whole list.
ONE_TEXT void count_all_overlaps(const struct block *b, const struct job *job,
                                 const struct candidates *c, struct choose_counts *counts)
{
  for (int k = 0; k < c->count; k++) {
    const vec2 p = {all_lanes(c->x[k]) - b->from_origin.x, all_lanes(c->y[k]) - b->from_origin.y};
    const real d2 = length2(p), R = b->radius + all_lanes(c->radius[k]);
    const mask self = whole_equal(lane_numbers() + all_lanes_whole(b->self), all_lanes_whole(k));
    const mask over = b->active & not(self) & overlapping(R, d2, job->quantum);
    if (any(over))
      count_overlaps(counts, over, R, d2, job->quantum);
  }
}

// ---------------------------------------------------------------------------- neighbours

// Which way two agents part that neither place nor velocity tells apart: by their ids, opposite
// for the two, one of eight ways, so that many in one place scatter.
ONE_TEXT vec2 parting(const struct block *b, const struct job *job, const struct candidates *c,
                      whole number, mask open)
{
  static const float way[8][2] = {{1, 0},        {0.6f, 0.8f}, {0, 1},         {-0.8f, 0.6f},
                                  {-0.6f, 0.8f}, {0.8f, 0.6f}, {0.28f, 0.96f}, {-0.96f, 0.28f}};
  float x[LANES] = {0}, y[LANES] = {0};
  int32_t numbers[LANES];
  lanes_store_whole(numbers, number);
  for (uint32_t bits = mask_bits(open); bits; bits &= bits - 1) {
    const int l = bits_first(bits);
    const int64_t own = job->a->id[b->first + l], other = job->a->id[c->agent[numbers[l]]];
    const float side = own < other ? 1.0f : -1.0f;
    const uint64_t pair = (uint64_t)(own < other ? own : other) * 0x9e3779b97f4a7c15u ^
                          (uint64_t)(own < other ? other : own) * 0xc2b2ae3d27d4eb4fu;
    x[l] = side * way[pair >> 61][0];
    y[l] = side * way[pair >> 61][1];
  }
  return vec2_of(lanes_load(x), lanes_load(y));
}

// Where place and velocity leave all open, the lanes learn which way to part.
ONE_TEXT void see_open(struct seen_agent *seen, const struct sight *s, const struct block *b,
                       const struct job *job, const struct candidates *c, whole number,
                       struct orca_horizon time)
{
  const mask open = seen->there & (orca_agent_open(seen->p, seen->R, s->velocity, seen->v, time) |
                                   equal(dot(seen->p, seen->p), all_lanes(0)));
  if (any(open))
    seen->asunder = parting(b, job, c, number, open);
}

// The i-th neighbour of every lane; its squared distance, quanta^2.
INLINE real see_neighbour(struct seen_agent *seen, const struct sight *s, const struct block *b,
                          const struct job *job, const struct candidates *c, whole number, int i,
                          struct orca_horizon time)
{
  const mask found = b->active & not(whole_less(number, all_lanes_whole(0)));
  const whole at = pick_whole(found, number, all_lanes_whole(0));
  const vec2 p = {gather(c->x, at) - b->from_origin.x, gather(c->y, at) - b->from_origin.y};
  const real d2 = length2(p), half = all_lanes(0.5f);
  seen->there = found & whole_less(all_lanes_whole(i), b->room) & less(d2, b->range2);
  seen->p = times(all_lanes(job->quantum), p);
  seen->v = vec2_of(gather(c->vx, at), gather(c->vy, at));
  seen->R = b->radius + gather(c->radius, at);
  seen->share = half;
  if (!job->in->crowd->alike) {
    const real sum = b->yield + gather(c->yield, at);
    const mask some = less(all_lanes(0), sum);
    seen->share = pick(some, b->yield / pick(some, sum, all_lanes(1)), half);
  }
  seen->asunder = vec2_of(all_lanes(0), all_lanes(0));
  const vec2 w = minus(s->velocity, seen->v);
  const mask maybe = equal(d2, all_lanes(0)) | equal(w.x, time.far * seen->p.x) |
                     equal(w.x, time.near * seen->p.x); // hardly ever
  if (any(maybe))
    see_open(seen, s, b, job, c, number, time);
  return pick(found, d2, all_lanes(3e38f));
}

// Could somebody overlap who is none of the nearest? They are all farther than the last of them,
// or, where there is room left, than the list reaches.
ONE_TEXT bool crowded(const struct block *b, const struct job *job, const struct candidates *c,
                      const struct nearest *n, real last2)
{
  const mask room_left = whole_less(n->number[n->room - 1], all_lanes_whole(0));
  const real range2 = all_lanes(c->range2);
  const real beyond2 = pick(room_left, range2, smaller(last2, range2));
  const real world_most = b->radius + all_lanes(job->radius_max);
  if (!any(b->active & overlapping(world_most, beyond2, job->quantum)))
    return false;
  const real most = b->radius + all_lanes(candidates_radius_max(c));
  return any(b->active & overlapping(most, beyond2, job->quantum));
}

// Returns the squared distance of the farthest neighbour found, quanta^2, 0 without any.
ONE_TEXT float see_neighbours(struct sight *s, const struct block *b, const struct job *job,
                              const struct candidates *c, const struct nearest *n,
                              struct choose_counts *counts)
{
  struct choose_counts own = {.deepest_overlap = counts->deepest_overlap};
  const struct orca_horizon time = {all_lanes(1) / s->horizon, all_lanes(1 / s->step)};
  mask full = none_of_lanes();
  real last = all_lanes(0);
  s->agent_count = 0;
  for (int i = 0; i < n->room; i++) {
    const mask found = b->active & not(whole_less(n->number[i], all_lanes_whole(0)));
    if (!any(found))
      break;
    struct seen_agent *seen = &s->agents[s->agent_count++];
    const real d2 = see_neighbour(seen, s, b, job, c, n->number[i], i, time);
    const mask over = found & overlapping(seen->R, d2, job->quantum);
    if (any(over))
      count_overlaps(&own, over, seen->R, d2, job->quantum);
    last = pick(found, d2, last);
    full = full | (seen->there & whole_equal(b->room, all_lanes_whole(i + 1)));
  }
  counts->full_neighbourhoods += bits_count(mask_bits(full));
  if (c->too_many) // they were counted one by one
    return largest_lane(b->active, last, 0);
  if (crowded(b, job, c, n, last)) // somebody overlaps who is none of the nearest, perhaps
    count_all_overlaps(b, job, c, counts);
  else {
    counts->overlaps_seen += own.overlaps_seen;
    counts->deepest_overlap = own.deepest_overlap;
  }
  return largest_lane(b->active, last, 0);
}

// ---------------------------------------------------------------------------- walls

// box: round the agents.
ONE_TEXT void see_walls(struct sight *s, struct block *b, const struct job *job, struct box box)
{
  const struct obstacles *o = &job->in->world->obstacles;
  s->wall_count = 0;
  b->near_wall = none_of_lanes();
  if (o->count == 0)
    return;
  struct near_walls near;
  const real reach =
      (b->radius + all_lanes(s->horizon_walls) * s->max_speed) * all_lanes(1 / job->quantum);
  near_walls_search(&near, o, b->at, b->active, box, reach, largest_lane(b->active, reach, 0));
  for (int i = 0; i < WALLS_MAX; i++) {
    if (!any(b->active & not(whole_less(near.number[i], all_lanes_whole(0)))))
      break;
    s->walls[s->wall_count++] = near_walls_load(o, near.number[i], b->at, job->quantum);
  }
  // A wall that one step could touch, with a hundredth to spare for rounding.
  const real stride =
      s->max_speed * all_lanes(job->quanta_per_speed * 1.01f) + all_lanes(WALL_SLACK);
  b->near_wall = b->active & less_equal(near.closest2, stride * stride);
}
