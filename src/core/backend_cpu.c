// The backend of a CPU: blocks of LANES agents that stand together, OpenMP over the blocks.
// Compiled once for each width; LANES 1 is the scalar reference.
#include "backend.h"

#include "nearest.h"
#include "orca.h"

#define HALF_PLANES_MAX (WALLS_MAX + NEIGHBOURS_MAX)

struct block {
  int32_t slots[LANES], agents[LANES]; // of idle lanes: those of lane 0
  struct point middle;                 // of lane 0, to choose the order of a walk
  mask active;
  whole slot;
  struct place at;        // quanta
  vec2 velocity, wish;    // m/s
  real radius, max_speed; // m, m/s
};

struct job { // what every block needs
  const struct choose_input *in;
  struct agents *a;
  float quantum, quanta_per_speed;
  float range2; // quanta^2
};

static void block_load(struct block *b, const struct job *job, int64_t first)
{
  const struct neighbours *crowd = job->in->crowd;
  const struct agents *a = job->a;
  const int64_t left = crowd->own_count - first;
  int32_t x[LANES], y[LANES];
  float vx[LANES], vy[LANES], wx[LANES], wy[LANES], radius[LANES], max_speed[LANES];
  for (int l = 0; l < LANES; l++) {
    const int32_t slot = b->slots[l] = crowd->own[l < left ? first + l : first];
    const struct neighbour *who = &crowd->sorted[slot];
    const int32_t i = b->agents[l] = who->agent;
    x[l] = who->x;
    y[l] = who->y;
    vx[l] = who->vx;
    vy[l] = who->vy;
    radius[l] = who->radius;
    wx[l] = a->prefer_x[i];
    wy[l] = a->prefer_y[i];
    max_speed[l] = a->max_speed[i];
  }
  b->middle = (struct point){x[0], y[0]};
  b->active = mask_from_bits(left < LANES ? (1u << left) - 1 : ALL_LANES_BITS);
  b->slot = lanes_load_whole(b->slots);
  b->at = (struct place){lanes_load_whole(x), lanes_load_whole(y)};
  b->velocity = vec2_of(lanes_load(vx), lanes_load(vy));
  b->wish = vec2_of(lanes_load(wx), lanes_load(wy));
  b->radius = lanes_load(radius);
  b->max_speed = lanes_load(max_speed);
}

static void count_overlaps(const struct block *b, const struct job *job, mask over, real d2,
                           float other_radius, struct choose_counts *counts)
{
  float radius[LANES], distance2[LANES];
  lanes_store(radius, b->radius);
  lanes_store(distance2, d2);
  for (uint32_t bits = mask_bits(over); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    const float depth = radius[l] + other_radius - sqrtf(distance2[l]) * job->quantum;
    counts->overlaps_seen++;
    if (depth > counts->deepest_overlap)
      counts->deepest_overlap = depth;
  }
}

INLINE void set_lane(struct nearest *n, int i, int l, float d2, int32_t slot)
{
  float d2s[LANES];
  int32_t slots[LANES];
  lanes_store(d2s, n->d2[i]);
  lanes_store_whole(slots, n->slot[i]);
  d2s[l] = d2;
  slots[l] = slot;
  n->d2[i] = lanes_load(d2s);
  n->slot[i] = lanes_load_whole(slots);
}

// Where two neighbours of a lane are equally far, the earlier comer stands in front: not a total
// order. Those lanes are asked again one by one.
static void settle_ties(struct nearest *n, const struct block *b, const struct job *job, mask tied)
{
  float d2[NEIGHBOURS_MAX];
  int32_t slots[NEIGHBOURS_MAX];
  for (uint32_t bits = mask_bits(tied); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    const struct neighbour *self = &job->in->crowd->sorted[b->slots[l]];
    neighbours_of_one(job->in->crowd, (struct point){self->x, self->y}, b->slots[l], n->room,
                      job->range2, d2, slots);
    for (int i = 0; i < n->room; i++)
      set_lane(n, i, l, d2[i], slots[i]);
  }
}

