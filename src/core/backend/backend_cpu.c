// The backend of a CPU: the agents of a leaf share one list of candidates, blocks of LANES of them
// go through the avoidance side by side, OpenMP over the leaves. Compiled once for each width;
// LANES 1 is the scalar reference.
#include "backend.h"

#include "choose.h"
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

// For a crowd too dense for a list: agent by agent.
static void count_overlaps_of(int64_t i, const struct job *job, struct choose_counts *counts)
{
  const struct overlaps o = neighbours_overlaps(job->in->crowd, job->a, i, job->quantum);
  counts->overlaps_seen += o.count;
  if (o.deepest > counts->deepest_overlap)
    counts->deepest_overlap = o.deepest;
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
    const int l = bits_first(bits);
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
    const int l = bits_first(bits);
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
    block_load(&b, &s, job, tree_leaf_box(&crowd->own, leaf).lo, first);
    b.self = (int)(first - leaf_first(leaf));
    find_neighbours(&n, &b, job, near, leaf, &c, counts);
    const float far2 = see_neighbours(&s, &b, job, &c, &n, counts);
    farthest2 = far2 > farthest2 ? far2 : farthest2;
    seen = s.agent_count > seen ? s.agent_count : seen;
    see_walls(&s, &b, job, tree_leaf_box(&crowd->own, leaf));
    choose_velocity(job->in->avoidance->method, &s, &b, job, p, counts);
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
                                       choose, NULL};
