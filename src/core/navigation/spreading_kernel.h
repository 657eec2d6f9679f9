// Spreading: every agent keeps to a line of its own beside the route that all follow.
//
// A field leads all agents of a destination along the same line, the shortest. An agent that
// spreads walks parallel to it, displaced by a share of the free width there that never changes:
// from -1, the right edge, to 1, the left one. At x with direction g and its left n, its line is
// displaced by k u R from the route's point q = x - k u R n, and R, the room of the route at q,
// solves
//
//     R = gap(q) - margin,   0 <= R <= the largest room
//
// A gap grows by at most the distance walked, and |k u| < 1, so there is one root. At a door R goes
// to 0 by itself, and no wall lies between x and q. The agent takes the direction of the field at
// q, aimed at where its line leads a few metres on. In a queue, below half its speed, it heads
// straight on: u fades (spreading_section_kernel.h). Where q belongs to another route (a watershed
// between two), it follows g.
//
// An agent looks for its line every HEADWAY_LOOK, a new one at once, and remembers the turn from
// its route onto it (agents.h: turn). In between it keeps the turn, while the route may bend. An
// agent that could reach a wall before it looks again looks in every step.
//
// docs/walking.md gives the source of the values. Only + - * / and the square root of floats: the
// same bits on every machine.
#pragma once
#include "agents.h"
#include "field_kernel.h"
#include "spreading_rest_kernel.h"
#include "world.h"

#define SPREADING_AHEAD     4.0f      // m, how far ahead the line is aimed at
#define SPREADING_BEND      0.7f      // least cosine between the directions at x and q
#define SPREADING_TURN      0.5f      // least cosine between the aim and the direction at q
#define SPREADING_UNIT      8192.0f   // of the cosine and the sine of a turn
#define SPREADING_NEAR_WALL (1 << 16) // in a turn: looks again in the next step
#define SPREADING_OWN_PLACE (1 << 15) // in a turn: towards a place of its own ahead
#define SPREADING_STRAIGHT  (1 << 30) // no turn: cosine 1, sine 0
#define SPREADING_TRIALS    5         // of a room

struct spreading_place { // LANES agents on the grid
  const struct spreading_grid *grid;
  real x, y;   // cells, from the corner of the grid
  real margin; // m
};

// LANES agents that look for their lines.
struct spreaders {
  mask active;
  struct lane_point at;             // quanta
  vec2 facing, velocity;            // unit; m/s
  real radius, speed, share;        // m; m/s; of the width of the route
  real slow;                        // share of the speed that zones leave
  real queue;                       // struct headway_profile
  ivec turn;                        // the last one
  ivec party_low, party_high;       // halves of agents_party
  const struct field *field[LANES]; // NULL: none
  ivec far; // the agent's cell, if known to have FIELD_FAR; else -2, unlike any place in a map
};

struct spreading_line { // that each of them keeps to
  struct spreading_place place;
  real side;   // in [-1, 1), > 0: left
  ivec turn;   // towards a place of its own; 0: it has none, and looks for its line
  mask found;  // the line
  real u;      // side times the share
  real dx, dy; // m: from the agent to the point q of the route
  real most;   // m, the largest room here
  real ahead;  // m, how far ahead to aim
};

INLINE real spreading_least(real a, real b)
{
  return select_real(less(a, b), a, b);
}

INLINE real spreading_most(real a, real b)
{
  return select_real(less(b, a), a, b);
}

// The places in the gap map, -1 outside. dx, dy: m, from the agents.
INLINE ivec spreading_gap_index(const struct spreading_place *p, real dx, real dy)
{
  const struct nav_grid *g = p->grid->g;
  const real per_metre = splat(p->grid->per_metre), zero = splat(0);
  const real x = p->x + per_metre * dx, y = p->y + per_metre * dy;
  const mask inside = less_equal(zero, x) & less_equal(zero, y) &
                      less(x, splat((float)g->columns)) & less(y, splat((float)g->rows));
  const ivec column = to_ivec(select_real(inside, x, zero));
  const ivec row = to_ivec(select_real(inside, y, zero));
  return select_ivec(inside, field_order_x(column) + field_order_y(row, g->square_columns),
                     splat_ivec(-1));
}

// The gaps at places in the map, m; 0 outside the grid.
INLINE real spreading_gap_at(const struct spreading_place *p, ivec at)
{
  const ivec zero = splat_ivec(0);
  const mask outside = ivec_less(at, zero);
  const ivec gap = gather_bytes(p->grid->g->gap, select_ivec(outside, zero, at));
  return to_real(select_ivec(outside, zero, gap)) * splat(1.0f / NAV_GRID_GAPS_PER_METRE);
}

