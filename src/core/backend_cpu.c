// The backend of a CPU: the agents of a leaf share one list of candidates, blocks of LANES of them
// go through the avoidance side by side, OpenMP over the leaves. Compiled once for each width;
// LANES 1 is the scalar reference.
#include "backend.h"

#include "clearpath.h"
#include "directional.h"
#include "hrvo.h"
#include "look.h"
#include "orca.h"
#include "postponed.h"
#include "rvo.h"
#include "steering.h"
#include "window.h"
#include <omp.h>

// ---------------------------------------------------------------------------- the nearest

// How far to look at first, quanta^2: as far as last time and a little, or, for a new leaf, as far
// as its own agents' density says.
static float first_range2(const struct job *job, int64_t leaf)
{
  const struct neighbours *crowd = job->in->crowd;
  if (crowd->reach2[leaf] > 0)
    return 1.1f * crowd->reach2[leaf];
  const struct box b = tree_leaf_box(&crowd->own, leaf);
  const float width = (float)(b.hi.x - b.lo.x), height = (float)(b.hi.y - b.lo.y);
  const float agents = (float)(leaf_end(&crowd->own, leaf) - leaf_first(leaf));
  return 1 + 0.6f * (float)(job->in->avoidance->neighbours + 1) * width * height / agents;
}

static void collect(struct candidates *c, const struct job *job, const struct nearby *near,
                    int64_t leaf, float range2)
{
  candidates_collect(c, job->in->crowd, near, job->a, leaf,
                     range2 < job->range2 ? range2 : job->range2, 1 / job->quantum);
}

// The first guess may be far too wide where a dense crowd ends.
static void collect_first(struct candidates *c, const struct job *job, const struct nearby *near,
                          int64_t leaf)
{
  collect(c, job, near, leaf, first_range2(job, leaf));
  for (int try = 0; try < 4 && c->too_many; try++)
    collect(c, job, near, leaf, 0.4f * c->range2);
}

// The k nearest of a block. False where the list does not reach far enough for some lane.
static bool search(struct nearest *n, const struct block *b, const struct job *job,
                   const struct candidates *c)
{
  nearest_search(n, c, job->in->avoidance->neighbours, b->from_origin, b->self);
  if (any(b->active & not(nearest_found(n, c)) & less(all_lanes(c->range2), b->range2)))
    return false;
  nearest_numbers(n);
  for (uint32_t bits = mask_bits(b->active & nearest_tied(n)); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    nearest_settle(n, c, job->a, l, b->self + l);
  }
  return true;
}

// The same where too many stand too close for a list, or all too far apart: one by one. The list is
// then those found, each as seen from its own lane.
static void search_plain(struct nearest *n, struct block *b, const struct job *job,
                         struct candidates *c, struct choose_counts *counts)
{
  const struct agents *a = job->a;
  float range2[LANES];
  lanes_store(range2, b->range2);
  b->from_origin = vec2_of(all_lanes(0), all_lanes(0));
  c->count = 0;
  n->room = job->in->avoidance->neighbours;
  for (uint32_t bits = mask_bits(b->active); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    const int64_t self = b->first + l;
    const struct point at = {a->x[self], a->y[self]};
    struct ranking ranking = {.room = n->room};
    neighbours_of_one(job->in->crowd, a, at, (int32_t)self, range2[l], &ranking);
    for (int i = 0; i < n->room; i++)
      set_lane(&n->number[i], l,
               i < ranking.count ? candidates_add(c, a, ranking.list[i].item, at) : -1);
    count_overlaps_of(self, job, counts);
  }
}

// Leaves in the list those who were found.
static void find_neighbours(struct nearest *n, struct block *b, const struct job *job,
                            const struct nearby *near, int64_t leaf, struct candidates *c,
                            struct choose_counts *counts)
{
  while (!c->too_many && !search(n, b, job, c))
    collect(c, job, near, leaf, 2 * c->range2);
  if (c->too_many)
    search_plain(n, b, job, c, counts);
}

// ---------------------------------------------------------------------------- the velocity

// Nobody ever enters a wall: a step that would touch one is not made. Exact.
static void store_one(const struct job *job, int64_t i, float vx, float vy, bool near_wall,
                      struct choose_counts *counts)
{
  struct agents *a = job->a;
  if (near_wall) {
    const struct point from = {a->x[i], a->y[i]};
    const struct point to =
        position_kept(position_after(from, vx, vy, job->quanta_per_speed), job->in->world->bounds);
    if (obstacles_cut(&job->in->world->obstacles, from, to)) {
      counts->wall_stops++;
      vx = vy = 0;
    }
  }
  a->next_vx[i] = vx;
  a->next_vy[i] = vy;
}