// Is there a pair of equals in the list? (Sorted: equals stand side by side.)
static mask ties_in(const struct nearest *n, real range2)
{
  mask tied = none_of_lanes();
  for (int i = 1; i < n->room; i++)
    tied = tied | (equal(n->d2[i - 1], n->d2[i]) & less(n->d2[i], range2));
  return tied;
}

// The k nearest agents; on the way, everybody who overlaps is counted, whatever k is.
static void find_neighbours(struct nearest *n, const struct block *b, const struct job *job,
                            struct choose_counts *counts)
{
  const struct neighbours *crowd = job->in->crowd;
  const real range2 = all_lanes(job->range2), per_quantum = all_lanes(1 / job->quantum);
  const real touch = (b->radius + all_lanes(crowd->radius_max)) * per_quantum;
  const real touch2 = touch * touch;
  mask tied = none_of_lanes();
  struct tree_walk walk;
  struct tree_node leaf;
  nearest_begin(n, job->in->avoidance->neighbours, range2);
  real *last = &n->d2[n->room - 1];
  walk_begin(&walk, &crowd->tree);
  while (walk_next(&walk, b->at, b->middle, larger(*last, touch2), b->active, &leaf))
    for (int64_t s = tree_leaf_first(leaf); s < tree_leaf_end(&crowd->tree, leaf); s++) {
      const struct neighbour *who = &crowd->sorted[s];
      const real d2 = distance2(b->at, who->x, who->y);
      const whole slot = all_lanes_whole((int32_t)s);
      const mask other = b->active & (whole_less(slot, b->slot) | whole_less(b->slot, slot));
      if (any(other & less(d2, touch2))) {
        const real R = (b->radius + all_lanes(who->radius)) * per_quantum;
        count_overlaps(b, job, other & less(d2, R * R), d2, who->radius, counts);
      }
      if (!any(other & less_equal(d2, *last)))
        continue;
      const real off = nearest_insert(n, pick(other, d2, all_lanes(3e38f)), slot, false);
      tied = tied | (equal(off, *last) & less(off, range2)); // an equal of the last was left out
    }
  tied = b->active & (ties_in(n, range2) | tied);
  if (any(tied))
    settle_ties(n, b, job, tied);
}

// Squared distance from the lanes' agents to a wall, never less than the bound of the wall's box,
// so that pruning by boxes is exact although the foot of an agent on a long wall is rounded.
static real wall_distance2(const struct block *b, const struct wall *w)
{
  const real zero = all_lanes(0), one = all_lanes(1);
  const vec2 from_a = vec2_of(to_real(b->at.x - all_lanes_whole(w->a.x)),
                              to_real(b->at.y - all_lanes_whole(w->a.y)));
  const vec2 from_b = vec2_of(to_real(b->at.x - all_lanes_whole(w->b.x)),
                              to_real(b->at.y - all_lanes_whole(w->b.y)));
  const vec2 line =
      vec2_of(all_lanes((float)(w->b.x - w->a.x)), all_lanes((float)(w->b.y - w->a.y)));
  const real t = dot(from_a, line) / dot(line, line);
  const vec2 off = minus(from_a, times(t, line));
  const vec2 nearest = pick2(less(zero, t), pick2(less(t, one), off, from_b), from_a);
  const struct box box = {{w->a.x < w->b.x ? w->a.x : w->b.x, w->a.y < w->b.y ? w->a.y : w->b.y},
                          {w->a.x < w->b.x ? w->b.x : w->a.x, w->a.y < w->b.y ? w->b.y : w->a.y}};
  return larger(dot(nearest, nearest), box_bound(b->at, box));
}

