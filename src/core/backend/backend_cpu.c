// The CPU backends: the agents of a leaf share one list of candidates; blocks of LANES agents go
// through avoidance side by side; OpenMP over the leaves. Compiled once for each width; LANES 1 is
// the scalar reference.
#include "backend.h"

#include "density_window.h"
#include "leaf_walls.h"
#include "machine_lanes.h"
#include "plugin_step.h"
#include "thread_waits.h"
#include "walk.h"
#include "work_stealing.h"
#include <assert.h>
#include <omp.h>

// ---------------------------------------------------------------------------- the nearest

// First search radius, squared quanta: a little more than in the last step or, for a new leaf, from
// the density of its own agents.
static float first_range2(const struct job *job, int64_t leaf)
{
  const struct neighbours *neighbours = job->in->neighbours;
  if (neighbours->reach2[leaf] > 0)
    return 1.1f * neighbours->reach2[leaf];
  const struct box b = box_tree_leaf_box(&neighbours->own, leaf);
  const float width = (float)(b.hi.x - b.lo.x), height = (float)(b.hi.y - b.lo.y);
  const float agents =
      (float)(box_tree_leaf_end(&neighbours->own, leaf) - box_tree_leaf_begin(leaf));
  return 1 + 0.6f * (float)(job->in->avoidance->neighbours + 1) * width * height / agents;
}

static void collect(struct candidates *c, const struct job *job, const struct nearby *near,
                    int64_t leaf, float range2)
{
  candidates_collect(c, job->in->neighbours, near, job->a, leaf,
                     range2 < job->range2 ? range2 : job->range2);
}

// The first estimate may be far too wide at the edge of a dense crowd.
static void collect_first(struct candidates *c, const struct job *job, const struct nearby *near,
                          int64_t leaf)
{
  collect(c, job, near, leaf, first_range2(job, leaf));
  for (int try = 0; try < 4 && c->overflow; try++)
    collect(c, job, near, leaf, 0.4f * c->range2);
}

// For a crowd too dense for a list: one agent.
static void count_overlaps_of(int64_t i, const struct job *job, struct next_velocity_counts *counts)
{
  const struct overlaps o = neighbours_overlaps(job->in->neighbours, job->a, i, job->quantum);
  const struct deepest_overlap one = {o.deepest, job->a->id[i], {job->a->x[i], job->a->y[i]}};
  counts->overlaps += o.count;
  counts->in_contact += o.count > 0;
  if (deepest_overlap_beats(&one, &counts->deepest))
    counts->deepest = one;
}

// The k nearest agents of a block. False where the list does not reach far enough for some lane.
static bool search(struct nearest *n, const struct block *b, const struct job *job,
                   const struct candidates *c)
{
  nearest_search(n, c, job->in->avoidance->neighbours, b->from_origin, b->self);
  if (any(b->active & not(nearest_found(n, c)) & less(splat(c->range2), b->range2)))
    return false;
  for (uint32_t bits = mask_bits(b->active & n->tied); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    nearest_resolve_ties(n, c, job->a, l, b->self + l);
  }
  return true;
}

// The same, one lane at a time, where the crowd is too dense or too spread out for a list. The list
// then holds the agents found, each relative to its own lane.
static void search_reference(struct nearest *n, struct block *b, const struct job *job,
                             struct candidates *c, struct next_velocity_counts *counts)
{
  const struct agents *a = job->a;
  float range2[LANES];
  lanes_store(range2, b->range2);
  b->from_origin = vec2_of(splat(0), splat(0));
  c->count = 0;
  n->room = job->in->avoidance->neighbours;
  for (uint32_t bits = mask_bits(b->active); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const int64_t self = b->first + l;
    const struct point at = {a->x[self], a->y[self]};
    struct nearest_list nearest_list = {.room = n->room};
    neighbours_search_reference(job->in->neighbours, a, at, (int32_t)self, range2[l],
                                &nearest_list);
    for (int i = 0; i < n->room; i++)
      set_lane(&n->number[i], l,
               i < nearest_list.count ? candidates_add(c, a, nearest_list.list[i].item, at) : -1);
    count_overlaps_of(self, job, counts);
  }
}