static void store_block(const struct block *b, const struct job *job, vec2 v, mask chosen,
                        struct choose_counts *counts)
{
  if (mask_bits(chosen & not(b->near_wall)) == ALL_LANES_BITS) {
    lanes_store(job->a->next_vx + b->first, v.x);
    lanes_store(job->a->next_vy + b->first, v.y);
    return;
  }
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  const uint32_t near = mask_bits(b->near_wall);
  for (uint32_t bits = mask_bits(chosen); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    store_one(job, b->first + l, vx[l], vy[l], near >> l & 1, counts);
  }
}

static void finish_postponed(struct postponed *p, const struct job *job,
                             struct choose_counts *counts)
{
  if (p->count == 0)
    return;
  mask active;
  const vec2 v = postponed_solve(p, &active);
  float vx[LANES], vy[LANES];
  lanes_store(vx, v.x);
  lanes_store(vy, v.y);
  for (int l = 0; l < p->count; l++)
    store_one(job, p->agent[l], vx[l], vy[l], p->near_wall >> l & 1, counts);
  postponed_begin(p);
}

static mask postpone_lanes(struct postponed *p, const struct block *b, const struct sight *s,
                           const struct job *job, const struct half_plane *h, int hard, int count,
                           vec2 v, whole failed, struct choose_counts *counts)
{
  const mask late = b->active & whole_less(failed, all_lanes_whole(count));
  const uint32_t near = mask_bits(b->near_wall);
  int32_t lanes_failed[LANES];
  lanes_store_whole(lanes_failed, failed);
  for (uint32_t bits = mask_bits(late); bits; bits &= bits - 1) {
    const int l = __builtin_ctz(bits);
    postpone(p, l, h, hard, count, &s->admissible, &v, lanes_failed[l], b->first + l,
             near >> l & 1);
    counts->infeasible++;
    if (p->count == LANES)
      finish_postponed(p, job, counts);
  }
  return late;
}

static void choose_orca(const struct sight *s, const struct block *b, const struct job *job,
                        struct postponed *p, struct choose_counts *counts)
{
  struct half_plane h[HALF_PLANES_MAX];
  const struct lp_goal goal = {s->wish, none_of_lanes()};
  int hard;
  const int count = orca_half_planes(h, s, &hard);
  whole failed;
  const vec2 v = linear_program_2(h, count, &s->admissible, goal, s->active, &failed);
  const mask late = postpone_lanes(p, b, s, job, h, hard, count, v, failed, counts);
  store_block(b, job, v, b->active & not(late), counts);
}

// Few agents are done sample by sample, many side by side: one answer (Bleiweiss 2009).
static vec2 velocity_by_samples(const struct sight *s, const struct block *b, const struct job *job,
                                mask *infeasible)
{
  const struct rvo_options *options = &job->in->avoidance->rvo;
  int32_t low[LANES], high[LANES];
  for (int l = 0; l < LANES; l++) {
    low[l] = (int32_t)(uint32_t)job->a->id[b->first + l];
    high[l] = (int32_t)(uint32_t)((uint64_t)job->a->id[b->first + l] >> 32);
  }
  const struct rvo_draw draw = {job->in->seed, job->in->step, lanes_load_whole(low),
                                lanes_load_whole(high)};
  const int agents = __builtin_popcount(mask_bits(s->active));
  return 5 * agents < 4 * LANES ? rvo_velocity_nested(s, options, draw, infeasible)
                                : rvo_velocity(s, options, draw, infeasible);
}

static vec2 velocity_of(const struct sight *s, const struct block *b, const struct job *job,
                        mask *infeasible, mask *relaxed)
{
  const struct avoidance *avoidance = job->in->avoidance;
  switch (avoidance->method) {
  case METHOD_clearpath:
    return clearpath_velocity(s, &avoidance->clearpath, infeasible, relaxed);
  case METHOD_hrvo:
    return hrvo_velocity(s, infeasible);
  case METHOD_rvo:
    return velocity_by_samples(s, b, job, infeasible);
  case METHOD_directional:
    return directional_velocity(s, &avoidance->directional, infeasible);
  default: // none: as one wishes
    return admissible_nearest(&s->admissible, s->wish);
  }
}

static void choose_velocity(struct sight *s, const struct block *b, const struct job *job,
                            struct postponed *p, struct choose_counts *counts)
{
  const struct avoidance *avoidance = job->in->avoidance;
  const mask passive = b->active & less_equal(b->yield, all_lanes(0));
  const vec2 own_wish = s->wish;
  if (avoidance->steering.on)
    s->wish = steering_wish(s, &avoidance->steering, lanes_load(job->a->speed + b->first));
  if (any(passive)) { // they see nobody: their wish is permitted
    s->wish = pick2(passive, own_wish, s->wish);
    for (int i = 0; i < s->agent_count; i++)
      s->agents[i].there = s->agents[i].there & not(passive);
    for (int i = 0; i < s->wall_count; i++)
      s->walls[i].there = s->walls[i].there & not(passive);
  }
  if (avoidance->method == METHOD_orca) {
    choose_orca(s, b, job, p, counts);
    return;
  }
  mask infeasible = none_of_lanes(), relaxed = none_of_lanes();
  vec2 v = velocity_of(s, b, job, &infeasible, &relaxed);
  if (any(passive))
    v = pick2(passive, admissible_nearest(&s->admissible, s->wish), v);
  counts->infeasible += __builtin_popcount(mask_bits(b->active & infeasible));
  counts->relaxed += __builtin_popcount(mask_bits(b->active & relaxed));
  store_block(b, job, v, b->active, counts);
}

