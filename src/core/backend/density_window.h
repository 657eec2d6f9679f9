// The occupants of the window ahead of LANES agents, and the share of their speed that the density
// leaves (density_speed.h).
//
// The window turns with the preferred velocity. Whether a point is inside is a float formula of
// exact differences, the same in every lane, and occupants are counted in integers, so neither
// their order nor the vector width changes results. The agents of a leaf share one list of possible
// occupants. Where it overflows, or distances are too large for exact floats, each lane uses lists
// of its own.
#pragma once
#include "density_speed.h"
#include "perceive.h"

#ifndef OCCUPANTS_MAX
#define OCCUPANTS_MAX 512
#endif

struct occupants { // agents that may be in a window of some agent in a box
  int count;
  bool overflow;       // some did not fit
  struct point origin; // quanta; relative to it:
  float x[OCCUPANTS_MAX + BOX_TREE_WIDTH], y[OCCUPANTS_MAX + BOX_TREE_WIDTH]; // quanta
};

struct density_window {
  mask active;
  struct lane_point at; // quanta
  struct box box;       // around the active lanes, quanta; hi inside
  vec2 ahead;           // unit direction of the preferred velocity
  real length, half;    // quanta: ahead, and to either side
  real occupant_count;  // visible occupants
  bool walls;           // some lane's window may contain walls
};

INLINE mask density_window_holds(const struct density_window *w, vec2 p)
{
  const real along = dot(p, w->ahead), aside = det(w->ahead, p);
  return less(splat(0), along) & less_equal(along, w->length) & less_equal(aside, w->half) &
         less_equal(-w->half, aside);
}

// ---------------------------------------------------------------------------- walls

// A wall hides the point p from the lane when p is behind its line and the line of sight passes
// between its ends.
INLINE mask wall_occludes(const struct wall_view *v, vec2 p)
{
  const real zero = splat(0);
  return less(zero, det(v->line, add(p, v->from_a))) & less_equal(det(p, v->from_a), zero) &
         less_equal(zero, det(p, v->from_b));
}

INLINE vec2 density_window_point(const struct density_window *w, real along, real aside)
{
  return add(times(along, w->ahead), times(aside, perp(w->ahead)));
}

// Lanes whose window the wall may intersect: close, facing its free side, and a corner of the
// window behind its line.
INLINE mask wall_may_occlude(const struct density_window *w, const struct wall_view *v)
{
  const real reach2 = w->length * w->length + w->half * w->half;
  mask behind = mask_none();
  for (int corner = 0; corner < 4; corner++) {
    const vec2 p =
        density_window_point(w, corner & 1 ? w->length : splat(0), corner & 2 ? w->half : -w->half);
    behind = behind | less(splat(0), det(v->line, add(p, v->from_a)));
  }
  const mask maybe = w->active & behind & wall_in_front(v);
  return any(maybe) ? maybe & less(wall_distance2(v), reach2) : maybe;
}

// The number of visible samples of the window.
HOST_DEVICE real density_window_visible(const struct density_window *w, const struct job *job)
{
  const struct obstacles *o = &job->in->world->obstacles;
  const int samples = DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS;
  mask hidden[DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS];
  struct wall_cursor cursor;
  const struct wall *wall;
  real free = splat((float)samples);
  for (int s = 0; s < samples; s++)
    hidden[s] = mask_none();
  wall_cursor_begin(&cursor, o, NULL, w->box, job->density_range);
  while ((wall = wall_cursor_next(&cursor, o))) {
    const struct wall_view view = wall_view_from(wall, w->at);
    const mask lanes = wall_may_occlude(w, &view);
    for (int s = 0; s < samples && any(lanes); s++) {
      const float along = ((float)(s / DENSITY_WINDOW_COLUMNS) + 0.5f) / DENSITY_WINDOW_ROWS;
      const float aside =
          ((float)(s % DENSITY_WINDOW_COLUMNS) + 0.5f) / (DENSITY_WINDOW_COLUMNS / 2) - 1;
      const vec2 p = density_window_point(w, splat(along) * w->length, splat(aside) * w->half);
      hidden[s] = hidden[s] | (lanes & wall_occludes(&view, p));
    }
  }
  for (int s = 0; s < samples; s++)
    free = free - select_real(hidden[s], splat(1), splat(0));
  return max_real(free, splat(DENSITY_WINDOW_VISIBLE_MIN));
}