// On the wall's free side, or, as far as rounding can tell, on its line: the end of a thin wall
// must not be invisible to who walks straight at it.
static mask in_front(const struct block *b, const struct wall *w)
{
  const vec2 from_a = vec2_of(to_real(b->at.x - all_lanes_whole(w->a.x)),
                              to_real(b->at.y - all_lanes_whole(w->a.y)));
  const vec2 line =
      vec2_of(all_lanes((float)(w->b.x - w->a.x)), all_lanes((float)(w->b.y - w->a.y)));
  const real one = line.x * from_a.y, other = line.y * from_a.x;
  return less_equal(one - other, all_lanes(0x1p-22f) * (magnitude(one) + magnitude(other)));
}

// The nearest walls whose free side the agent is on, as far as it could get within the horizon.
// Returns the squared distance of the nearest wall on either side, unless it is out of reach.
static real find_walls(struct nearest *n, const struct block *b, const struct job *job)
{
  const struct obstacles *o = &job->in->world->obstacles;
  const real reach = (b->radius + all_lanes(job->in->avoidance->horizon_walls) * b->max_speed) *
                     all_lanes(1 / job->quantum);
  struct tree_walk walk;
  struct tree_node leaf;
  real closest = reach * reach;
  nearest_begin(n, WALLS_MAX, closest);
  walk_begin(&walk, &o->tree);
  while (walk_next(&walk, b->at, b->middle, n->d2[WALLS_MAX - 1], b->active, &leaf))
    for (int64_t k = tree_leaf_first(leaf); k < tree_leaf_end(&o->tree, leaf); k++) {
      const int32_t id = o->tree.keys[k].item;
      const struct wall *w = &o->walls[id];
      const real d2 = wall_distance2(b, w);
      closest = smaller(closest, d2);
      const mask seen = b->active & in_front(b, w) & less(d2, reach * reach);
      if (any(seen & less_equal(d2, n->d2[WALLS_MAX - 1])))
        nearest_insert(n, pick(seen, d2, all_lanes(3e38f)), all_lanes_whole(id), true);
    }
  return closest;
}

static struct orca_wall load_wall(const struct block *b, const struct job *job, whole slot)
{
  const struct obstacles *o = &job->in->world->obstacles;
  int32_t ids[LANES], ax[LANES], ay[LANES], bx[LANES], by[LANES];
  float ux[LANES], uy[LANES], px[LANES], py[LANES], nx[LANES], ny[LANES];
  uint32_t convex_a = 0, convex_b = 0;
  lanes_store_whole(ids, slot);
  for (int l = 0; l < LANES; l++) {
    const struct wall *w = &o->walls[ids[l] < 0 ? 0 : ids[l]];
    ax[l] = w->a.x, ay[l] = w->a.y, bx[l] = w->b.x, by[l] = w->b.y;
    ux[l] = w->ux, uy[l] = w->uy;
    px[l] = w->before_x, py[l] = w->before_y;
    nx[l] = w->after_x, ny[l] = w->after_y;
    convex_a |= (uint32_t)w->convex_a << l;
    convex_b |= (uint32_t)w->convex_b << l;
  }
  const real quantum = all_lanes(job->quantum);
  const whole x = b->at.x, y = b->at.y;
  return (struct orca_wall){
      times(quantum, vec2_of(to_real(lanes_load_whole(ax) - x), to_real(lanes_load_whole(ay) - y))),
      times(quantum, vec2_of(to_real(lanes_load_whole(bx) - x), to_real(lanes_load_whole(by) - y))),
      vec2_of(lanes_load(ux), lanes_load(uy)),
      vec2_of(lanes_load(px), lanes_load(py)),
      vec2_of(lanes_load(nx), lanes_load(ny)),
      mask_from_bits(convex_a),
      mask_from_bits(convex_b)};
}