INLINE real spreading_gap(const struct spreading_place *p, real dx, real dy)
{
  return spreading_gap_at(p, spreading_gap_index(p, dx, dy));
}

INLINE struct spreading_place spreading_place_of(const struct spreading_grid *grid,
                                                 const struct spreaders *s)
{
  const struct point origin = grid->g->origin;
  struct spreading_place p;
  p.grid = grid;
  p.x = to_real(s->at.x - splat_ivec(origin.x)) * splat(grid->per_quantum);
  p.y = to_real(s->at.y - splat_ivec(origin.y)) * splat(grid->per_quantum);
  p.margin = spreading_most(spreading_margin(s->radius), splat(grid->half_diagonal));
  return p;
}

// What is left at q of the room that the agent assumes there, m; < 0: it assumes too much. The gap
// map has the gaps of centres of cells, rounded down: as much is forgiven, but no wall may lie
// between the agent and q.
INLINE real spreading_rest_of_room(const struct spreading_place *p, vec2 way, real u, real room)
{
  const real gap = spreading_gap(p, u * room * way.y, -u * room * way.x);
  const real between = select_real(less(u, splat(0)), -u * room, u * room);
  return spreading_least(gap - p->margin + splat(p->grid->rounding) - room,
                         gap - splat(p->grid->half_diagonal) - between);
}

// The room R of the route that passes the agents: `way` is its unit direction, u as in struct
// spreading_line. What is left of R falls by 1 - |u| to 1 + |u| per metre of R: one trial brackets
// the root, and the first trial from below leads to it, exactly so if q is between straight walls.
// gap: of the agents themselves.
HOST_DEVICE real spreading_room(const struct spreading_place *p, vec2 way, real u, real most,
                                real gap, mask active)
{
  const real zero = splat(0), one = splat(1);
  const real here = gap - p->margin;
  const mask some = active & less(zero, here) & less(zero, most);
  const real size = select_real(less(u, zero), -u, u), fastest = one / (one + size);
  const real slowest = one / (one - size), least = spreading_least(here * fastest, most);
  real low = least, high = spreading_least((here + splat(p->grid->rounding)) * slowest, most),
       room = high;
  real found = least;
  mask open = some;
  for (int k = 0; k < SPREADING_TRIALS && any(open); k++) {
    const real rest = spreading_rest_of_room(p, way, u, room);
    const real higher = room + rest * fastest, lower = room + rest * slowest;
    const mask fits = open & less_equal(zero, rest);
    found = select_real(fits, spreading_least(higher, high), found);
    low = spreading_most(low, lower);
    high = higher;
    open = open & not(fits) & less(low, high); // else the map's rounding
    room = splat(0.5f) * (low + high);
  }
  return select_real(some, found, zero);
}

// here: spreading_gap_index of the agents themselves. Most are known to be far, without reading
// anything.
INLINE real spreading_rest(const struct spreading_place *p, const struct spreaders *s, ivec here,
                           mask active)
{
  const real least = splat(p->grid->far) * s->slow;
  const mask far = ivec_equal(here, s->far) & less_equal(splat(SPREADING_FAR), least);
  int32_t at_x[LANES], at_y[LANES];
  float x[LANES], y[LANES], slow[LANES], rest[LANES] = {0};
  lanes_store_ivec(at_x, s->at.x);
  lanes_store_ivec(at_y, s->at.y);
  lanes_store(x, p->x);
  lanes_store(y, p->y);
  lanes_store(slow, s->slow);
  for (uint32_t bits = mask_bits(active & not(far)); bits; bits &= bits - 1) {
    const int l = lowest_bit(bits);
    rest[l] = spreading_rest_of_one(p->grid, s->field[l], (struct point){at_x[l], at_y[l]}, x[l],
                                    y[l], slow[l]);
  }
  return select_real(far, splat(SPREADING_FAR), lanes_load(rest));
}

struct spreader_field {      // that an agent follows
  const struct field *field; // NULL: none
  int32_t far;               // as in struct spreaders
};

INLINE struct spreader_field spreader_field_of(const struct world *w, const struct agents *a,
                                               int64_t i)
{
  const int32_t destination = agent_destination(a, i);
  const struct field *field =
      destination < 0 ? NULL : world_field_of(w, destination, agents_party(a, i));
  return (struct spreader_field){field, -2};
}

// Agents that look for their lines, near each other in memory.
struct spreader_list {
  const int64_t *who;                  // [count]
  const struct spreader_field *fields; // [count]
  int count;                           // 1 to LANES
};