// ------------------------------------------------------------------------- occupants

INLINE vec2 occupant_offset(const struct occupants *all, int k, vec2 from_origin)
{
  return (vec2){splat(all->x[k]) - from_origin.x, splat(all->y[k]) - from_origin.y};
}

INLINE vec2 density_window_from(const struct density_window *w, struct point origin)
{
  return vec2_of(to_real(w->at.x - splat_ivec(origin.x)), to_real(w->at.y - splat_ivec(origin.y)));
}

INLINE real increment(mask m, real count)
{
  return select_real(m, count + splat(1), count);
}

// Counts the agents of a list that no wall hides. An agent is not in its own window.
HOST_DEVICE void density_window_count_visible(struct density_window *w, const struct job *job,
                                              const struct occupants *all)
{
  const struct obstacles *o = &job->in->world->obstacles;
  const vec2 from = density_window_from(w, all->origin);
  int number[OCCUPANTS_MAX], count = 0;
  mask sees[OCCUPANTS_MAX];
  struct wall_cursor cursor;
  const struct wall *wall;
  for (int k = 0; k < all->count; k++) {
    sees[count] = w->active & density_window_holds(w, occupant_offset(all, k, from));
    number[count] = k;
    count += any(sees[count]);
  }
  wall_cursor_begin(&cursor, o, NULL, w->box, job->density_range);
  while (count && (wall = wall_cursor_next(&cursor, o))) {
    const struct wall_view view = wall_view_from(wall, w->at);
    const mask lanes = wall_may_occlude(w, &view);
    for (int i = 0; i < count && any(lanes); i++)
      sees[i] = sees[i] & not(lanes & wall_occludes(&view, occupant_offset(all, number[i], from)));
  }
  for (int i = 0; i < count; i++)
    w->occupant_count = increment(sees[i], w->occupant_count);
}

HOST_DEVICE void density_window_count(struct density_window *w, const struct job *job,
                                      const struct occupants *all)
{
  if (w->walls) {
    density_window_count_visible(w, job, all);
    return;
  }
  const vec2 from = density_window_from(w, all->origin);
  real occupant_count = w->occupant_count;
  for (int k = 0; k < all->count; k++)
    occupant_count = increment(w->active & density_window_holds(w, occupant_offset(all, k, from)),
                               occupant_count);
  w->occupant_count = occupant_count;
}

// ---------------------------------------------------------------------------- the lists

// Appends the agents [first, end), at most BOX_TREE_WIDTH. When the list is full, the window counts
// it and it starts again; without a window it overflows.
INLINE void occupants_append(struct occupants *all, const struct job *job, int64_t first,
                             int64_t end, const struct box_tree_query *query,
                             struct density_window *w)
{
  for (int64_t i = first; i < end; i += LANES) {
    const ivec x = lanes_load_ivec(job->a->x + i), y = lanes_load_ivec(job->a->y + i);
    mask wanted = box_tree_query_matches(query, x, y, x, y, splat(0));
    if (end - i < LANES)
      wanted = wanted & mask_from_bits((1u << (end - i)) - 1);
    const uint32_t bits = mask_bits(wanted);
    if (all->count > OCCUPANTS_MAX - LANES) {
      all->overflow = w == NULL;
      if (!w)
        return;
      density_window_count(w, job, all);
      all->count = 0;
    }
    compress(all->x + all->count, wanted, to_real(x - splat_ivec(all->origin.x)));
    compress(all->y + all->count, wanted, to_real(y - splat_ivec(all->origin.y)));
    all->count += bit_count(bits);
  }
}

