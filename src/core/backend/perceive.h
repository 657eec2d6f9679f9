// The perception of a block: LANES agents adjacent in memory, their nearest neighbours and walls.
// Counts overlaps on the way.
#pragma once
#include "backend.h"
#include "near_walls.h"
#include "nearest.h"
#include "perception.h"
#include "shoulders.h"
#include "tie_direction.h"

struct job { // shared by all blocks
  const struct next_velocity_input *in;
  struct agents *a;
  float quantum, quanta_per_speed; // m; quanta per step per m/s
  float range2;                    // quanta^2: the range of perception, maximum of all agents
  float radius_max;                // m, maximum of all agents on this rank
  float density_range;             // quanta: longest reach of a density window; 0: none
  bool headway;                    // some profile walks by headway
  float contact;                   // share of the sum of two radii that agents keep
};

struct block {
  int64_t first; // index of lane 0
  int self;      // lane 0's number among the leaf's candidates
  mask active;
  struct lane_point at;             // quanta
  vec2 from_origin;                 // relative to the candidates' origin, quanta
  real radius, yield;               // m, 1
  real range2;                      // quanta^2
  ivec room;                        // neighbours that an agent can perceive
  mask near_wall;                   // a step could touch a wall
  const struct nearby *wall_leaves; // near the node of the agents; NULL: not collected
};

// origin: of the candidates, quanta.
INLINE void block_load(struct block *b, struct perception *s, const struct job *job,
                       struct point origin, int64_t first)
{
  const struct agents *a = job->a;
  const int64_t left = a->count - first;
  const real range = lanes_load(a->neighbour_distance + first) * splat(1 / job->quantum);
  b->first = first;
  b->self = 0;
  b->wall_leaves = NULL;
  b->active = lanes_below(left);
  b->at = (struct lane_point){lanes_load_ivec(a->x + first), lanes_load_ivec(a->y + first)};
  b->from_origin =
      vec2_of(to_real(b->at.x - splat_ivec(origin.x)), to_real(b->at.y - splat_ivec(origin.y)));
  b->radius = lanes_load(a->radius + first);
  b->yield = lanes_load(a->yield + first);
  b->range2 = min_real(range * range, splat(job->range2));
  b->room = lanes_load_ivec(a->neighbours + first);
  s->active = b->active;
  s->velocity = vec2_of(lanes_load(a->vx + first), lanes_load(a->vy + first));
  s->preferred_velocity = vec2_of(lanes_load(a->prefer_x + first), lanes_load(a->prefer_y + first));
  s->radius = b->radius;
  s->max_speed = lanes_load(a->max_speed + first);
  s->horizon = lanes_load(a->horizon + first);
  s->horizon_walls = job->in->avoidance->horizon_walls;
  s->step = job->in->dt;
  s->admissible = admissible_of(s->max_speed, s->velocity, lanes_load(a->max_acceleration + first),
                                job->in->dt);
}

// ---------------------------------------------------------------------------- overlaps

// The overlaps of a block with one candidate per lane.
struct block_overlaps {
  mask over;
  real R, d2; // m, quanta^2
};

// Of lanes with the same depth, the least id counts.
HOST_DEVICE void note_deepest(struct next_velocity_counts *counts, const struct block *b,
                              const struct job *job, mask lanes, float depth)
{
  for (uint32_t bits = mask_bits(lanes); bits; bits &= bits - 1) {
    const int64_t i = b->first + lowest_bit(bits);
    const struct deepest_overlap one = {depth, job->a->id[i], {job->a->x[i], job->a->y[i]}};
    if (deepest_overlap_beats(&one, &counts->deepest))
      counts->deepest = one;
  }
}

INLINE void count_overlaps(struct next_velocity_counts *counts, const struct block *b,
                           const struct job *job, struct block_overlaps o)
{
  const real depth = o.R - square_root(o.d2) * splat(job->quantum);
  const float deepest = reduce_max(o.over, depth, counts->deepest.depth);
  counts->overlaps += bit_count(mask_bits(o.over));
  const mask at_deepest = o.over & equal(depth, splat(deepest));
  if (any(at_deepest))
    note_deepest(counts, b, job, at_deepest, deepest);
}

INLINE mask overlapping(real R, real d2, float quantum)
{
  const real touch = R * splat(1 / quantum);
  return less(d2, touch * touch);
}

// Counts all overlaps of the block's agents by the whole list of candidates.
HOST_DEVICE void count_all_overlaps(const struct block *b, const struct job *job,
                                    const struct candidates *c, struct next_velocity_counts *counts)
{
  mask contact = mask_none();
  for (int k = 0; k < c->count; k++) {
    const vec2 p = {splat(c->x[k]) - b->from_origin.x, splat(c->y[k]) - b->from_origin.y};
    const real d2 = length2(p), R = splat(job->contact) * (b->radius + splat(c->radius[k]));
    const mask self = ivec_equal(lane_indices() + splat_ivec(b->self), splat_ivec(k));
    const mask over = b->active & not(self) & overlapping(R, d2, job->quantum);
    const struct block_overlaps overlaps = {over, R, d2};
    if (any(over))
      count_overlaps(counts, b, job, overlaps);
    contact = contact | over;
  }
  counts->in_contact += bit_count(mask_bits(contact));
}

