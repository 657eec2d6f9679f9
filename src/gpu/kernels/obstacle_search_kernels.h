// The agents whose preferred velocity ClearPath-2 or HRVO forbids: the search of velocity_best and
// velocity_keep_most, one edge of an obstacle per thread. How many edges are worth a search differs
// widely between agents, and one thread for each agent would leave most lanes of its warp idle.
//
//   collect_obstacles_*   an agent's obstacles, from its perception
//   and in each round
//     begin_search        where the search starts
//     list_edges          the edges that may hold a better velocity, and how close it may be
//     choose_nearest      some of them, the closest first
//     search_edges        the best point of each chosen one
//     choose_others       those of the others that may still be better; then search_edges again
//     decide_velocities   the best of the agent's; if it has none, the next round has fewer
//                         obstacles: velocity_keep_most's bisection
//
// Agents are searched `search_room` at a time, which bounds the memory. Edges are compared by
// (distance, number), so the order in which they are listed does not matter.
#pragma once
#include "velocity_kernels.h"

#define SEARCHES_MAX     (1 << 17) // agents at a time
#define LISTING_THREADS  16        // for the obstacles of an agent
#define EDGES_NEAREST    4         // that are searched first
#define EDGES_PER_SEARCH 12        // room for chosen edges in a round, on average
#define EDGE_NUMBERS     4         // of an obstacle: edge e of obstacle i has the number 4 i + e
#define SEARCH_STARTS    0         // in struct obstacle_search.best: the start is the best
#define SEARCH_ENDED     (-1)      // instead of the obstacles of the next round

// Rounds after which every agent has its velocity: all obstacles, then bisection.
INLINE int search_rounds(int32_t neighbours)
{
  int rounds = 1;
  for (int32_t left = neighbours + 1; left > 1; left = (left + 1) / 2)
    rounds++;
  return rounds;
}

INLINE int32_t searches_listed(const struct kernel_input *s)
{
  const int64_t left = s->tally->unsolved_count - s->tally->searched;
  return (int32_t)(left < s->search_room ? left : s->search_room);
}

INLINE struct velocity_obstacle *search_obstacles(const struct kernel_input *s, int64_t i)
{
  return s->search_obstacles + i * (s->neighbour_max + WALLS_MAX);
}

// [3 (neighbour_max + WALLS_MAX)] the listed edges of an agent: edge_key of the point that is
// closest to the preferred velocity, whether forbidden or not.
INLINE uint64_t *search_edge_keys(const struct kernel_input *s, int64_t i)
{
  return s->search_edge_keys + i * 3 * (s->neighbour_max + WALLS_MAX);
}

INLINE uint64_t edge_key(float distance2, int32_t number)
{
  return (uint64_t)(uint32_t)bits_of(distance2) << 32 | (uint32_t)(number + 1);
}

INLINE int32_t edge_key_number(uint64_t key)
{
  return (int32_t)(uint32_t)key - 1;
}

INLINE float edge_key_distance2(uint64_t key)
{
  return real_of_bits((int32_t)(key >> 32));
}

INLINE bool is_searched(const struct kernel_input *s, int64_t i)
{
  return i < searches_listed(s) && s->searches[i].keep != SEARCH_ENDED;
}

// set: a copy of the agent's, which the compiler can keep in registers.
INLINE struct velocity_search velocity_search_of(const struct kernel_input *s, int64_t i,
                                                 struct admissible *set)
{
  const struct obstacle_search *a = &s->searches[i];
  struct velocity_search v;
  *set = a->admissible;
  v.o = search_obstacles(s, i);
  v.count = a->keep;
  v.admissible = set;
  v.preferred_velocity = a->preferred_velocity;
  v.noise = LP_NOISE * set->speed;
  return v;
}

// ------------------------------------------------------------------------------------ obstacles

ON_DEVICE void collect_obstacles(enum avoidance_method method, const struct kernel_input *s,
                                 int64_t i)
{
  if (i >= searches_listed(s))
    return;
  const int32_t k = s->unsolved_list[s->tally->searched + i];
  const struct job job = job_of(s);
  struct next_velocity_counts already_counted = {0};
  struct block b;
  struct perception perception;
  struct velocity_obstacle *o = search_obstacles(s, i);
  perceive_agent(s, &job, k, &b, &perception, &already_counted);
  apply_steering(&perception, &b, &job);
  vec2 preferred_velocity = perception.preferred_velocity;
  int hard;
  if (method == METHOD_hrvo) {
    hard = hrvo_obstacles(&perception, o);
  } else {
    hard = wall_obstacles(&perception, o);
    clearpath_relaxed_obstacles(&perception, o + hard);
    preferred_velocity = clearpath_preferred_velocity(&perception);
  }
  const int32_t others = perceived_count(&perception);
  const struct obstacle_search search = {.agent = k,
                                         .hard = hard,
                                         .others = others,
                                         .keep = hard + others,
                                         .good = -1,
                                         .bad = others + 1,
                                         .near_wall = any(b.near_wall),
                                         .admissible = perception.admissible,
                                         .preferred_velocity = preferred_velocity,
                                         .start = preferred_velocity,
                                         .v = preferred_velocity,
                                         .best = 0,
                                         .listed = 0,
                                         .chosen = 0,
                                         .first_edge = {0, 0},
                                         .edge_count = {0, 0}};
  s->searches[i] = search;
}