INLINE void occupants_from_nearby(struct occupants *all, const struct job *job,
                                  const struct nearby *near, const struct box_tree_query *query)
{
  struct nearby_cursor cursor = nearby_cursor_begin(near, query, -1);
  int leaf;
  while (!all->overflow && nearby_next(&cursor, &leaf))
    occupants_append(all, job, near->first[leaf], near->end[leaf], query, NULL);
}

HOST_DEVICE void occupants_from_trees(struct occupants *all, const struct job *job,
                                      const struct box_tree_query *query, struct density_window *w)
{
  const struct neighbours *n = job->in->neighbours;
  const struct box_tree *trees[] = {&n->own, &n->ghosts};
  struct box_tree_cursor cursor;
  int64_t leaf;
  for (int t = 0; t < 2; t++) {
    const int64_t offset = t ? n->first_ghost : 0;
    box_tree_query_begin(&cursor, trees[t], *query);
    while (!all->overflow && box_tree_query_next(&cursor, &leaf))
      occupants_append(all, job, offset + box_tree_leaf_begin(leaf),
                       offset + box_tree_leaf_end(trees[t], leaf), query, w);
  }
}

INLINE void occupants_begin(struct occupants *all, struct point origin)
{
  all->count = 0;
  all->overflow = false;
  all->origin = origin;
}

// All agents within reach of an agent of the leaf.
HOST_DEVICE void occupants_collect(struct occupants *all, const struct job *job,
                                   const struct nearby *near, int64_t leaf)
{
  const struct box box = box_tree_leaf_box(&job->in->neighbours->own, leaf);
  const struct box_tree_query query = {box, job->density_range * job->density_range, 0};
  occupants_begin(all, box.lo);
  all->overflow = exceeds_exact_range(box, job->density_range);
  if (all->overflow)
    return;
  if (!near->overflow && query.range2 <= near->range2)
    occupants_from_nearby(all, job, near, &query);
  else
    occupants_from_trees(all, job, &query, NULL);
}

// -------------------------------------------------------------- the preferred velocity

INLINE bool density_window_has_walls(const struct density_window *w, const struct job *job)
{
  const struct obstacles *o = &job->in->world->obstacles;
  struct wall_cursor cursor;
  if (o->count == 0)
    return false;
  wall_cursor_begin(&cursor, o, NULL, w->box, job->density_range);
  return wall_cursor_next(&cursor, o) != NULL;
}

// The windows of the agents [first, end) in the box; false where no agent has a window and a
// preferred velocity.
INLINE bool density_window_load(struct density_window *w, const struct job *job, int64_t first,
                                int64_t end, struct box box)
{
  const struct agents *a = job->a;
  const struct density_speed *density_speed = job->in->walking.density_speed;
  const int64_t left = end - first;
  const ivec profile = lanes_load_ivec(a->profile + first);
  const mask valid = lanes_below(left);
  const ivec own = select_ivec(valid, profile, splat_ivec(0));
  const vec2 preferred_velocity = {lanes_load(a->prefer_x + first),
                                   lanes_load(a->prefer_y + first)};
  const real length2 = dot(preferred_velocity, preferred_velocity),
             quanta_per_metre = splat(1 / job->quantum);
  w->length = gather(density_speed->ahead, own) * quanta_per_metre;
  w->half = gather(density_speed->half, own) * quanta_per_metre;
  w->active = valid & less(splat(0), w->length) & less(splat(0), length2);
  const real size = square_root(select_real(w->active, length2, splat(1)));
  w->ahead = vec2_of(preferred_velocity.x / size, preferred_velocity.y / size);
  w->at = (struct lane_point){lanes_load_ivec(a->x + first), lanes_load_ivec(a->y + first)};
  w->box = box;
  w->occupant_count = splat(0);
  return any(w->active);
}