// ---------------------------------------------------------------------------- neighbours

// The tie direction by the ids of the two agents: opposite for the two, one of eight, so that many
// agents at one place scatter.
HOST_DEVICE vec2 tie_direction_by_id(const struct block *b, const struct job *job, ivec others,
                                     mask open)
{
  static const float way[8][2] = {{1, 0},        {0.6f, 0.8f}, {0, 1},         {-0.8f, 0.6f},
                                  {-0.6f, 0.8f}, {0.8f, 0.6f}, {0.28f, 0.96f}, {-0.96f, 0.28f}};
  float x[LANES] = {0}, y[LANES] = {0};
  int32_t other_agents[LANES];
  lanes_store_ivec(other_agents, others);
  for (uint32_t bits = mask_bits(open); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const int64_t own = job->a->id[b->first + l], other = job->a->id[other_agents[l]];
    const float side = own < other ? 1.0f : -1.0f;
    const uint64_t pair = (uint64_t)(own < other ? own : other) * 0x9e3779b97f4a7c15u ^
                          (uint64_t)(own < other ? other : own) * 0xc2b2ae3d27d4eb4fu;
    x[l] = side * way[pair >> 61][0];
    y[l] = side * way[pair >> 61][1];
  }
  return vec2_of(lanes_load(x), lanes_load(y));
}

// What the neighbours of a block are perceived from.
struct view {
  const struct perception *s;
  const struct block *b;
  const struct job *job;
  struct inv_horizons inv_horizons;
};

INLINE struct view view_of(const struct perception *s, const struct block *b, const struct job *job)
{
  return (struct view){s, b, job, {splat(1) / s->horizon, splat(1 / s->step)}};
}

// One other agent per lane.
struct others {
  mask found;  // false: none; the other members are then harmless numbers
  vec2 p, v;   // relative position, quanta; velocity, m/s
  real radius; // m
  real yield;  // unless all agents yield alike
};

// Sets the tie direction in lanes that need one. others: indices in struct agents.
HOST_DEVICE void perceive_tie_direction(struct neighbour *seen, const struct view *view,
                                        ivec others)
{
  const vec2 velocity = view->s->velocity;
  const mask open =
      seen->valid & (tie_direction_needed(seen->p, seen->R, velocity, seen->v, view->inv_horizons) |
                     equal(dot(seen->p, seen->p), splat(0)));
  if (any(open))
    seen->tie_direction = tie_direction_by_id(view->b, view->job, others, open);
}

// Fills the i-th neighbour of every lane but for tie directions, which lanes of *maybe_tied may
// need. Returns its squared distance, quanta^2.
INLINE real perceive_neighbour(struct neighbour *seen, const struct view *view,
                               const struct others *o, int i, mask *maybe_tied)
{
  const struct block *b = view->b;
  const struct job *job = view->job;
  const real d2 = length2(o->p), half = splat(0.5f);
  seen->valid = o->found & ivec_less(splat_ivec(i), b->room) & less(d2, b->range2);
  seen->p = times(splat(job->quantum), o->p);
  seen->v = o->v;
  seen->R = splat(job->contact) * (b->radius + o->radius);
  seen->share = half;
  if (!job->in->neighbours->uniform_yield) {
    const real sum = b->yield + o->yield;
    const mask some = less(splat(0), sum);
    seen->share = select_real(some, b->yield / select_real(some, sum, splat(1)), half);
  }
  seen->tie_direction = vec2_of(splat(0), splat(0));
  const vec2 w = minus(view->s->velocity, seen->v);
  *maybe_tied =
      seen->valid & (equal(d2, splat(0)) | equal(w.x, view->inv_horizons.far * seen->p.x) |
                     equal(w.x, view->inv_horizons.near * seen->p.x)); // rare
  return select_real(o->found, d2, splat(3e38f));
}

INLINE ivec candidates_agents(const struct candidates *c, mask found, ivec number)
{
  return gather_bits(c->agent, select_ivec(found, number, splat_ivec(0)));
}

INLINE struct others candidates_of_lanes(const struct candidates *c, const struct view *view,
                                         ivec number)
{
  const struct block *b = view->b;
  const mask found = b->active & not(ivec_less(number, splat_ivec(0)));
  const ivec at = select_ivec(found, number, splat_ivec(0));
  const bool uniform = view->job->in->neighbours->uniform_yield;
  const float *const columns[] = {c->x, c->y, c->vx, c->vy, c->radius};
  real of[5];
  look_up(of, columns, 5, c->count, at);
  return (struct others){.found = found,
                         .p = {of[0] - b->from_origin.x, of[1] - b->from_origin.y},
                         .v = {of[2], of[3]},
                         .radius = of[4],
                         .yield = uniform ? splat(1) : gather(c->yield, at)};
}

