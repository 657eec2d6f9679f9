// The turn of an agent from its route, for this step and the next ones: towards a place of its own
// in the section ahead (spreading_section_kernel.h) or in the edge of its exit
// (spreading_exit_kernel.h), else onto its line (spreading_kernel.h). A section that opens again,
// like a door, comes before the exit behind it; where the gap narrows up to the exit, the exit
// stands at a wall and comes first.
#pragma once
#include "spreading_exit_kernel.h"
#include "spreading_section_kernel.h"

#define OWN_PLACE_LOOKS 2 // an agent looks for a place of its own in every second look
#define OWN_PLACE_RESTS 2 // and in every second of these if it has found none

INLINE mask heads_for_own_place(const struct spreaders *s)
{
  return not(ivec_equal(s->turn & splat_ivec(SPREADING_OWN_PLACE), splat_ivec(0)));
}

// Those that look for a place of their own in this step; a new agent looks at once.
INLINE mask own_place_looks(const struct navigation_input *in, const struct spreaders *s)
{
  const mask unturned = s->active & ivec_equal(s->turn, splat_ivec(0));
  if (in->look_period == 0)
    return s->active;
  const int64_t look = in->step / in->look_period;
  if (!in->all_look || look % OWN_PLACE_LOOKS)
    return unturned;
  const bool all = look % (OWN_PLACE_LOOKS * OWN_PLACE_RESTS) == 0;
  return all ? s->active : unturned | (s->active & heads_for_own_place(s));
}

// The turns towards places of their own; 0: of agents that have none, or that look for their lines
// only. Between two looks, an agent that walks near a wall leaves its own place for its line, so
// that it does not cut the corner.
HOST_DEVICE ivec own_place_turns(const struct world *w, const struct navigation_input *in,
                                 const struct spreaders *s, const struct spreading_line *l)
{
  const ivec none = splat_ivec(0);
  const real half = splat(0.5f) * s->slow * s->speed;
  const mask queues = less(dot(s->velocity, s->velocity), half * half);
  const mask free = s->active & (queues | not(spreading_near_wall(in, s, &l->place)));
  const mask look = own_place_looks(in, s);
  const mask keeps = free & not(look) & heads_for_own_place(s);
  const ivec kept = select_ivec(keeps, s->turn, none);
  if (!any(look))
    return kept;
  const struct section p = section_look(s, &l->place, look);
  const ivec turns = exit_turns(w, s, l, look & not(p.opens), kept);
  return section_turns(s, l, &p, look & ivec_equal(turns, none), turns);
}

// First the places of their own, and the lines of the others:
INLINE void spreading_turns_begin(const struct world *w, const struct spreading_grid *grid,
                                  const struct navigation_input *in, const struct spreaders *s,
                                  struct spreading_line *l)
{
  l->place = spreading_place_of(grid, s);
  l->side = spreading_sides(in->seed, s->party_low, s->party_high);
  l->turn = own_place_turns(w, in, s, l);
  spreading_lines_find(s, l);
}
// Then the turns to remember, of all.
HOST_DEVICE ivec spreading_turns_end(const struct navigation_input *in, const struct spreaders *s,
                                     const struct spreading_line *l)
{
  const mask others = ivec_equal(l->turn, splat_ivec(0));
  return any(others) ? select_ivec(others, spreading_lines_follow(in, s, l), l->turn) : l->turn;
}

// After the preferred velocity and the facing of the agent, which stays that of the route.
INLINE void spread_by_field(const struct world *w, const struct navigation_input *in,
                            struct agents *a, int64_t i)
{
  if (mask_bits(spreading_looks(in, a, i)) & 1) {
    const struct spreading_grid grid = spreading_grid_of(w);
    struct spreaders s;
    struct spreading_line line;
    int32_t turns[LANES];
    const struct spreader_field field = spreader_field_of(w, a, i);
    const struct spreader_list one = {&i, &field, 1};
    spreaders_load(&s, w, in, a, &one);
    spreading_turns_begin(w, &grid, in, &s, &line);
    lanes_store_ivec(turns, spreading_turns_end(in, &s, &line));
    a->turn[i] = turns[0];
  }
  spreading_turn_apply(a, i);
}