static int wall_half_planes(struct half_plane *h, const struct nearest *walls,
                            const struct block *b, const struct job *job)
{
  const real hurry = all_lanes(1 / job->in->avoidance->horizon_walls);
  int count = 0;
  for (int i = 0; i < WALLS_MAX; i++) {
    const mask there = b->active & not(whole_less(walls->slot[i], all_lanes_whole(0)));
    if (!any(there))
      break;
    const struct orca_wall w = load_wall(b, job, walls->slot[i]);
    const mask covered = orca_wall_covered(&w, b->radius, hurry, h, count);
    h[count++] = half_plane_if(there & not(covered), orca_wall(&w, b->radius, b->velocity, hurry),
                               half_plane_always());
  }
  return count;
}

// Which way two agents part that neither place nor velocity tells apart: by their ids, opposite
// for the two, one of eight ways, so that many in one place scatter.
static vec2 parting(const struct block *b, const struct job *job, const int32_t *slots, mask open)
{
  static const float way[8][2] = {{1, 0},        {0.6f, 0.8f}, {0, 1},         {-0.8f, 0.6f},
                                  {-0.6f, 0.8f}, {0.8f, 0.6f}, {0.28f, 0.96f}, {-0.96f, 0.28f}};
  float x[LANES] = {0}, y[LANES] = {0};
  for (uint32_t bits = mask_bits(open); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    const int64_t own = job->in->crowd->sorted[b->slots[l]].id;
    const int64_t other = job->in->crowd->sorted[slots[l]].id;
    const float side = own < other ? 1.0f : -1.0f;
    const uint64_t pair = (uint64_t)(own < other ? own : other) * 0x9e3779b97f4a7c15u ^
                          (uint64_t)(own < other ? other : own) * 0xc2b2ae3d27d4eb4fu;
    x[l] = side * way[pair >> 61][0];
    y[l] = side * way[pair >> 61][1];
  }
  return vec2_of(lanes_load(x), lanes_load(y));
}

static struct half_plane neighbour_half_plane(const struct block *b, const struct job *job,
                                              whole slot, mask there)
{
  int32_t slots[LANES], x[LANES], y[LANES];
  float vx[LANES], vy[LANES], radius[LANES];
  lanes_store_whole(slots, slot);
  for (int l = 0; l < LANES; l++) {
    slots[l] = slots[l] < 0 ? b->slots[l] : slots[l];
    const struct neighbour *who = &job->in->crowd->sorted[slots[l]];
    x[l] = who->x, y[l] = who->y;
    vx[l] = who->vx, vy[l] = who->vy;
    radius[l] = who->radius;
  }
  const vec2 p = times(all_lanes(job->quantum), vec2_of(to_real(lanes_load_whole(x) - b->at.x),
                                                        to_real(lanes_load_whole(y) - b->at.y)));
  const vec2 velocity = vec2_of(lanes_load(vx), lanes_load(vy));
  const real R = b->radius + lanes_load(radius);
  const struct orca_horizon time = {all_lanes(1 / job->in->avoidance->horizon),
                                    all_lanes(1 / job->in->dt)};
  const mask open = there & orca_agent_open(p, R, b->velocity, velocity, time);
  vec2 asunder = {all_lanes(0), all_lanes(0)};
  if (any(open))
    asunder = parting(b, job, slots, open);
  return half_plane_if(there, orca_agent(p, R, b->velocity, velocity, time, 0.5f, asunder),
                       half_plane_always());
}

static int neighbour_half_planes(struct half_plane *h, const struct nearest *near,
                                 const struct block *b, const struct job *job)
{
  int count = 0;
  for (int i = 0; i < near->room; i++) {
    const mask there = b->active & not(whole_less(near->slot[i], all_lanes_whole(0)));
    if (!any(there))
      break;
    h[count++] = neighbour_half_plane(b, job, near->slot[i], there);
  }
  return count;
}