struct leaf_search {
  const struct nearby *near;
  int64_t leaf;
  struct candidates *candidates;
};

// Leaves the neighbours found in the list of candidates.
static void find_neighbours(struct nearest *n, struct block *b, const struct job *job,
                            const struct leaf_search *of, struct next_velocity_counts *counts)
{
  struct candidates *c = of->candidates;
  while (!c->overflow && !search(n, b, job, c))
    collect(c, job, of->near, of->leaf, 2 * c->range2);
  if (c->overflow)
    search_reference(n, b, job, c, counts);
}

// ----------------------------------------------------------------------- leaves and nodes

// wall_leaves: of the walls' tree; NULL: not collected.
static void next_velocity_leaf(const struct job *job, const struct nearby *near,
                               const struct nearby *wall_leaves, int64_t leaf,
                               const struct next_velocity_queues *queues,
                               struct next_velocity_counts *counts)
{
  const struct neighbours *neighbours = job->in->neighbours;
  const struct box box = box_tree_leaf_box(&neighbours->own, leaf);
  const struct wall_list *walls = leaf_walls_find(job, wall_leaves, leaf, box);
  struct candidates c;
  const struct leaf_search in_leaf = {near, leaf, &c};
  float farthest2 = 0;
  int32_t neighbour_counts = 0;
  if (job->density_range > 0)
    density_window_leaf(job, near, leaf);
  if (looks_for_oncoming(job))
    side_preference_leaf(job, near, leaf);
  collect_first(&c, job, near, leaf);
  for (int64_t first = box_tree_leaf_begin(leaf); first < box_tree_leaf_end(&neighbours->own, leaf);
       first += LANES) {
    struct block b;
    struct perception s;
    struct nearest n;
    block_load(&b, &s, job, box.lo, first);
    b.self = (int)(first - box_tree_leaf_begin(leaf));
    b.wall_leaves = wall_leaves;
    find_neighbours(&n, &b, job, &in_leaf, counts);
    const float far2 = perceive_neighbours(&s, &b, job, &c, &n, counts);
    farthest2 = far2 > farthest2 ? far2 : farthest2;
    neighbour_counts = s.agent_count > neighbour_counts ? s.agent_count : neighbour_counts;
    perceive_walls(&s, &b, job, walls, box);
    if (job->headway)
      walk(&s, &b, job, &c, &n, box);
    if (job->in->plugin)
      plugin_next_velocity(&s, &b, job, queues, counts);
    else
      next_velocity(job->in->avoidance->method, &s, &b, job, *queues, counts);
  }
  neighbours->reach2[leaf] = farthest2;
  neighbours->neighbour_counts[leaf] = neighbour_counts;
}

static bool collect_wall_leaves(struct nearby *walls, const struct job *job, int64_t node)
{
  const struct obstacles *o = &job->in->world->obstacles;
  if (!all_choose(job) || o->count == 0)
    return false;
  near_walls_collect(walls, o, box_tree_node_box(&job->in->neighbours->own, 1, node),
                     HEADWAY_RANGE / job->quantum);
  return true;
}

// All leaves of a node of the second level.
static void next_velocity_node(const struct job *job, int64_t node,
                               const struct next_velocity_queues *queues,
                               struct next_velocity_counts *counts)
{
  const struct box_tree *own = &job->in->neighbours->own;
  const int64_t first = node * BOX_TREE_WIDTH, last = first + BOX_TREE_WIDTH;
  const int64_t end = last < own->level[0].count ? last : own->level[0].count;
  struct nearby near, walls;
  float range2 = 0;
  for (int64_t leaf = first; leaf < end; leaf++)
    range2 = max_float(range2, first_range2(job, leaf));
  range2 = range2 < job->range2 ? range2 : job->range2;
  const float walking = looks_for_oncoming(job) ? 1.0001f * HEADWAY_RANGE / job->quantum : 0;
  const float widest = max_float(walking, job->density_range);
  nearby_collect(&near, job->in->neighbours, node, max_float(range2, widest * widest));
  const struct nearby *wall_leaves = collect_wall_leaves(&walls, job, node) ? &walls : NULL;
  for (int64_t leaf = first; leaf < end; leaf++)
    next_velocity_leaf(job, &near, wall_leaves, leaf, queues, counts);
}