// The share of the speed that the occupants leave; free: visible samples.
INLINE real density_window_share(const struct density_window *w, const struct job *job,
                                 ivec profile, real free)
{
  const real area = splat(2 * job->quantum * job->quantum) * w->length * w->half; // m^2
  const real occupant_count =
      splat(DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS * DENSITY_SPEED_PER_UNIT) *
      w->occupant_count;
  const real density = occupant_count / select_real(w->active, free * area, splat(1)); // entries
  const real x = min_real(density, splat(DENSITY_SPEED_ENTRIES - 1));
  const ivec last = splat_ivec(DENSITY_SPEED_ENTRIES - 2), cut = to_ivec(x);
  const ivec i = select_ivec(ivec_less(last, cut), last, cut);
  const float *table = job->in->walking.density_speed->share;
  const ivec at = profile * splat_ivec(DENSITY_SPEED_ENTRIES) + i;
  const real low = gather(table, at), high = gather(table, at + splat_ivec(1));
  return low + (x - to_real(i)) * (high - low);
}

INLINE void density_window_apply(const struct density_window *w, const struct job *job,
                                 int64_t first, real free)
{
  struct agents *a = job->a;
  const ivec profile = select_ivec(w->active, lanes_load_ivec(a->profile + first), splat_ivec(0));
  const real share = density_window_share(w, job, profile, free);
  float x[LANES], y[LANES];
  lanes_store(x, share * lanes_load(a->prefer_x + first));
  lanes_store(y, share * lanes_load(a->prefer_y + first));
  for (uint32_t bits = mask_bits(w->active); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    a->prefer_x[first + l] = x[l];
    a->prefer_y[first + l] = y[l];
  }
}

// One lane at a time, with lists of its own.
HOST_DEVICE real density_window_per_lane(struct density_window *w, const struct job *job,
                                         int64_t first)
{
  struct occupants own;
  real occupant_count = w->occupant_count,
       free = splat(DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS);
  for (uint32_t bits = mask_bits(w->active); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    const struct point at = {job->a->x[first + l], job->a->y[first + l]};
    struct density_window one = *w;
    one.active = mask_from_bits(1u << l);
    one.box = (struct box){at, at};
    one.walls = density_window_has_walls(&one, job);
    const struct box_tree_query query = {one.box, job->density_range * job->density_range, 0};
    occupants_begin(&own, at);
    occupants_from_trees(&own, job, &query, &one);
    density_window_count(&one, job, &own);
    occupant_count = select_real(one.active, one.occupant_count, occupant_count);
    if (one.walls)
      free = select_real(one.active, density_window_visible(&one, job), free);
  }
  w->occupant_count = occupant_count;
  return free;
}

// Reduces the preferred velocities of the agents of a leaf. No other agent reads them.
HOST_DEVICE void density_window_leaf(const struct job *job, const struct nearby *near, int64_t leaf)
{
  const int64_t end = box_tree_leaf_end(&job->in->neighbours->own, leaf);
  struct occupants all;
  bool collected = false;
  for (int64_t first = box_tree_leaf_begin(leaf); first < end; first += LANES) {
    struct density_window w;
    real free = splat(DENSITY_WINDOW_ROWS * DENSITY_WINDOW_COLUMNS);
    if (!density_window_load(&w, job, first, end,
                             box_tree_leaf_box(&job->in->neighbours->own, leaf)))
      continue;
    if (!collected)
      occupants_collect(&all, job, near, leaf);
    collected = true;
    if (all.overflow) {
      free = density_window_per_lane(&w, job, first);
    } else {
      w.walls = density_window_has_walls(&w, job);
      density_window_count(&w, job, &all);
      if (w.walls)
        free = density_window_visible(&w, job);
    }
    density_window_apply(&w, job, first, free);
  }
}