static vec2 permitted_velocity(const struct block *b, const struct half_plane *h, int hard,
                               int count, struct choose_counts *counts)
{
  struct half_plane scratch[HALF_PLANES_MAX];
  const struct lp_goal goal = {b->wish, none_of_lanes()};
  whole failed;
  const vec2 v = linear_program_2(h, count, b->max_speed, goal, b->active, &failed);
  const mask infeasible = b->active & whole_less(failed, all_lanes_whole(count));
  if (!any(infeasible))
    return v;
  counts->infeasible += __builtin_popcount(mask_bits(infeasible));
  return linear_program_3(h, hard, count, b->max_speed, failed, infeasible, v, scratch);
}

// Nobody ever enters a wall: a step that would touch one is not made. Exact.
static void block_store(const struct block *b, const struct job *job, vec2 v, mask near_wall,
                        struct choose_counts *counts)
{
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  const uint32_t near_bits = mask_bits(near_wall);
  for (uint32_t bits = mask_bits(b->active); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    const int32_t i = b->agents[l];
    const struct point from = {job->a->x[i], job->a->y[i]};
    const struct point to = position_kept(position_after(from, vx[l], vy[l], job->quanta_per_speed),
                                          job->in->world->bounds);
    const bool stopped =
        (near_bits >> l & 1) && obstacles_cut(&job->in->world->obstacles, from, to);
    counts->wall_stops += stopped;
    job->a->next_vx[i] = stopped ? 0 : vx[l];
    job->a->next_vy[i] = stopped ? 0 : vy[l];
  }
}

static void choose_block(const struct job *job, int64_t first, struct choose_counts *counts)
{
  struct block b;
  struct nearest near, walls;
  struct half_plane h[HALF_PLANES_MAX];
  block_load(&b, job, first);
  find_neighbours(&near, &b, job, counts);
  const real closest = find_walls(&walls, &b, job);
  const mask full = not(whole_less(near.slot[near.room - 1], all_lanes_whole(0)));
  counts->full_neighbourhoods += __builtin_popcount(mask_bits(b.active & full));

  const int hard = wall_half_planes(h, &walls, &b, job);
  const int count = hard + neighbour_half_planes(h + hard, &near, &b, job);
  const vec2 v = permitted_velocity(&b, h, hard, count, counts);

  // A wall that one step could touch, with a hundredth to spare for rounding, and what the
  // distance of the longest possible wall may be wrong by.
  const real stride = b.max_speed * all_lanes(job->quanta_per_speed * 1.01f) + all_lanes(512);
  block_store(&b, job, v, less_equal(closest, stride * stride), counts);
}

static void choose(const struct choose_input *in, struct agents *a, struct choose_counts *counts)
{
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  const struct job job = {in, a, quantum, in->dt / quantum, range * range};
  const int64_t blocks = (in->crowd->own_count + LANES - 1) / LANES;
  int64_t overlaps = 0, full = 0, infeasible = 0, stops = 0;
  float deepest = counts->deepest_overlap;
#pragma omp parallel for schedule(dynamic, 16) \
    reduction(+ : overlaps, full, infeasible, stops) reduction(max : deepest)
  for (int64_t block = 0; block < blocks; block++) {
    struct choose_counts own = {0};
    choose_block(&job, block * LANES, &own);
    overlaps += own.overlaps_seen;
    full += own.full_neighbourhoods;
    infeasible += own.infeasible;
    stops += own.wall_stops;
    deepest = own.deepest_overlap > deepest ? own.deepest_overlap : deepest;
  }
  counts->overlaps_seen += overlaps;
  counts->full_neighbourhoods += full;
  counts->infeasible += infeasible;
  counts->wall_stops += stops;
  counts->deepest_overlap = deepest;
}

static bool supported(void)
{
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2");
#else
  return true;
#endif
}

#define NAME_OF(lanes) backend_cpu_##lanes
#define BACKEND(lanes) NAME_OF(lanes)
#define TEXT_OF(lanes) #lanes
#define TEXT(lanes)    TEXT_OF(lanes)

extern const struct backend BACKEND(LANES);
const struct backend BACKEND(LANES) = {LANES == 1 ? "scalar" : "simd" TEXT(LANES), LANES, supported,
                                       choose};