// May an agent overlap that is not among the nearest? All others are further than the last
// neighbour or, where the list has room left, further than its range.
HOST_DEVICE bool may_miss_overlaps(const struct block *b, const struct job *job,
                                   const struct candidates *c, const struct nearest *n, real last2)
{
  const mask room_left = ivec_less(n->number[n->room - 1], splat_ivec(0));
  const real range2 = splat(c->range2);
  const real beyond2 = select_real(room_left, range2, min_real(last2, range2));
  const real world_most = splat(job->contact) * (b->radius + splat(job->radius_max));
  if (!any(b->active & overlapping(world_most, beyond2, job->quantum)))
    return false;
  const real most = splat(job->contact) * (b->radius + splat(candidates_radius_max(c)));
  return any(b->active & overlapping(most, beyond2, job->quantum));
}

// Returns the least squared range that holds the neighbours of each lane, quanta^2: all of its
// range where the list has room left.
HOST_DEVICE float perceive_neighbours(struct perception *s, const struct block *b,
                                      const struct job *job, const struct candidates *c,
                                      const struct nearest *n, struct next_velocity_counts *counts)
{
  struct next_velocity_counts own = {.deepest = counts->deepest};
  const struct view view = view_of(s, b, job);
  mask full = mask_none(), contact = mask_none();
  real last = splat(0);
  s->agent_count = 0;
  for (int i = 0; i < n->room; i++) {
    const mask found = b->active & not(ivec_less(n->number[i], splat_ivec(0)));
    if (!any(found))
      break;
    struct neighbour *seen = &s->agents[s->agent_count++];
    const struct others others = candidates_of_lanes(c, &view, n->number[i]);
    mask maybe_tied;
    const real d2 = perceive_neighbour(seen, &view, &others, i, &maybe_tied);
    if (any(maybe_tied))
      perceive_tie_direction(seen, &view, candidates_agents(c, found, n->number[i]));
    const mask over = found & overlapping(seen->R, d2, job->quantum);
    const struct block_overlaps overlaps = {over, seen->R, d2};
    if (any(over))
      count_overlaps(&own, b, job, overlaps);
    contact = contact | over;
    last = select_real(found, d2, last);
    full = full | (seen->valid & ivec_equal(b->room, splat_ivec(i + 1)));
  }
  counts->full_neighbourhoods += bit_count(mask_bits(full));
  const mask room_left = ivec_less(n->number[n->room - 1], splat_ivec(0));
  const float range2 = reduce_max(b->active, select_real(room_left, b->range2, last), 0);
  if (c->overflow) // counted one by one already
    return range2;
  if (may_miss_overlaps(b, job, c, n, last))
    count_all_overlaps(b, job, c, counts);
  else {
    counts->overlaps += own.overlaps;
    counts->in_contact += bit_count(mask_bits(contact));
    counts->deepest = own.deepest;
  }
  return range2;
}

// ---------------------------------------------------------------------------- walls

// How far the agents from `first` on perceive walls, quanta.
INLINE real wall_reach(const struct job *job, int64_t first)
{
  const real horizon = splat(job->in->avoidance->horizon_walls);
  return (lanes_load(job->a->radius + first) + horizon * lanes_load(job->a->max_speed + first)) *
         splat(1 / job->quantum);
}

INLINE ivec block_profiles(const struct block *b, const struct job *job)
{
  return select_ivec(b->active, lanes_load_ivec(job->a->profile + b->first), splat_ivec(0));
}

// list: of the agents' leaf; NULL: searches. box: around the agents.
HOST_DEVICE void perceive_walls(struct perception *s, struct block *b, const struct job *job,
                                const struct wall_list *list, struct box box)
{
  const struct obstacles *o = &job->in->world->obstacles;
  s->wall_count = 0;
  b->near_wall = mask_none();
  if (o->count == 0)
    return;
  struct near_walls near;
  const real reach = wall_reach(job, b->first);
  if (list)
    near_walls_look_up(&near, o, b->at, b->active, list, reach);
  else
    near_walls_search(&near, o, b->at, b->active, box, reach);
  for (int i = 0; i < near.count; i++)
    s->walls[i] = near_walls_load(o, near.number[i], b->at, job->quantum);
  s->wall_count = near.count;
  // A wall that a step could touch, with a margin of 1 % for rounding.
  const real stride = s->max_speed * splat(job->quanta_per_speed * 1.01f) + splat(WALL_SLACK);
  b->near_wall = b->active & less_equal(near.closest2, stride * stride);
  if (job->headway)
    turn_shoulders(s, job->in->walking.headway, block_profiles(b, job));
}