INLINE void spreaders_load(struct spreaders *s, const struct world *w,
                           const struct navigation_input *in, const struct agents *a,
                           const struct spreader_list *list)
{
  const int64_t base = list->who[0];
  int32_t from_base[LANES] = {0}, low[LANES] = {0}, high[LANES] = {0}, far[LANES] = {0};
  float slow[LANES] = {0};
  uint32_t with_field = 0;
  for (int l = 0; l < list->count; l++) {
    const int64_t i = list->who[l];
    const int64_t party = agents_party(a, i);
    from_base[l] = (int32_t)(i - base);
    low[l] = (int32_t)(uint32_t)(uint64_t)party;
    high[l] = (int32_t)(uint32_t)((uint64_t)party >> 32);
    s->field[l] = list->fields[l].field;
    far[l] = list->fields[l].far;
    slow[l] = w->zones.count ? zones_speed_at(&w->zones, (struct point){a->x[i], a->y[i]}) : 1;
    with_field |= (uint32_t)(list->fields[l].field != NULL) << l;
  }
  const ivec k = lanes_load_ivec(from_base);
  const real zero = splat(0);
  s->at.x = gather_bits(a->x + base, k);
  s->at.y = gather_bits(a->y + base, k);
  s->facing = vec2_of(gather(a->facing_x + base, k), gather(a->facing_y + base, k));
  s->velocity = vec2_of(gather(a->vx + base, k), gather(a->vy + base, k));
  s->radius = gather(a->radius + base, k);
  s->speed = gather(a->speed + base, k);
  s->share = splat(SPREADING_SHARE) * gather(in->spread, gather_bits(a->profile + base, k));
  s->queue = gather(in->queue, gather_bits(a->profile + base, k));
  s->turn = gather_bits(a->turn + base, k);
  s->slow = lanes_load(slow);
  s->party_low = lanes_load_ivec(low);
  s->party_high = lanes_load_ivec(high);
  s->far = lanes_load_ivec(far);
  s->active = mask_from_bits(w->nav_grid.gap ? with_field : 0) & not(equal(s->share, zero)) &
              not(equal(gather(a->yield + base, k), zero)) &
              not(equal(s->facing.x, zero) & equal(s->facing.y, zero));
}

// The own lines beside the route of agents without a place of their own; others follow the route
// itself.
INLINE void spreading_lines_find(const struct spreaders *s, struct spreading_line *l)
{
  const real fade = s->share * spreading_fades(s->velocity, s->slow * s->speed);
  const mask active = s->active & ivec_equal(l->turn, splat_ivec(0)) & not(equal(fade, splat(0)));
  const vec2 way = s->facing;
  l->found = mask_none();
  if (!any(active))
    return;
  const ivec here = spreading_gap_index(&l->place, splat(0), splat(0));
  const real rest = spreading_rest(&l->place, s, here, active);
  l->most = spreading_least(splat(SPREADING_NARROWS) * rest, splat(SPREADING_ROOM));
  l->ahead = spreading_least(splat(0.5f) * rest, splat(SPREADING_AHEAD));
  l->u = fade * l->side;
  const real gap = spreading_gap_at(&l->place, here);
  const real aside = l->u * spreading_room(&l->place, way, l->u, l->most, gap, active);
  l->dx = aside * way.y;
  l->dy = -aside * way.x;
  l->found = active & not(equal(aside, splat(0)));
}

// Where the lines lead from: quanta.
INLINE struct lane_point spreading_route_points(const struct spreaders *s,
                                                const struct spreading_line *l)
{
  const real quanta = splat(l->place.grid->quanta);
  return (struct lane_point){s->at.x + to_ivec(l->dx * quanta), s->at.y + to_ivec(l->dy * quanta)};
}

// Prefetches what spreading_lines_follow will read.
INLINE void spreading_lines_prefetch(const struct spreaders *s, const struct spreading_line *l)
{
  const struct nav_grid *g = l->place.grid->g;
  if (!any(l->found))
    return;
  const struct field_stencil at = field_stencil_of(g, spreading_route_points(s, l));
  const ivec aim = spreading_gap_index(&l->place, l->dx + l->ahead * s->facing.x,
                                       l->dy + l->ahead * s->facing.y);
  int32_t gap[LANES];
  lanes_store_ivec(gap, aim);
  for (uint32_t bits = mask_bits(l->found); bits; bits &= bits - 1) {
    const int k = lowest_bit(bits);
    __builtin_prefetch(&g->gap[gap[k] < 0 ? 0 : gap[k]]);
  }
  field_prefetch(s->field, &at, l->found);
}