// ---------------------------------------------------------------------------- all of them

static void choose_leaf(const struct job *job, const struct nearby *near, int64_t leaf,
                        struct postponed *p, struct choose_counts *counts)
{
  const struct neighbours *crowd = job->in->crowd;
  struct candidates c;
  float farthest2 = 0;
  int32_t seen = 0;
  if (job->pace_range > 0)
    window_leaf(job, near, leaf);
  collect_first(&c, job, near, leaf);
  for (int64_t first = leaf_first(leaf); first < leaf_end(&crowd->own, leaf); first += LANES) {
    struct block b;
    struct sight s;
    struct nearest n;
    block_load(&b, &s, job, leaf, first);
    find_neighbours(&n, &b, job, near, leaf, &c, counts);
    const float far2 = see_neighbours(&s, &b, job, &c, &n, counts);
    farthest2 = far2 > farthest2 ? far2 : farthest2;
    seen = s.agent_count > seen ? s.agent_count : seen;
    see_walls(&s, &b, job);
    choose_velocity(&s, &b, job, p, counts);
  }
  crowd->reach2[leaf] = farthest2;
  crowd->seen[leaf] = seen;
}

// All leaves of a node of the second level.
static void choose_node(const struct job *job, int64_t node, struct postponed *p,
                        struct choose_counts *counts)
{
  const struct tree *own = &job->in->crowd->own;
  const int64_t first = node * TREE_WIDTH, last = first + TREE_WIDTH;
  const int64_t end = last < own->level[0].count ? last : own->level[0].count;
  struct nearby near;
  float range2 = 0;
  for (int64_t leaf = first; leaf < end; leaf++)
    range2 = larger_float(range2, first_range2(job, leaf));
  range2 = range2 < job->range2 ? range2 : job->range2;
  nearby_collect(&near, job->in->crowd, node,
                 larger_float(range2, job->pace_range * job->pace_range));
  for (int64_t leaf = first; leaf < end; leaf++)
    choose_leaf(job, &near, leaf, p, counts);
}

// A node is of the inside as a whole or not at all.
static bool node_wanted(const struct choose_input *in, int64_t node)
{
  if (in->part == CHOOSE_ALL)
    return true;
  const struct box b = tree_node_box(&in->crowd->own, 1, node);
  return (box_holds(in->inner, b.lo) && box_holds(in->inner, b.hi)) == (in->part == CHOOSE_INSIDE);
}

static void choose(const struct choose_input *in, struct agents *a, struct choose_counts *counts)
{
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  const struct job job = {in,
                          a,
                          quantum,
                          in->dt / quantum,
                          range * range,
                          quantum * in->crowd->radius_max,
                          in->pace ? in->pace->range / quantum : 0};
  const int64_t nodes = a->count > 0 ? in->crowd->own.level[1].count : 0;
  int64_t overlaps = 0, full = 0, infeasible = 0, relaxed = 0, stops = 0;
  float deepest = counts->deepest_overlap;
#pragma omp parallel reduction(+ : overlaps, full, infeasible, relaxed, stops) reduction(max : deepest)
  {
    struct choose_counts own = {.deepest_overlap = deepest};
    struct postponed p;
    postponed_begin(&p);
#pragma omp for schedule(dynamic, 1) nowait
    for (int64_t node = 0; node < nodes; node++) {
      if (node_wanted(in, node))
        choose_node(&job, node, &p, &own);
      if (in->meanwhile && omp_get_thread_num() == 0)
        in->meanwhile(in->context);
    }
    finish_postponed(&p, &job, &own);
    overlaps += own.overlaps_seen;
    full += own.full_neighbourhoods;
    infeasible += own.infeasible;
    relaxed += own.relaxed;
    stops += own.wall_stops;
    deepest = own.deepest_overlap > deepest ? own.deepest_overlap : deepest;
  }
  counts->overlaps_seen += overlaps;
  counts->full_neighbourhoods += full;
  counts->infeasible += infeasible;
  counts->relaxed += relaxed;
  counts->wall_stops += stops;
  counts->deepest_overlap = deepest;
}

static bool supported(void)
{
#if defined(__AVX512F__)
  return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
         __builtin_cpu_supports("avx512bw") && __builtin_cpu_supports("avx512vl");
#elif defined(__AVX2__)
  return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
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