KERNEL(collect_obstacles_clearpath)
{
  collect_obstacles(METHOD_clearpath, s, i);
}

KERNEL(collect_obstacles_hrvo)
{
  collect_obstacles(METHOD_hrvo, s, i);
}

// ---------------------------------------------------------------------------------------- edges

// The velocity that an agent without obstacles takes, if no obstacle forbids it, or else its
// present one; with the distance VELOCITY_FAR if that is forbidden too. Distance 0: there is
// nothing to search. As velocity_best begins.
KERNEL(begin_search)
{
  if (!is_searched(s, i))
    return;
  struct obstacle_search *a = &s->searches[i];
  struct admissible set;
  const struct velocity_search v = velocity_search_of(s, i, &set);
  const mask all = not(mask_none());
  const vec2 nearest = admissible_closest(&a->admissible, a->preferred_velocity);
  const vec2 now = admissible_closest(&a->admissible, a->admissible.centre);
  const vec2 off = minus(now, a->preferred_velocity);
  float distance2 = 0;
  a->start = nearest;
  if (any(velocity_forbidden(v.o, v.count, nearest, v.noise, all))) {
    a->start = now;
    distance2 =
        any(velocity_forbidden(v.o, v.count, now, v.noise, all)) ? VELOCITY_FAR : dot(off, off);
  }
  a->best = edge_key(distance2, SEARCH_STARTS - 1);
  a->listed = 0;
}

// LISTING_THREADS threads for each agent.
KERNEL(list_edges)
{
  const int64_t search = i / LISTING_THREADS;
  if (!is_searched(s, search))
    return;
  struct obstacle_search *a = &s->searches[search];
  struct admissible set;
  const struct velocity_search v = velocity_search_of(s, search, &set);
  const float best2 = edge_key_distance2(a->best);
  for (int o = (int)(i % LISTING_THREADS); o < v.count; o += LISTING_THREADS)
    for (int e = 0; e < v.o[o].edge_count; e++) {
      struct edge_lines lines;
      const mask within = velocity_search_within(&v, o, e, best2, not(mask_none()));
      if (any(within) &&
          any(velocity_search_near(&v, o, v.o[o].edge_count, e, best2, within, &lines)))
        search_edge_keys(s, search)[atomic_increment(&a->listed)] =
            edge_key(edge_lines_distance2(&lines, lines.start), EDGE_NUMBERS * o + e);
    }
}

// Adds an edge to those that are searched.
INLINE void choose_edge(const struct kernel_input *s, int64_t i, int32_t at, int32_t number)
{
  struct searched_edge *edge = &s->edges[at];
  edge->search = (int32_t)i;
  edge->number = number;
  edge->key = 0;
}

KERNEL(choose_nearest)
{
  if (!is_searched(s, i))
    return;
  struct obstacle_search *a = &s->searches[i];
  const uint64_t *keys = search_edge_keys(s, i);
  uint64_t nearest[EDGES_NEAREST + 1]; // ascending; the last one is spare
  for (int n = 0; n <= EDGES_NEAREST; n++)
    nearest[n] = UINT64_MAX;
  for (int k = 0; k < a->listed; k++) {
    nearest[EDGES_NEAREST] = keys[k];
    UNROLL
    for (int n = EDGES_NEAREST; n > 0; n--) {
      const uint64_t less = nearest[n] < nearest[n - 1] ? nearest[n] : nearest[n - 1];
      nearest[n] = nearest[n] < nearest[n - 1] ? nearest[n - 1] : nearest[n];
      nearest[n - 1] = less;
    }
  }
  const int count = a->listed < EDGES_NEAREST ? a->listed : EDGES_NEAREST;
  const int32_t first = count ? atomic_add(&s->tally->edge_count, count) : 0;
  UNROLL
  for (int n = 0; n < EDGES_NEAREST; n++)
    if (n < count)
      choose_edge(s, i, first + n, edge_key_number(nearest[n]));
  a->first_edge[0] = first;
  a->edge_count[0] = count;
  a->chosen = nearest[EDGES_NEAREST - 1];
}