// A turn by an angle, in one number that is never 0: cosine, sine, and the flags
// SPREADING_NEAR_WALL and SPREADING_OWN_PLACE.
INLINE ivec spreading_turn_of(real cosine, real sine, ivec flags)
{
  const ivec c = to_ivec(cosine * splat(SPREADING_UNIT)), s = to_ivec(sine * splat(SPREADING_UNIT));
  return c * splat_ivec(1 << 17) + (flags | (s & splat_ivec(0x7fff)));
}

// From the route to a place of its own in that direction.
INLINE ivec spreading_turn_towards(const struct spreaders *s, vec2 way)
{
  const vec2 f = s->facing;
  const real length = square_root(dot(way, way));
  const real by_length = select_real(less(splat(0), length), length, splat(1));
  const vec2 v = {way.x / by_length, way.y / by_length};
  return spreading_turn_of(dot(f, v), det(f, v), splat_ivec(SPREADING_OWN_PLACE));
}

INLINE float spreading_turn_cosine(int32_t turn) // times SPREADING_UNIT
{
  return (float)(turn >> 17);
}

INLINE float spreading_turn_sine(int32_t turn) // likewise
{
  return (float)((int32_t)((uint32_t)turn << 17) >> 17);
}

// Agents without a destination walk straight to their goal. Without branches, for loops of lanes.
INLINE void spreading_turn_apply(struct agents *a, int64_t i)
{
  const int32_t turn = a->turn[i];
  const float cosine = spreading_turn_cosine(turn), sine = spreading_turn_sine(turn);
  const float x = cosine * a->facing_x[i] - sine * a->facing_y[i];
  const float y = sine * a->facing_x[i] + cosine * a->facing_y[i];
  const float size = sqrtf(x * x + y * y);
  const float along_x = a->prefer_x[i], along_y = a->prefer_y[i]; // the route
  const bool turns = (sine != 0.0f) & (agent_destination(a, i) >= 0) & (size > 0.0f);
  const float scale = a->speed[i] / (turns ? size : 1.0f);
  a->prefer_x[i] = turns ? scale * x : along_x;
  a->prefer_y[i] = turns ? scale * y : along_y;
}

// Of the agents [i, i + LANES).
INLINE mask spreading_looks(const struct navigation_input *in, const struct agents *a, int64_t i)
{
  const ivec turn = lanes_load_ivec(a->turn + i), zero = splat_ivec(0);
  if (in->all_look)
    return mask_from_bits(ALL_LANES_BITS);
  return ivec_equal(turn, zero) | not(ivec_equal(turn & splat_ivec(SPREADING_NEAR_WALL), zero));
}

// Those that could reach a wall before they look again.
INLINE mask spreading_near_wall(const struct navigation_input *in, const struct spreaders *s,
                                const struct spreading_place *p)
{
  const real walks =
      s->speed * splat(in->dt) * splat((float)in->look_period) + splat(p->grid->half_diagonal);
  return less(spreading_gap(p, splat(0), splat(0)), walks);
}

// The turns from the route onto the lines, to remember.
HOST_DEVICE ivec spreading_lines_follow(const struct navigation_input *in,
                                        const struct spreaders *s, const struct spreading_line *l)
{
  const struct nav_grid *g = l->place.grid->g;
  const real zero = splat(0);
  if (!any(l->found))
    return splat_ivec(SPREADING_STRAIGHT);
  const struct lane_point q = spreading_route_points(s, l);
  const struct field_stencil at = field_stencil_of(g, q);
  const struct field_corners square = field_corners_read(s->field, &at, l->found);
  vec2 v = field_directions(s->field, g, q, &at, &square, l->found);
  const mask bends = less(dot(v, s->facing), splat(SPREADING_BEND));
  const real bx = l->dx + l->ahead * v.x, by = l->dy + l->ahead * v.y; // of the route
  const real gap = spreading_gap(&l->place, bx, by) - l->place.margin;
  const real room = select_real(less(zero, gap), spreading_least(gap, l->most), zero);
  const real aside = l->u * room;
  const vec2 aim = {bx - aside * v.y, by + aside * v.x};
  const real length = square_root(dot(aim, aim));
  const mask aims = less(splat(SPREADING_TURN) * length, dot(aim, v));
  const real by_length = select_real(aims, length, splat(1));
  v = select_vec2(aims, vec2_of(aim.x / by_length, aim.y / by_length), v);
  const ivec near_wall = select_ivec(spreading_near_wall(in, s, &l->place),
                                     splat_ivec(SPREADING_NEAR_WALL), splat_ivec(0));
  const vec2 f = s->facing;
  const ivec turn = spreading_turn_of(f.x * v.x + f.y * v.y, f.x * v.y - f.y * v.x, near_wall);
  return select_ivec(l->found & not(bends), turn, splat_ivec(SPREADING_STRAIGHT));
}