// A node belongs to the interior as a whole or not at all.
static bool node_in_part(const struct next_velocity_input *in, int64_t node)
{
  if (in->part == PART_ALL)
    return true;
  const struct box b = box_tree_node_box(&in->neighbours->own, 1, node);
  return (box_holds(in->interior, b.lo) && box_holds(in->interior, b.hi)) ==
         (in->part == PART_INTERIOR);
}

static void next_velocities(const struct next_velocity_input *in, struct agents *a,
                            struct next_velocity_counts *counts)
{
  assert(avoidance_is_valid(in->avoidance) && world_is_valid(in->world) && in->dt > 0);
  const float quantum = frame_quantum(&in->world->frame);
  const float range = in->avoidance->neighbour_distance / quantum;
  const struct walking *walking = &in->walking;
  const struct job job = {.in = in,
                          .a = a,
                          .quantum = quantum,
                          .quanta_per_speed = in->dt / quantum,
                          .range2 = range * range,
                          .radius_max = quantum * in->neighbours->radius_max,
                          .density_range =
                              walking->density_speed ? walking->density_speed->range / quantum : 0,
                          .headway = walking->headway && walking->headway->on,
                          .contact = 1 - in->avoidance->squeeze};
  const int64_t nodes = a->count > 0 ? in->neighbours->own.level[1].count : 0;
  if (in->wall_lists && nodes > 0 && in->world->obstacles.count > 0)
    wall_lists_reserve(in->wall_lists, in->neighbours->own.level[0].count);
  struct work_stealing work;
  const bool parallel = nodes > 1 && a->count > thread_waits_few_agents();
  work_stealing_begin(&work, nodes, parallel ? omp_get_max_threads() : 1);
#pragma omp parallel if (parallel)
  {
    struct next_velocity_counts own = {0};
    struct infeasible_queue half_planes;
    struct velocity_queue obstacles;
    const struct next_velocity_queues queues = {&half_planes, &obstacles};
    infeasible_queue_begin(&half_planes);
    velocity_queue_begin(&obstacles);
    for (int64_t node; (node = work_stealing_next(&work, omp_get_thread_num())) >= 0;) {
      if (node_in_part(in, node))
        next_velocity_node(&job, node, &queues, &own);
      if (in->progress && omp_get_thread_num() == 0)
        in->progress(in->context);
    }
    flush_infeasible(&half_planes, &job, &own);
    flush_obstacles(&obstacles, &job, &own);
#pragma omp critical(next_velocity_counts)
    next_velocity_counts_add(counts, &own);
  }
}

static const char *unavailable(void)
{
#if defined(__AVX512F__)
  return machine_has_lanes(LANES) ? NULL : "this CPU has no AVX-512";
#elif defined(__AVX2__)
  return machine_has_lanes(LANES) ? NULL : "this CPU has no AVX2";
#else
  return NULL;
#endif
}

#define NAME_OF(lanes) backend_cpu_##lanes
#define BACKEND(lanes) NAME_OF(lanes)
#define TEXT_OF(lanes) #lanes
#define TEXT(lanes)    TEXT_OF(lanes)

extern const struct backend BACKEND(LANES);
const struct backend BACKEND(LANES) = {LANES == 1 ? "scalar" : "simd" TEXT(LANES), LANES,
                                       unavailable, next_velocities, NULL};