// The best point of an edge and its key; 0 if it is no better than best2.
INLINE uint64_t search_edge(const struct velocity_search *v, int32_t number, float best2, vec2 *at)
{
  const int i = number / EDGE_NUMBERS, e = number % EDGE_NUMBERS;
  const struct edge_batch b = {0, 0, best2,
                               edge_lines_of(&v->o[i], v->o[i].edge_count, e, v->admissible,
                                             v->preferred_velocity, v->noise)};
  mask found = less_equal(edge_lines_distance2(&b.lines, b.lines.start), best2);
  if (!any(found))
    return 0;
  const float t = velocity_search_lines(v, &b, &found);
  const float distance2 = edge_lines_distance2(&b.lines, t);
  *at = edge_lines_point(&b.lines, t);
  return any(found) && distance2 <= best2 ? edge_key(distance2, number) : 0;
}

KERNEL(search_edges)
{
  if (i >= s->tally->edge_count)
    return;
  struct searched_edge *edge = &s->edges[i];
  if (edge->search < 0 || edge->key)
    return;
  struct obstacle_search *a = &s->searches[edge->search];
  struct admissible set;
  const struct velocity_search v = velocity_search_of(s, edge->search, &set);
  edge->key = search_edge(&v, edge->number, edge_key_distance2(atomic_read(&a->best)), &edge->v);
  if (edge->key)
    atomic_min(&a->best, edge->key);
  else
    edge->search = -1;
}

// Where the list is full: in the thread of the agent.
INLINE void search_others_here(struct obstacle_search *a, const struct velocity_search *v,
                               const uint64_t *keys)
{
  for (int k = 0; k < a->listed; k++) {
    vec2 at;
    const uint64_t key = keys[k] > a->chosen ? search_edge(v, edge_key_number(keys[k]),
                                                           edge_key_distance2(a->best), &at)
                                             : 0;
    if (key && key < a->best) {
      a->best = key;
      a->start = at;
    }
  }
}

KERNEL(choose_others)
{
  if (!is_searched(s, i))
    return;
  struct obstacle_search *a = &s->searches[i];
  struct admissible set;
  const struct velocity_search v = velocity_search_of(s, i, &set);
  const uint64_t *keys = search_edge_keys(s, i), best = a->best;
  int count = 0;
  for (int k = 0; k < a->listed; k++)
    count += keys[k] > a->chosen && keys[k] < best;
  a->edge_count[1] = 0;
  if (count == 0)
    return;
  int32_t at = atomic_add(&s->tally->edge_count, count);
  const bool fits = at + count <= s->edge_room;
  a->first_edge[1] = at;
  a->edge_count[1] = fits ? count : 0;
  for (int k = 0; k < a->listed && at < s->edge_room; k++)
    if (keys[k] > a->chosen && keys[k] < best)
      choose_edge(s, fits ? i : -1, at++, edge_key_number(keys[k]));
  if (!fits)
    search_others_here(a, &v, keys);
}

// ------------------------------------------------------------------------------------- decision

ON_DEVICE void end_search(const struct kernel_input *s, struct obstacle_search *a,
                          struct next_velocity_counts *counts)
{
  const struct job job = job_of(s);
  store_velocity(&job, a->agent, a->v.x, a->v.y, a->near_wall, counts);
  write_back(s, a->agent);
  a->keep = SEARCH_ENDED;
}

// The velocity behind a->best.
INLINE vec2 best_velocity(const struct kernel_input *s, const struct obstacle_search *a)
{
  for (int k = 0; k < 2; k++)
    for (int32_t e = a->first_edge[k]; e < a->first_edge[k] + a->edge_count[k]; e++)
      if (s->edges[e].key == a->best)
        return s->edges[e].v;
  return a->start;
}

// Ends the search, or goes on with other numbers of obstacles, as velocity_keep_most.
KERNEL(decide_velocities)
{
  if (!is_searched(s, i))
    return;
  struct obstacle_search *a = &s->searches[i];
  struct next_velocity_counts counts = {0};
  const bool lost = edge_key_distance2(a->best) >= VELOCITY_FAR;
  const bool first = a->bad > a->others; // the round with all obstacles
  const int32_t kept = a->keep - a->hard;
  if (!lost) {
    a->v = best_velocity(s, a);
    a->good = kept;
  } else {
    if (first)
      a->v = admissible_closest(&a->admissible, vec2_of(0, 0));
    counts.infeasible += first;
    a->bad = kept;
  }
  if (a->good + 1 < a->bad)
    a->keep = a->hard + ((a->good + a->bad) >> 1);
  else
    end_search(s, a, &counts);
  tally_add(s, &counts);
}

KERNEL(begin_next_searches) // one thread
{
  s->tally->searched += s->search_room;
  (void)i;
}
